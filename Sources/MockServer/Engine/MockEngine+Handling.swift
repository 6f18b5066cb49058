import ContractModel
import JSONTree

extension MockEngine {
    /// Handles a request as the contract says, unless the dial has chosen a failure.
    mutating func handle(_ call: inout Call, _ plan: FailurePlan) -> Handled {
        if let problem = plan.problem {
            call.findings.append(problem)
            return rejected(call)
        }
        if let handled = refusal(plan.failure, call) { return handled }
        if let handled = sessionRefusal(&call) { return handled }
        let (problems, oddities) = RequestCheck.run(
            call.request, call.content, parameters: call.route.parameters, of: call.endpoint, in: contract)
        call.findings += oddities.filter { !$0.hasPrefix("`query.\(Self.startParameter)`") }
        guard problems.isEmpty else {
            call.findings = problems + call.findings
            return rejected(call)
        }
        if let known = settled(&call) { return known }
        let handled = carryOut(call)
        if handled.result == .success || handled.result == .outcome {
            note(handled.response, of: call)
        }
        return handled
    }

    /// The response to a request that breaks the contract: the contract's own error for it, or 400.
    private func rejected(_ call: Call) -> Handled {
        let own = firstError(call) { error in
            error.category.value == .nonRetryable && error.hasStatus(400, 422)
                && error.isNamed("invalid", "validation", "badrequest", "malformed", "wrongfields")
        }
        if let own { return Handled(response: own.response, result: .refused, name: own.name) }
        let message = call.findings.first ?? "The request is not valid."
        let response =
            call.composer.undeclared([400, 422, 406, 417], message: message) ?? builtIn(.rejected, call)
        return Handled(response: response, result: .refused, name: "wrong request")
    }

    /// Carries out a request that nothing speaks against.
    private mutating func carryOut(_ call: Call) -> Handled {
        let name = call.endpoint.name.value
        let maker = PayloadMaker(contract: contract, seed: settings.seed)
        let input = input(of: call)
        if let example = maker.exampleCase(of: call.endpoint, input),
            let verdict = call.endpoint.table.rows.first(where: { $0.verdict.name == example })?.verdict,
            let handled = refusal(.declared(verdict), call)
        {
            return handled
        }
        if name == contract.session?.login { return logIn(call, input) }
        if name == contract.session?.refresh { return renew(call, input) }
        if name == contract.session?.logout, let token = sessionToken(in: call) { desk.revoke(token) }
        if let missing = confirmation(call) { return missing }
        if let place = resources.places[call.route.endpoint], let handled = handle(call, place, input) {
            return handled
        }
        if call.endpoint.delivery == .stream { return stream(call) }
        if case .bytes = call.endpoint.response.value { return bytes(call) }
        var payload = maker.payload(of: call.endpoint, request: input, elements: listLength(call))
        if var made = payload {
            if call.endpoint.effect != .read { echo(input, into: &made, call) }
            identify(&made, call)
            payload = made
        }
        return paged(payload, call) ?? success(payload, call)
    }

    // MARK: Successes

    /// A success with a payload, as the endpoint's encoding has it.
    func success(
        _ payload: JSONNode?, _ call: Call, isCreation: Bool = false, change: (inout JSONNode) -> Void = { _ in }
    ) -> Handled {
        let maker = PayloadMaker(contract: contract, seed: settings.seed)
        let headers = maker.headers(of: call.endpoint)
        var response = call.composer.success(payload, headers: headers, isCreation: isCreation, change: change)
        if call.endpoint.isXMLResponse, let payload {
            let bytes: [UInt8] =
                switch call.endpoint.response.value {
                case .fields(let fields): XMLWriter.document(payload, fields: fields, in: contract)
                case .type(let type, _, _): XMLWriter.document(payload, type: type, in: contract)
                case .none, .bytes: []
                }
            response.body = .bytes(bytes)
            response.headers = [("Content-Type", "application/xml")] + headers
        }
        return Handled(response: response, result: .success)
    }

    private func bytes(_ call: Call) -> Handled {
        let text = (1...20).map { "\(call.endpoint.name.value) \($0)\n" }.joined()
        var handled = success(nil, call)
        handled.response.status = 200
        handled.response.headers.insert(("Content-Type", "application/octet-stream"), at: 0)
        handled.response.body = .bytes(Array(text.utf8))
        return handled
    }

    /// The members of the payload that the request has too, with the same type, are those of the request.
    func echo(_ input: JSONNode, into payload: inout JSONNode, _ call: Call) {
        guard payload.members != nil else { return }
        let inputs = PayloadMaker(contract: contract, seed: settings.seed).inputs(of: call.endpoint)
        for field in responseFields(call.endpoint) {
            guard let known = payload[field.wireName], known.members == nil,
                let source = inputs.first(where: { $0.wireName == field.wireName || $0.name.value == field.name.value }
                ),
                contract.expanded(source.type.unwrapped).type == contract.expanded(field.type.unwrapped).type,
                let value = input[source.wireName], value != .null || field.type.isOptional
            else { continue }
            payload[field.wireName] = value
        }
    }

    /// The fields of the structure that an endpoint responds with.
    func responseFields(_ endpoint: ResolvedEndpoint) -> [FieldDefinition] {
        switch endpoint.response.value {
        case .none, .bytes: return []
        case .fields(let fields): return fields
        case .type(let type, _, _):
            guard case .named(let name) = contract.expanded(type.unwrapped).type.unwrapped,
                case .structure(let fields)? = contract.type(named: name.value)?.form
            else { return [] }
            return fields
        }
    }

    /// All inputs of a request under their names on the wire, with the kinds of their types.
    func input(of call: Call) -> JSONNode {
        var input = JSONNode.object([])
        for (field, value) in call.route.parameters { input[field.wireName] = typed(value, field) }
        for field in call.endpoint.query {
            if let text = call.request.queryValues(field.wireName).first { input[field.wireName] = typed(text, field) }
        }
        for field in call.endpoint.headers {
            if let text = call.request.header(field.wireName) { input[field.wireName] = typed(text, field) }
        }
        switch call.content.body {
        case .json(let body): for member in body.members ?? [] { input[member.name] = member.value }
        case .pairs(let pairs):
            let fields = PayloadMaker(contract: contract, seed: settings.seed).inputs(of: call.endpoint)
            for pair in pairs {
                input[pair.name] =
                    fields.first { $0.wireName == pair.name }.map { typed(pair.value, $0) }
                    ?? .string(pair.value)
            }
        case .none, .bytes: break
        }
        return input
    }

    private func typed(_ text: String, _ field: FieldDefinition) -> JSONNode {
        guard let primitive = contract.expanded(field.type.unwrapped).type.primitive else {
            if case .named(let name) = contract.expanded(field.type.unwrapped).type,
                case .enumeration(let enumeration)? = contract.type(named: name.value)?.form,
                enumeration.wireKind == .int
            {
                return .scalar(text)
            }
            return .string(text)
        }
        if primitive == .bool { return text == "true" || text == "false" ? .bool(text == "true") : .string(text) }
        let isNumber = primitive.isNumber || [.timestampUnix, .timestampMilliseconds].contains(primitive)
        if isNumber, case .number(let number)? = try? JSONParser.parse(Array(text.utf8)) { return .number(number) }
        return .string(text)
    }

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
        return key.flatMap { $0.isEmpty ? nil : String($0.prefix(1000)) }
    }

    private func ledgerKey(_ call: Call) -> String? {
        idempotencyKey(of: call).map { "\(call.endpoint.name.value) \($0)" }
    }

    /// The response to a request whose key is known: the first response again, or a refusal if the request is another one.
    private mutating func settled(_ call: inout Call) -> Handled? {
        let lifetime = call.endpoint.keyLifetime.map { Duration.milliseconds($0) }
        guard let key = ledgerKey(call), let entry = ledger.entry(key, lifetime: lifetime, at: call.now) else {
            return nil
        }
        if entry.fingerprint == fingerprint(call) {
            return Handled(response: entry.response, result: .success, name: "known by its key")
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

    /// Keeps a response for the key of its request.
    func fingerprint(_ call: Call) -> [UInt8] { Array(call.request.path.utf8) + [0] + call.request.body }

    mutating func note(_ response: MockResponse, of call: Call) {
        guard let key = ledgerKey(call) else { return }
        ledger.note(key, KeyLedger.Entry(fingerprint: fingerprint(call), response: response, moment: call.now))
    }

    // MARK: Whether it was done

    /// The response to a read by which a client confirms a command with a key: what the command's response was, or that nothing was
    /// found. Nil if the request is no such read.
    private func confirmation(_ call: Call) -> Handled? {
        for command in contract.endpoints {
            guard let confirm = command.definition.confirm, confirm.endpoint.value == call.endpoint.name.value,
                let argument = confirm.arguments.first(where: { $0.value.value == "idempotencyKey" })
            else { continue }
            let fields = (call.endpoint.path?.parameters ?? []) + call.endpoint.query
            guard let field = fields.first(where: { $0.name.value == argument.name.value }) else { continue }
            let key =
                call.route.parameters.first { $0.field.name.value == field.name.value }?.value
                ?? call.request.queryValues(field.wireName).first
            guard let key else { continue }
            if let known = ledger.entry("\(command.name.value) \(key)", lifetime: nil, at: call.now) {
                let composer = ResponseComposer(command, in: contract)
                guard let body = try? JSONParser.parse(known.response.body.bytes) else { return nil }
                return success(body.value(at: composer.payloadPath[...]), call)
            }
            return notFound(call)
        }
        return nil
    }

    /// The contract's error for something that does not exist, or 404.
    func notFound(_ call: Call) -> Handled {
        let own =
            firstError(call) { $0.category.value == .nonRetryable && $0.hasStatus(404, 410) }
            ?? firstError(call) { error in
                error.category.value == .nonRetryable
                    && error.isNamed("nosuch", "notfound", "unknown", "missing", "gone")
            }
        if let own { return Handled(response: own.response, result: .failure, name: own.name) }
        let response =
            call.composer.undeclared([404, 410], message: "There is no such thing.") ?? builtIn(.rejected, call)
        return Handled(response: response, result: .failure, name: "not found")
    }
}
