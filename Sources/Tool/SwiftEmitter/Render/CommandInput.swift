/// The input of `command.mustache`: one command and the client's method for it. Every text of several lines ends its last
/// line.
struct CommandInput: TemplateInput {
    var doc = DocComment()
    var access = ""
    var name = ""
    /// The protocols.
    var conformances: [SwiftType] = []
    var members = MembersInput()
    var service = ""
    var failureType = SwiftType.void
    var response = ResponseInput()
    /// The arguments of the endpoint's description.
    var endpoint: [Argument] = []
    /// The statements of `encode(into:)` and of `validate(_:)`.
    var encoding: [Statement] = []
    var checks: [Statement] = []
    var failure: FailureInput?
    var deprecation: DeprecationAttribute?
    var method = ""
    /// The method's return type.
    var result: SwiftType?
    /// Whether the method gives a stream of elements, and sends nothing itself.
    var isStream = false

    static let table = TagTable<CommandInput>(
        "a command",
        [
            .doc("doc") { $0.doc }, .text("access") { $0.access }, .text("name") { $0.name },
            .types("conformances") { $0.conformances }, .section("members") { $0.members },
            .text("service") { $0.service }, .type("failureType") { $0.failureType },
            .section("response") { $0.response }, .lines("endpoint") { $0.endpoint },
            .flag("isEncoded") { !$0.encoding.isEmpty }, .list("encoding") { $0.encoding },
            .flag("isChecked") { !$0.checks.isEmpty },
            .list("checks") { $0.checks },
            .section("failure") { $0.failure }, .attribute("attribute") { $0.deprecation },
            .text("method") { $0.method },
            .optionalType("result") { $0.result }, .flag("isStream") { $0.isStream },
        ])
}

/// Structures that are declared inside a command or a type.
struct ExtensionInput: TemplateInput {
    var owner = SwiftType.void
    var structures: [StructureInput] = []

    static let table = TagTable<ExtensionInput>(
        "an extension",
        [
            .type("owner") { $0.owner }, .list("structures") { $0.structures },
        ])
}

/// The input of `commands.mustache`: one file of commands.
struct CommandsInput: TemplateInput {
    var imports = ImportsInput()
    var service = ""
    var commands: [CommandInput] = []
    /// The groups that begin with one of the commands.
    var groups: [GroupInput] = []
    var extensions: [ExtensionInput] = []
    /// The commands that start, renew, present and end the session, and those that another one can confirm.
    var sessions: [SessionCommandInput] = []
    var confirmations: [ConfirmationInput] = []
    /// The commands that an outbox can keep.
    var durables: [DurableInput] = []
    /// The commands whose responses are the pages of a list.
    var paginations: [PaginationInput] = []
    /// The commands whose elements have positions.
    var subscriptions: [SubscriptionInput] = []

    static let table = TagTable<CommandsInput>(
        "a file of commands",
        [
            .section("imports") { $0.imports }, .text("service") { $0.service }, .list("commands") { $0.commands },
            .list("groups") { $0.groups }, .list("extensions") { $0.extensions }, .list("sessions") { $0.sessions },
            .list("confirmations") { $0.confirmations }, .list("durables") { $0.durables },
            .list("paginations") { $0.paginations },
            .list("subscriptions") { $0.subscriptions },
        ])
}
