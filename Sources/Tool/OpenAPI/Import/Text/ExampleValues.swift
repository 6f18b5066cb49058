import ContractModel
import YAMLTree

/// Examples of a document as those of a contract.
struct ExampleValues {
    /// How many references may lead from an example to the next one.
    private static let deepest = 8
    /// How much text references may add in one import: 4 MiB. Examples that refer to each other would otherwise multiply without end.
    private static let mostReferred = 4 << 20

    /// The files, for values that refer to other examples; nil for a document that has no such references.
    private let documents: DocumentSet?
    /// The number of bytes that references have added.
    private var referred = 0

    init(_ documents: DocumentSet? = nil) { self.documents = documents }

    /// The value of the example that a value refers to. OpenAPI has no references inside of examples, but bundlers resolve
    /// `{$ref: '#/components/examples/owner'}` in them, and documents rely on it.
    private func example(of value: Element) -> Element? {
        guard value.isMapping, let reference = value["$ref"], value.entries.count == 1,
            reference.text?.contains("#/components/examples/") == true,
            let target = documents?.followed(value)
        else { return nil }
        return target["dataValue"] ?? target["value"]
    }

    /// A value of the document, with the examples that it refers to.
    ///
    /// - Parameter depth: how many references lead to the value.
    mutating func value(of element: Element, depth: Int = 0) -> ExampleValue {
        if depth < Self.deepest, referred < Self.mostReferred, let other = example(of: element) {
            return value(of: other, depth: depth + 1)
        }
        let range = element.range
        switch element.node.kind {
        case .sequence: return .list(element.items.map { value(of: $0, depth: depth) }, range)
        case .mapping:
            return .object(
                element.entries.map { name, inner in
                    if depth > 0 { referred += name.utf8.count + 4 }
                    return (Located(name, at: inner.range), value(of: inner, depth: depth))
                }, range)
        case .scalar, .unreadable:
            let text = element.isNull ? "null" : element.text ?? ""
            if depth > 0 { referred += text.utf8.count + 4 }
            // Most texts need no quotes to stay texts.
            let isQuoted = element.scalarKind == .text && YAMLText.value(text, inFlow: true) != text
            return .scalar(text: text, isQuoted: isQuoted, range)
        }
    }
}

extension Element {
    /// The value in flow style, as YAML has it.
    var flow: String {
        switch node.kind {
        case .sequence: return "[" + items.map(\.flow).joined(separator: ", ") + "]"
        case .mapping:
            return "{"
                + entries.map { YAMLText.value($0.name, inFlow: true) + ": " + $0.value.flow }.joined(separator: ", ")
                + "}"
        case .scalar, .unreadable:
            if isNull { return "null" }
            let text = text ?? ""
            return scalarKind == .text ? YAMLText.value(text, inFlow: true) : YAMLText.plain(text, inFlow: true)
        }
    }
}
