import Diagnostics

// Where the idempotency key of a `keyed` endpoint travels. What declared header fields share with it is a lint rule's question.
extension Resolution {
    mutating func checkKeyPlace(of endpoint: EndpointDefinition) {
        switch endpoint.idempotencyKey?.place {
        case .header(let name)? where endpoint.frame == nil: checkKeyHeader(name, of: endpoint)
        case .header?: break  // a frame has none, which is reported
        case .field(let name)?: checkKeyField(name, of: endpoint)
        case nil: break
        }
    }

    private mutating func checkKeyHeader(_ name: Located<String>, of endpoint: EndpointDefinition) {
        func isKey(_ other: String) -> Bool { other.lowercased() == name.value.lowercased() }
        if let session = sessionPlacement(of: endpoint), case .header(let header, _, _) = session.value, isKey(header) {
            reportKeyCollision(name, "the session", at: session.range)
        }
        if sends(.signature, in: endpoint), let into = contract.signing?.placement,
            case .header(let header) = into.value, isKey(header)
        {
            reportKeyCollision(name, "the signature", at: into.range)
        }
    }

    /// The body needs room for the key's field, and sends no other one of that name.
    private mutating func checkKeyField(_ name: Located<String>, of endpoint: EndpointDefinition) {
        guard let fields = fieldsBesideKey(name, of: endpoint) else { return }
        if let field = fields.first(where: { $0.wireName == name.value }) {
            report(
                .nameCollision,
                "`\(name.value)` carries the idempotency key, and `\(endpoint.name.value)` has a field with the same name",
                at: name.range, notes: [DiagnosticNote("the field", at: field.name.range)],
                help: "remove the field; the runtime creates the key")
        }
        guard let method = endpoint.method, !method.sendsParametersInQuery, endpoint.body?.takesParameters ?? true
        else { return }
        let naming = contract.defaults.naming
        for parameter in common(of: endpoint).parameters {
            let field = parameter.field
            let wireName = field.declaredWireName?.value ?? naming.wireName(of: field.name.value)
            if wireName == name.value { reportKeyCollision(name, "a common parameter", at: field.name.range) }
        }
        if let session = sessionPlacement(of: endpoint), case .parameter(name.value) = session.value {
            reportKeyCollision(name, "the session", at: session.range)
        }
        if sends(.signature, in: endpoint), let into = contract.signing?.placement,
            case .body(name.value) = into.value
        {
            reportKeyCollision(name, "the signature", at: into.range)
        }
    }

    /// The body's own fields; nil if the body cannot carry the key, which is reported.
    private mutating func fieldsBesideKey(_ name: Located<String>, of endpoint: EndpointDefinition)
        -> [FieldDefinition]?
    {
        guard let body = endpoint.body else {
            guard endpoint.method?.sendsParametersInQuery == true else { return [] }
            reportNoRoom(name, "`\(endpoint.name.value)` has no body", at: name.range)
            return nil
        }
        guard body.isDocument || body.encoding == .form else {
            reportNoRoom(name, "the body of `\(endpoint.name.value)` is neither JSON, XML nor a form", at: body.range)
            return nil
        }
        switch body.content {
        case .bytes: return nil  // refused above
        case .fields(let fields): return fields
        case .type(let type, let range):
            guard let target = expanded(type) else { return nil }  // unknown types are reported elsewhere
            if case .named(let reference) = target {
                guard let definition = self.type(reference.value) else { return nil }
                if case .structure(let fields) = definition.form { return fields }
            }
            reportNoRoom(name, "`\(type.spelling)` is not a structure", at: range)
            return nil
        }
    }

    private mutating func reportNoRoom(_ name: Located<String>, _ reason: String, at place: SourceRange) {
        report(
            .conflictingKeys, "the field `\(name.value)` cannot carry the idempotency key, because \(reason)",
            at: name.range,
            notes: place == name.range ? [] : [DiagnosticNote("the body", at: place)],
            help: "write `{keyed: {header: NAME}}`, or give the endpoint a JSON, XML or form body that is a structure")
    }

    private mutating func reportKeyCollision(_ name: Located<String>, _ what: String, at place: SourceRange) {
        report(
            .nameCollision, "`\(name.value)` carries the idempotency key, and \(what) has the same name",
            at: name.range,
            notes: [DiagnosticNote(what, at: place)], help: "give each a different name")
    }

    func sessionPlacement(of endpoint: EndpointDefinition) -> Located<SessionDefinition.Placement>? {
        if endpoint.settings.session?.value == SessionUse.none { return nil }
        return contract.session?.placement ?? sharedSession?.session?.placement
    }
}

extension BodyDefinition {
    /// Whether parameters can be fields of it; they travel in the query otherwise.
    package var takesParameters: Bool {
        switch content {
        case .fields: true
        case .type: !isDocument
        case .bytes: false
        }
    }
}
