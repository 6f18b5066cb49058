/// The examples of a document for texts that are dates or points in time by their `format`, from examples of whole bodies and of
/// parameters. A schema's own example of a single value is in its view.
struct ExampleEvidence {
    /// The values by the place of `format`.
    private var values: [ElementKey: [Element]] = [:]
    private var steps = 0
    private let documents: DocumentSet

    private static let mostSteps = 500_000
    private static let mostValues = 100
    private static let deepest = 40

    init(of document: APIDocument, _ documents: DocumentSet) {
        self.documents = documents
        var seen: Set<ElementKey> = []
        for operation in document.operations {
            for media in (operation.body?.media ?? []) + operation.responses.flatMap(\.media) {
                guard let schema = media.schema else { continue }
                let examples = media.examples.values.map(\.value) + Self.examples(of: schema)
                for value in examples where seen.insert(value.key).inserted { add(value, of: schema) }
            }
            for parameter in operation.parameters {
                let named = parameter.element["examples"]?.entries.compactMap { documents.followed($0.value)?["value"] }
                for value in (named ?? []) + Self.examples(of: parameter.element)
                where seen.insert(value.key).inserted { add(value, of: parameter.schema) }
            }
        }
        for (_, schema) in (document.root["components"]?["schemas"] ?? document.root["definitions"])?.entries ?? [] {
            for value in Self.examples(of: schema) where value.text == nil { add(value, of: schema) }
        }
    }

    private static func examples(of element: Element) -> [Element] {
        [element["example"]].compactMap { $0 } + (element["examples"]?.items ?? [])
    }

    /// The examples of what has a format.
    func values(of format: Element) -> [Element] { values[format.key] ?? [] }

    private mutating func add(_ value: Element, of schema: Element, depth: Int = 0) {
        steps += 1
        guard depth < Self.deepest, steps < Self.mostSteps, schema.isMapping else { return }
        if schema.isReference {
            if let target = documents.followed(schema) { add(value, of: target, depth: depth + 1) }
            return
        }
        for part in schema["allOf"]?.items ?? [] { add(value, of: part, depth: depth + 1) }
        for keyword in ["oneOf", "anyOf"] {
            let members = schema[keyword]?.items.filter { $0.text("type") != "null" } ?? []
            if members.count == 1 { add(value, of: members[0], depth: depth + 1) }
        }
        switch value.node.kind {
        case .mapping:
            let properties = schema["properties"]
            for (name, inner) in value.entries {
                guard let part = properties?[name] ?? schema["additionalProperties"] else { continue }
                add(inner, of: part, depth: depth + 1)
            }
        case .sequence:
            guard let items = schema["items"] else { return }
            for inner in value.items { add(inner, of: items, depth: depth + 1) }
        case .scalar, .unreadable:
            guard let format = schema["format"], format.text == "date-time" || format.text == "date",
                values[format.key, default: []].count < Self.mostValues
            else { return }
            values[format.key, default: []].append(value)
        }
    }
}
