import Diagnostics

extension ResolvedContract {
    /// Identifies the form in which the inputs of an endpoint are kept: what is sent, where to and with what (`InputForm`). The Swift
    /// names of fields, documentation and responses aren't a part of it, so a kept command outlasts their changes.
    ///
    /// The hash of what every command has is the hash of the whole form from before the first input that may be left out was added.
    package func fingerprint(of endpoint: ResolvedEndpoint) -> String {
        let whole = InputLines(of: endpoint, in: self) { _ in true }
        guard !whole.optional.isEmpty else { return Self.hash(whole.lines) }
        let required = InputLines(of: endpoint, in: self, where: \.isRequired)
        let optional = whole.optional.map { text, field in
            var types = InputLines.Reach()
            _ = types.note(field.type)
            let lines = [text] + types.lines(in: self, where: \.isRequired)
            return Self.hash(lines, digits: 8)
        }
        return ([Self.hash(whole.lines), Self.hash(required.lines)] + optional).joined(separator: " ")
    }

    /// The last hexadecimal digits of the FNV-1a hash of lines.
    private static func hash(_ lines: [String], digits: Int = 16) -> String {
        let hash = String(StableHash.of(lines.joined(separator: "\n").utf8), radix: 16)
        return String((String(repeating: "0", count: digits) + hash).suffix(digits))
    }
}

/// The form of an endpoint's inputs in lines, with the forms of all types that they mention.
private struct InputLines {
    var lines: [String]
    /// The inputs and the members of types that a command may leave out, with their lines.
    var optional: [(text: String, field: FieldDefinition)] = []

    /// - Parameter keeps: whether a field is a part of the form.
    init(of endpoint: ResolvedEndpoint, in contract: ResolvedContract, where keeps: (FieldDefinition) -> Bool) {
        lines = [
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
            add(fields.filter(keeps), place, &types)
        }
        if let body = endpoint.body { add(body, &types, where: keeps) }
        let forms = types.lines(in: contract, where: keeps) { optional.append(($0, $1)) }
        lines += forms
    }

    private mutating func add(
        _ body: BodyDefinition, _ types: inout Reach, where keeps: (FieldDefinition) -> Bool
    ) {
        let form = [
            body.encoding.rawValue, body.contentType ?? "", body.nesting.rawValue, body.element?.value ?? "",
        ]
        let line = "body " + form.joined(separator: " ")
        switch body.content {
        case .fields(let fields):
            let kept = fields.filter(keeps)
            // The first input may add the body.
            if kept.isEmpty, !fields.isEmpty { return }
            lines.append(line)
            add(kept, "field", of: line + "\n", &types)
        case .type(let type, _): lines += [line, "type \(types.note(type))"]
        case .bytes(let contentType): lines += [line, "bytes \(contentType)"]
        }
    }

    private mutating func add(
        _ fields: [FieldDefinition], _ place: String, of owner: String = "", _ types: inout Reach
    ) {
        for field in fields {
            let line = types.line(field, place)
            lines.append(line)
            if !field.isRequired { optional.append((owner + line, field)) }
        }
    }

    /// The types that the inputs mention.
    struct Reach {
        private var open: [String] = []
        private var seen: Set<String> = []

        mutating func note(_ type: TypeReference) -> String {
            open += type.names.map(\.value)
            return type.spelling
        }

        mutating func line(_ field: FieldDefinition, _ place: String) -> String {
            let options = [
                field.nullable?.rawValue ?? "", field.joining?.value.rawValue ?? "", field.contentType?.value ?? "",
                field.holdsOtherMembers ? "others" : "",
            ]
            return "\(place) \(field.wireName) \(note(field.type)) \(options.joined(separator: ","))"
        }

        /// The forms of the types, and of those that they mention.
        ///
        /// - Parameter leaveOut: takes the members that may be left out.
        mutating func lines(
            in contract: ResolvedContract, where keeps: (FieldDefinition) -> Bool,
            _ leaveOut: (String, FieldDefinition) -> Void = { _, _ in }
        ) -> [String] {
            var lines: [String] = []
            while let name = open.popLast() {
                guard seen.insert(name).inserted, let type = contract.type(named: name) else { continue }
                let head = "type \(type.name.value)"
                switch type.form {
                case .structure(let fields):
                    lines.append(head)
                    for field in fields.filter(keeps) {
                        let line = self.line(field, "member")
                        lines.append(line)
                        if !field.isRequired { leaveOut("\(head) \(line)", field) }
                    }
                case .enumeration(let enumeration):
                    lines += [head] + enumeration.cases.map { "case \($0.wireValue.value)" }
                case .union(let union):
                    lines.append("\(head) by \(union.discriminator?.value ?? "")")
                    lines += union.cases.map { "case \($0.name.value) \(note($0.type))" }
                case .alias(let target, _): lines.append("\(head) \(note(target))")
                }
            }
            return lines
        }
    }
}
