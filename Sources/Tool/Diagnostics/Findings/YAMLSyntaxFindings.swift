// What libyaml cannot read. Most of these mistakes are texts that YAML requires to be quoted.
extension FindingKind {
    static let kindsOfSyntax: [FindingKind] = [
        .yamlBracesInBrackets, .yamlColonInText, .yamlDirective, .yamlIndentation,
        .yamlListBesideKey, .yamlMismatchedBracket, .yamlMissingColon, .yamlMissingKey, .yamlMissingSpace,
        .yamlMissingValue, .yamlReservedStart, .yamlSyntax, .yamlTabIndentation, .yamlTag, .yamlTextAfterList,
        .yamlTextAfterMapping, .yamlTextAfterQuote, .yamlUnclosedBracket, .yamlUnclosedQuote, .yamlUnexpectedBracket,
        .yamlUnknownEscape,
    ]

    package static let yamlBracesInBrackets = FindingKind(
        "yaml-braces-in-brackets", finds: "An unquoted text with braces or brackets inside `{…}` or `[…]`.",
        why: "YAML ends such a text at the first brace or bracket, and gives the rest a different meaning.",
        .yaml, wrong: "getUser: {get: /users/{id}}", right: "getUser: {get: \"/users/{id}\"}")

    package static let yamlColonInText = FindingKind(
        "yaml-colon-in-text", finds: "A text with a colon and a space that is not quoted.",
        why: "YAML takes `: ` as the end of a key.", .yaml,
        wrong: "doc: Note: this is slow", right: "doc: \"Note: this is slow\"")

    package static let yamlDirective = FindingKind(
        "yaml-directive", finds: "A line that begins with `%`.",
        why: "YAML reads it as a directive, which the contract language does not have.", .yaml,
        wrong: "%draft\ndoc: Books", right: "doc: Books")

    package static let yamlIndentation = FindingKind(
        "yaml-indentation", finds: "A line whose indentation does not match any line above it.",
        why: "Indentation decides which key a line belongs to. YAML cannot place a line between two depths.", .yaml,
        wrong: "getBook:\n    get: /book\n  doc: A book", right: "getBook:\n    get: /book\n    doc: A book")

    package static let yamlListBesideKey = FindingKind(
        "yaml-list-beside-key", finds: "A list with dashes that begins on the line of its key.",
        why: "YAML recognizes `- ` as a list only at the start of a line.", .yaml,
        wrong: "errors: - notFound", right: "errors:\n  - notFound", instead: "Or write `errors: [notFound]`.")

    package static let yamlMismatchedBracket = FindingKind(
        "yaml-mismatched-bracket", finds: "A `[` that a `}` closes, or a `{` that a `]` closes.",
        why: "YAML cannot tell where the list or the mapping ends.", .yaml,
        wrong: "errors: [notFound}", right: "errors: [notFound]")

    package static let yamlMissingColon = FindingKind(
        "yaml-missing-colon", finds: "A line without a `:` among the keys of a mapping.",
        why: "Every line of a mapping is a key with a value.", .yaml,
        wrong: "service: Library\ntypes\nendpoints: {}", right: "service: Library\ntypes: {}\nendpoints: {}",
        instead: "To write a text of several lines, begin it with `|` after its key.")

    package static let yamlMissingKey = FindingKind(
        "yaml-missing-key", finds: "A `:` without a key before it.",
        why: "The value has no name, so the contract cannot use it.", .yaml,
        wrong: "query: {: int}", right: "query: {page: int}")

    package static let yamlMissingSpace = FindingKind(
        "yaml-missing-space", finds: "A `:` without a space after it.",
        why: "YAML reads `page:int` as one word, so `page` has no value.", .yaml,
        wrong: "doc: Books\npage:int\nsize: 1", right: "doc: Books\npage: int\nsize: 1")

    package static let yamlMissingValue = FindingKind(
        "yaml-missing-value", finds: "Two commas in a row inside `{…}` or `[…]`.",
        why: "The value between the commas is missing.", .yaml,
        wrong: "errors: [notFound,, gone]", right: "errors: [notFound, gone]")

    package static let yamlReservedStart = FindingKind(
        "yaml-reserved-start", finds: "A text that begins with a character that YAML reserves, such as `@` or `*`.",
        why: "At the start of a value, these characters have a special meaning in YAML.", .yaml,
        wrong: "format: @token", right: "format: \"@token\"")

    package static let yamlSyntax = FindingKind(
        "yaml-syntax", finds: "A text that is not YAML, for a reason without a page of its own.",
        why: "The tool cannot read the file. The message contains the reason that the YAML parser reports.", .yaml,
        wrong: "--- doc: Books", right: "doc: Books",
        instead: "Check the brackets, the quotes and the indentation at this place. A text in quotes is always safe.")

    package static let yamlTabIndentation = FindingKind(
        "yaml-tab-indentation", finds: "A line that is indented with a tab.",
        why: "YAML allows only spaces, because editors show tabs in different widths.", .yaml,
        wrong: "getBook:\n\tget: /book", right: "getBook:\n  get: /book",
        instead: "Let the editor indent `.yaml` files with two spaces.")

    package static let yamlTag = FindingKind(
        "yaml-tag", finds: "A value that begins with `!`.",
        why: "YAML reads it as a tag. In a contract, the key determines the type of the value.", .yaml,
        wrong: "page: !!int 3", right: "page: 3", instead: "If the `!` belongs to the text, quote it.")

    package static let yamlTextAfterList = FindingKind(
        "yaml-text-after-list", finds: "A text after the `]` that ends a list.",
        why: "The value ends with the list, so the text does not belong to any key.", .yaml,
        wrong: "tags: [string] = []", right: "tags: \"[string] = []\"")

    package static let yamlTextAfterMapping = FindingKind(
        "yaml-text-after-mapping", finds: "A text after the `}` that ends a mapping.",
        why: "The value ends with the mapping, so the text does not belong to any key.", .yaml,
        wrong: "format: {token} please", right: "format: \"{token} please\"")

    package static let yamlTextAfterQuote = FindingKind(
        "yaml-text-after-quote", finds: "A text after a closing quote.",
        why: "The value ends at the quote. Most often a quote inside the text ended it too early.", .yaml,
        wrong: "name: string = \"a\"\ntitle: \"Dune\" or so", right: "name: string = \"a\"\ntitle: '\"Dune\" or so'")

    package static let yamlUnclosedBracket = FindingKind(
        "yaml-unclosed-bracket", finds: "A `{` or a `[` that is never closed.",
        why: "The rest of the file is read as a part of it.", .yaml,
        wrong: "errors: [notFound, gone\ndoc: Books", right: "errors: [notFound, gone]\ndoc: Books")

    package static let yamlUnclosedQuote = FindingKind(
        "yaml-unclosed-quote", finds: "A quote that is never closed.",
        why: "The rest of the file is read as a part of the text.", .yaml,
        wrong: "doc: \"All books\nname: Library", right: "doc: \"All books\"\nname: Library")

    package static let yamlUnexpectedBracket = FindingKind(
        "yaml-unexpected-bracket", finds: "A `}` or a `]` without an opening bracket.",
        why: "Either the bracket is superfluous, or the opening bracket is missing.", .yaml,
        wrong: "getBook: {get: /book}}\ndoc: Books", right: "getBook: {get: /book}\ndoc: Books")

    package static let yamlUnknownEscape = FindingKind(
        "yaml-unknown-escape", finds: "A backslash in double quotes before a character that cannot be escaped.",
        why: "In double quotes, `\\` starts an escape, and YAML does not have this one.", .yaml,
        wrong: "pattern: \"^\\d{2}$\"", right: "pattern: '^\\d{2}$'",
        instead: "Use single quotes for a text with backslashes.")
}
