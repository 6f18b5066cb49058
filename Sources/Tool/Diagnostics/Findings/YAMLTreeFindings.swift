// What is wrong with the bytes of a file, and with a tree whose syntax is correct.
extension FindingKind {
    static let kindsOfBytes: [FindingKind] = [
        .yamlControlCharacter, .yamlEmptyFile, .yamlFileTooLarge, .yamlInvalidUTF8, .yamlLibraryTooOld, .yamlNotText,
        .yamlNotUTF8, .yamlOnlyComments, .yamlOutOfMemory, .yamlTooManyProblems,
    ]

    static let kindsOfTrees: [FindingKind] = [
        .yamlAnchorRedefined, .yamlAnchorWithoutValue, .yamlBracesAsMapping,
        .yamlCommaInFlowText, .yamlCommentAsValue, .yamlDuplicateKey, .yamlKeyNotText, .yamlMergeKey,
        .yamlMultipleDocuments, .yamlNestingTooDeep, .yamlRecursiveAlias, .yamlTooManyAliases, .yamlUnknownAlias,
    ]

    // MARK: Bytes

    package static let yamlControlCharacter = FindingKind(
        "yaml-control-character",
        finds: "An invisible control character, or a line break that only some YAML parsers recognize.",
        why: "YAML parsers disagree about these characters, and reviewers cannot see them.", .yaml,
        wrong: "doc: a\u{1}b", right: "doc: ab",
        instead: "If a text needs the character, write an escape in double quotes: `\"\\x01\"`.")

    package static let yamlEmptyFile = FindingKind(
        "yaml-empty-file", finds: "A file without a text.",
        why: "There is nothing to generate from.", .yaml,
        wrong: "", right: "errand: 1\nservice: Library\nendpoints: {}")

    package static let yamlFileTooLarge = FindingKind(
        "yaml-file-too-large", finds: "A file of more than 256 MiB.",
        why: "Contracts are far smaller. The path most likely names a different kind of file.", .yaml,
        instead: "Split the contract into several files and name them under `imports`.")

    package static let yamlInvalidUTF8 = FindingKind(
        "yaml-invalid-utf8", finds: "Bytes that are not UTF-8.",
        why:
            "Other encodings, such as Latin-1, have different bytes for letters outside ASCII. The tool would read names incorrectly.",
        .yaml, instead: "Save the file as UTF-8.")

    package static let yamlLibraryTooOld = FindingKind(
        "yaml-library-too-old", finds: "An installed libyaml that is older than 0.2.5.",
        why: "It misreads `?` inside `{…}`, so the tool would read optional fields incorrectly.", .yaml,
        instead: "Install libyaml 0.2.5 or later.")

    package static let yamlNotText = FindingKind(
        "yaml-not-text", finds: "A file with more invalid bytes than a report lists.",
        why: "The file is most likely not a contract, but an image or an archive, for example.", .yaml,
        instead: "Check the path of the file.")

    package static let yamlNotUTF8 = FindingKind(
        "yaml-not-utf8", finds: "A file in UTF-16 or UTF-32.",
        why: "Contracts are UTF-8, so that every tool reads the same text.", .yaml, instead: "Save the file as UTF-8.")

    package static let yamlOnlyComments = FindingKind(
        "yaml-only-comments", finds: "A file with nothing but comments.",
        why: "There is nothing to generate from.", .yaml,
        wrong: "# service: Library", right: "errand: 1\nservice: Library\nendpoints: {}")

    package static let yamlOutOfMemory = FindingKind(
        "yaml-out-of-memory", finds: "A file for which the computer does not have enough memory.",
        why: "The tool cannot read the file.", .yaml,
        instead: "Split the contract into several files and name them under `imports`.")

    package static let yamlTooManyProblems = FindingKind(
        "yaml-too-many-problems", finds: "A file with more than 1,000 problems in its YAML.",
        why: "The report shows the first 1,000 problems and counts the others.", .yaml,
        instead: "Fix the first problems, and check the file again. Many of the others have the same cause.")

    // MARK: Anchors, aliases, keys

    package static let yamlAnchorRedefined = FindingKind(
        "yaml-anchor-redefined", .warning, finds: "Two anchors with the same name.",
        why: "An alias refers to the last anchor before it, so its meaning changes when lines move.", .yaml,
        wrong: "first: &limit 1\nsecond: &limit 2\nthird: *limit",
        right: "first: &low 1\nsecond: &high 2\nthird: *high")

    package static let yamlAnchorWithoutValue = FindingKind(
        "yaml-anchor-without-value",
        finds: "An anchor without a value after it. Most often it is an unquoted text that begins with `&`.",
        why:
            "YAML reads the text as the name of the value that follows. Here no value follows, so the key has no value.",
        .yaml,
        wrong: "key: &privateKey\ndoc: Books", right: "key: \"&privateKey\"\ndoc: Books")

    package static let yamlBracesAsMapping = FindingKind(
        "yaml-braces-as-mapping", finds: "An unquoted text that begins with a brace.",
        why: "YAML reads the braces as a mapping and not as text.",
        wrong: "session: {header: Authorization, format: {token}}",
        right: "session: {header: Authorization, format: \"{token}\"}")

    package static let yamlCommaInFlowText = FindingKind(
        "yaml-comma-in-flow-text", finds: "A comma in quotes that are only a part of a text inside `{…}`.",
        why: "Quotes protect a text only if they enclose all of it. YAML ends this text at the comma.",
        wrong: "find: {get: /books, query: {title: string = \"Dune, part 1\"}}",
        right: "find: {get: /books, query: {title: 'string = \"Dune, part 1\"'}}")

    package static let yamlCommentAsValue = FindingKind(
        "yaml-comment-as-value", finds: "An unquoted text that begins with `#`.",
        why: "YAML reads it as a comment, so the key has no value.",
        wrong: "find:\n  get: /books\n  query:\n    color: string = #fff",
        right: "find:\n  get: /books\n  query:\n    color: 'string = \"#fff\"'")

    package static let yamlDuplicateKey = FindingKind(
        "yaml-duplicate-key", finds: "A key that occurs twice in a mapping.",
        why: "YAML parsers disagree about which of the two values applies.", .yaml,
        wrong: "getBook: {get: /book}\ngetBook: {get: /books}", right: "getBook: {get: /book}\ngetBooks: {get: /books}")

    package static let yamlKeyNotText = FindingKind(
        "yaml-key-not-text", finds: "A key that is a list or a mapping.",
        why: "The keys of a contract are texts.", .yaml, wrong: "format: {{token}: x}",
        right: "format: {\"{token}\": x}")

    package static let yamlMergeKey = FindingKind(
        "yaml-merge-key", finds: "The merge key `<<`.",
        why: "It is an extension of YAML 1.1 that YAML 1.2 does not have.", .yaml,
        wrong: "Book: &book {title: string}\nNovel:\n  <<: *book",
        right: "Book: {title: string}\nNovel: {title: string}",
        instead: "Or declare a type, and use it wherever its fields are needed.")

    package static let yamlMultipleDocuments = FindingKind(
        "yaml-multiple-documents", finds: "A second YAML document in one file.",
        why: "A file contains one contract. The tool would not read the second document.", .yaml,
        wrong: "service: Library\n---\nservice: Museum", right: "service: Library",
        instead: "Move the second document into a file of its own.")

    package static let yamlNestingTooDeep = FindingKind(
        "yaml-nesting-too-deep", finds: "Lists and mappings that are nested more than 64 deep.",
        why: "Contracts do not need such depth, and reading the file could exhaust the tool's memory.", .yaml,
        instead: "Declare the inner parts as types, and refer to them by name.")

    package static let yamlRecursiveAlias = FindingKind(
        "yaml-recursive-alias", finds: "An alias inside the value that it refers to.",
        why: "The value would contain itself without end.", .yaml,
        wrong: "Node: &node {next: *node}", right: "Node: {next: Node?}",
        instead: "To write a recursive type, refer to it by its name.")

    package static let yamlTooManyAliases = FindingKind(
        "yaml-too-many-aliases", finds: "Aliases that expand to more than 1,000,000 values.",
        why: "A few lines of aliases to aliases can expand to more values than fit in memory.", .yaml,
        instead: "Declare a type for the repeated value, and refer to it by name.")

    package static let yamlUnknownAlias = FindingKind(
        "yaml-unknown-alias", finds: "An alias whose name does not match any anchor before it.",
        why: "YAML reads a text that begins with `*` as a reference to an anchor, and this anchor does not exist.",
        .yaml,
        wrong: "limit: &limit 3\nmost: *limits", right: "limit: &limit 3\nmost: *limit",
        instead: "Quote a text that begins with `*`: `\"*.json\"`.")
}
