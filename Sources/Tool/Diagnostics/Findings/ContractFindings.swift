// What can be wrong with the keys, the values and the names of a contract, wherever they are.
extension FindingKind {
    static let kindsOfKeys: [FindingKind] = [
        .conflictingKeys, .missingKey, .missingValue, .openAPIDocument, .unknownKey, .unknownLanguageVersion,
        .wrongKind,
    ]

    static let kindsOfValues: [FindingKind] = [
        .ambiguousName, .duplicateName, .importCycle, .invalidDefault, .invalidFormat, .invalidImport, .invalidName,
        .invalidPattern, .invalidServer, .invalidValue, .nameCollision, .serverRoleMissing, .unknownCredential,
        .unknownField,
        .unknownGroup,
        .unknownServer, .unknownServerRole,
        .unknownValue, .unsupportedPattern,
    ]

    // MARK: Keys

    package static let conflictingKeys = FindingKind(
        "conflicting-keys", finds: "Two keys that exclude each other, or a key that has no effect at this place.",
        why:
            "The contract contradicts itself, or has a key that the tool would ignore.",
        wrong: "findBook: {get: /book, post: /books}", right: "findBook: {get: /book}\naddBook: {post: /books}",
        instead: "Or remove the key that the message names.")

    package static let missingKey = FindingKind(
        "missing-key", finds: "A mapping without a required key.",
        why: "The tool does not guess the missing value. The message says what the key means.",
        wrong: "getBook: {response: string}", right: "getBook: {get: /book, response: string}")

    package static let missingValue = FindingKind(
        "missing-value", finds: "A key without a value.",
        why: "A key without a value has no effect, although it looks as if it had one.",
        wrong: "getBook:\n  get: /book\n  response:", right: "getBook:\n  get: /book\n  response: string",
        instead: "Or remove the key.")

    package static let openAPIDocument = FindingKind(
        "openapi-document", finds: "An OpenAPI document where a contract is needed.",
        why: "An OpenAPI document does not describe how errors are handled and which requests can be sent again.",
        .lines,
        wrong: "openapi: 3.0.3\ninfo: {title: Library, version: 1.0.0}", right: "errand: 1\nservice: Library",
        instead:
            "`errand import openapi FILE -o contracts/NAME.contract.yaml` converts the document to a contract and lists the decisions that it leaves to you."
    )

    package static let unknownKey = FindingKind(
        "unknown-key", finds: "A key that the contract language, or `errand.yaml`, does not have at this place.",
        why: "The tool would silently ignore a misspelled key. For example, `timout` would not limit anything.",
        wrong: "getBook: {get: /book, timout: 5s}", right: "getBook: {get: /book, timeout: 5s}",
        instead: "[The language](contract-language.md) and [the configuration](configuration.md) list the keys.")

    package static let unknownLanguageVersion = FindingKind(
        "unknown-language-version",
        finds: "A contract in a version of the language that this version of Errand cannot read.",
        why: "The same lines may have a different meaning in a later version.",
        wrong: "errand: 2\nservice: Library\nendpoints: {}", right: "errand: 1\nservice: Library\nendpoints: {}",
        instead: "Or update Errand.")

    package static let wrongKind = FindingKind(
        "wrong-kind", finds: "A list, a mapping or a text where the key needs a different kind of value.",
        why: "The tool cannot use the value for this key.",
        wrong: "getBook: /book", right: "getBook: {get: /book}")

    // MARK: Values

    package static let invalidDefault = FindingKind(
        "invalid-default", finds: "A default that is not a value of its field's type.",
        why: "The generated code would not compile, or would send a value that the server refuses.",
        wrong: "getBooks: {get: /books, query: {page: int = first}}",
        right: "getBooks: {get: /books, query: {page: int = 1}}")

    package static let invalidFormat = FindingKind(
        "invalid-format", finds: "A `format` that does not describe an instant.",
        why:
            "The client reads and writes the timestamp in this format. It could not read an incomplete or ambiguous one.",
        wrong: "types:\n  Order: {placedAt: {type: timestamp, format: YYYY-MM-dd HH:mm}}",
        right: "types:\n  Order: {placedAt: {type: timestamp, format: yyyy-MM-dd HH:mm}}")

    package static let invalidPattern = FindingKind(
        "invalid-pattern", finds: "A `pattern` that is not a regular expression, or that is too large.",
        why: "The client could not check a value before it sends it.",
        wrong: "types:\n  ISBN: {alias: string, pattern: '([0-9]+'}",
        right: "types:\n  ISBN: {alias: string, pattern: '([0-9]+)'}")

    package static let invalidServer = FindingKind(
        "invalid-server", finds: "A server that is not a base URL.",
        why: "The client appends paths to it. A user, a query or a fragment would end up in the middle of each URL.",
        wrong: "servers: {main: \"api.example.com\"}", right: "servers: {main: \"https://api.example.com\"}")

    package static let serverRoleMissing = FindingKind(
        "server-role-missing", finds: "A server without a URL for a role that another server or `roles` has.",
        why: "The endpoints of the role could not be called with this server.",
        wrong: """
            servers:
              production: {url: "https://api.example.com", upload: "https://upload.example.com"}
              test: "https://test.example.com"
            """,
        right: """
            servers:
              production: {url: "https://api.example.com", upload: "https://upload.example.com"}
              test: {url: "https://test.example.com", upload: "https://test.example.com/upload"}
            """)

    package static let unknownCredential = FindingKind(
        "unknown-credential",
        finds: "A name under `credentials` of an endpoint or of `defaults` that the contract does not declare.",
        why: "The request would go without the credential, and the server would refuse it.",
        wrong:
            "credentials: {admin: bearer}\nendpoints:\n  getUsers: {get: /users, credentials: admn, response: string}",
        right:
            "credentials: {admin: bearer}\nendpoints:\n  getUsers: {get: /users, credentials: admin, response: string}")

    package static let unknownGroup = FindingKind(
        "unknown-group", finds: "A `group` of an endpoint that is no entry of `groups`.",
        why: "The client would have another property for the endpoint, where no one looks for it.",
        wrong:
            "groups: {books: The catalog.}\nendpoints:\n  getBook: {get: /book, group: boks, response: string}",
        right:
            "groups: {books: The catalog.}\nendpoints:\n  getBook: {get: /book, group: books, response: string}")

    package static let unknownServer = FindingKind(
        "unknown-server", finds: "A name under `trust` or `gateways` that is no server of the contract.",
        why:
            "What is said would hold for no server. With pins, the server that is meant would be trusted with any key.",
        wrong:
            "servers: {main: \"https://api.example.com\"}\ntrust:\n  man: {pins: sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=}",
        right:
            "servers: {main: \"https://api.example.com\"}\ntrust:\n  main: {pins: sha256/PyKCW5b9RNsBzVDqFqj75LzY2zALOZYsw1QqeQUldEo=}"
    )

    package static let unknownServerRole = FindingKind(
        "unknown-server-role",
        finds: "A `server` of an endpoint, or a role under `gateways`, that is not a role of the contract's servers.",
        why: "The request would have no URL, and the gateway would be before none.",
        wrong: "addCover: {post: /covers, server: upload}", right: "addCover: {post: /covers}",
        instead: "Or give each server a URL for the role: `production: {url: …, upload: …}`.")

    package static let invalidValue = FindingKind(
        "invalid-value", finds: "A value in a format that its key does not allow.",
        why: "The tool cannot tell what the value means, such as whether a number is in seconds or milliseconds.",
        wrong: "getBook: {get: /book, timeout: 20}", right: "getBook: {get: /book, timeout: 20s}")

    package static let unknownValue = FindingKind(
        "unknown-value", finds: "A word that is not one of the values of its key.",
        why: "The tool would silently ignore a misspelled word and use the default.",
        wrong: "addBook: {post: /books, effect: keyd}", right: "addBook: {post: /books, effect: keyed}")

    package static let unsupportedPattern = FindingKind(
        "unsupported-pattern", finds: "A `pattern` with a lookahead, a lookbehind or a reference to a group.",
        why: "Such a pattern can take exponential time for a short text, so the client's matcher does not support it.",
        wrong: "types:\n  Code: {alias: string, pattern: '(a|b)\\1'}",
        right: "types:\n  Code: {alias: string, pattern: '(aa|bb)'}", instead: "Or leave this check to the server.")

    // MARK: Names

    package static let ambiguousName = FindingKind(
        "ambiguous-name", finds: "A name that two imported contracts declare.",
        why: "The tool cannot tell which of the two the contract means.", .lines,
        wrong: "imports: [books.contract.yaml, records.contract.yaml]\n# both define a type Item",
        right: "imports: [books.contract.yaml]", instead: "Or rename one of the two.")

    package static let duplicateName = FindingKind(
        "duplicate-name", finds: "A name that occurs twice in a list or a path.",
        why: "One of the two would have no effect, or the caller would have to pass one value twice.",
        wrong: "getBook: {get: \"/shelves/{id}/books/{id}\"}", right: "getBook: {get: \"/shelves/{shelf}/books/{id}\"}")

    package static let importCycle = FindingKind(
        "import-cycle", finds: "Contracts that import each other in a circle.",
        why: "The tool needs each contract before it can read the other.", .lines,
        wrong: "imports: [fails.contract.yaml]\n# in a contract that this one leads back to",
        right: "imports: [library.contract.yaml]",
        instead: "Move what both share into a third contract, and import it in both.")

    package static let invalidImport = FindingKind(
        "invalid-import", finds: "An import that is not a relative path.",
        why: "An absolute path exists on one computer only.", .lines,
        wrong: "imports: [/home/me/shared.contract.yaml]", right: "imports: [../shared/shared.contract.yaml]",
        instead: "Write the path relative to the importing file's folder, with `/` between folders.")

    package static let invalidName = FindingKind(
        "invalid-name", finds: "A name with a character that names cannot have.",
        why: "Names become Swift names and names of folders. Types occur in texts such as `[User]?`.",
        wrong: "types:\n  bank account: {number: int}", right: "types:\n  BankAccount: {number: int}")

    package static let nameCollision = FindingKind(
        "name-collision", finds: "Two things that would have the same name in a client or in a request.",
        why: "A request would contain the value twice, or the tool could not generate one of the two.",
        wrong: "common: {parameters: {page: int}}\nendpoints:\n  getBooks: {get: /books, query: {page: int}}",
        right: "common: {parameters: {page: int}}\nendpoints:\n  getBooks: {get: /books}")

    package static let unknownField = FindingKind(
        "unknown-field", finds: "A field in `names` of `errand.yaml` that the contract does not have.",
        why: "The Swift name would have no effect.", .lines,
        wrong: "names: {Library: {fields: {Book.titel: heading}}}",
        right: "names: {Library: {fields: {Book.title: heading}}}")
}
