import YAMLTree

/// Examples of an endpoint, as flow values on a line each.
enum ExampleText {
    static func write(_ endpoint: PlannedEndpoint, plan: ContractPlan, _ line: (Int, String) -> Void) {
        guard !endpoint.examples.isEmpty else { return }
        line(2, "examples:")
        for example in endpoint.examples {
            line(3, example.name + ":")
            if let request = example.request { line(4, "request: " + flow(request)) }
            if let response = example.response { line(4, "response: " + flow(response)) }
        }
    }

    /// A value of the document in flow style.
    static func flow(_ value: Element) -> String {
        switch value.node.kind {
        case .sequence: return "[" + value.items.map(flow).joined(separator: ", ") + "]"
        case .mapping:
            return "{"
                + value.entries.map { YAMLText.value($0.name, inFlow: true) + ": " + flow($0.value) }.joined(
                    separator: ", ") + "}"
        case .scalar, .unreadable:
            let text = value.text ?? ""
            if value.isNull { return "null" }
            return value.scalarKind == .text ? YAMLText.value(text, inFlow: true) : YAMLText.plain(text, inFlow: true)
        }
    }
}
