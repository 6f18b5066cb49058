import ContractModel

/// Marks the fields that must not be printed, by their names. `errand lint` would report the same fields.
struct SecretMarks {
    private let entries: [PlannedTypeEntry]
    /// The number of marked fields.
    private(set) var count = 0

    init(_ entries: [PlannedTypeEntry]) { self.entries = entries }

    /// Marks the fields of queries, headers, bodies and responses, but not those of types. A path parameter can't be marked.
    mutating func mark(_ plan: inout ContractPlan) {
        mark(&plan.commonQuery)
        mark(&plan.commonHeaders)
        for position in plan.endpoints.indices {
            mark(&plan.endpoints[position].query)
            mark(&plan.endpoints[position].headers)
            mark(&plan.endpoints[position].cookies)
            if case .fields(var fields)? = plan.endpoints[position].body?.content, mark(&fields) {
                plan.endpoints[position].body?.content = .fields(fields)
            }
            if mark(&plan.endpoints[position].responseHeaders) {
                Self.renameMirror(&plan.endpoints[position].responseHeaders)
            }
            if case .content(.fields(var fields)) = plan.endpoints[position].response, mark(&fields) {
                Self.renameMirror(&fields)
                plan.endpoints[position].response = .content(.fields(fields))
            }
            renameMirror(&plan.endpoints[position])
        }
    }

    /// Renames fields with the name `customMirror`. Generated code with a sensitive field has a member of this name.
    private func renameMirror(_ endpoint: inout PlannedEndpoint) {
        var own: [PlannedField] = []
        if case .fields(let fields)? = endpoint.body?.content { own = fields }
        guard (endpoint.query + endpoint.headers + endpoint.cookies + own).contains(where: \.isSensitive) else {
            return
        }
        Self.renameMirror(&endpoint.query)
        Self.renameMirror(&endpoint.headers)
        Self.renameMirror(&endpoint.cookies)
        Self.renameMirror(&own)
        if case .fields? = endpoint.body?.content { endpoint.body?.content = .fields(own) }
    }

    private static func renameMirror(_ fields: inout [PlannedField]) {
        for position in fields.indices where NameText.folded(fields[position].name) == "custommirror" {
            fields[position].name += "Value"
        }
    }

    /// - Returns: whether this call has marked any of them.
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

    /// The language's own type of a single value, with aliases resolved.
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
