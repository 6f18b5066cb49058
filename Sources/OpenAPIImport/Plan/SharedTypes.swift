// Types that occur in several places of a document with the same content.
extension TypePlanner {
    /// An alias that keeps the constraints of a value; one of the same name that says the same is used again.
    func shared(_ use: TypeUse, as name: String, at place: Element) -> PlannedType {
        let key = SharedKey(name: name, text: "\(use.type) \(use.constraints)")
        if let known = sharedNumbers[key] { return .named(known) }
        let alias = entry(.endpoint(name), at: place, nil)
        alias.form = .alias(use.type, use.constraints)
        sharedNumbers[key] = alias.number
        return .named(alias.number)
    }

    /// The data of an error. Equal inline schemas become one type.
    func sharedData(_ schema: Element, as name: String, of endpoint: String) -> PlannedType? {
        if schema["$ref"] != nil { return use(of: schema, as: .endpoint(name), .response).type.withoutFile }
        let key = SharedKey(name: "", text: fingerprint(schema, depth: 0))
        if let known = sharedTypes[key] { return known }
        let count = entries.count
        let type = use(of: schema, as: .endpoint(name), .response).type.withoutFile
        if case .named(let number) = type, number >= count { entries[number].fallback = endpoint + "_" + name }
        sharedTypes[key] = type
        return type
    }

    /// A schema's content, without its descriptions.
    func fingerprint(_ schema: Element, depth: Int) -> String {
        guard depth < 40 else { return "\(schema.key)" }
        switch schema.node.kind {
        case .scalar: return schema.text ?? ""
        case .sequence: return "[" + schema.items.map { fingerprint($0, depth: depth + 1) }.joined(separator: ",") + "]"
        case .mapping:
            let parts = schema.named.filter {
                !["description", "title", "example", "examples", "default"].contains($0.name)
                    || depth == 0 && $0.name == "default"
            }
            let texts = parts.map { name, value in
                name == "$ref"
                    ? "\(schema.file):\(value.text ?? "")" : "\(name):\(fingerprint(value, depth: depth + 1))"
            }
            return "{" + texts.sorted().joined(separator: ",") + "}"
        case .unreadable: return ""
        }
    }

    /// Whether a schema is an object of its own, and not another name of a referenced one.
    func isInlineObject(_ schema: Element) -> Bool {
        if schema["discriminator"] != nil { return false }
        guard let parts = schema["allOf"]?.items else { return true }
        let others = parts.filter { part in
            !part.entries.allSatisfy { SchemaReader.describing.contains($0.name) && $0.name != "$ref" }
        }
        return others.count != 1 || others[0]["$ref"] == nil || schema["properties"] != nil
    }
}

struct SharedKey: Hashable {
    var name: String
    var text: String
}
