import ContractModel

/// Marks the fields whose names say that they must not be printed, as `errand lint` would ask for it.
struct SecretMarks {
    private let entries: [PlannedTypeEntry]
    /// How many fields were marked.
    private(set) var count = 0

    init(_ entries: [PlannedTypeEntry]) { self.entries = entries }

    /// Marks the fields of all that is sent and received but types. A parameter of a path cannot be marked.
    mutating func mark(_ plan: inout ContractPlan) {
        mark(&plan.commonQuery)
        mark(&plan.commonHeaders)
        for position in plan.endpoints.indices {
            mark(&plan.endpoints[position].query)
            mark(&plan.endpoints[position].headers)
            if case .fields(var fields)? = plan.endpoints[position].body?.content, mark(&fields) {
                plan.endpoints[position].body?.content = .fields(fields)
            }
            if case .content(.fields(var fields)) = plan.endpoints[position].response, mark(&fields) {
                Self.renameMirror(&fields)
                plan.endpoints[position].response = .content(.fields(fields))
            }
            renameMirror(&plan.endpoints[position])
        }
    }

    /// What has something sensitive has a member `customMirror`, which a field beside it cannot be called then.
    private func renameMirror(_ endpoint: inout PlannedEndpoint) {
        var own: [PlannedField] = []
        if case .fields(let fields)? = endpoint.body?.content { own = fields }
        guard (endpoint.query + endpoint.headers + own).contains(where: \.isSensitive) else { return }
        Self.renameMirror(&endpoint.query)
        Self.renameMirror(&endpoint.headers)
        Self.renameMirror(&own)
        if case .fields? = endpoint.body?.content { endpoint.body?.content = .fields(own) }
    }

    private static func renameMirror(_ fields: inout [PlannedField]) {
        for position in fields.indices where NameText.folded(fields[position].name) == "custommirror" {
            fields[position].name += "Value"
        }
    }

    /// - Returns: whether any of them is marked now that was not.
    @discardableResult mutating func mark(_ fields: inout [PlannedField]) -> Bool {
        var isChanged = false
        for position in fields.indices where !fields[position].isSensitive && isSecret(fields[position]) {
            fields[position].isSensitive = true
            isChanged = true
            count += 1
        }
        return isChanged
    }

    private func isSecret(_ field: PlannedField) -> Bool {
        if SecretName.isSecret(field.name) { return word(of: field.type) == "string" }
        guard SecretName.isPersonal(field.name), let word = word(of: field.type) else { return false }
        return ["string", "int", "int32", "int64", "uint"].contains(word)
    }

    /// The type of the language that a single value has behind its names.
    private func word(of type: PlannedType) -> String? {
        var type = type
        for _ in 0..<32 {
            switch type {
            case .word(let word): return word
            case .optional(let inner): type = inner
            case .named(let number):
                guard case .alias(let target, _) = entries[number].form else { return nil }
                type = target
            case .list, .map: return nil
            }
        }
        return nil
    }
}
