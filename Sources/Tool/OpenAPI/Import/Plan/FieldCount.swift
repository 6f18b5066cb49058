/// Counts the fields of a contract, and those that are `json` although the document says what their values are.
struct FieldCount {
    /// The fields with a schema that says more than that there is a value.
    private(set) var all = 0
    /// Those of them that are `json`, or lists or maps of it.
    private(set) var untyped = 0
    private let types: TypePlanner
    private static let deepest = 40

    init(_ plan: ContractPlan, types: TypePlanner) {
        self.types = types
        for type in plan.types { if case .structure(let fields) = type.form { count(fields) } }
        for endpoint in plan.endpoints {
            count(endpoint.query + endpoint.headers + endpoint.cookies + endpoint.responseHeaders)
            if case .fields(let fields)? = endpoint.body?.content { count(fields) }
            if case .content(.fields(let fields)) = endpoint.response { count(fields) }
        }
    }

    private mutating func count(_ fields: [PlannedField]) {
        for field in fields {
            let isUntyped = holdsJSON(field.type)
            guard !isUntyped || field.schema.map({ saysType($0) }) == true else { continue }
            all += 1
            if isUntyped { untyped += 1 }
        }
    }

    private func holdsJSON(_ type: PlannedType, depth: Int = 0) -> Bool {
        switch type {
        case .word(let word): return word == "json"
        case .list(let inner), .map(let inner), .optional(let inner): return holdsJSON(inner, depth: depth + 1)
        case .named(let number):
            guard depth < Self.deepest, case .alias(let target, _) = types.entries[number].form else { return false }
            return holdsJSON(target, depth: depth + 1)
        }
    }

    /// Whether a schema restricts its values to more than to any objects or any lists.
    private func saysType(_ schema: Element, depth: Int = 0) -> Bool {
        guard depth < Self.deepest, schema.isMapping else { return false }
        if schema.isReference, let target = types.documents.followed(schema), saysType(target, depth: depth + 1) {
            return true
        }
        if ["oneOf", "anyOf", "enum", "const", "properties"].contains(where: { schema[$0]?.isNull == false }) {
            return true
        }
        if (schema["allOf"]?.items ?? []).contains(where: { saysType($0, depth: depth + 1) }) { return true }
        let names = (schema["type"]?.text.map { [$0] } ?? schema["type"]?.items.compactMap(\.text) ?? [])
            .filter { $0 != "null" }
        switch names {
        case []: return false
        case ["array"]: return schema["items"].map { saysType($0, depth: depth + 1) } ?? false
        case ["object"]: return schema["additionalProperties"].map { saysType($0, depth: depth + 1) } ?? false
        default: return true
        }
    }
}
