import ContractModel

/// The input of `enumeration.mustache`.
struct EnumerationInput: TemplateInput {
    var doc = DocComment()
    var access = ""
    var name = ""
    var conformances: [SwiftType] = []
    var cases: [Case] = []
    /// `String` or `Int`.
    var raw = SwiftType.void
    /// Whether values that the contract does not declare are kept.
    var open: Bool = false
    var reader: Reader?
    var isWritten = false
    /// The values that are read as a case and never written, as far as only a table knows them.
    var others: [Other] = []
    /// Whether Swift's own decoding would refuse the other values.
    var isDecoded = false

    static let table = TagTable<EnumerationInput>(
        "an enumeration",
        [
            .doc("doc") { $0.doc }, .text("access") { $0.access }, .text("name") { $0.name },
            .types("conformances") { $0.conformances }, .list("cases") { $0.cases }, .type("raw") { $0.raw },
            .flag("open") { $0.open }, .section("reader") { $0.reader }, .flag("isWritten") { $0.isWritten },
            .flag("hasOthers") { !$0.others.isEmpty }, .list("others") { $0.others },
            .flag("isDecoded") { $0.isDecoded },
        ])

    /// One of the other values of a case.
    struct Other: TemplateInput {
        var literal = Expression.null
        var name = ""
        var isOnly = false

        static let table = TagTable<Other>(
            "another value of a case",
            [
                .expression("literal") { $0.literal }, .text("name") { $0.name }, .flag("isOnly") { $0.isOnly },
            ])
    }

    /// One case.
    struct Case: TemplateInput {
        /// Its positions among the tokens.
        var indices: [Int] = []
        var name = ""
        /// The value on the wire.
        var literal = Expression.null
        /// The same, if the case has to state it.
        var rawLiteral: Expression?
        var isOnly = false

        static let table = TagTable<Case>(
            "a case",
            [
                .text("indices") { $0.indices.map(String.init).joined(separator: ", ") }, .text("name") { $0.name },
                .continued("literal") { $0.literal },
                .continued("rawLiteral") { $0.rawLiteral }, .flag("isOnly") { $0.isOnly },
            ])
    }

    /// How it is read from JSON.
    enum Reader: TemplateInput {
        /// Words are looked up without making a text of them: the argument of `JSONTokens`.
        case words([String])
        /// Numbers are listed in a message, as the contract writes them.
        case numbers([String])

        static let table = TagTable<Reader>(
            "an enumeration's reader",
            [
                .flag("isText") { if case .words = $0 { true } else { false } },
                .layout("tokens") { $0.tokens },
            ])

        private var tokens: Layout {
            switch self {
            case .words(let words): return SwiftPrinter.layout { $0.add([Argument(.strings(words))]) }
            case .numbers(let numbers):
                var layout = Layout()
                layout.add(numbers.joined(separator: ", "))
                return layout
            }
        }
    }
}

/// The input of `union.mustache`.
struct UnionInput: TemplateInput {
    var doc = DocComment()
    var access = ""
    /// Whether the union can hold itself.
    var isIndirect = false
    var name = ""
    var conformances: [SwiftType] = []
    /// `String`, as it has to be spelled.
    var string = SwiftType.void
    var cases: [Case] = []
    var distinction = UnionDefinition.Distinction.kind
    /// The argument of `JSONTokens`, if the cases are told apart by tokens.
    var tokens: [Argument] = []
    /// The call that looks ahead for what identifies the case.
    var look = Expression.nothing
    var isRead = false
    var isWritten = false
    /// Whether a case can hold something that is checked before it is sent, or something sensitive.
    var isChecked = false
    var isSensitive = false
    /// Whether it keeps objects of unknown cases as they are.
    var isOpen = true
    /// Whether a value can have nothing to be checked.
    var isPartlyChecked = true

    static let table = TagTable<UnionInput>(
        "a union",
        [
            .doc("doc") { $0.doc }, .text("access") { $0.access }, .flag("isIndirect") { $0.isIndirect },
            .text("name") { $0.name }, .types("conformances") { $0.conformances }, .type("string") { $0.string },
            .list("cases") { $0.cases }, .flag("isByValue") { $0.isByValue }, .flag("isByKey") { $0.isByKey },
            .flag("isByKind") { !$0.isByValue && !$0.isByKey },
            .flag("hasTokens") { !$0.tokens.isEmpty }, .arguments("tokens") { $0.tokens },
            .expression("look") { $0.look },
            .flag("isRead") { $0.isRead }, .flag("isWritten") { $0.isWritten }, .flag("isChecked") { $0.isChecked },
            .flag("isSensitive") { $0.isSensitive }, .flag("isOpen") { $0.isOpen },
            .flag("isPartlyChecked") { $0.isPartlyChecked },
        ])

    private var isByValue: Bool { if case .value = distinction { true } else { false } }
    private var isByKey: Bool { if case .key = distinction { true } else { false } }

    /// One case.
    struct Case: TemplateInput {
        /// The result of ``UnionInput/look`` for this case.
        var pattern = Expression.integer(0)
        var name = ""
        /// The name as a string.
        var label = Expression.null
        var type = SwiftType.void
        /// The type without the names of aliases, if it reads itself.
        var payload: SwiftType?
        /// The statements that read any other type.
        var reading: [Statement] = []
        var writing: [Statement] = []
        /// Whether it is the case of all other objects.
        var isOther = false
        /// Whether the value checks itself.
        var isChecked = false
        /// The statements that check any other value.
        var checks: [Statement] = []

        static let table = TagTable<Case>(
            "a case",
            [
                .expression("pattern") { $0.pattern }, .text("name") { $0.name }, .expression("label") { $0.label },
                .type("type") { $0.type }, .optionalType("payload") { $0.payload },
                .list("reading") { $0.reading }, .list("writing") { $0.writing },
                .flag("isChecked") { $0.isChecked }, .flag("hasChecks") { !$0.checks.isEmpty },
                .list("checks") { $0.checks }, .flag("isOther") { $0.isOther },
            ])
    }
}

/// The input of `alias.mustache`.
struct AliasInput: TemplateInput {
    var doc = DocComment()
    var access = ""
    var name = ""
    var target = SwiftType.void

    static let table = TagTable<AliasInput>(
        "an alias",
        [
            .doc("doc") { $0.doc }, .text("access") { $0.access }, .text("name") { $0.name },
            .type("target") { $0.target },
        ])
}

/// The input of `failure.mustache`: what a command fails with.
struct FailureInput: TemplateInput {
    var doc = DocComment()
    var access = ""
    var name = ""
    var errors: [DeclaredError] = []
    /// Whether it can stay unknown that the command took effect.
    var mayStayOpen = false
    /// The failure that all commands share; nil for that failure itself.
    var shared: SwiftType?

    static let table = TagTable<FailureInput>(
        "a failure",
        [
            .doc("doc") { $0.doc }, .text("access") { $0.access }, .text("name") { $0.name },
            .list("errors") { $0.errors }, .flag("mayStayOpen") { $0.mayStayOpen },
            .optionalType("shared") { $0.shared },
        ])

    /// One error of the contract.
    struct DeclaredError: TemplateInput {
        var doc = DocComment()
        var name = ""
        /// The contract's name.
        var literal = Expression.null
        /// The type of the error's data.
        var type: SwiftType?
        /// The function that reads the data; nil if its type says enough.
        var loader: Expression?

        static let table = TagTable<DeclaredError>(
            "an error",
            [
                .doc("doc") { $0.doc }, .text("name") { $0.name }, .expression("literal") { $0.literal },
                .optionalType("type") { $0.type }, .optionalExpression("loader") { $0.loader },
            ])
    }
}

/// The input of `envelope.mustache`.
struct EnvelopeInput: TemplateInput {
    var name = ""
    /// The arguments of the description.
    var arguments: [Argument] = []

    static let table = TagTable<EnvelopeInput>(
        "an envelope",
        [
            .text("name") { $0.name }, .arguments("arguments") { $0.arguments },
        ])
}
