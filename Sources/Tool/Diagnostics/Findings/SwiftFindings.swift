// Why a valid contract cannot become Swift, and what can be wrong with templates.
extension FindingKind {
    static let kindsOfSwift: [FindingKind] = [
        .swiftNameCollision, .swiftNameInvalid, .swiftReservedWord,
    ]

    static let kindsOfTemplates: [FindingKind] = [
        .noTemplates, .templateFileUnknown, .templateNameMisused, .templateNameUnknown, .templateNotUTF8,
        .templatePartialInline, .templatePartialRecursive, .templatePartialUnknown, .templateSectionMismatched,
        .templateSectionNotClosed,
        .templateSectionNotOpened, .templateTagNotClosed, .templateTagUnsupported, .templateValueAsMarkup,
    ]

    // MARK: Swift

    package static let swiftNameCollision = FindingKind(
        "swift-name-collision",
        finds: "Two names that become the same Swift name, or that differ only in letter case or underscores.",
        why: """
            Swift allows only one of the two. Readers and file systems confuse names that differ only in case.
            """,
        wrong: "types:\n  User: {user_id: int, userID: int}\nendpoints:\n  getUser: {get: /user, response: User}",
        right: """
            types:
              User: {user_id: int, userID: {type: int, swift: accountID}}
            endpoints:
              getUser: {get: /user, response: User}
            """)

    package static let swiftNameInvalid = FindingKind(
        "swift-name-invalid",
        finds: "A name under `swift:`, in `names` or after `--service` that is not a valid Swift name.",
        why: "The generated code would not compile.",
        wrong: "getBook: {get: /book, swift: Get-Book}", right: "getBook: {get: /book, swift: readBook}",
        instead: "Begin the name of a type with an uppercase letter, and every other name with a lowercase letter.")

    package static let swiftReservedWord = FindingKind(
        "swift-reserved-word", finds: "A name that Swift or the generated code already uses at this place.",
        why: """
            The generated code would not compile, or would change its meaning: a type called `Failure` hides the client's
            own. Words that Swift allows in backticks, such as `default`, are not a finding.
            """,
        wrong: "types:\n  Failure: {reason: string}\nendpoints:\n  ask: {get: /answers, response: Failure}",
        right: """
            types:
              Failure: {fields: {reason: string}, swift: MachineFailure}
            endpoints:
              ask: {get: /answers, response: Failure}
            """,
        instead: "Or rename it. A renamed field keeps the server's name with `wire:`.")

    // MARK: Templates

    package static let noTemplates = FindingKind(
        "no-templates", finds: "A folder of templates without a template.",
        why: "The key `templates` would have no effect. Most likely you mean another folder.", .lines,
        instead: "Name the folder that holds the files `*.mustache`, or remove the key.")

    package static let templateFileUnknown = FindingKind(
        "template-file-unknown", finds: "A template whose name is not the name of one of Errand's templates.",
        why: "A template replaces the built-in template of the same name. The tool would never use this one.", .lines,
        instead: "Give the file the name of a built-in template, such as `structure.mustache`.")

    package static let templateNameMisused = FindingKind(
        "template-name-misused", finds: "A tag that uses a text as a section, or a section as a text.",
        why: "Nothing would be rendered.", .template, wrong: "{{#name}}Book{{/name}}", right: "{{name}}")

    package static let templateNameUnknown = FindingKind(
        "template-name-unknown", finds: "A tag with a name that has no value at this place.",
        why: "Nothing would be rendered.", .template, wrong: "enum {{nmae}} {}", right: "enum {{name}} {}",
        instead: "The message lists the names that have a value.")

    package static let templateNotUTF8 = FindingKind(
        "template-not-utf8", finds: "A template with bytes that are not UTF-8.",
        why: "The generated files are UTF-8. They would contain other characters than the template.", .lines,
        instead: "Save the file as UTF-8.")

    package static let templatePartialInline = FindingKind(
        "template-partial-inline", finds: "A partial with other text on its line.",
        why: "A partial is whole lines, and Mustache indents them as the line of the partial.", .template,
        wrong: "struct Book { {{> members}}", right: "{{name}}")

    package static let templatePartialRecursive = FindingKind(
        "template-partial-recursive", finds: "A template that includes itself as a partial.",
        why: "Rendering would never end.", .template, wrong: "{{> enumeration}}", right: "{{name}}")

    package static let templatePartialUnknown = FindingKind(
        "template-partial-unknown", finds: "A partial that names a template that does not exist.",
        why: "Nothing would be rendered.", .template, wrong: "{{> membres}}", right: "{{name}}")

    package static let templateSectionMismatched = FindingKind(
        "template-section-mismatched", finds: "A section that is closed while a section inside it is still open.",
        why: "Sections must be nested, so one of the two would contain the wrong lines.", .template,
        wrong: "{{#reader}}{{#isText}}\n{{/reader}}{{/isText}}", right: "{{#reader}}{{#isText}}\n{{/isText}}{{/reader}}"
    )

    package static let templateSectionNotClosed = FindingKind(
        "template-section-not-closed", finds: "A section that is never closed.",
        why: "The rest of the template would belong to the section.", .template,
        wrong: "{{#reader}}{{name}}", right: "{{#reader}}{{name}}{{/reader}}")

    package static let templateSectionNotOpened = FindingKind(
        "template-section-not-opened", finds: "The end of a section that is not open.",
        why: "Either the tag is superfluous, or the tag that opens the section is missing.", .template,
        wrong: "{{name}}{{/reader}}", right: "{{#reader}}{{name}}{{/reader}}")

    package static let templateTagNotClosed = FindingKind(
        "template-tag-not-closed", finds: "A tag without its closing braces.",
        why: "The rest of the template would belong to the tag.", .template,
        wrong: "enum {{name} {}", right: "enum {{name}} {}")

    package static let templateTagUnsupported = FindingKind(
        "template-tag-unsupported", finds: "A Mustache tag that Errand's templates do not support.",
        why: """
            Errand checks templates before it renders them. Custom delimiters and inheritance would prevent that. Nothing is \
            escaped for HTML, so `{{&name}}` and `{{{name}}}` would be other spellings of `{{name}}`.
            """,
        .template,
        wrong: "{{=<% %>=}}\nenum <%name%> {}", right: "enum {{name}} {}")

    package static let templateValueAsMarkup = FindingKind(
        "template-value-as-markup",
        finds: "A value in a template of `errand docs` at a place where no escaping keeps it from becoming markup.",
        why: """
            Values of pages are escaped for texts and for attributes in quotes. In a script, in a style, as an attribute without quotes \
            or as the URL of a link, the text of a contract could run code in the reader's browser.
            """, .lines,
        instead: """
            Write the value as text, or between the quotes of an attribute: `<p title="{{name}}">`. The URL of a link is `{{href}}`. \
            Begin and end each section at the same place of the markup.
            """)
}
