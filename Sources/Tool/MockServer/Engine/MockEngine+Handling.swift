import ContractModel
import ErrandService
import JSONTree

extension MockEngine {
    /// Handles a request as the contract says, unless the dial has chosen a failure.
    mutating func handle(_ call: inout Call, _ plan: FailurePlan) -> Handled {
        if let problem = plan.problem {
            call.findings.append(problem)
            return rejected(call)
        }
        if let stored = storedFailure(call) { return stored }
        if let handled = refusal(plan.failure, call) {
            if plan.storesFailure, handled.result == .failure { note(handled, of: call, after: plan.delivery.delay) }
            return handled
        }
        if let handled = sessionRefusal(&call) { return handled }
        let (problems, oddities) = RequestCheck.run(
            call.request, call.content, parameters: call.route.parameters, of: call.endpoint, in: contract)
        call.findings += oddities.filter { !$0.hasPrefix("`query.\(ListPage.linkParameter)`") }
        guard problems.isEmpty else {
            call.findings = problems + call.findings
            return rejected(call)
        }
        if let known = settled(&call) { return known }
        let handled = carryOut(call)
        if handled.result == .success || handled.result == .outcome {
            note(handled, of: call, after: plan.delivery.delay)
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
        if name == contract.session?.logout, let token = sessionToken(in: call) { desk.revoke(Fingerprint(token)) }
        if name == contract.session?.attach, let refused = attachRefusal(call) { return refused }
        if let known = confirmation(call, input) { return known }
        if isInsideRemoved(call) { return notFound(call) }
        if let place = resources.places[call.route.endpoint], let handled = handle(call, place, input) {
            return handled
        }
        if call.endpoint.delivery == .stream {
            return call.connection == nil
                ? stream(call) : Handled(response: MockResponse(status: 200), result: .success)
        }
        if case .bytes = call.endpoint.response.value { return bytes(call) }
        var payload = maker.payload(of: call.endpoint, request: input, elements: listLength(call))
        if var made = payload {
            echo(input, into: &made, call)
            identify(&made, call)
            payload = made
        }
        return paged(payload, call) ?? success(payload, call)
    }

    // MARK: Successes

    /// A success with a payload, as the endpoint's encoding has it.
    func success(
        _ payload: JSONNode?, _ call: Call, change: (inout JSONNode) -> Void = { _ in }
    ) -> Handled {
        let maker = PayloadMaker(contract: contract, seed: settings.seed)
        let headers = maker.headers(of: call.endpoint)
        var response = call.composer.success(payload, headers: headers, change: change)
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
        var handled = success(nil, call)
        handled.response.headers.insert(("Content-Type", "application/octet-stream"), at: 0)
        if let checksum = call.endpoint.definition.checksum {
            handled.response.headers.append(SampleFile.field(checksum))
        }
        handled.response.body = .bytes(SampleFile.bytes)
        return handled
    }

    /// The members of the payload that the request has too, with the same type, are those of the request. An `id` is the last
    /// parameter of the path, if that has no other place.
    func echo(_ input: JSONNode, into payload: inout JSONNode, _ call: Call) {
        let inputs = PayloadMaker(contract: contract, seed: settings.seed).inputs(of: call.endpoint)
        let fields = responseFields(call.endpoint)
        take(input, inputs, into: &payload, fields)
        guard let parameter = ResourceModel.lastParameter(of: call.endpoint), let value = input[parameter.wireName],
            let identity = ResourceModel.identity(parameter, fields, in: contract), payload.members != nil
        else { return }
        if fits(value, identity) { payload[identity.wireName] = value }
    }

    /// The members of the payload that other values have too, with the same name and type, are those of the other values. `user_id`
    /// and `userID` are one name.
    func take(
        _ values: JSONNode, _ sources: [FieldDefinition], into payload: inout JSONNode, _ fields: [FieldDefinition]
    ) {
        guard payload.members != nil else { return }
        let named = Dictionary(sources.map { (SwiftIdentifier.folded($0.sampleName), $0) }) { first, _ in first }
        for field in fields {
            guard payload[field.wireName] != nil,
                let source = sources.first(where: { $0.wireName == field.wireName })
                    ?? named[SwiftIdentifier.folded(field.sampleName)],
                contract.expanded(source.type.unwrapped).type == contract.expanded(field.type.unwrapped).type,
                let value = values[source.wireName], fits(value, field)
            else { continue }
            payload[field.wireName] = value
        }
    }

    /// Whether a response may have a value in a field, whose constraints may be closer than those of the request. A case of an enum
    /// that the contract does not know, null for a default, and `1.0` for an integer are things that only requests may have.
    private func fits(_ value: JSONNode, _ field: FieldDefinition) -> Bool {
        if value == .null { return field.type.isOptional }
        let isInteger = contract.expanded(field.type.unwrapped).type.primitive?.isInteger ?? false
        if isInteger, value.scalarText?.contains(".") == true { return false }
        var check = ValueCheck(contract)
        check.check(value, field: field, at: field.wireName)
        return check.problems.isEmpty && check.oddities.isEmpty
    }

    /// The fields of the structure that an endpoint responds with.
    func responseFields(_ endpoint: ResolvedEndpoint) -> [FieldDefinition] {
        switch endpoint.response.value {
        case .none, .bytes: return []
        case .fields(let fields): return fields
        case .type(let type, _, _): return fields(of: type)
        }
    }

    func fields(of data: ErrorData) -> [FieldDefinition] {
        switch data {
        case .fields(let fields): fields
        case .type(let type, _): fields(of: type)
        }
    }

    private func fields(of type: TypeReference) -> [FieldDefinition] { contract.structure(type)?.fields ?? [] }

    /// All inputs of a request under their names on the wire, with the kinds of their types.
    func input(of call: Call) -> JSONNode {
        var input = JSONNode.object([])
        for field in call.endpoint.query {
            let texts = call.request.queryValues(field.wireName)
            if !texts.isEmpty { input[field.wireName] = typed(texts, field) }
        }
        for field in call.endpoint.headers {
            if let text = call.request.header(field.wireName) { input[field.wireName] = typed(text, field) }
        }
        switch call.content.body {
        case .json(let body): input.merge(body.members ?? [])
        case .pairs(let pairs):
            let inputs = PayloadMaker(contract: contract, seed: settings.seed).inputs(of: call.endpoint)
            let fields = Dictionary(inputs.map { ($0.wireName, $0) }) { first, _ in first }
            let groups = Dictionary(grouping: pairs, by: \.name)
            var seen: Set<String> = []
            input.merge(
                pairs.filter { seen.insert($0.name).inserted }.map { pair in
                    let value = fields[pair.name].map { typed(groups[pair.name, default: []].map(\.value), $0) }
                    return JSONNode.Member(pair.name, value ?? .string(groups[pair.name]?.last?.value ?? ""))
                })
        case .none, .bytes: break
        }
        // The path says which thing is meant, whatever the body says.
        for (field, value) in call.route.parameters { input[field.wireName] = typed(value, field) }
        return input
    }

    /// The value of a parameter that is there once, or several times if it is a list.
    private func typed(_ texts: [String], _ field: FieldDefinition) -> JSONNode {
        guard case .list(let inner) = contract.expanded(field.type.unwrapped).type.unwrapped else {
            return typed(texts[0], field)
        }
        let parts = field.joining.map { joining in
            texts.flatMap { $0.split(separator: joining.value.separator).map(String.init) }
        }
        return .array((parts ?? texts).prefix(1000).map { typed($0, inner) })
    }

    private func typed(_ text: String, _ field: FieldDefinition) -> JSONNode { typed(text, field.type) }

    private func typed(_ text: String, _ type: TypeReference) -> JSONNode {
        guard let primitive = contract.expanded(type.unwrapped).type.primitive else {
            if case .named(let name) = contract.expanded(type.unwrapped).type,
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

    /// The contract's error for what an earlier request has done already (`settles`); nil without one.
    func doneAlready(_ call: Call, _ input: JSONNode) -> Handled? {
        guard let name = firstError(call, where: { $0.settles != nil })?.name,
            contract.error(named: name)?.settles?.value == .payload
        else {
            return firstError(call) { $0.settles != nil }.map {
                Handled(response: $0.response, result: .failure, name: $0.name)
            }
        }
        var payload = PayloadMaker(contract: contract, seed: settings.seed).payload(of: call.endpoint, request: input)
        if var made = payload {
            echo(input, into: &made, call)
            payload = made
        }
        return repeated(success(payload, call).response, call)
    }

    /// The contract's error that repeats a success with its body (`settles: {success: payload}`); nil without one that its status and
    /// its headers tell.
    func repeated(_ success: MockResponse, _ call: Call) -> Handled? {
        let own = firstError(call) { error in
            error.settles?.value == .payload && error.conditions.allSatisfy(\.needsNoBody)
        }
        guard var own else { return nil }
        own.response.body = success.body
        own.response.headers.removeAll { $0.name.lowercased() == "content-type" }
        own.response.headers += success.headers.filter { field in
            !own.response.headers.contains { $0.name.lowercased() == field.name.lowercased() }
        }
        return Handled(response: own.response, result: .failure, name: own.name)
    }

    /// The contract's error for something that does not exist, or 404.
    func notFound(_ call: Call) -> Handled {
        let own =
            firstError(call) { $0.category.value == .nonRetryable && $0.hasStatus(404, 410) }
            ?? firstError(call, preferred: 404) { error in
                error.category.value == .nonRetryable
                    && error.isNamed("nosuch", "notfound", "unknown", "missing", "gone")
            }
        if let own { return Handled(response: own.response, result: .failure, name: own.name) }
        let response =
            call.composer.undeclared([404, 410], message: "There is no such thing.") ?? builtIn(.rejected, call)
        return Handled(response: response, result: .failure, name: "not found")
    }
}
