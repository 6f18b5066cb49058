import TestSeeds

// Unions on the wire.
extension WireModel {
    /// Whether a type is a union by kinds, optional or not.
    func isByKind(_ type: String) -> Bool {
        let name = type.hasSuffix("?") ? String(type.dropLast()) : type
        return types[name]?["union"]?["kinds"] != nil
    }

    mutating func union(_ union: ContractNode, depth: Int) throws -> Pair {
        if case .mapping(let cases)? = union["keys"] { return try byKey(cases, depth: depth) }
        if case .mapping(let cases)? = union["kinds"] { return try byKind(cases, depth: depth) }
        guard case .text(let key)? = union["by"], case .mapping(let cases)? = union["cases"] else {
            throw Unsupported()
        }
        let isNumber = union["type"] != nil
        if case .text(let type)? = cases.first(where: { $0.key == "*" })?.value, depth > 3 || random.happens(500) {
            guard let fields = fields(of: type) else { throw Unsupported() }
            let pair = try object(fields, depth: depth + 1)
            return ("{\(pair.sent)}", "{\(pair.back)}")
        }
        if depth > 3 || random.happens(200), !cases.contains(where: { $0.key == "*" }) {
            let other = isNumber ? "77" : "\"no case of it\""
            return same("{\"more\": [1, null], \(ContractNode.quoted(key)): \(other)}")
        }
        let chosen = random.pick(cases.filter { $0.key != "*" })
        let tag = isNumber ? chosen.key : ContractNode.quoted(chosen.key)
        guard case .text(let type) = chosen.value else { throw Unsupported() }
        if let inner = types[type]?["union"] { return try self.inner(inner, [key: tag], depth: depth) }
        guard let fields = fields(of: try expanded(type)) else { throw Unsupported() }
        let pair = try object(fields, depth: depth + 1, by: key, case: tag)
        return ("{\(pair.sent)}", "{\(pair.back)}")
    }

    /// A union that is a case. Its structures have the key of the outer union as a field.
    private mutating func inner(_ union: ContractNode, _ fixed: [String: String], depth: Int) throws -> Pair {
        guard case .text(let key)? = union["by"], case .mapping(let cases)? = union["cases"] else {
            throw Unsupported()
        }
        if random.happens(300) {
            let outer = fixed.map { "\(ContractNode.quoted($0.key)): \($0.value)" }.joined()
            return same("{\(outer), \(ContractNode.quoted(key)): \"no case of it\"}")
        }
        let chosen = random.pick(cases)
        guard case .text(let type) = chosen.value, let fields = fields(of: type) else { throw Unsupported() }
        let pair = try object(
            fields, depth: depth + 1, by: key, case: ContractNode.quoted(chosen.key), fixed: fixed)
        return ("{\(pair.sent)}", "{\(pair.back)}")
    }

    private mutating func byKey(_ cases: [ContractNode.Entry], depth: Int) throws -> Pair {
        // A value with none of the keys is kept, and so is one with several.
        if depth > 3 || random.happens(200) {
            let isEmpty = cases.count == 1 || random.happens(500)
            let keys =
                isEmpty ? "" : ", " + cases.map { "\(ContractNode.quoted($0.key)): 1" }.joined(separator: ", ")
            return same("{\"more of it\": [1, null]\(keys)}")
        }
        let chosen = random.pick(cases)
        guard case .text(let type) = chosen.value, let fields = fields(of: try expanded(type)) else {
            throw Unsupported()
        }
        let pair = try object(fields, depth: depth + 1)
        return ("{\(pair.sent)}", "{\(pair.back)}")
    }

    private mutating func byKind(_ cases: [ContractNode.Entry], depth: Int) throws -> Pair {
        let kinds = Set(cases.map(\.key))
        // A value of another kind is kept. An integer has the kind `number`, too.
        var others: [String] = []
        if !kinds.contains("string") { others.append("\"no kind of it\"") }
        if !kinds.contains("bool") { others.append("true") }
        if !kinds.contains("array") { others.append("[1, null]") }
        if !kinds.contains("object") { others.append("{\"a\": null}") }
        if !kinds.contains("number") { others.append("-0.5") }
        if kinds.isDisjoint(with: ["integer", "number"]) { others.append("12") }
        if !others.isEmpty, depth > 3 || random.happens(200) { return same(random.pick(others)) }
        let chosen = random.pick(cases)
        guard case .text(let type) = chosen.value else { throw Unsupported() }
        if chosen.key == "number", kinds.contains("integer") { return same(random.pick(["0.5", "-12.25"])) }
        return try value(type, Options(), depth: depth + 1)
    }
}
