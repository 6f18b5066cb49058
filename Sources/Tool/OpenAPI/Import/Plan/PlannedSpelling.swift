import ContractModel
import YAMLTree

// How a contract spells what an import has planned.

extension DefaultValue {
    /// The same as a contract usually has it: a word needs no quotes.
    var withoutQuotes: DefaultValue {
        guard case .text(let text, true) = self, text.first?.isLetter == true, Self.isWord(text),
            YAMLText.value(text, inFlow: true) == text
        else { return self }
        return .text(text, isQuoted: false)
    }
}

extension Condition {
    /// One that holds for any of the statuses.
    static func statuses(_ statuses: [ClosedRange<Int>]) -> Condition {
        var condition = Condition(range: .nowhere)
        condition.statuses = statuses.map { Located($0) }
        return condition
    }
}

extension ServerDefinition {
    /// A base URL, cut into fixed text and variables: `{port=8080}`.
    static func parts(of url: String) -> [Part] {
        var parts: [Part] = []
        var rest = url[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let inner = rest[rest.index(after: open)..<close]
            guard let equals = inner.firstIndex(of: "=") else { break }
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            parts.append(
                .variable(name: String(inner[..<equals]), default: String(inner[inner.index(after: equals)...])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        return parts
    }
}
