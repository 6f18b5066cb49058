/// The input of `pagination.mustache`: a command whose responses are the pages of a list.
struct PaginationInput: TemplateInput {
    /// The command.
    var type = SwiftType.void
    var access = ""
    /// The type of the elements.
    var element = SwiftType.void
    /// The expression for the elements in a response.
    var elements = Expression.null
    var elementsUseDeprecated = false
    /// Whether an input turns the page, and no link.
    var isTurned = false
    /// The input, whether it may be nil, and its value as a mark takes it.
    var own = Expression.null
    var isOptional = false
    var value = Expression.null
    var markUsesDeprecated = false
    /// The type of the input's value.
    var markType = SwiftType.void
    var isUUID = false
    /// The arguments of the command for another page.
    var arguments: [ArgumentInput] = []
    var turningUsesDeprecated = false

    static let table = TagTable<PaginationInput>(
        "a command with pages",
        [
            .type("type") { $0.type }, .text("access") { $0.access }, .type("element") { $0.element },
            .expression("elements") { $0.elements }, .flag("elementsUseDeprecated") { $0.elementsUseDeprecated },
            .flag("isTurned") { $0.isTurned }, .expression("own") { $0.own }, .flag("isOptional") { $0.isOptional },
            .expression("value") { $0.value }, .flag("markUsesDeprecated") { $0.markUsesDeprecated },
            .type("markType") { $0.markType }, .flag("isUUID") { $0.isUUID },
            .list("arguments") { $0.arguments }, .flag("turningUsesDeprecated") { $0.turningUsesDeprecated },
        ])
}
