import Diagnostics

extension ResolvedContract {
    /// Identifies the form in which the inputs of an endpoint are kept: what is sent, where to and with what. The Swift names of fields,
    /// documentation and responses aren't a part of it, so a kept command outlasts their changes.
    package func fingerprint(of endpoint: ResolvedEndpoint) -> String {
        var lines = [
            "method \(endpoint.method?.rawValue ?? "")", "path \(endpoint.path?.text ?? "")",
            "effect \(endpoint.effect.rawValue)", "session \(endpoint.session.rawValue)",
            "server \(endpoint.server?.value ?? "")",
        ]
        switch endpoint.keyPlace {
        // The usual header that is written out is the same one.
        case .header(let name)? where name.value == IdempotencyKeyDefinition.standardHeader: break
        case .header(let name)?: lines.append("key header \(name.value)")
        case .field(let name)?: lines.append("key field \(name.value)")
        case nil: break
        }
        var types = Reach()
        for (place, fields) in [
            ("query", endpoint.query), ("header", endpoint.headers), ("cookie", endpoint.cookies),
        ] {
            lines += fields.map { Self.line($0, place, &types) }
        }
        if let body = endpoint.body {
            let form = [
                body.encoding.rawValue, body.contentType ?? "", body.nesting.rawValue, body.element?.value ?? "",
            ]
            lines.append("body " + form.joined(separator: " "))
            switch body.content {
            case .fields(let fields): lines += fields.map { Self.line($0, "field", &types) }
            case .type(let type, _): lines.append("type \(types.note(type))")
            case .bytes(let contentType): lines.append("bytes \(contentType)")
            }
        }
        while let name = types.open.popLast() {
            guard types.seen.insert(name).inserted, let type = self.type(named: name) else { continue }
            lines += Self.lines(of: type, &types)
        }
        return Self.hash(lines.joined(separator: "\n"))
    }

    /// The types that the inputs mention.
    private struct Reach {
        var open: [String] = []
        var seen: Set<String> = []

        mutating func note(_ type: TypeReference) -> String {
            open += type.names.map(\.value)
            return type.spelling
        }
    }

    private static func line(_ field: FieldDefinition, _ place: String, _ types: inout Reach) -> String {
        let options = [
            field.nullable?.rawValue ?? "", field.joining?.value.rawValue ?? "", field.contentType?.value ?? "",
            field.holdsOtherMembers ? "others" : "",
        ]
        return "\(place) \(field.wireName) \(types.note(field.type)) \(options.joined(separator: ","))"
    }

    private static func lines(of type: TypeDefinition, _ types: inout Reach) -> [String] {
        let name = "type \(type.name.value)"
        switch type.form {
        case .structure(let fields): return [name] + fields.map { Self.line($0, "member", &types) }
        case .enumeration(let enumeration): return [name] + enumeration.cases.map { "case \($0.wireValue.value)" }
        case .union(let union):
            return ["\(name) by \(union.discriminator?.value ?? "")"]
                + union.cases.map { "case \($0.name.value) \(types.note($0.type))" }
        case .alias(let target, _): return ["\(name) \(types.note(target))"]
        }
    }

    /// The FNV-1a hash of a text, in 16 hexadecimal digits.
    private static func hash(_ text: String) -> String {
        let digits = String(StableHash.of(text.utf8), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
