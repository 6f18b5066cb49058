import Diagnostics

/// The fields that a document declares for a form or a multipart body.
struct FormParts {
    struct Part {
        var name: String
        var schemas: [Element]
        var isRequired: Bool
        var style: TypePlanner.FlatStyle
        /// The type of the values if alternatives of the body disagree about them.
        var commonType: PlannedType?
    }

    private(set) var all: [Part] = []
    private let types: TypePlanner
    private let encoding: Element?

    init(_ types: TypePlanner, _ media: Media, _ body: RequestBody) {
        self.types = types
        encoding = media.encoding
        if !body.formParameters.isEmpty {
            all = body.formParameters.map(Self.part)
        } else if let schema = media.schema {
            read(types.reader.view(of: [schema]), at: schema)
        }
    }

    /// A field as Swagger 2.0 has it.
    private static func part(of parameter: Element) -> Part {
        let isList = parameter.text("type") == "array"
        return Part(
            name: parameter.text("name") ?? "", schemas: [parameter], isRequired: parameter.flag("required"),
            style: .init(
                style: Swagger2Reader.style(of: parameter),
                explodes: !isList || parameter.text("collectionFormat") == "multi"))
    }

    private mutating func read(_ view: SchemaView, at schema: Element) {
        for (name, schemas) in view.properties { add(name, schemas, isRequired: view.required.contains(name)) }
        for (keyword, members) in view.alternatives { addAlternatives(members, view, at: keyword) }
        if !all.isEmpty, let others = view.additional.first {
            types.findings.add(
                .openAPISchemaLost, "further fields of the form are left out, because a contract declares each field",
                at: others)
        }
    }

    private mutating func add(_ name: String, _ schemas: [Element], isRequired: Bool) {
        let place = encoding?[name]
        let style = place?.text("style") ?? "form"
        all.append(
            Part(
                name: name, schemas: schemas, isRequired: isRequired,
                style: .init(
                    style: style, explodes: place?.text("explode").map { $0 == "true" } ?? (style == "form"))))
    }

    /// The fields of alternatives, of which a request has some.
    private mutating func addAlternatives(_ members: [Element], _ view: SchemaView, at keyword: Element) {
        let objects = members.filter { !types.reader.isNullOnly($0) }.map { types.reader.view(of: [$0]) }
        guard objects.contains(where: { !$0.properties.isEmpty }) else { return }
        let required = objects.dropFirst().reduce(objects[0].required) { $0.intersection($1.required) }
        let first = all.count
        for (name, schemas) in objects.flatMap(\.properties) where !all[..<first].contains(where: { $0.name == name }) {
            guard let known = all.firstIndex(where: { $0.name == name }) else {
                add(name, schemas, isRequired: required.contains(name))
                continue
            }
            all[known].schemas += schemas
        }
        for position in all.indices {
            if required.contains(all[position].name) { all[position].isRequired = true }
            guard position >= first, all[position].schemas.count > 1 else { continue }
            all[position].commonType = types.commonType(of: all[position].schemas, all[position].name, at: keyword)
        }
        guard objects.count > 1 else { return }
        types.findings.add(
            .openAPIUnionLost,
            "its \(objects.count) alternatives become one form with all fields, and the client does not check which of them go together",
            at: keyword)
    }
}
