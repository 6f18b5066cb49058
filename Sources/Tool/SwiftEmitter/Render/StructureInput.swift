/// The input of `structure.mustache`: a model.
struct StructureInput: TemplateInput {
    var doc = DocComment()
    var access = ""
    var name = ""
    /// The protocols.
    var conformances: [SwiftType] = []
    var members = MembersInput()
    var reader: Reader?
    var writer: Writer?
    /// The statements that check the model before it is sent; nil for a model that is not checked.
    var checks: [Statement]?

    static let table = TagTable<StructureInput>(
        "a structure",
        [
            .doc("doc") { $0.doc }, .text("access") { $0.access }, .text("name") { $0.name },
            .types("conformances") { $0.conformances }, .section("members") { $0.members },
            .section("reader") { $0.reader }, .section("writer") { $0.writer },
            .flag("isChecked") { $0.checks != nil }, .list("checks") { $0.checks ?? [] },
        ])

    /// How it is read from JSON.
    struct Reader: TemplateInput {
        /// The arguments of `JSONKeys`.
        var keys: [Argument] = []
        var fields: [Field] = []
        /// The call that moves to the next field.
        var next = Expression.null

        static let table = TagTable<Reader>(
            "a structure's reader",
            [.arguments("keys") { $0.keys }, .list("fields") { $0.fields }, .expression("next") { $0.next }])
    }

    /// One field of the reader.
    struct Field: TemplateInput {
        var index = 0
        /// The variable that keeps the value until all fields are read.
        var local = ""
        var label = ""
        var type = SwiftType.void
        /// The value before the field is read.
        var start: Expression?
        /// The statement that reads the field; nil for what is read on the way to the next field.
        var statement: Statement?
        /// Whether the variable must have been set.
        var isUnwrapped = false
        var isLast = false

        static let table = TagTable<Field>(
            "a field of the reader",
            [
                .text("index") { "\($0.index)" }, .text("local") { $0.local }, .text("label") { $0.label },
                .type("type") { $0.type }, .labeled("start") { $0.start },
                .section("statement") { $0.statement }, .flag("hasStatement") { $0.statement != nil },
                .flag("isUnwrapped") { $0.isUnwrapped },
                .flag("isLast") { $0.isLast },
            ])
    }

    /// How it is written as JSON.
    struct Writer: TemplateInput {
        var statements: [Statement] = []
        /// Whether a union writes the fields between braces of its own.
        var isUnionCase = false

        static let table = TagTable<Writer>(
            "a structure's writer",
            [
                .list("statements") { $0.statements }, .flag("isUnionCase") { $0.isUnionCase },
            ])
    }
}
