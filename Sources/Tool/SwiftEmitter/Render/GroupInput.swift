/// The input of `group.mustache`: endpoints that an app finds under one property of the client.
struct GroupInput: TemplateInput {
    var doc = DocComment()
    var access = ""
    /// The structure with the methods.
    var name = ""
    var property = ""
    var service = ""
    /// Whether there is a protocol of the client's methods, which then has the property.
    var hasProtocol = false
    var methods: [GroupMethodInput] = []

    static let table = TagTable<GroupInput>(
        "a group",
        [
            .doc("doc") { $0.doc }, .text("access") { $0.access }, .text("name") { $0.name },
            .text("property") { $0.property }, .text("service") { $0.service }, .flag("hasProtocol") { $0.hasProtocol },
            .list("methods") { $0.methods },
        ])
}

/// A method of a group, which calls the client's.
struct GroupMethodInput: TemplateInput {
    var short = ""
    var command = CommandInput()

    static let table = TagTable<GroupMethodInput>(
        "a method of a group", [.text("short") { $0.short }, .section("command") { $0.command }])
}
