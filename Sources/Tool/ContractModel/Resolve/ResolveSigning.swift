import Diagnostics

// Where signatures travel, and the headers that they are over.
extension Resolution {
    /// Nothing else of a request has the signature's name at its place. What several requests share is reported once.
    mutating func checkSignature(of endpoint: EndpointDefinition) {
        guard let into = contract.signing?.placement, case .http(let method, let path) = endpoint.target else { return }
        if case .wholeURL = path.value { return }  // such a request is not signed
        guard sends(.signature, in: endpoint) else { return }
        let shared = common(of: endpoint)
        var body: [FieldDefinition] = []
        if case .fields(let fields)? = endpoint.body?.content { body = fields }
        let hasFields = !method.sendsParametersInQuery && endpoint.body?.takesParameters ?? true
        let session = sessionPlacement(of: endpoint)
        let name: String
        let fields: [FieldDefinition]
        var common: [CommonParameter]
        let isSession: Bool
        switch into.value {
        case .header(let header):
            (name, fields, common) = (header.lowercased(), endpoint.headers, shared.headers)
            isSession = if case .header(let other, _, _)? = session?.value { other.lowercased() == name } else { false }
        case .query(let parameter), .body(let parameter):
            let isInBody = if case .body = into.value { hasFields } else { false }
            name = parameter
            (fields, common) = isInBody ? (body, []) : (endpoint.query, shared.query)
            if isInBody == hasFields { common += shared.parameters }
            isSession = isInBody == hasFields && session?.value == .parameter(parameter)
        }
        let isHeader = if case .header = into.value { true } else { false }
        if let field = fields.first(where: { (isHeader ? $0.wireName.lowercased() : $0.wireName) == name }) {
            reportSignatureCollision(
                field.wireName, "`\(endpoint.name.value)` has a field with the same name", at: field.name.range,
                into.range)
        }
        let naming = contract.defaults.naming
        for parameter in common {
            let field = parameter.field
            let wireName =
                field.declaredWireName?.value ?? (isHeader ? field.name.value : naming.wireName(of: field.name.value))
            guard (isHeader ? wireName.lowercased() : wireName) == name else { continue }
            reportSignatureCollision(
                wireName, "every request has a parameter with the same name", at: field.name.range, into.range)
        }
        guard isSession, let session, reportedSignatures.insert(session.range).inserted else { return }
        report(
            .nameCollision, "`\(name)` carries both the signature and the session", at: into.range,
            notes: [DiagnosticNote("the session", at: session.range)], help: "give each a different name")
    }

    private mutating func reportSignatureCollision(
        _ name: String, _ what: String, at place: SourceRange, _ signature: SourceRange
    ) {
        guard reportedSignatures.insert(place).inserted else { return }
        report(
            .nameCollision, "`\(name)` carries the signature, and \(what)", at: place,
            notes: [DiagnosticNote("the signature", at: signature)], help: "give each a different name")
    }

    /// A header that no request has cannot be signed.
    mutating func checkSignedHeaders(_ endpoints: [ResolvedEndpoint]) {
        guard let signing = contract.signing, !signing.headers.isEmpty else { return }
        reportDuplicates(signing.headers, "header") { $0.lowercased() }
        var sent = Set(endpoints.flatMap(\.headers).map { $0.wireName.lowercased() })
        for parameter in contract.common.headers {
            sent.insert((parameter.field.declaredWireName?.value ?? parameter.field.name.value).lowercased())
        }
        if let session = contract.session?.placement ?? sharedSession?.session?.placement,
            case .header(let name, _, _) = session.value
        {
            sent.insert(name.lowercased())
        }
        for endpoint in endpoints where endpoint.effect == .keyed {
            switch endpoint.keyPlace {
            case .header(let name)?: sent.insert(name.value.lowercased())
            case nil: sent.insert(IdempotencyKeyDefinition.standardHeader.lowercased())
            case .field?: break
            }
        }
        for name in signing.headers where !sent.contains(name.value.lowercased()) {
            report(
                .unknownValue, "no request sends the header `\(name.value)`", at: name.range,
                help: "declare it under the `headers` of `common` or of an endpoint, or remove it")
        }
    }
}
