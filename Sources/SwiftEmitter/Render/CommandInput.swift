/// The input of `command.mustache`: a command, its failure, and the client's method for it.
struct CommandInput: TemplateInput {
    var doc = ""
    var access = ""
    var name = ""
    var conformances = ""
    var properties = ""
    var initialiser = ""
    var service = ""
    /// The failure's name, as seen from inside the command.
    var failureType = ""
    /// The declaration of the response.
    var response = ""
    /// The arguments of the endpoint's description, one per line.
    var endpoint = ""
    /// The statements that write the request.
    var encoding = ""
    /// The members that check and read.
    var members = ""
    var failure: FailureInput?
    /// An attribute of the method with its line break.
    var attribute = ""
    var method = ""
    var parameters = ""
    var arguments = ""
    /// The arrow and the method's result; empty for none.
    var result = ""

    static let table = TagTable<CommandInput>(
        "a command",
        [
            .text("doc") { $0.doc }, .text("access") { $0.access }, .text("name") { $0.name },
            .text("conformances") { $0.conformances }, .text("properties") { $0.properties },
            .text("initialiser") { $0.initialiser }, .text("service") { $0.service },
            .text("failureType") { $0.failureType }, .text("response") { $0.response },
            .text("endpoint") { $0.endpoint },
            .text("encoding") { $0.encoding }, .text("members") { $0.members }, .section("failure") { $0.failure },
            .text("attribute") { $0.attribute }, .text("method") { $0.method }, .text("parameters") { $0.parameters },
            .text("arguments") { $0.arguments }, .text("result") { $0.result },
        ])
}

/// Structures that are declared inside a command.
struct ExtensionInput: TemplateInput {
    var owner = ""
    var structures: [StructureInput] = []

    static let table = TagTable<ExtensionInput>(
        "an extension of a command",
        [
            .text("owner") { $0.owner }, .list("structures") { $0.structures },
        ])
}

/// The input of `commands.mustache`: one file of commands.
struct CommandsInput: TemplateInput {
    var imports = ""
    var service = ""
    var commands: [CommandInput] = []
    var extensions: [ExtensionInput] = []
    /// The declarations that make commands the session's, and those that another one can confirm.
    var conformances = ""

    static let table = TagTable<CommandsInput>(
        "a file of commands",
        [
            .text("imports") { $0.imports }, .text("service") { $0.service }, .list("commands") { $0.commands },
            .list("extensions") { $0.extensions }, .text("conformances") { $0.conformances },
        ])
}
