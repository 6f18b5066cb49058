/// The input of `enumeration.mustache`.
struct EnumerationInput: TemplateInput {
    var doc = ""
    var access = ""
    var name = ""
    var conformances = ""
    var cases: [Case] = []
    /// `String` or `Int`.
    var raw = ""
    /// Whether values that the contract does not declare are kept.
    var open: Bool = false
    var reader: Reader?
    var isWritten = false

    static let table = TagTable<EnumerationInput>(
        "an enumeration",
        [
            .text("doc") { $0.doc }, .text("access") { $0.access }, .text("name") { $0.name },
            .text("conformances") { $0.conformances }, .list("cases") { $0.cases }, .text("raw") { $0.raw },
            .flag("open") { $0.open }, .section("reader") { $0.reader }, .flag("isWritten") { $0.isWritten },
        ])

    /// One case.
    struct Case: TemplateInput {
        var index = 0
        var name = ""
        /// The value on the wire, as a literal.
        var literal = ""
        /// The same, if the case has to state it.
        var rawLiteral: String?
        var isOnly = false

        static let table = TagTable<Case>(
            "a case",
            [
                .text("index") { "\($0.index)" }, .text("name") { $0.name }, .text("literal") { $0.literal },
                .optionalText("rawLiteral") { $0.rawLiteral }, .flag("isOnly") { $0.isOnly },
            ])
    }

    /// How it is read from JSON.
    struct Reader: TemplateInput {
        /// Whether the values are words, which are looked up without making a text of them.
        var isText = true
        /// The argument of `JSONTokens`, or the numbers with commas between.
        var tokens = ""

        static let table = TagTable<Reader>(
            "an enumeration's reader", [.flag("isText") { $0.isText }, .text("tokens") { $0.tokens }])
    }
}

/// The input of `union.mustache`.
struct UnionInput: TemplateInput {
    var doc = ""
    var access = ""
    /// Whether the union can hold itself.
    var isIndirect = false
    var name = ""
    var conformances = ""
    /// `String`, as it has to be spelled.
    var string = ""
    var cases: [Case] = []
    /// The key of the discriminator as a literal; `nil` if each case has a key of its own.
    var discriminator: String?
    /// The argument of `JSONTokens`.
    var tokens = ""
    var isRead = false
    var isWritten = false
    /// Whether a case can hold something that is checked before it is sent, or something sensitive.
    var isChecked = false
    var isSensitive = false

    static let table = TagTable<UnionInput>(
        "a union",
        [
            .text("doc") { $0.doc }, .text("access") { $0.access }, .flag("isIndirect") { $0.isIndirect },
            .text("name") { $0.name }, .text("conformances") { $0.conformances }, .text("string") { $0.string },
            .list("cases") { $0.cases }, .optionalText("discriminator") { $0.discriminator },
            .text("tokens") { $0.tokens },
            .flag("isRead") { $0.isRead }, .flag("isWritten") { $0.isWritten }, .flag("isChecked") { $0.isChecked },
            .flag("isSensitive") { $0.isSensitive },
        ])

    /// One case.
    struct Case: TemplateInput {
        var index = 0
        var name = ""
        /// The name as a string literal.
        var label = ""
        var type = ""
        /// The type without the names of aliases.
        var payload = ""
        /// The discriminator's value as a literal, if the union writes it.
        var tag: String?
        var isChecked = false

        static let table = TagTable<Case>(
            "a case",
            [
                .text("index") { "\($0.index)" }, .text("name") { $0.name }, .text("label") { $0.label },
                .text("type") { $0.type }, .text("payload") { $0.payload }, .optionalText("tag") { $0.tag },
                .flag("isChecked") { $0.isChecked },
            ])
    }
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
    var errors: [DeclaredError] = []
    /// Whether it can stay unknown that the command took effect.
    var mayStayOpen = false

    static let table = TagTable<FailureInput>(
        "a failure",
        [
            .text("doc") { $0.doc }, .text("access") { $0.access }, .text("name") { $0.name },
            .list("errors") { $0.errors }, .list("plain") { $0.plain }, .flag("hasPlain") { !$0.plain.isEmpty },
            .flag("mayStayOpen") { $0.mayStayOpen },
        ])

    /// The errors without data.
    private var plain: [DeclaredError] {
        var plain = errors.filter { $0.type == nil }
        if !plain.isEmpty { plain[plain.count - 1].isLast = true }
        return plain
    }

    /// One error of the contract.
    struct DeclaredError: TemplateInput {
        var doc = ""
        var name = ""
        /// The contract's name, as a literal.
        var literal = ""
        /// The type of the error's data.
        var type: String?
        /// The function that reads the data; empty if its type says enough.
        var loader = ""
        var isLast = false

        static let table = TagTable<DeclaredError>(
            "an error",
            [
                .text("doc") { $0.doc }, .text("name") { $0.name }, .text("literal") { $0.literal },
                .optionalText("type") { $0.type }, .text("loader") { $0.loader }, .flag("isLast") { $0.isLast },
            ])
    }
}

/// The input of `envelope.mustache`.
struct EnvelopeInput: TemplateInput {
    var name = ""
    /// The arguments of the description, with commas between.
    var arguments = ""

    static let table = TagTable<EnvelopeInput>(
        "an envelope",
        [
            .text("name") { $0.name }, .text("arguments") { $0.arguments },
        ])
}
