// What keeps a contract that can be read from becoming Swift, and what can be wrong with templates.
extension FindingKind {
    static let kindsOfSwift: [FindingKind] = [
        .featureNotYetGenerated, .swiftNameCollision, .swiftNameInvalid, .swiftReservedWord,
    ]

    static let kindsOfTemplates: [FindingKind] = [
        .noTemplates, .templateFileUnknown, .templateNameMisused, .templateNameUnknown, .templatePartialIndented,
        .templatePartialRecursive, .templatePartialUnknown, .templateSectionMismatched, .templateSectionNotClosed,
        .templateSectionNotOpened, .templateTagNotClosed, .templateTagUnsupported, .templateUnreadable,
    ]

    // MARK: Swift

    package static let featureNotYetGenerated = FindingKind(
        "feature-not-yet-generated", finds: "A key of the language that this version of Errand cannot generate yet.",
        why: """
            `frame`, `delivery: none` and `durable` are read and checked, so that a contract can already say what
            holds, and so is a stream without a type, with outcomes, or of a login. A client that ignored them would do something else than the contract says, so none is generated.
            """,
        wrong: "rename: {post: /names, effect: once, durable: true}", right: "rename: {post: /names, effect: once}",
        instead: "Remove the key until a later version supports it.")

    package static let swiftNameCollision = FindingKind(
        "swift-name-collision",
        finds: "Two names that become one name in Swift, or names that differ in letter case or underscores only.",
        why: """
            Only one of the two could be generated. Readers and file systems confuse names that differ in case alone.
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
        finds: "A name given under `swift:`, in `names` or with `--service` that Swift does not take.",
        why: "What would be generated does not compile.",
        wrong: "getBook: {get: /book, swift: Get-Book}", right: "getBook: {get: /book, swift: readBook}",
        instead: "The name of a type begins with a capital, every other name with a small letter.")

    package static let swiftReservedWord = FindingKind(
        "swift-reserved-word", finds: "A name that Swift or the generated code needs for something else at its place.",
        why: """
            What would be generated does not compile, or means something else: a type called `Failure` hides the client's
            own. Words that are fine in backticks, such as `default`, are written so and are not a finding.
            """,
        wrong: "types:\n  Failure: {reason: string}\nendpoints:\n  ask: {get: /answers, response: Failure}",
        right: """
            types:
              Failure: {fields: {reason: string}, swift: MachineFailure}
            endpoints:
              ask: {get: /answers, response: Failure}
            """)

    // MARK: Templates

    package static let noTemplates = FindingKind(
        "no-templates", finds: "A folder of templates without a template.",
        why: "`templates` names it, and nothing would change. Most likely another folder is meant.", .lines,
        instead: "Name the folder that holds the files `*.mustache`, or remove the key.")

    package static let templateFileUnknown = FindingKind(
        "template-file-unknown", finds: "A template whose name is not the name of one of Errand's templates.",
        why: "A template takes the place of the built-in one of its name. This one would never be used.", .lines,
        instead: "Name the file as a built-in template is named, such as `structure.mustache`.")

    package static let templateNameMisused = FindingKind(
        "template-name-misused", finds: "A tag that uses a text as a section, or a section as a text.",
        why: "Mustache would render nothing.", .template, wrong: "{{#name}}Book{{/name}}", right: "{{name}}")

    package static let templateNameUnknown = FindingKind(
        "template-name-unknown", finds: "A tag with a name that has no value at its place.",
        why: "Mustache would render nothing.", .template, wrong: "enum {{nmae}} {}", right: "enum {{name}} {}",
        instead: "The message lists the names that have one.")

    package static let templatePartialIndented = FindingKind(
        "template-partial-indented", finds: "A partial that does not begin its line.",
        why: "The text of the partial has its own indentation, and Mustache would add that of the line.", .template,
        wrong: "    {{> members}}", right: "{{name}}")

    package static let templatePartialRecursive = FindingKind(
        "template-partial-recursive", finds: "A template that includes itself as a partial.",
        why: "The text would have no end.", .template, wrong: "{{> enumeration}}", right: "{{name}}")

    package static let templatePartialUnknown = FindingKind(
        "template-partial-unknown", finds: "A partial with a name that is not the name of a template.",
        why: "Mustache would render nothing.", .template, wrong: "{{> membres}}", right: "{{name}}")

    package static let templateSectionMismatched = FindingKind(
        "template-section-mismatched", finds: "A section that is closed before a section inside it.",
        why: "Sections are nested, so one of the two would hold the wrong lines.", .template,
        wrong: "{{#reader}}{{#isText}}\n{{/reader}}{{/isText}}", right: "{{#reader}}{{#isText}}\n{{/isText}}{{/reader}}"
    )

    package static let templateSectionNotClosed = FindingKind(
        "template-section-not-closed", finds: "A section that is never closed.",
        why: "The rest of the template would be a part of it.", .template,
        wrong: "{{#reader}}{{name}}", right: "{{#reader}}{{name}}{{/reader}}")

    package static let templateSectionNotOpened = FindingKind(
        "template-section-not-opened", finds: "The end of a section that is not open.",
        why: "Either it is one too many, or the tag that opens is missing.", .template,
        wrong: "{{name}}{{/reader}}", right: "{{#reader}}{{name}}{{/reader}}")

    package static let templateTagNotClosed = FindingKind(
        "template-tag-not-closed", finds: "A tag without its closing braces.",
        why: "The rest of the template would be a part of the tag.", .template,
        wrong: "enum {{name} {}", right: "enum {{name}} {}")

    package static let templateTagUnsupported = FindingKind(
        "template-tag-unsupported", finds: "A tag of Mustache that Errand's templates do not have.",
        why: "Other delimiters and inheritance make a template hard to check before it is rendered.", .template,
        wrong: "{{=<% %>=}}\nenum <%name%> {}", right: "enum {{name}} {}")

    package static let templateUnreadable = FindingKind(
        "template-unreadable", finds: "A template that Mustache cannot read, for a reason that has no page of its own.",
        why: "Nothing is generated. The message repeats what Mustache expected.", .lines,
        instead:
            "Look at the tags of the template, and at invisible characters beside them, such as a combining accent after `}}`."
    )
}
