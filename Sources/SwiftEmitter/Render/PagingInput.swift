/// The input of `paging.mustache`: a command whose responses are the pages of a list.
struct PagingInput: TemplateInput {
    /// The command.
    var type = ""
    var access = ""
    /// The type of the elements.
    var element = ""
    /// The expression for the elements in a response.
    var elements = ""
    var elementsUseDeprecated = false
    /// Whether an input turns the page, and no link.
    var isTurned = false
    /// The input, whether it may be nil, and its value as a mark takes it.
    var own = ""
    var isOptional = false
    var value = ""
    var markUsesDeprecated = false
    /// The type of the input's value.
    var markType = ""
    var isUUID = false
    /// The arguments of the command for another page.
    var arguments: [ArgumentInput] = []
    var turningUsesDeprecated = false

    static let table = TagTable<PagingInput>(
        "a command with pages",
        [
            .text("type") { $0.type }, .text("access") { $0.access }, .text("element") { $0.element },
            .text("elements") { $0.elements }, .flag("elementsUseDeprecated") { $0.elementsUseDeprecated },
            .flag("isTurned") { $0.isTurned }, .text("own") { $0.own }, .flag("isOptional") { $0.isOptional },
            .text("value") { $0.value }, .flag("markUsesDeprecated") { $0.markUsesDeprecated },
            .text("markType") { $0.markType }, .flag("isUUID") { $0.isUUID },
            .list("arguments") { $0.arguments }, .flag("turningUsesDeprecated") { $0.turningUsesDeprecated },
        ])
}
