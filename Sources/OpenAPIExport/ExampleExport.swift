import ContractModel
import Diagnostics

/// An endpoint's examples, in the contract's spelling.
enum ExampleExport {
    typealias Pairs = OpenAPIExport.Pairs

    static func examples(_ examples: [ExampleDefinition]) -> ReportValue {
        .object(
            examples.map { example in
                let parts: [(String, ExampleValue?)] = [("request", example.request), ("response", example.response)]
                var pairs: Pairs = parts.compactMap { key, value in value.map { (key, self.value($0)) } }
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

    /// `stream`, or the long form if the contract sets more.
    static func delivery(of endpoint: ResolvedEndpoint) -> ReportValue {
        guard let stream = endpoint.stream, stream != StreamDefinition() else {
            return .text(endpoint.delivery.rawValue)
        }
        var pairs: Pairs = [("stream", .text(stream.format.rawValue))]
        if let end = stream.end { pairs.append(("end", .text(end))) }
        if !stream.failures.isEmpty { pairs.append(("failures", .list(stream.failures.map { .text($0) }))) }
        if let name = stream.name { pairs.append(("name", .text(name))) }
        if let idle = stream.idle { pairs.append(("idle", .text("\(idle)ms"))) }
        if stream.reopening != .resume { pairs.append(("reopen", .text(stream.reopening.rawValue))) }
        return .object(pairs)
    }

    static func pagination(_ pagination: PaginationDefinition) -> ReportValue {
        var pairs: Pairs
        switch pagination.style {
        case .page(let parameter, let total):
            pairs = [("page", .text(parameter.value))]
            if let total { pairs.append(("total", .text(total.value.text))) }
        case .offset(let parameter, let size, let total):
            pairs = [("offset", .text(parameter.value))]
            if let size { pairs.append(("size", .text(size.value))) }
            if let total { pairs.append(("total", .text(total.value.text))) }
        case .cursor(let parameter, let next):
            pairs = [("cursor", .text(parameter.value)), ("next", .text(next.value.text))]
        case .link(let relation, let foreign):
            pairs = [("link", .text(relation.value))]
            if foreign != .refused { pairs.append(("foreign", .text(foreign.rawValue))) }
        }
        if let items = pagination.items { pairs.append(("items", .text(items.value.text))) }
        return .object(pairs)
    }
}
