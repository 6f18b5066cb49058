import ContractModel
import ErrandService
import JSONTree

extension MockEngine {
    // MARK: Keys

    /// The idempotency key of a request.
    func idempotencyKey(of call: Call) -> String? {
        guard call.endpoint.effect == .keyed else { return nil }
        let key: String? =
            switch call.endpoint.keyPlace {
            case .header(let name): call.request.header(name.value)
            case .field(let name): call.content.text(name.value)
            case nil: call.request.header(IdempotencyKeyDefinition.standardHeader)
            }
        return key.flatMap { $0.isEmpty ? nil : $0 }
    }

    func ledgerKey(_ call: Call) -> Fingerprint? {
        idempotencyKey(of: call).map { Fingerprint(call.endpoint.name.value, $0) }
    }

    /// The response to a request whose key is known: the first response again, or a refusal if the request is another one.
    mutating func settled(_ call: inout Call) -> Handled? {
        let lifetime = call.endpoint.keyLifetime.map { Duration.milliseconds($0) }
        guard let key = ledgerKey(call) else { return nil }
        switch ledger.standing(of: key, for: fingerprint(call), lifetime: lifetime, at: call.now) {
        case .new: return nil
        case .known(let entry):
            if entry.outcome == nil, let repeated = repeated(entry.response, call) { return repeated }
            return again(entry)
        case .underWay: return underWay(call)
        case .taken: break
        }
        call.findings.append("the idempotency key was used for another request")
        let own = firstError(call) { error in
            error.category.value == .nonRetryable && error.isNamed("key", "conflict", "duplicate", "idempoten")
        }
        if let own { return Handled(response: own.response, result: .refused, name: own.name) }
        let response =
            call.composer.undeclared([422, 409, 400], message: "The idempotency key was used for another request.")
            ?? builtIn(.rejected, call)
        return Handled(response: response, result: .refused, name: "key of another request")
    }

    /// The failure that was stored for the key of a request; nil without one.
    func storedFailure(_ call: Call) -> Handled? {
        guard let key = ledgerKey(call), let entry = ledger[key], entry.isFailure,
            case .known = ledger.standing(
                of: key, for: fingerprint(call), lifetime: call.endpoint.keyLifetime.map { .milliseconds($0) },
                at: call.now)
        else { return nil }
        return again(entry)
    }

    /// A response that is known by its key.
    private func again(_ entry: KeyLedger<Fingerprint, MockResponse>.Entry) -> Handled {
        var response = entry.response
        response.headers.append(("Idempotent-Replayed", "true"))
        return Handled(
            response: response, result: entry.isFailure ? .failure : entry.outcome == nil ? .success : .outcome,
            name: "known by its key")
    }

    /// The response while the first request with the key is carried out: 409 (draft-ietf-httpapi-idempotency-key-header section 2.7).
    private func underWay(_ call: Call) -> Handled {
        let own = firstError(call) { $0.hasStatus(409) && $0.isNamed("progress", "pending", "busy", "underway") }
        let response =
            own?.response
            ?? call.composer.undeclared([409], message: "A request with this idempotency key is carried out.")
            ?? builtIn(.rejected, call)
        return Handled(response: response, result: .refused, name: own?.name ?? "first attempt under way")
    }

    /// What a request asks for, in one form. Attempts of one command may be spelled in several ways, and what every request has anew is
    /// no part of it: a session, a credential, a signature, a time.
    private func fingerprint(_ call: Call) -> Fingerprint {
        let names = namesOfEachRequest
        func sorted(_ pairs: [(name: String, value: String)]) -> JSONNode {
            .object(pairs.filter { !names.contains($0.name) }.map { .init($0.name, .string($0.value)) }).normalized
        }
        func texts(_ fields: [FieldDefinition], _ values: (FieldDefinition) -> [String]) -> JSONNode {
            .array(fields.map { .array(values($0).map(JSONNode.string)) })
        }
        let cookies = call.request.cookies
        var meaning = [
            texts(call.route.parameters.map(\.field)) { field in
                call.route.parameters.filter { $0.field.name.value == field.name.value }.map(\.value)
            }, sorted(call.request.queryPairs),
            texts(call.endpoint.headers) { call.request.header($0.wireName).map { [$0] } ?? [] },
            texts(call.endpoint.cookies) { field in cookies.filter { $0.name == field.wireName }.map(\.value) },
        ]
        var bytes: [UInt8] = []
        switch call.content.body {
        case .none: break
        case .json(.object(let members)):
            meaning.append(JSONNode.object(members.filter { !names.contains($0.name) }).normalized)
        case .json(let value): meaning.append(value.normalized)
        case .pairs(let pairs): meaning.append(sorted(pairs))
        case .bytes: bytes = call.request.body
        }
        return Fingerprint([JSONNode.array(meaning).bytes, bytes])
    }

    /// The names of what a client puts into the query or the body of every request.
    private var namesOfEachRequest: Set<String> {
        var names = Set(contract.common.all.map(\.field.wireName))
        if case .parameter(let name)? = contract.session?.placement { names.insert(name) }
        switch contract.signing?.placement.value {
        case .query(let name)?, .body(let name)?: names.insert(name)
        default: break
        }
        for credential in contract.credentials {
            if case .query(let name) = credential.placement { names.insert(name) }
        }
        return names
    }

    /// Keeps a response for the key of its request.
    ///
    /// - Parameter delay: how long the request is carried out.
    mutating func note(_ handled: Handled, of call: Call, after delay: Duration = .zero) {
        guard let key = ledgerKey(call) else { return }
        ledger.note(
            key,
            .init(
                request: fingerprint(call), handled.response,
                outcome: handled.result == .outcome ? handled.name : nil, isFailure: handled.result == .failure,
                size: handled.response.size, at: call.now, until: call.now + delay))
    }

    // MARK: Whether it was done

    /// The response to a read by which a client confirms a command with a key: what the command's response was, or that nothing was
    /// found. Nil if the request is no such read.
    func confirmation(_ call: Call, _ input: JSONNode) -> Handled? {
        for command in contract.endpoints {
            guard let confirm = command.definition.confirm, confirm.endpoint.value == call.endpoint.name.value,
                let argument = confirm.arguments.first(where: { command.isIdempotencyKey($0.value.value) })
            else { continue }
            let fields = (call.endpoint.path?.parameters ?? []) + call.endpoint.query
            guard let field = fields.first(where: { $0.name.value == argument.name.value }) else { continue }
            let key =
                call.route.parameters.first { $0.field.name.value == field.name.value }?.value
                ?? call.request.queryValues(field.wireName).first
            guard let key else { continue }
            // The read finds one end of the command: its success, or the outcome of `found`.
            let found = confirm.found.flatMap { $0.value == "completed" ? nil : $0.value }
            guard let known = ledger[Fingerprint(command.name.value, key)], !known.isFailure, known.outcome == found
            else {
                return notFound(call)
            }
            return success(payload(of: call, input, after: command, known), call)
        }
        return nil
    }

    /// The payload of a read that finds a command: of the read's own type, with what the command's response says.
    private func payload(
        of call: Call, _ input: JSONNode, after command: ResolvedEndpoint,
        _ entry: KeyLedger<Fingerprint, MockResponse>.Entry
    ) -> JSONNode? {
        guard var payload = PayloadMaker(contract: contract, seed: settings.seed).payload(of: call.endpoint) else {
            return nil
        }
        echo(input, into: &payload, call)
        let composer = ResponseComposer(command, in: contract)
        let path = entry.outcome == nil ? composer.payloadPath : composer.failurePath
        guard let body = try? JSONParser.parse(entry.response.body.bytes), let known = body.value(at: path[...]) else {
            return payload
        }
        if entry.outcome == nil, isSameResponse(command, call.endpoint) { return known }
        var sources = responseFields(command)
        if let outcome = entry.outcome {
            let data = command.outcomes.first { $0.name.value == outcome }?.data
            sources = data.map { fields(of: $0) } ?? []
        }
        take(known, sources, into: &payload, responseFields(call.endpoint))
        return payload
    }

    private func isSameResponse(_ one: ResolvedEndpoint, _ other: ResolvedEndpoint) -> Bool {
        guard case .type(let type, _, _) = one.response.value, case .type(let same, _, _) = other.response.value else {
            return false
        }
        return contract.expanded(type).type == contract.expanded(same).type
    }
}

extension MockResponse {
    /// The bytes that the response takes in the memory, about.
    fileprivate var size: Int {
        headers.reduce(body.bytes.count + 200) { $0 + $1.name.utf8.count + $1.value.utf8.count + 40 }
    }
}
