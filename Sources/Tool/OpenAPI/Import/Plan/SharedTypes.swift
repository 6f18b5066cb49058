import ContractModel

// Types that occur in several places of a document with the same content.
extension TypePlanner {
    /// An alias that keeps the constraints of a value; one of the same name that says the same is used again.
    func shared(_ use: TypeUse, as name: String, at place: Element) -> PlannedType {
        let key = SharedKey(name: name, text: "\(use.type) \(use.constraints.spelling)")
        if let known = sharedNumbers[key] { return .named(known) }
        let alias = entry(.endpoint(name), at: place)
        alias.form = .alias(use.type, use.constraints)
        sharedNumbers[key] = alias.number
        return .named(alias.number)
    }

    /// The type of a parameter. Enums of the same name with the same values are one type, wherever they are declared.
    func sharedEnum(_ schema: Element, _ view: SchemaView, as name: String) -> TypeUse {
        var use = withConstantType(
            use(of: schema, as: .endpoint(name), .request), as: .endpoint(name), at: schema)
        use.constraints.keepWrittenForm(of: &use.type)
        guard let values = view.values, case .named(let number) = use.type, !schema.isReference else { return use }
        let key = SharedKey(name: name, text: values.map { $0.text ?? "" }.joined(separator: "\n"))
        if let known = sharedNumbers[key] {
            var same = use
            same.type = .named(known)
            return same
        }
        sharedNumbers[key] = number
        return use
    }

    /// The data of an error. Equal inline schemas become one type.
    func sharedData(_ schema: Element, as name: String, of endpoint: String) -> PlannedType? {
        if schema.isReference { return use(of: schema, as: .endpoint(name), .response).type.withoutFile }
        let name = responseName(around: schema).map(Self.dataName) ?? name
        let key = SharedKey(name: "", text: fingerprint(schema, depth: 0))
        if let known = sharedTypes[key] {
            schema.settle()
            return known
        }
        let count = entries.count
        let type = use(of: schema, as: .endpoint(name), .response).type.withoutFile
        if case .named(let number) = type, number >= count { entries[number].fallback = endpoint + "_" + name }
        sharedTypes[key] = type
        return type
    }

    /// The name of the response that a schema is in, for a response that the document declares once for all its uses.
    private func responseName(around schema: Element) -> String? {
        let tokens = schema.tokens
        guard let place = tokens.lastIndex(of: "content") ?? tokens.lastIndex(of: "schema") else { return nil }
        guard place > 0 else {
            return schema.file == root.file ? nil : NameText.fileStem(documents.name(ofFile: schema.file))
        }
        let name = tokens[place - 1]
        return name.first?.isNumber == true || name == "default" || name.contains("/") ? nil : name
    }

    /// The name of the data of a response: `NotFoundDetails`, and `PaymentError` as it is.
    private static func dataName(_ response: String) -> String {
        let name = NameText.typeName(response)
        let isWhole = ["Error", "Errors", "Details", "Response", "Problem", "Failure"].contains { name.hasSuffix($0) }
        return isWhole ? name : name + "Details"
    }

    /// A schema's content, without its descriptions.
    func fingerprint(_ schema: Element, depth: Int) -> String { schema.fingerprint(depth: depth) }

    /// Whether a schema is an object of its own, and not another name of a referenced one.
    func isInlineObject(_ schema: Element) -> Bool {
        if schema["discriminator"] != nil { return false }
        guard let parts = schema["allOf"]?.items else { return true }
        let others = parts.filter { part in
            !part.entries.allSatisfy { SchemaReader.describing.contains($0.name) && $0.name != "$ref" }
        }
        return others.count != 1 || !others[0].isReference || schema["properties"] != nil
    }
}

struct SharedKey: Hashable {
    var name: String
    var text: String
}

extension Constraints {
    /// A text that is the same for the same constraints.
    var spelling: String {
        let parts = [range, length, items].map { $0?.value.spelling ?? "" }
        let forms = format?.value.map(\.spelling) ?? []
        return (parts + [pattern?.value ?? ""] + forms).joined(separator: " ")
    }

    /// Whether it says nothing about a value, and not even how it is written.
    var saysNothing: Bool { isEmpty && format == nil }
}
