/// An argument of a call.
struct ArgumentInput: TemplateInput {
    var label: String
    var value: Expression
    var isLast = false

    init(_ label: String, _ value: Expression) {
        self.label = label
        self.value = value
    }

    /// The arguments of one call. The last one is marked.
    static func list(_ arguments: [ArgumentInput]) -> [ArgumentInput] {
        var list = arguments
        if !list.isEmpty { list[list.count - 1].isLast = true }
        return list
    }

    static let table = TagTable<ArgumentInput>(
        "an argument", [.text("label") { $0.label }, .expression("value") { $0.value }, .flag("isLast") { $0.isLast }])
}

/// The input of `session.mustache`: a command that starts, renews, presents or ends the session, or says whose it is.
struct SessionCommandInput: TemplateInput {
    /// The command's type.
    var type = SwiftType.void
    var access = ""
    var isRefresh = false
    var isLogout = false
    /// Whether it presents the token on a new connection.
    var isAttachment = false
    /// The user in the response; nil unless the command says who is logged in.
    var identity: Expression?
    /// `String`, as it has to be spelled.
    var string = SwiftType.void
    /// Whether the tokens or the user are read from something that the contract deprecates.
    var usesDeprecated = false
    /// Whether the response has outcomes, which contain no tokens.
    var hasOutcomes = false
    /// The arguments that make the tokens from the response.
    var tokens: [ArgumentInput] = []
    /// The initializer that takes only a refresh token, if the command has no such initializer.
    var initializer: Initializer?

    static let table = TagTable<SessionCommandInput>(
        "a command of the session",
        [
            .type("type") { $0.type }, .text("access") { $0.access }, .flag("isRefresh") { $0.isRefresh },
            .flag("isLogout") { $0.isLogout }, .flag("isAttachment") { $0.isAttachment },
            .flag("isIdentification") { $0.identity != nil },
            .flag("hasTokens") { !$0.isLogout && !$0.isAttachment && $0.identity == nil },
            .expression("identity") { $0.identity ?? .null }, .type("string") { $0.string },
            .flag("usesDeprecated") { $0.usesDeprecated },
            .flag("hasOutcomes") { $0.hasOutcomes }, .list("tokens") { $0.tokens },
            .section("initializer") { $0.initializer },
        ])

    struct Initializer: TemplateInput {
        var isDeprecated = false
        /// `String`, as it has to be spelled.
        var string = SwiftType.void
        var arguments: [ArgumentInput] = []

        static let table = TagTable<Initializer>(
            "the initializer of a refresh command",
            [
                .flag("isDeprecated") { $0.isDeprecated }, .type("string") { $0.string },
                .list("arguments") { $0.arguments },
            ])
    }
}

/// The input of `confirmation.mustache`: a command that a read can confirm.
struct ConfirmationInput: TemplateInput {
    /// The types of the command and of the read.
    var type = SwiftType.void
    var read = SwiftType.void
    var access = ""
    /// Whether the read, or the response that is made from its result, uses something that the contract deprecates.
    var readUsesDeprecated = false
    var responseUsesDeprecated = false
    /// The arguments that make the read, and whether one of them is the idempotency key.
    var arguments: [ArgumentInput] = []
    var needsKey = false
    /// The parts of the command's response: arguments of its initializer, or an expression.
    var fields: [ArgumentInput] = []
    var response = Expression.null

    static let table = TagTable<ConfirmationInput>(
        "a command that a read confirms",
        [
            .type("type") { $0.type }, .type("read") { $0.read }, .text("access") { $0.access },
            .flag("readUsesDeprecated") { $0.readUsesDeprecated },
            .flag("responseUsesDeprecated") { $0.responseUsesDeprecated },
            .list("arguments") { $0.arguments }, .flag("needsKey") { $0.needsKey },
            .flag("hasFields") { !$0.fields.isEmpty }, .list("fields") { $0.fields },
            .expression("response") { $0.response },
        ])
}

/// A command that an outbox can keep.
struct DurableInput: TemplateInput {
    var type = SwiftType.void
    var access = ""
    /// The arguments of its durability.
    var arguments: [Argument] = []

    static let table = TagTable<DurableInput>(
        "a durable command",
        [.type("type") { $0.type }, .text("access") { $0.access }, .arguments("arguments") { $0.arguments }])
}

/// The input of `imports.mustache`.
struct ImportsInput: TemplateInput {
    /// Whether imports are public whose types declarations name; the others have no access of their own.
    var isPublic = false
    var runtime = false
    /// Whether declarations name types of Foundation, and whether all of Foundation is needed.
    var foundationIsNamed = false
    var foundation = false
    var wholeFoundation = false
    var products: [Product] = []
    var modules: [Module] = []

    static let table = TagTable<ImportsInput>(
        "the imports",
        [
            .text("access") { $0.isPublic ? "public " : "" }, .flag("runtime") { $0.runtime },
            .text("foundationAccess") { $0.isPublic && $0.foundationIsNamed ? "public " : "" },
            .flag("foundation") { $0.foundation }, .flag("wholeFoundation") { $0.wholeFoundation },
            .list("products") { $0.products }, .list("modules") { $0.modules },
        ])

    /// A product of Errand that only some clients need.
    struct Product: TemplateInput {
        var name: String
        /// What needs it, with the verb: `XML needs`.
        var need: String
        /// Whether imports are public whose types declarations name, and whether this is one.
        var isPublic: Bool
        var isNamed: Bool
        /// Whether files that import the client see its types, as those of `ErrandClient`.
        var isExported: Bool

        static let table = TagTable<Product>(
            "a product",
            [
                .text("name") { $0.name }, .text("need") { $0.need },
                // Other files of the module may import the same with a level.
                .text("productAccess") {
                    $0.isExported ? "@_exported public " : $0.isPublic ? $0.isNamed ? "public " : "internal " : ""
                },
            ])
    }

    /// A module that the user wants imported as well.
    struct Module: TemplateInput {
        var name: String

        static let table = TagTable<Module>("a module", [.text("name") { $0.name }])
    }
}
