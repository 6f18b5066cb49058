// What can be wrong with the keys, the values and the names of a contract, wherever they are.
extension FindingKind {
    static let kindsOfKeys: [FindingKind] = [
        .conflictingKeys, .missingKey, .missingValue, .openAPIDocument, .unknownKey, .unknownLanguageVersion,
        .wrongKind,
    ]

    static let kindsOfValues: [FindingKind] = [
        .ambiguousName, .duplicateName, .importCycle, .invalidDefault, .invalidFormat, .invalidImport, .invalidName,
        .invalidPattern, .invalidServer, .invalidValue, .nameCollision, .unknownField, .unknownValue,
        .unsupportedPattern,
    ]

    // MARK: Keys

    package static let conflictingKeys = FindingKind(
        "conflicting-keys", finds: "Two keys that exclude each other, or a key that has no effect at its place.",
        why:
            "The contract says two things, or something that nothing reads. Its author expects an effect that it lacks.",
        wrong: "findBook: {get: /book, post: /books}", right: "findBook: {get: /book}\naddBook: {post: /books}",
        instead: "Or remove the key that the message names.")

    package static let missingKey = FindingKind(
        "missing-key", finds: "A mapping without a key that it needs.",
        why: "The tool does not guess what is missing. The message says what the key means.",
        wrong: "getBook: {response: string}", right: "getBook: {get: /book, response: string}")

    package static let missingValue = FindingKind(
        "missing-value", finds: "A key without a value.",
        why: "It looks as if the key had an effect, and it has none.",
        wrong: "getBook:\n  get: /book\n  response:", right: "getBook:\n  get: /book\n  response: string",
        instead: "Or remove the key.")

    package static let openAPIDocument = FindingKind(
        "openapi-document", finds: "An OpenAPI document where a contract is needed.",
        why: "It describes requests and responses, and not what may go wrong and what is sent again.", .lines,
        wrong: "openapi: 3.0.3\ninfo: {title: Library, version: 1.0.0}", right: "errand: 1\nservice: Library",
        instead:
            "`errand import openapi FILE -o contracts/NAME.contract.yaml` makes a contract of it, and says what to decide by hand."
    )

    package static let unknownKey = FindingKind(
        "unknown-key", finds: "A key that the language, or `errand.yaml`, does not have at this place.",
        why: "A misspelt key would be ignored without a word. A `timout` does not limit anything.",
        wrong: "getBook: {get: /book, timout: 5s}", right: "getBook: {get: /book, timeout: 5s}",
        instead: "[The language](contract-language.md) and [the configuration](configuration.md) list the keys.")

    package static let unknownLanguageVersion = FindingKind(
        "unknown-language-version", finds: "A contract in a version of the language that this Errand does not read.",
        why: "A later version may give the same lines another meaning.",
        wrong: "errand: 2\nservice: Library\nendpoints: {}", right: "errand: 1\nservice: Library\nendpoints: {}",
        instead: "Or update Errand.")

    package static let wrongKind = FindingKind(
        "wrong-kind", finds: "A list, a mapping or a text where another of them is needed.",
        why: "The value cannot be read as what the key means.",
        wrong: "getBook: /book", right: "getBook: {get: /book}")

    // MARK: Values

    package static let invalidDefault = FindingKind(
        "invalid-default", finds: "A default that its field cannot have.",
        why: "The generated code would not compile, or would send a value that the server refuses.",
        wrong: "getBooks: {get: /books, query: {page: int = first}}",
        right: "getBooks: {get: /books, query: {page: int = 1}}")

    package static let invalidFormat = FindingKind(
        "invalid-format", finds: "A `format` that no instant can be read by.",
        why:
            "The client reads and writes the timestamp by it, and a field with two meanings would be read as one of them.",
        wrong: "types:\n  Order: {placedAt: {type: timestamp, format: YYYY-MM-dd HH:mm}}",
        right: "types:\n  Order: {placedAt: {type: timestamp, format: yyyy-MM-dd HH:mm}}")

    package static let invalidPattern = FindingKind(
        "invalid-pattern", finds: "A `pattern` that is not a regular expression, or one that is too large.",
        why: "The client checks the value before it sends it, and could not.",
        wrong: "types:\n  ISBN: {alias: string, pattern: '([0-9]+'}",
        right: "types:\n  ISBN: {alias: string, pattern: '([0-9]+)'}")

    package static let invalidServer = FindingKind(
        "invalid-server", finds: "A server that is not a base URL.",
        why: "Paths are appended to it. A user, a query or a fragment would end up in the middle of each address.",
        wrong: "servers: {main: \"api.example.com\"}", right: "servers: {main: \"https://api.example.com\"}")

    package static let invalidValue = FindingKind(
        "invalid-value", finds: "A value in a form that its key does not have.",
        why: "The tool cannot tell what is meant, such as whether a number is seconds or milliseconds.",
        wrong: "getBook: {get: /book, timeout: 20}", right: "getBook: {get: /book, timeout: 20s}")

    package static let unknownValue = FindingKind(
        "unknown-value", finds: "A word that is not among those that a key can have.",
        why: "A misspelt word would be ignored without a word, and a default would apply.",
        wrong: "addBook: {post: /books, effect: keyd}", right: "addBook: {post: /books, effect: keyed}")

    package static let unsupportedPattern = FindingKind(
        "unsupported-pattern", finds: "A `pattern` that looks ahead or refers to one of its groups.",
        why: "Such a pattern can take exponential time for a short text, so the client's matcher does not have them.",
        wrong: "types:\n  Code: {alias: string, pattern: '(a|b)\\1'}",
        right: "types:\n  Code: {alias: string, pattern: '(aa|bb)'}", instead: "Or leave this check to the server.")

    // MARK: Names

    package static let ambiguousName = FindingKind(
        "ambiguous-name", finds: "A name that two imported contracts define.",
        why: "Nothing says which of the two is meant.", .lines,
        wrong: "imports: [books.contract.yaml, records.contract.yaml]\n# both define a type Item",
        right: "imports: [books.contract.yaml]", instead: "Or rename one of the two.")

    package static let duplicateName = FindingKind(
        "duplicate-name", finds: "A name that a list or a path has twice.",
        why: "One of the two has no effect, or a value would be needed twice.",
        wrong: "getBook: {get: \"/shelves/{id}/books/{id}\"}", right: "getBook: {get: \"/shelves/{shelf}/books/{id}\"}")

    package static let importCycle = FindingKind(
        "import-cycle", finds: "Contracts that import each other in a circle.",
        why: "Neither can be read before the other.", .lines,
        wrong: "imports: [fails.contract.yaml]\n# in a contract that this one leads back to",
        right: "imports: [library.contract.yaml]",
        instead: "Both import a third contract with what they share.")

    package static let invalidImport = FindingKind(
        "invalid-import", finds: "An import that is not a relative path.",
        why: "An absolute path exists on one computer only.", .lines,
        wrong: "imports: [/home/me/shared.contract.yaml]", right: "imports: [../shared/shared.contract.yaml]",
        instead: "The path begins at the folder of the file that imports, with `/` between folders.")

    package static let invalidName = FindingKind(
        "invalid-name", finds: "A name that cannot be one.",
        why: "Names become Swift names and folders, and types are named in texts such as `[User]?`.",
        wrong: "types:\n  bank account: {number: int}", right: "types:\n  BankAccount: {number: int}")

    package static let nameCollision = FindingKind(
        "name-collision", finds: "Two things that would have one name in a client or in a request.",
        why: "A request would carry the value twice, or one of the two could not be generated.",
        wrong: "common: {parameters: {page: int}}\nendpoints:\n  getBooks: {get: /books, query: {page: int}}",
        right: "common: {parameters: {page: int}}\nendpoints:\n  getBooks: {get: /books}")

    package static let unknownField = FindingKind(
        "unknown-field", finds: "A field in `names` of `errand.yaml` that the contract does not have.",
        why: "The Swift name that it gives would go to no field.", .lines,
        wrong: "names: {Library: {fields: {Book.titel: heading}}}",
        right: "names: {Library: {fields: {Book.title: heading}}}")
}
