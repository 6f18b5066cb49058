/// The input of `members.mustache`: the stored properties of a model or command, and the initializer.
struct MembersInput: TemplateInput {
    var access = ""
    /// Whether the properties are never set again.
    var isConstant = false
    /// The protocol for comparing, `Hashable` or `Equatable`; nil without one.
    var equality: SwiftType?
    /// `String`, as it has to be spelled.
    var string = SwiftType.void
    /// Of the initializer.
    var deprecation: DeprecationAttribute?
    var properties: [Property] = []
    /// Whether the type makes its own mirror: without what is sensitive, and without boxes.
    var hasMirror = false

    static let table = TagTable<MembersInput>(
        "the properties",
        [
            .text("access") { $0.access }, .flag("isConstant") { $0.isConstant },
            .optionalType("equality") { $0.equality }, .type("string") { $0.string },
            .attribute("attribute") { $0.deprecation }, .list("properties") { $0.properties },
            .flag("hasProperties") { !$0.properties.isEmpty },
            .flag("hasMirror") { $0.hasMirror },
        ])

    /// One property.
    struct Property: TemplateInput {
        var doc = DocComment()
        var name = ""
        /// The name before an argument.
        var label = ""
        var type = SwiftType.void
        /// Where the value is kept; the name itself in plain properties.
        var storage = ""
        /// The expression that reads the property inside the type.
        var value = Expression.null
        /// The name as a string.
        var literal = Expression.null
        /// The default of the initializer's parameter.
        var initial: Expression?
        /// The enumeration that keeps the value on the heap.
        var box: String?
        var deprecation: DeprecationAttribute?
        var isSensitive = false
        var isLast = false
        var isOnly = false

        static let table = TagTable<Property>(
            "a property",
            [
                .doc("doc") { $0.doc }, .text("name") { $0.name }, .text("label") { $0.label },
                .type("type") { $0.type }, .text("storage") { $0.storage }, .expression("value") { $0.value },
                .expression("literal") { $0.literal }, .labeled("initial") { $0.initial },
                .optionalText("box") { $0.box }, .optionalLayout("deprecation") { $0.deprecation?.layout },
                .flag("isPlain") { $0.box == nil && $0.deprecation == nil },
                .flag("isSensitive") { $0.isSensitive }, .flag("isLast") { $0.isLast },
                .flag("isOnly") { $0.isOnly },
            ])
    }
}
