import Diagnostics
import YAMLTree

// Examples have the keys of the payloads, so they are read and printed by functions of their own.

extension ContractDecoder {
    mutating func example(_ name: Located<String>, _ node: YAMLNode) -> ExampleDefinition? {
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
    private func exampleValue(_ node: YAMLNode) -> ExampleValue {
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

extension ExampleDefinition {
    /// The examples of an endpoint as a contract has them.
    static func printed(_ examples: [ExampleDefinition]) -> ReportValue {
        .object(
            examples.map { example in
                let parts: [(String, ExampleValue?)] = [("request", example.request), ("response", example.response)]
                var pairs: [(key: String, value: ReportValue)] = parts.compactMap { key, value in
                    value.map { (key, self.value($0)) }
                }
                pairs += example.cases.map { ($0.name.value, value($0.data)) }
                return (example.name.value, .object(pairs))
            })
    }

    private static func value(_ value: ExampleValue) -> ReportValue {
        switch value {
        case .scalar(let text, let isQuoted, _): isQuoted ? .text(text) : scalar(text)
        case .list(let values, _): .list(values.map(self.value))
        case .object(let pairs, _): .object(pairs.map { ($0.key.value, self.value($0.value)) })
        }
    }

    /// A scalar without quotes, as what JSON has for it.
    private static func scalar(_ text: String) -> ReportValue {
        switch text {
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "null", "~", "": return .numeral("null")
        default: return isNumber(text) ? .numeral(text) : .text(text)
        }
    }

    /// Whether JSON has the text as a number (RFC 8259, section 6).
    private static func isNumber(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        func digits() -> Int {
            let count = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole == 1 || whole > 1 && !startsWithZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
