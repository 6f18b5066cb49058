/// The input of `types.mustache`: one file of models, enumerations, unions, aliases and events.
struct TypesInput: TemplateInput {
    var imports = ImportsInput()
    var service = ""
    var types: [TypeInput] = []
    /// Structures inside of others.
    var extensions: [ExtensionInput] = []
    /// The structures that are events.
    var events: [EventInput] = []

    static let table = TagTable<TypesInput>(
        "a file of types",
        [
            .section("imports") { $0.imports }, .text("service") { $0.service },
            .flag("hasTypes") { !$0.types.isEmpty },
            .list("types") { $0.types }, .list("extensions") { $0.extensions }, .list("events") { $0.events },
        ])
}

/// One type, of exactly one kind.
struct TypeInput: TemplateInput {
    var structure: StructureInput?
    var enumeration: EnumerationInput?
    var union: UnionInput?
    var alias: AliasInput?

    static let table = TagTable<TypeInput>(
        "a type",
        [
            .section("structure") { $0.structure }, .section("enumeration") { $0.enumeration },
            .section("union") { $0.union }, .section("alias") { $0.alias },
        ])
}

/// The input of `errors.mustache`: what all commands share in failing.
struct ErrorsInput: TemplateInput {
    var imports = ImportsInput()
    var service = ""
    var failure = FailureInput()
    /// The failure of commands whose effect can stay unknown, without errors of their own.
    var writeFailure: FailureInput?
    /// The data of errors.
    var structures: [StructureInput] = []
    var envelopes: [EnvelopeInput] = []
    var hasEnvelopes = false
    /// Whether an endpoint has nothing but what it inherits.
    var hasTables = false
    /// The inherited tables.
    var tables: [TableInput] = []
    /// The shapes of types in XML.
    var shapes = Expression.null
    var hasShapes = false

    static let table = TagTable<ErrorsInput>(
        "the file of errors",
        [
            .section("imports") { $0.imports }, .text("service") { $0.service }, .section("failure") { $0.failure },
            .section("writeFailure") { $0.writeFailure }, .list("structures") { $0.structures },
            .list("envelopes") { $0.envelopes },
            .flag("hasEnvelopes") { $0.hasEnvelopes },
            .flag("hasTables") { $0.hasTables }, .list("tables") { $0.tables },
            .flag("hasShapes") { $0.hasShapes }, .expression("shapes") { $0.shapes },
        ])
}

/// A decision table that commands share.
struct TableInput: TemplateInput {
    var name = ""
    var rows = Expression.null

    static let table = TagTable<TableInput>(
        "a decision table", [.text("name") { $0.name }, .expression("rows") { $0.rows }])
}

/// The input of `client.mustache`.
struct ClientInput: TemplateInput {
    /// Whether other modules see the client.
    var isPublic = false
    var imports = ImportsInput()
    var doc = DocComment()
    var access = ""
    var name = ""
    /// `String`, as it has to be spelled.
    var string = SwiftType.void
    var parameters: [Parameter] = []
    /// The arguments of the binding.
    var binding: [Argument] = []
    var servers: [Server] = []
    /// The other origins of each server.
    var roles: [Role] = []
    /// The property of a server with the public keys that it may have; empty if no server has pins.
    var pins = ""
    /// The property of a server with the refusals of the gateways before it; empty if no server has any.
    var gateways = ""
    /// The arguments of the service's description.
    var description: [Argument] = []
    var common: CommonInput?
    /// The statements that write common parameters without a value from the app.
    var hasFixedCommon = false
    var fixedCommon: [Statement] = []
    /// Whether commands travel over a connection, whose handshake has the common parameters.
    var hasConnection = false
    /// The commands that an outbox can keep.
    var durables: [Expression] = []
    /// Whether to make a protocol of the client's methods.
    var hasProtocol = false
    /// All commands of the client. They are planned only where a template comes to them: the built-in one for the protocol.
    var commands: @Sendable () -> [CommandInput] = { [] }

    static let table = TagTable<ClientInput>(
        "the client",
        [
            .flag("isPublic") { $0.isPublic }, .section("imports") { $0.imports },
            .doc("doc") { $0.doc },
            .text("access") { $0.access }, .text("name") { $0.name }, .type("string") { $0.string },
            .parameters("parameters") { $0.parameters },
            .arguments("binding") { $0.binding }, .list("servers") { $0.servers },
            .list("roles") { $0.roles }, .flag("hasPins") { !$0.pins.isEmpty }, .text("pins") { $0.pins },
            .flag("hasGateways") { !$0.gateways.isEmpty }, .text("gateways") { $0.gateways },
            .lines("description") { $0.description },
            .section("common") { $0.common }, .flag("hasFixedCommon") { $0.hasFixedCommon },
            .list("fixedCommon") { $0.fixedCommon }, .flag("hasProtocol") { $0.hasProtocol },
            .flag("hasConnection") { $0.hasConnection },
            .flag("hasDurables") { !$0.durables.isEmpty }, .expression("durables") { .array($0.durables) },
            .list("commands") { $0.commands() },
        ])

    /// A parameter of the client's initializer.
    struct Parameter: Sendable {
        /// The label, where it is another word than the name; an underscore for none.
        var label: String?
        let name: String
        let type: SwiftType
        var value: Expression?
    }

    /// A server of the contract.
    struct Server: TemplateInput {
        var name = ""
        /// The URLs, in which variables are interpolated.
        var urls: [Argument] = []
        var variables: [Variable] = []

        static let table = TagTable<Server>(
            "a server",
            [
                .text("name") { $0.name }, .arguments("urls") { $0.urls }, .list("variables") { $0.variables },
                .flag("isFixed") { $0.variables.isEmpty },
            ])
    }

    /// Another origin of each server.
    struct Role: TemplateInput {
        /// The property that has its base URL.
        var name = ""
        var string = SwiftType.void

        static let table = TagTable<Role>(
            "a role",
            [.text("name") { $0.name }, .type("string") { $0.string }])
    }

    /// A variable of a server's URL.
    struct Variable: TemplateInput {
        var name = ""
        /// The default.
        var value = Expression.null
        var isLast = false

        static let table = TagTable<Variable>(
            "a variable", [.text("name") { $0.name }, .expression("value") { $0.value }, .flag("isLast") { $0.isLast }])
    }

    /// The values that the app supplies once, when it creates a client.
    struct CommonInput: TemplateInput {
        var conformances: [SwiftType] = []
        var members = MembersInput()
        /// The statements that write the parameters.
        var encoding: [Statement] = []

        static let table = TagTable<CommonInput>(
            "the common parameters",
            [
                .types("conformances") { $0.conformances }, .section("members") { $0.members },
                .list("encoding") { $0.encoding },
            ])
    }
}
