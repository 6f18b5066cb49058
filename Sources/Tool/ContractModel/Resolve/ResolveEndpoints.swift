import Diagnostics

extension Resolution {
    mutating func resolvedCommon() -> CommonParameters {
        var common = contract.common
        func checked(_ parameters: [CommonParameter], as place: FieldPlace) -> [CommonParameter] {
            let fields = self.checked(parameters.map(\.field), as: place, naming: contract.defaults.naming)
            return zip(parameters, fields).map { CommonParameter(field: $1, source: $0.source) }
        }
        common.query = checked(common.query, as: .query)
        common.headers = checked(common.headers, as: .header)
        common.parameters = checked(common.parameters, as: .query)
        for parameter in common.parameters {
            guard let joining = parameter.field.joining else { continue }
            report(
                .conflictingKeys,
                "`joined` is not valid for `\(parameter.field.name.value)`, which some requests carry in a JSON body",
                at: joining.range, help: "remove it, or write the field under `query`")
        }
        for parameter in common.headers {
            if case .constant(let text) = parameter.source, !HeaderText.isValue(text) {
                report(
                    .invalidHeader, "the constant of `\(parameter.field.name.value)` cannot be the value of a header",
                    at: parameter.field.name.range,
                    help: "use visible ASCII without line breaks")
            }
        }
        return common
    }

    mutating func resolvedEndpoint(_ definition: EndpointDefinition) -> ResolvedEndpoint {
        var endpoint = definition
        let defaults = contract.defaults
        endpoint.settings.inherit(defaults.settings)
        endpoint.server = resolvedServer(of: definition)
        endpoint.group = resolvedGroup(of: definition)
        let session = sessionNeed(of: definition, sentTo: endpoint.server?.value)
        endpoint.settings.session = Located(session, at: definition.settings.session?.range ?? definition.name.range)
        endpoint.settings.credentials = resolvedCredentials(of: endpoint, own: definition.settings.credentials)
        let envelope = resolvedEnvelope(&endpoint, declaresItsOwn: definition.settings.envelope != nil)
        checkFields(&endpoint)
        let naming = defaults.naming
        for position in endpoint.outcomes.indices {
            endpoint.outcomes[position].data = checked(endpoint.outcomes[position].data, naming: naming)
        }
        reportSentTwice(endpoint)
        checkKeyPlace(of: endpoint)
        checkSignature(of: endpoint)
        checkStatus(of: endpoint, envelope)
        checkDelivery(of: endpoint)
        checkDurable(of: endpoint)
        checkShare(of: endpoint)
        checkCache(of: endpoint)
        checkSettles(of: endpoint)
        if let frame = endpoint.frame { check(frame, of: endpoint, envelope) }
        if endpoint.outcomes.isEmpty {
            let shared = sharedTable(of: endpoint, session: session, envelope)
            var resolved = ResolvedEndpoint(
                endpoint, errors: shared.errors, declaresOwnErrors: !definition.errors.isEmpty, table: shared.table)
            resolved.sharedTable = shared.number
            return resolved
        }
        let errors = errors(of: endpoint, session: session)
        let names = errors.map(\.definition.name.value)
        let known = Set(names)
        for outcome in endpoint.outcomes where known.contains(outcome.name.value) {
            report(
                .nameCollision, "the endpoint has both an error and an outcome `\(outcome.name.value)`",
                at: outcome.name.range, help: "rename one of them")
        }
        let table = table(errors: errors, outcomes: endpoint.outcomes, envelope: envelope)
        return ResolvedEndpoint(
            endpoint, errors: names, declaresOwnErrors: !definition.errors.isEmpty, table: table)
    }

    /// The table of an endpoint without outcomes. Endpoints that list the same errors share one: most contracts have few lists.
    private mutating func sharedTable(
        of endpoint: EndpointDefinition, session: SessionUse, _ envelope: EnvelopeDefinition?
    ) -> SharedTable {
        let key = SharedTableKey(
            errors: endpoint.errors.map(\.value), hasSession: session != .none, envelope: envelope?.name.value)
        if let known = sharedTables[key] { return known }
        let reported = findings.diagnostics.count
        let errors = errors(of: endpoint, session: session)
        // A list with an error of its own is looked at for each endpoint, so that each place is reported.
        let isReported = !endpoint.errors.isEmpty && findings.diagnostics.count > reported
        let table = SharedTable(
            number: isReported ? nil : sharedTables.count, errors: errors.map(\.definition.name.value),
            table: table(errors: errors, outcomes: [], envelope: envelope))
        if !isReported { sharedTables[key] = table }
        return table
    }

    /// A login and a renewal never ask for a session themselves, and a request to a URL from anywhere never carries one.
    private mutating func sessionNeed(of endpoint: EndpointDefinition, sentTo role: String?) -> SessionUse {
        let declared = endpoint.settings.session
        if let refusal = sessionRefusal(of: endpoint, sentTo: role) { return refusal }
        var reason: String?
        if endpoint.name.value == contract.session?.login?.value { reason = "it starts the session" }
        if endpoint.name.value == contract.session?.refresh?.value { reason = "it renews the session" }
        if endpoint.name.value == contract.session?.attach?.value { reason = "it presents the session's token" }
        if case .http(_, let path) = endpoint.target, case .wholeURL = path.value {
            reason = "its URL may be on any host"
        }
        if let reason {
            if let declared, declared.value != .none {
                report(
                    .loginRequiresSession, "`\(endpoint.name.value)` cannot require a session, because \(reason)",
                    at: declared.range, help: "write `session: none`")
            }
            return .none
        }
        guard contract.session != nil else {
            if let declared = declared ?? contract.defaults.settings.session, declared.value != .none {
                report(
                    .sessionUndefined,
                    "the endpoint has `session: \(declared.value.rawValue)`, but the contract has no `session`",
                    at: declared.range,
                    help: "declare `session`, or write `session: none`")
            }
            return .none
        }
        return (declared ?? contract.defaults.settings.session)?.value ?? .required
    }

    private mutating func resolvedEnvelope(_ endpoint: inout EndpointDefinition, declaresItsOwn: Bool)
        -> EnvelopeDefinition?
    {
        if case .bytes = endpoint.response.value, !declaresItsOwn {
            endpoint.settings.envelope = nil  // bytes come without the envelope that the defaults speak of
            return nil
        }
        guard let name = endpoint.settings.envelope else { return nil }
        let scope = scope
        if name.value == "none" {
            endpoint.settings.envelope = nil
            return nil
        }
        switch scope.envelope(name.value) {
        case .found(let found): return found.definition
        case .ambiguous(let places): reportAmbiguous("envelope", name, places)
        case .missing:
            guard scope.canMiss(name.value),
                let near = reportMissing(
                    .unknownEnvelope, "envelope", name, among: scope.envelopeNames,
                    help: "declare it under `envelopes`"),
                case .found(let found) = scope.envelope(near)
            else { return nil }
            endpoint.settings.envelope = Located(near, at: name.range)
            return found.definition
        }
        return nil
    }

    /// A name that no endpoint takes up would otherwise not be looked at.
    mutating func checkDefaultEnvelope() {
        let scope = scope
        guard let name = contract.defaults.settings.envelope, name.value != "none",
            contract.endpoints.allSatisfy({ $0.settings.envelope != nil }),
            case .missing = scope.envelope(name.value), scope.canMiss(name.value)
        else { return }
        reportMissing(
            .unknownEnvelope, "envelope", name, among: scope.envelopeNames, help: "declare it under `envelopes`")
    }

    mutating func usedEnvelopes(_ endpoints: [ResolvedEndpoint]) -> [EnvelopeDefinition] {
        let used = Set(endpoints.compactMap(\.envelope))
        var result = contract.envelopes.filter { used.contains($0.name.value) }
        for name in used.subtracting(result.map(\.name.value)).sorted() {
            if case .found(let found) = scope.envelope(name) { result.append(found.definition) }
        }
        return result
    }

    // MARK: Fields

    private mutating func checkFields(_ endpoint: inout EndpointDefinition) {
        let naming = contract.defaults.naming
        endpoint.query = checked(endpoint.query, as: .query, naming: naming)
        endpoint.headers = checked(endpoint.headers, as: .header, naming: naming)
        endpoint.cookies = checked(endpoint.cookies, as: .cookie, naming: naming)
        if case .http(let method, let path) = endpoint.target {
            endpoint.target = .http(method, Located(checked(path.value), at: path.range))
            if let body = endpoint.body, method == .get || method == .head {
                report(
                    .bodyOnGet, "a \(method.rawValue.uppercased()) request cannot have a body", at: body.range,
                    help: "send it in the query, or use `query`, which reads with a body, or `post`")
            }
        }
        switch endpoint.body?.content {
        case .fields(let fields):
            let place = endpoint.body?.fieldPlace ?? .payload
            endpoint.body?.content = .fields(checked(fields, as: place, naming: naming))
        case .type(let type, let range):
            refuseFile(type, at: range)
            if let body = endpoint.body, !body.isDocument { checkFlatBody(type, range, body) }
        case .bytes, nil: break
        }
        switch endpoint.response.value {
        case .fields(let fields):
            endpoint.response.value = .fields(checked(fields, as: .payload, naming: naming))
        case .type(let type, let skips, let single):
            refuseFile(type, at: endpoint.response.range)
            let isList = expanded(type.unwrapped)?.isList == true
            if !isList, skips || single {
                report(
                    .conflictingKeys, "`\(skips ? "skipInvalid" : "single")` is not valid for a `\(type.spelling)`",
                    at: endpoint.response.range, help: "it is only valid for a list")
            }
        case .none, .bytes: break
        }
        checkResponseHeaders(of: &endpoint)
        if endpoint.method == .head {
            if case .none = endpoint.response.value { return }
            report(
                .bodyOnHead, "the response of a HEAD request has no body", at: endpoint.response.range,
                help: "write `response: none`, or `response: {headers: …}`")
        }
    }

    /// Reports a field of the endpoint with the wire name of a common parameter.
    private mutating func reportSentTwice(_ endpoint: EndpointDefinition) {
        // The handshake of the connection has them, and not a frame.
        if endpoint.frame != nil { return }
        let inQuery = endpoint.method?.sendsParametersInQuery ?? false
        var body: [FieldDefinition] = []
        if case .fields(let fields)? = endpoint.body?.content { body = fields }
        let common = self.common(of: endpoint)
        report(endpoint.query, alsoSentBy: common.query + (inQuery ? common.parameters : [])) { $0 }
        report(endpoint.headers, alsoSentBy: common.headers) { $0.lowercased() }
        report(body, alsoSentBy: inQuery ? [] : common.parameters) { $0 }
        guard endpoint.settings.session?.value != SessionUse.none, let placement = contract.session?.placement else {
            return
        }
        let carriers: [FieldDefinition] =
            switch placement.value {
            case .header(let name, _, _): endpoint.headers.filter { $0.wireName.lowercased() == name.lowercased() }
            case .parameter(let name): (inQuery ? endpoint.query : body).filter { $0.wireName == name }
            case .attached: []
            }
        for field in carriers {
            report(
                .nameCollision, "`\(field.wireName)` carries the session, and `\(endpoint.name.value)` sends it too",
                at: field.name.range,
                notes: [DiagnosticNote("the session", at: placement.range)], help: "remove the field")
        }
    }

    private mutating func report(
        _ fields: [FieldDefinition], alsoSentBy common: [CommonParameter], _ key: (String) -> String
    ) {
        guard !common.isEmpty else { return }
        let naming = contract.defaults.naming
        for field in fields {
            guard
                let other = common.first(where: { parameter in
                    let name =
                        parameter.field.declaredWireName?.value ?? naming.wireName(of: parameter.field.name.value)
                    return key(name) == key(field.wireName)
                })
            else { continue }
            report(
                .nameCollision,
                "every request already contains `\(field.wireName)`, so this request would contain it twice",
                at: field.name.range,
                notes: [DiagnosticNote("the common parameter", at: other.field.name.range)],
                help: "remove one of them, or give it another `wire:`")
        }
    }

    private mutating func checked(_ path: PathTemplate) -> PathTemplate {
        guard case .path(let parts) = path else { return path }
        var seen = Set<String>()
        for field in path.parameters where !seen.insert(field.name.value).inserted {
            report(
                .duplicateName, "the path parameter `\(field.name.value)` occurs twice", at: field.name.range,
                help: "name each parameter once")
        }
        return .path(
            parts.map { part in
                guard case .parameter(let field) = part else { return part }
                return .parameter(checked([field], as: .path, naming: .asWritten)[0])
            })
    }

    /// A form or multipart body of one type needs a structure whose fields fit it.
    private mutating func checkFlatBody(
        _ type: TypeReference, _ range: SourceRange, _ body: BodyDefinition
    ) {
        guard case .named(let name)? = expanded(type), let definition = self.type(name.value),
            case .structure(let fields) = definition.form
        else {
            report(
                .wrongKind,
                "a body encoded as `\(body.encoding.rawValue)` must be a structure, and `\(type.spelling)` is not",
                at: range, help: "write `fields: …`, or use `encoding: json`")
            return
        }
        if fields.contains(where: \.holdsOtherMembers) {
            report(
                .conflictingKeys,
                "`\(name.value)` has `additionalProperties`, which only JSON can have, and the body is encoded as `\(body.encoding.rawValue)`",
                at: range, help: "use `encoding: json`, or declare a type without `additionalProperties`")
            return
        }
        _ = checked(fields, as: body.fieldPlace, naming: .asWritten)
    }
}

extension BodyDefinition {
    /// The place of its fields.
    fileprivate var fieldPlace: FieldPlace {
        switch encoding {
        case .form: .form
        case .multipart: .multipart(nesting)
        case .json, .xml, .bytes: .payload
        }
    }
}

/// The properties that determine the table of an endpoint without outcomes.
struct SharedTableKey: Hashable {
    var errors: [String]
    var hasSession: Bool
    var envelope: String?
}

struct SharedTable {
    /// Nil if a name in the endpoint's list was reported.
    var number: Int?
    var errors: [String]
    var table: ResolvedTable
}
