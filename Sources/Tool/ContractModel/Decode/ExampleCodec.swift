import Diagnostics
import YAMLTree

// Examples have the keys of the payloads, so they are read and printed by functions of their own.

extension ContractDecoder {
    fileprivate mutating func example(_ name: Located<String>, _ node: YAMLNode) -> ExampleDefinition? {
        var example = ExampleDefinition(name: name, request: nil, response: nil, cases: [])
        for (key, node) in entries(node, of: "an example") {
            let value = exampleValue(node)
            switch key.value {
            case "request": example.request = value
            case "response": example.response = value
            default: example.cases.append((key, value))
            }
        }
        return example
    }

    /// The tree's depth is bounded by the parser, so the recursion is too.
    fileprivate func exampleValue(_ node: YAMLNode) -> ExampleValue {
        switch node.kind {
        case .sequence: .list(node.sequence?.map { exampleValue($0) } ?? [], node.range)
        case .mapping:
            .object(
                node.mapping?.compactMap { pair in
                    pair.key.text.map { (Located($0, at: pair.key.range), exampleValue(pair.value)) }
                } ?? [], node.range)
        case .scalar, .unreadable: .scalar(text: node.text ?? "", isQuoted: node.scalar?.isPlain == false, node.range)
        }
    }
}

extension Codec where Value == ExampleValue {
    /// A value of any type. What it is, is the type's to say.
    static var example: Codec {
        Codec(
            .anything, read: { decoder, node, _ in Located(decoder.exampleValue(node), at: node.range) },
            write: { $0.printed })
    }
}

extension Codec where Value == [ExampleDefinition] {
    static var examples: Codec {
        .named(
            .named(.anything), read: { $0.example($1, $2) }, name: { $0.name.value },
            write: { example, _ in
                let parts: [(String, ExampleValue?)] = [("request", example.request), ("response", example.response)]
                return .mapping(
                    parts.compactMap { key, value in value.map { (key, $0.printed) } }
                        + example.cases.map { ($0.name.value, $0.data.printed) })
            })
    }
}

extension ExampleValue {
    /// The value as a contract has it.
    package var printed: PrintedNode {
        switch self {
        case .scalar(let text, let isQuoted, _): isQuoted ? .quoted(text) : .plain(text)
        case .list(let values, _): .list(values.map(\.printed))
        case .object(let pairs, _): .mapping(pairs.map { ($0.key.value, $0.value.printed) })
        }
    }
}
