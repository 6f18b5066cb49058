import ContractModel

/// A contract in the form that is compared: every value is at the place where it has its effect.
///
/// An endpoint has the settings and the errors that `defaults` gives it, imported definitions are beside the contract's own, and
/// a field has its name on the wire. Two contracts with the same snapshot therefore give clients that do the same.
struct ContractSnapshot {
    let contract: Contract

    init(_ resolved: ResolvedContract, written: Contract, sharedSession: Contract?) {
        var contract = Contract(file: resolved.file, service: resolved.service)
        contract.version = written.version
        contract.stability = resolved.stability
        contract.servers = resolved.servers
        contract.roles = resolved.roles
        contract.common = resolved.common.withWireNames
        contract.connection = resolved.connection
        contract.session = written.session.map { resolved.onWire($0) }
        if contract.session?.placement == nil {
            contract.session?.placement = sharedSession?.session?.placement
        }
        contract.credentials = resolved.credentials
        contract.signing = resolved.signing
        contract.rateLimit = resolved.rateLimit
        contract.trust = resolved.trust
        contract.gateways = resolved.gateways
        contract.envelopes = resolved.envelopes
        contract.errors = (resolved.errors + resolved.redeclared).map(\.withWireNames)
        contract.types = resolved.types.map(\.withWireNames)
        contract.groups = resolved.groups
        contract.endpoints = resolved.endpoints.map { endpoint in
            var endpoint = endpoint
            endpoint.definition = resolved.onWire(endpoint)
            return endpoint.whole
        }
        contract.events = resolved.events.map { event in
            var event = event
            event.data = event.data?.withWireNames
            return event
        }
        self.contract = contract
    }
}

extension ResolvedEndpoint {
    /// The endpoint with everything that holds for it.
    fileprivate var whole: EndpointDefinition {
        var endpoint = definition
        endpoint.hasResponse = true
        endpoint.errors = errors.map { Located($0, at: endpoint.name.range) }
        endpoint.query = endpoint.query.withWireNames
        endpoint.headers = endpoint.headers.withWireNames
        endpoint.cookies = endpoint.cookies.withWireNames
        endpoint.responseHeaders = endpoint.responseHeaders.withWireNames
        if let body = endpoint.body, case .fields(let fields) = body.content {
            endpoint.body?.content = .fields(fields.withWireNames)
        }
        if case .fields(let fields) = endpoint.response.value {
            endpoint.response.value = .fields(fields.withWireNames)
        }
        for index in endpoint.outcomes.indices {
            endpoint.outcomes[index].data = endpoint.outcomes[index].data?.withWireNames
        }
        if let key = endpoint.idempotencyKey, key.place == nil, key.lifetime == nil { endpoint.idempotencyKey = nil }
        // What holds without the keys.
        endpoint.settings.session = Located(session, at: endpoint.settings.session?.range ?? endpoint.name.range)
        endpoint.declaredEffect = Located(effect, at: endpoint.declaredEffect?.range ?? endpoint.name.range)
        if endpoint.settings.priority == .normal { endpoint.settings.priority = nil }
        if let type = endpoint.body?.contentType?.lowercased(), let encoding = endpoint.body?.encoding,
            type == "application/\(encoding.rawValue)"
        {
            endpoint.body?.contentType = nil
        }
        if endpoint.durable?.value.isKept == false { endpoint.durable = nil }
        if endpoint.share?.value == false { endpoint.share = nil }
        if endpoint.cache?.value.isHTTP == false { endpoint.cache = nil }
        if endpoint.settings.compression == CompressionDefinition.none { endpoint.settings.compression = nil }
        endpoint.examples = []
        return endpoint
    }
}

extension ErrorDefinition {
    fileprivate var withWireNames: ErrorDefinition {
        var error = self
        error.data = data?.withWireNames
        return error
    }
}

extension TypeDefinition {
    fileprivate var withWireNames: TypeDefinition {
        guard case .structure(let fields) = form else { return self }
        var type = self
        type.form = .structure(fields.withWireNames)
        return type
    }
}

extension ErrorData {
    fileprivate var withWireNames: ErrorData {
        guard case .fields(let fields) = self else { return self }
        return .fields(fields.withWireNames)
    }
}

extension CommonParameters {
    fileprivate var withWireNames: CommonParameters {
        func named(_ parameters: [CommonParameter]) -> [CommonParameter] {
            parameters.map { CommonParameter(field: $0.field.withWireName, source: $0.source) }
        }
        var common = self
        common.query = named(query)
        common.headers = named(headers)
        common.parameters = named(parameters)
        return common
    }
}

extension [FieldDefinition] {
    fileprivate var withWireNames: [FieldDefinition] { map(\.withWireName) }
}

extension FieldDefinition {
    /// The field with its name on the wire written at itself, if that isn't its name.
    fileprivate var withWireName: FieldDefinition {
        guard !holdsOtherMembers else { return self }
        let isNamed = wireName != name.value
        guard isNamed || declaredWireName != nil || leniency == false else { return self }
        var options = options ?? FieldOptions()
        if !isLenient { options.isLenient = nil }
        options.declaredWireName = isNamed ? Located(wireName, at: name.range) : nil
        return FieldDefinition(
            name: name, type: type, typeRange: typeRange, wireName: wireName, options: options)
    }
}
