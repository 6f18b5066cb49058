import YAMLTree

/// Examples of a document, as flow values.
struct ExampleText {
    /// How many references may lead from an example to the next one.
    private static let deepest = 8
    /// How much text references may add in one import: 4 MiB. Examples that refer to each other would otherwise multiply without end.
    private static let mostReferred = 4 << 20

    /// The files, for values that refer to other examples; nil to write such a value as it is.
    private let documents: DocumentSet?
    /// The number of bytes that references have added.
    private var referred = 0

    init(_ documents: DocumentSet? = nil) { self.documents = documents }

    /// The value of the example that a value refers to. OpenAPI has no references inside of examples, but bundlers resolve
    /// `{$ref: '#/components/examples/owner'}` in them, and documents rely on it.
    private func example(of value: Element) -> Element? {
        guard let documents, value.isMapping, let reference = value["$ref"], value.entries.count == 1,
            reference.text?.contains("#/components/examples/") == true,
            let target = documents.followed(value)
        else { return nil }
        return target["value"]
    }

    /// A value of the document in flow style, as it is.
    static func flow(_ value: Element) -> String {
        var text = ExampleText()
        return text.flow(value)
    }

    /// A value of the document in flow style, with the examples that it refers to.
    ///
    /// - Parameter depth: how many references lead to the value.
    mutating func flow(_ value: Element, depth: Int = 0) -> String {
        if depth < Self.deepest, referred < Self.mostReferred, let other = example(of: value) {
            return flow(other, depth: depth + 1)
        }
        let text: String
        switch value.node.kind {
        case .sequence: text = "[" + value.items.map { flow($0, depth: depth) }.joined(separator: ", ") + "]"
        case .mapping:
            let pairs = value.entries.map {
                YAMLText.value($0.name, inFlow: true) + ": " + flow($0.value, depth: depth)
            }
            text = "{" + pairs.joined(separator: ", ") + "}"
        case .scalar, .unreadable: text = scalar(value)
        }
        if depth > 0 { referred += text.utf8.count }
        return text
    }

    private func scalar(_ value: Element) -> String {
        if value.isNull { return "null" }
        let text = value.text ?? ""
        return value.scalarKind == .text ? YAMLText.value(text, inFlow: true) : YAMLText.plain(text, inFlow: true)
    }
}
