/// The input of `event.mustache`: an event that the server sends without a request.
struct EventInput: TemplateInput {
    /// The structure that is the event.
    var type = SwiftType.void
    var access = ""
    var service = ""
    /// The kind of the frame.
    var kind = Expression.null
    /// The statements that read it, if its structure cannot read itself.
    var loading: [Statement] = []

    static let table = TagTable<EventInput>(
        "an event",
        [
            .type("type") { $0.type }, .text("access") { $0.access }, .text("service") { $0.service },
            .expression("kind") { $0.kind }, .flag("isLoaded") { !$0.loading.isEmpty },
            .list("loading") { $0.loading },
        ])
}

/// The input of `subscription.mustache`: a command whose elements have positions.
struct SubscriptionInput: TemplateInput {
    /// The command.
    var type = SwiftType.void
    var access = ""
    /// The expression for the position of an element.
    var position = Expression.null
    var positionUsesDeprecated = false
    /// The arguments of the command that continues after a position.
    var arguments: [ArgumentInput] = []
    var resumingUsesDeprecated = false

    static let table = TagTable<SubscriptionInput>(
        "a command whose elements have positions",
        [
            .type("type") { $0.type }, .text("access") { $0.access }, .expression("position") { $0.position },
            .flag("positionUsesDeprecated") { $0.positionUsesDeprecated }, .list("arguments") { $0.arguments },
            .flag("resumingUsesDeprecated") { $0.resumingUsesDeprecated },
        ])
}
