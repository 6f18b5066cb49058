/// The input of `members.mustache`: the stored properties of a model or command, and the initialiser.
struct MembersInput: TemplateInput {
    var access = ""
    /// Whether the properties are never set again.
    var isConstant = false
    /// The protocol for comparing, `Hashable` or `Equatable`; nil without one.
    var equality: String?
    /// `String`, as it has to be spelled.
    var string = ""
    /// The attribute of the initialiser, with its line break.
    var attribute = ""
    var properties: [Property] = []
    /// Whether the type makes its own mirror: without what is sensitive, and without boxes.
    var hasMirror = false

    static let table = TagTable<MembersInput>(
        "the properties",
        [
            .text("access") { $0.access }, .flag("isConstant") { $0.isConstant },
            .optionalText("equality") { $0.equality }, .text("string") { $0.string },
            .text("attribute") { $0.attribute }, .list("properties") { $0.properties },
            .flag("hasProperties") { !$0.properties.isEmpty },
            .flag("hasMirror") { $0.hasMirror },
        ])

    /// One property.
    struct Property: TemplateInput {
        var doc = ""
        var name = ""
        /// The name before an argument.
        var label = ""
        var type = ""
        /// Where the value is kept; the name itself in plain properties.
        var storage = ""
        /// The expression that reads the property inside the type.
        var value = ""
        /// The name as a string literal.
        var literal = ""
        /// The default of the initialiser's parameter.
        var initial: String?
        /// The enumeration that keeps the value on the heap.
        var box: String?
        /// The attribute of a deprecated property.
        var deprecation: String?
        var isSensitive = false
        var isLast = false
        var isOnly = false

        static let table = TagTable<Property>(
            "a property",
            [
                .text("doc") { $0.doc }, .text("name") { $0.name }, .text("label") { $0.label },
                .text("type") { $0.type }, .text("storage") { $0.storage }, .text("value") { $0.value },
                .text("literal") { $0.literal }, .optionalText("initial") { $0.initial },
                .optionalText("box") { $0.box }, .optionalText("deprecation") { $0.deprecation },
                .flag("isPlain") { $0.box == nil && $0.deprecation == nil },
                .flag("isSensitive") { $0.isSensitive }, .flag("isLast") { $0.isLast },
                .flag("isOnly") { $0.isOnly },
            ])
    }
}
