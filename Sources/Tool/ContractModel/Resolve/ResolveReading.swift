import Diagnostics

/// Decides which fields are read leniently: those with `lenient: true`, and with `reading: lenient` all that can be.
///
/// A wrong value of such a field is nil or empty, and the app goes on. Nothing may depend on such a value, so a field that something
/// depends on is read strictly, and `lenient: true` at it is an error.
extension Resolution {
    /// - Parameter errors: all errors of the contract, whether or not an endpoint uses them.
    mutating func settleReading(_ resolved: inout ResolvedContract, errors: [ErrorDefinition]) {
        guard saysLenient || scopes.values.contains(where: { $0.contract.defaults.reading == .lenient }) else { return }
        for endpoint in resolved.endpoints { readVerdictsStrictly(endpoint) }
        let strict = strictTypes(resolved, errors)
        for position in types.indices {
            guard case .structure(let fields) = types[position].form else { continue }
            let name = types[position].name.value
            let reading = scopes[typeFiles[name] ?? ""]?.contract.defaults.reading ?? .strict
            types[position].form = .structure(
                settled(fields, isUsual: reading == .lenient, because: strict[name]))
        }
        resolved.types = resolved.types.map { type($0.name.value) ?? $0 }
        for error in errors {
            guard case .fields(let fields)? = error.data else { continue }
            _ = settled(fields, isUsual: false, because: "the error `\(error.name.value)` has it")
        }
        let isUsual = contract.defaults.reading == .lenient
        for position in resolved.endpoints.indices {
            settle(&resolved.endpoints[position].definition, isUsual)
        }
        for position in resolved.events.indices { settle(&resolved.events[position].data, isUsual) }
    }

    /// Notes that something depends on fields, and what.
    mutating func readStrictly(_ fields: [FieldDefinition], _ what: String) {
        for field in fields { strictPlaces[field.name.range] = what }
    }

    /// Whether a wrong value has a substitute: nil, an empty list or an empty map. No value of `json` is wrong.
    func canBeLenient(_ field: FieldDefinition) -> Bool {
        guard !field.distinguishesNull, !field.holdsOtherMembers,
            let type = expanded(field.type.unwrapped)?.unwrapped
        else { return false }
        switch type {
        case .list, .map: return true
        default: return field.type.isOptional && type != .primitive(.json)
        }
    }

    /// The payload may have the members by which the client tells failures and outcomes.
    private mutating func readVerdictsStrictly(_ endpoint: ResolvedEndpoint) {
        let envelope = envelope(of: endpoint)
        let place = PayloadPlace(endpoint, envelope, self)
        func readStrictly(_ path: FieldPath?, _ what: String) {
            if let path, case .found(let way) = place.search(path, self) { self.readStrictly(way, what) }
        }
        if let envelope {
            let what = "the envelope `\(envelope.name.value)` recognizes a failure by it"
            readStrictly(envelope.code?.value, what)
            readStrictly(envelope.error?.value, what)
        }
        for row in endpoint.table.rows {
            for match in row.condition.body {
                readStrictly(match.path.value, "`\(row.verdict.name)` is recognized by it")
            }
        }
    }

    /// The types that must be read as they are declared, and why: those in the data of errors, by which an app decides, and those
    /// that a command with a key sends, because a value that is missing would be carried out.
    private func strictTypes(_ resolved: ResolvedContract, _ errors: [ErrorDefinition]) -> [String: String] {
        var strict: [String: String] = [:]
        func mark(_ names: [Located<String>], _ reason: String) {
            var open = names.map(\.value)
            while let name = open.popLast() {
                guard strict[name] == nil, let type = type(name) else { continue }
                strict[name] = reason
                open += type.mentionedNames.map(\.value)
            }
        }
        for error in errors { mark(error.data?.mentionedNames ?? [], "the error `\(error.name.value)` has it") }
        for endpoint in resolved.endpoints where endpoint.effect == .keyed {
            let reason = "the keyed command `\(endpoint.name.value)` sends it"
            mark(endpoint.inputs.flatMap(\.type.names), reason)
            if case .type(let type, _)? = endpoint.body?.content { mark(type.names, reason) }
        }
        return strict
    }

    // MARK: Fields

    private mutating func settle(_ endpoint: inout EndpointDefinition, _ isUsual: Bool) {
        // In any other encoding, the place of the field already refuses it.
        if let body = endpoint.body, body.isDocument, case .fields(let fields) = body.content {
            _ = settled(fields, isUsual: false, because: "only requests contain it")
        }
        if case .fields(let fields) = endpoint.response.value {
            endpoint.response.value = .fields(settled(fields, isUsual: isUsual, because: nil))
        }
        for position in endpoint.outcomes.indices { settle(&endpoint.outcomes[position].data, isUsual) }
    }

    private mutating func settle(_ data: inout ErrorData?, _ isUsual: Bool) {
        guard case .fields(let fields)? = data else { return }
        data = .fields(settled(fields, isUsual: isUsual, because: nil))
    }

    /// - Parameter reason: why none of the fields can be read leniently.
    private mutating func settled(
        _ fields: [FieldDefinition], isUsual: Bool, because reason: String?
    ) -> [FieldDefinition] {
        fields.map { field in
            guard field.leniency != false, field.isLenient || isUsual, canBeLenient(field) else { return field }
            guard let reason = reason ?? strictPlaces[field.name.range] else { return field.readLeniently() }
            if field.isLenient {
                report(
                    .readingMustBeStrict, "`\(field.name.value)` cannot be lenient, because \(reason)",
                    at: field.name.range, help: "remove `lenient`, so that a wrong value is a failure")
            }
            return field
        }
    }
}
