// What is wrong with the bytes of a file, and with a tree whose syntax is right.
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
        "yaml-control-character", finds: "An invisible control character, or a line break that only some readers know.",
        why: "Readers of YAML disagree on it, and a review does not show it.", .yaml,
        wrong: "doc: a\u{1}b", right: "doc: ab",
        instead: "A text that needs it has an escape in double quotes: `\"\\x01\"`.")

    package static let yamlEmptyFile = FindingKind(
        "yaml-empty-file", finds: "A file without a text.",
        why: "There is nothing to generate from.", .yaml,
        wrong: "", right: "errand: 1\nservice: Library\nendpoints: {}")

    package static let yamlFileTooLarge = FindingKind(
        "yaml-file-too-large", finds: "A file of more than 256 MiB.",
        why: "No contract is as large. A larger file was most likely named by mistake.", .yaml,
        instead: "Split the contract into several files and name them under `imports`.")

    package static let yamlInvalidUTF8 = FindingKind(
        "yaml-invalid-utf8", finds: "Bytes that are not UTF-8.",
        why: "Another encoding, such as Latin-1, writes letters beyond ASCII differently. Names would be read wrong.",
        .yaml, instead: "Save the file as UTF-8.")

    package static let yamlLibraryTooOld = FindingKind(
        "yaml-library-too-old", finds: "An installed libyaml that is older than 0.2.5.",
        why: "It misreads `?` inside `{…}`, so optional fields would be read wrong.", .yaml,
        instead: "Install libyaml 0.2.5 or later.")

    package static let yamlNotText = FindingKind(
        "yaml-not-text", finds: "A file with more bytes that are not text than a report lists.",
        why: "It is most likely not a contract, but for example an image or an archive.", .yaml,
        instead: "Check the path of the file.")

    package static let yamlNotUTF8 = FindingKind(
        "yaml-not-utf8", finds: "A file in UTF-16 or UTF-32.",
        why: "Contracts are UTF-8, so that every tool reads them alike.", .yaml, instead: "Save the file as UTF-8.")

    package static let yamlOnlyComments = FindingKind(
        "yaml-only-comments", finds: "A file with nothing but comments.",
        why: "There is nothing to generate from.", .yaml,
        wrong: "# service: Library", right: "errand: 1\nservice: Library\nendpoints: {}")

    package static let yamlOutOfMemory = FindingKind(
        "yaml-out-of-memory", finds: "A file for which the computer does not have enough memory.",
        why: "Nothing of the file is read.", .yaml,
        instead: "Split the contract into several files and name them under `imports`.")

    package static let yamlTooManyProblems = FindingKind(
        "yaml-too-many-problems", finds: "A file with more than 1,000 problems in its YAML.",
        why: "The problems beyond the first 1,000 are counted and not shown.", .yaml,
        instead: "Correct the first ones, and check the file again. Many of the others come from them.")

    // MARK: Anchors, aliases, keys

    package static let yamlAnchorRedefined = FindingKind(
        "yaml-anchor-redefined", .warning, finds: "Two anchors of one name.",
        why: "An alias means the last anchor before it, so moving a line changes what it means.", .yaml,
        wrong: "first: &limit 1\nsecond: &limit 2\nthird: *limit",
        right: "first: &low 1\nsecond: &high 2\nthird: *high")

    package static let yamlAnchorWithoutValue = FindingKind(
        "yaml-anchor-without-value",
        finds: "An anchor without a value after it, which is most often an unquoted text that begins with `&`.",
        why: "YAML reads such a text as a name for the value after it. Here there is no value, so the key has none.",
        .yaml,
        wrong: "key: &privateKey\ndoc: Books", right: "key: \"&privateKey\"\ndoc: Books")

    package static let yamlBracesAsMapping = FindingKind(
        "yaml-braces-as-mapping", finds: "An unquoted text that begins with a brace.",
        why: "YAML reads braces as a mapping, so the text is not there.",
        wrong: "session: {header: Authorization, format: {token}}",
        right: "session: {header: Authorization, format: \"{token}\"}")

    package static let yamlCommaInFlowText = FindingKind(
        "yaml-comma-in-flow-text", finds: "A comma in quotes that are only a part of a text inside `{…}`.",
        why: "Quotes protect a text only if they are around all of it. YAML ends the text at the comma.",
        wrong: "find: {get: /books, query: {title: string = \"Dune, part 1\"}}",
        right: "find: {get: /books, query: {title: 'string = \"Dune, part 1\"'}}")

    package static let yamlCommentAsValue = FindingKind(
        "yaml-comment-as-value", finds: "An unquoted text that begins with `#`.",
        why: "YAML reads it as a comment, so the key has no value.",
        wrong: "find:\n  get: /books\n  query:\n    colour: string = #fff",
        right: "find:\n  get: /books\n  query:\n    colour: 'string = \"#fff\"'")

    package static let yamlDuplicateKey = FindingKind(
        "yaml-duplicate-key", finds: "A key that a mapping has twice.",
        why: "Only one of the two values could be used, and readers of YAML disagree on which.", .yaml,
        wrong: "getBook: {get: /book}\ngetBook: {get: /books}", right: "getBook: {get: /book}\ngetBooks: {get: /books}")

    package static let yamlKeyNotText = FindingKind(
        "yaml-key-not-text", finds: "A key that is a list or a mapping.",
        why: "Keys of a contract are names.", .yaml, wrong: "format: {{token}: x}", right: "format: {\"{token}\": x}")

    package static let yamlMergeKey = FindingKind(
        "yaml-merge-key", finds: "The merge key `<<`.",
        why: "It is an extension of YAML 1.1 that later versions do not have.", .yaml,
        wrong: "Book: &book {title: string}\nNovel:\n  <<: *book",
        right: "Book: {title: string}\nNovel: {title: string}",
        instead: "Or declare a type, and name it where its fields are needed.")

    package static let yamlMultipleDocuments = FindingKind(
        "yaml-multiple-documents", finds: "A second YAML document in one file.",
        why: "A file is one contract. The second one would not be read.", .yaml,
        wrong: "service: Library\n---\nservice: Museum", right: "service: Library",
        instead: "Move the second document into a file of its own.")

    package static let yamlNestingTooDeep = FindingKind(
        "yaml-nesting-too-deep", finds: "Lists and mappings that are nested more than 64 deep.",
        why: "No contract needs it, and a file that does could exhaust the memory of the tool.", .yaml,
        instead: "Declare the inner parts as types, and refer to them by name.")

    package static let yamlRecursiveAlias = FindingKind(
        "yaml-recursive-alias", finds: "An alias inside the value that it refers to.",
        why: "The value would hold itself without end.", .yaml,
        wrong: "Node: &node {next: *node}", right: "Node: {next: Node?}",
        instead: "A type refers to itself by its name.")

    package static let yamlTooManyAliases = FindingKind(
        "yaml-too-many-aliases", finds: "Aliases that stand for more than 1,000,000 values.",
        why: "A few lines of aliases to aliases can stand for more values than memory holds.", .yaml,
        instead: "Declare what repeats as a type, and refer to it by name.")

    package static let yamlUnknownAlias = FindingKind(
        "yaml-unknown-alias", finds: "An alias without an anchor of its name before it.",
        why: "A text that begins with `*` refers to an anchor, and here is none.", .yaml,
        wrong: "limit: &limit 3\nmost: *limits", right: "limit: &limit 3\nmost: *limit",
        instead: "A text that begins with `*` is quoted: `\"*.json\"`.")
}
