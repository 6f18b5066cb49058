import YAMLTree

/// Examples of an endpoint, as flow values on a line each.
enum ExampleText {
    private static let deepest = 8

    /// The value of the example that a value refers to. OpenAPI has no references inside of examples, but bundlers resolve
    /// `{$ref: '#/components/examples/owner'}` in them, and documents rely on it.
    private static func example(of value: Element, _ documents: DocumentSet) -> Element? {
        guard value.isMapping, let reference = value["$ref"], value.entries.count == 1,
            reference.text?.contains("#/components/examples/") == true,
            let target = documents.followed(value)
        else { return nil }
        return target["value"]
    }

    static func write(_ endpoint: PlannedEndpoint, plan: ContractPlan, _ line: (Int, String) -> Void) {
        guard !endpoint.examples.isEmpty else { return }
        line(2, "examples:")
        for example in endpoint.examples {
            line(3, example.name + ":")
            if let request = example.request { line(4, "request: " + flow(request)) }
            if let response = example.responseText { line(4, "response: " + response) }
        }
    }

    /// A value of the document in flow style.
    ///
    /// - Parameter documents: the files, for values that refer to other examples.
    static func flow(_ value: Element, of documents: DocumentSet? = nil, depth: Int = 0) -> String {
        if let documents, depth < deepest, let other = example(of: value, documents) {
            return flow(other, of: documents, depth: depth + 1)
        }
        func inner(_ value: Element) -> String { flow(value, of: documents, depth: depth) }
        switch value.node.kind {
        case .sequence: return "[" + value.items.map(inner).joined(separator: ", ") + "]"
        case .mapping:
            return "{"
                + value.entries.map { YAMLText.value($0.name, inFlow: true) + ": " + inner($0.value) }.joined(
                    separator: ", ") + "}"
        case .scalar, .unreadable:
            let text = value.text ?? ""
            if value.isNull { return "null" }
            return value.scalarKind == .text ? YAMLText.value(text, inFlow: true) : YAMLText.plain(text, inFlow: true)
        }
    }
}
