/// The input of `structure.mustache`: a model. Every text of several lines ends its last line.
struct StructureInput: TemplateInput {
    var doc = ""
    var access = ""
    var name = ""
    /// What stands behind the colon.
    var conformances = ""
    var properties = ""
    var initialiser = ""
    /// Members for printing and checking.
    var extras = ""
    var reader: Reader?
    var writer: Writer?

    static let table = TagTable<StructureInput>(
        "a structure",
        [
            .text("doc") { $0.doc }, .text("access") { $0.access }, .text("name") { $0.name },
            .text("conformances") { $0.conformances }, .text("properties") { $0.properties },
            .text("initialiser") { $0.initialiser },
            .text("extras") { $0.extras },
            .section("reader") { $0.reader }, .section("writer") { $0.writer },
        ])

    /// How it is read from JSON.
    struct Reader: TemplateInput {
        /// The arguments of `JSONKeys`.
        var keys = ""
        var locals = ""
        var cases = ""
        /// Bindings of locals that must have been set, each behind a comma.
        var bindings = ""
        var arguments = ""

        static let table = TagTable<Reader>(
            "a structure's reader",
            [
                .text("keys") { $0.keys }, .text("locals") { $0.locals }, .text("cases") { $0.cases },
                .text("bindings") { $0.bindings }, .text("arguments") { $0.arguments },
            ])
    }

    /// How it is written as JSON.
    struct Writer: TemplateInput {
        var statements = ""
        /// Whether a union writes the fields between braces of its own.
        var isUnionCase = false

        static let table = TagTable<Writer>(
            "a structure's writer",
            [
                .text("statements") { $0.statements }, .flag("isUnionCase") { $0.isUnionCase },
            ])
    }
}
