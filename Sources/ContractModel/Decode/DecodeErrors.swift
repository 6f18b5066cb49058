import Diagnostics
import YAMLTree

extension ContractDecoder {
    /// One entry of `errors`.
    mutating func error(_ name: Located<String>, _ node: YAMLNode) -> ErrorDefinition? {
        owner = .error(name.value)
        var error = ErrorDefinition(name: name, category: Located(.nonRetryable, at: name.range))
        // Without a category there is nothing to go on with.
        guard read(node, as: ErrorKeys.error, into: &error) else { return nil }
        if error.builtIn != nil {
            error.data = nil
        } else if let mapping = node.mapping, pair(mapping, "when") == nil {
            reportMissingCondition(of: name)
        }
        return error
    }

    private mutating func reportMissingCondition(of name: Located<String>) {
        let near = NearSpelling(of: name.value, among: BuiltInError.allCases.map(\.rawValue))
        report(
            .missingKey, "the error \(quoted(name.value)) has no condition", at: name.range,
            help: near.map { "did you mean the built-in `\($0.candidate)`? Otherwise add `when`" }
                ?? "add `when: {status: 409}` or `when: {code: …}`",
            fix: near.map {
                Fix(
                    title: "write `\($0.candidate)`", applicability: .needsALook,
                    edits: [Fix.Edit(replacing: name.range, with: $0.candidate)])
            })
    }

    /// One condition, or a list of alternatives.
    mutating func conditions(
        _ node: YAMLNode, as mapping: LanguageMapping<Condition> = ConditionKeys.condition
    ) -> [Condition] {
        guard let sequence = node.sequence else { return condition(node, mapping).map { [$0] } ?? [] }
        if sequence.isEmpty {
            report(
                .emptyCondition, "`when` is an empty list, which matches no response", at: node.range,
                help: "write `when: {status: 409}` or `when: {code: …}`")
        }
        return sequence.compactMap { condition($0, mapping) }
    }

    private mutating func condition(_ node: YAMLNode, _ mapping: LanguageMapping<Condition>) -> Condition? {
        if let empty = node.mapping?.first(where: {
            $0.value.sequence?.isEmpty == true || $0.value.mapping?.isEmpty == true
        }) {
            guard open(node, as: mapping.description) != nil else { return nil }
            report(
                .emptyCondition, "\(quoted(empty.key.text ?? "")) has no values",
                at: empty.value.range, help: "write a value, or remove the key")
            return nil
        }
        var condition = Condition(range: node.range)
        guard read(node, as: mapping, into: &condition) else { return nil }
        if !condition.transport.isEmpty {
            // The rule of the mapping has reported keys that need a response.
            return ["status", "code", "body"].contains { node.mapping?[$0] != nil } ? nil : condition
        }
        return condition.statuses.isEmpty && condition.codes.isEmpty && condition.body.isEmpty ? nil : condition
    }

    /// `503`, or `500..599`.
    mutating func status(_ text: Located<String>) -> Located<ClosedRange<Int>>? {
        let parts = NumberText.ends(of: text.value)
        let numbers = parts.compactMap { NumberText.integer($0) }
        guard numbers.count == parts.count, let low = numbers.first, let high = numbers.last, low <= high, low >= 100,
            high <= 999
        else {
            report(
                .invalidValue, "\(quoted(text.value)) is not an HTTP status", at: text.range,
                help: "write `503`, `[502, 503]` or `500..599`")
            return nil
        }
        return text.map { _ in low...high }
    }

    /// Reads `900005`, or a range of whole numbers: `4010..4019`. A text with `..` that isn't a range is reported, because no
    /// response has such a code.
    mutating func code(_ text: Located<String>) -> Located<CodeMatch>? {
        guard text.value.contains("..") else { return text.map { .text($0) } }
        let ends = NumberText.ends(of: text.value).map { NumberText.integer($0) }
        guard ends.count == 2, let low = ends[0], let high = ends[1] else {
            report(
                .invalidValue, "\(quoted(text.value)) is not a range of codes", at: text.range,
                help: "write both ends as whole numbers: `4010..4019`")
            return nil
        }
        guard low <= high else {
            report(
                .invalidValue, "the range \(quoted(text.value)) is empty, because it begins above its end",
                at: text.range,
                help: "write the smaller number first: `\(high)..\(low)`")
            return nil
        }
        return text.map { _ in .range(low...high) }
    }

    /// The payload of an error or an outcome: fields, or one type.
    mutating func data(_ node: YAMLNode) -> ErrorData? {
        if node.kind == .mapping {
            return .fields(fields(node, of: "data"))
        }
        return type(node, "`data`").map { .type($0, node.range) }
    }

    /// One entry of an endpoint's `outcomes`.
    mutating func outcome(_ name: Located<String>, _ node: YAMLNode, of endpoint: String) -> OutcomeDefinition? {
        owner = .outcome(name.value, of: endpoint)
        defer { owner = .endpoint(endpoint) }
        var outcome = OutcomeDefinition(name: name, conditions: [])
        return read(node, as: ErrorKeys.outcome, into: &outcome) ? outcome : nil
    }
}
