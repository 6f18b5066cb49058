/// The input of `enumeration.mustache`.
struct EnumerationInput: TemplateInput {
    var doc = ""
    var access = ""
    var name = ""
    var conformances = ""
    /// The names of the cases, with commas between.
    var cases = ""
    /// `String` or `Int`.
    var raw = ""
    /// The cases of the `switch` from case to value, and from value to case.
    var values = ""
    var matches = ""
    /// There where unknown values are kept.
    var open: Bool = false
    var reader: Reader?
    var isWritten = false

    static let table = TagTable<EnumerationInput>(
        "an enumeration",
        [
            .text("doc") { $0.doc }, .text("access") { $0.access }, .text("name") { $0.name },
            .text("conformances") { $0.conformances }, .text("cases") { $0.cases }, .text("raw") { $0.raw },
            .text("values") { $0.values }, .text("matches") { $0.matches }, .flag("open") { $0.open },
            .section("reader") { $0.reader }, .flag("isWritten") { $0.isWritten },
        ])

    /// How it is read from JSON.
    struct Reader: TemplateInput {
        /// There for words, which are looked up without making a text of them.
        var isText = true
        var call = ""
        /// The argument of `JSONTokens`.
        var tokens = ""
        var cases = ""

        static let table = TagTable<Reader>(
            "an enumeration's reader",
            [
                .flag("isText") { $0.isText }, .text("call") { $0.call }, .text("tokens") { $0.tokens },
                .text("cases") { $0.cases },
            ])
    }
}

/// The input of `union.mustache`.
struct UnionInput: TemplateInput {
    var doc = ""
    var access = ""
    /// `indirect` with a blank, where the union can hold itself.
    var indirect = ""
    var name = ""
    var conformances = ""
    var cases = ""
    var discriminator = ""
    var tokens = ""
    /// The cases of the reader's `switch`, of the writer's and of the check's, each where there is one.
    var isRead = false
    var reads = ""
    var isWritten = false
    var writes = ""
    var isChecked = false
    var checks = ""
    /// The cases of the mirror's `switch`, where a case can hold something sensitive.
    var isSensitive = false
    var mirrors = ""

    static let table = TagTable<UnionInput>(
        "a union",
        [
            .text("doc") { $0.doc }, .text("access") { $0.access }, .text("indirect") { $0.indirect },
            .text("name") { $0.name }, .text("conformances") { $0.conformances }, .text("cases") { $0.cases },
            .text("discriminator") { $0.discriminator }, .text("tokens") { $0.tokens }, .text("reads") { $0.reads },
            .text("writes") { $0.writes }, .text("checks") { $0.checks }, .text("mirrors") { $0.mirrors },
            .flag("isRead") { $0.isRead }, .flag("isWritten") { $0.isWritten }, .flag("isChecked") { $0.isChecked },
            .flag("isSensitive") { $0.isSensitive },
        ])
}

/// The input of `alias.mustache`.
struct AliasInput: TemplateInput {
    var doc = ""
    var access = ""
    var name = ""
    var target = ""

    static let table = TagTable<AliasInput>(
        "an alias",
        [
            .text("doc") { $0.doc }, .text("access") { $0.access }, .text("name") { $0.name },
            .text("target") { $0.target },
        ])
}

/// The input of `failure.mustache`: what a command fails with.
struct FailureInput: TemplateInput {
    var doc = ""
    var access = ""
    var name = ""
    /// The declarations of the cases.
    var cases = ""
    /// The cases of the `switch` from an error's name to the failure.
    var declared = ""
    /// The cases of the `switch` from a failure to its context.
    var contexts = ""

    static let table = TagTable<FailureInput>(
        "a failure",
        [
            .text("doc") { $0.doc }, .text("access") { $0.access }, .text("name") { $0.name },
            .text("cases") { $0.cases }, .text("declared") { $0.declared },
            .text("contexts") { $0.contexts },
        ])
}

/// The input of `envelope.mustache`.
struct EnvelopeInput: TemplateInput {
    var name = ""
    /// The arguments of the description, one per line.
    var arguments = ""

    static let table = TagTable<EnvelopeInput>(
        "an envelope",
        [
            .text("name") { $0.name }, .text("arguments") { $0.arguments },
        ])
}
