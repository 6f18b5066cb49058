import Diagnostics

extension Resolution {
    /// The session with its resolved endpoints. A shared session has the placement of the contract that declares it.
    mutating func resolvedSession(_ endpoints: [ResolvedEndpoint]) -> ResolvedSession? {
        guard let definition = contract.session else { return nil }
        var placement = definition.placement
        if let from = definition.from, placement == nil {
            placement = sharedSession?.session?.placement
            if placement == nil, let shared = sharedSession {
                report(
                    .sessionUndefined, "`\(shared.file)` has no session to share", at: from.range,
                    help: "declare `session` there")
            }
        }
        guard let placement else { return nil }  // reported where it is missing
        checkAttached(placement, definition)
        if case .header(let name, _, _) = placement.value,
            let clash = contract.common.headers.first(where: { $0.field.wireName.lowercased() == name.lowercased() })
        {
            report(
                .nameCollision, "the header `\(name)` carries the session, and `common` sends it too",
                at: clash.field.name.range,
                notes: [DiagnosticNote("the session", at: placement.range)], help: "remove one of them")
        }
        var session = ResolvedSession(placement: placement.value)
        let names = endpoints.map(\.name.value)
        func find(_ name: Located<String>?) -> ResolvedEndpoint? {
            guard let name else { return nil }
            if let endpoint = endpoints.first(where: { $0.name.value == name.value }) { return endpoint }
            guard scope.canMiss(name.value) else { return nil }
            let near = reportMissing(.unknownEndpoint, "endpoint", name, among: names)
            return near.flatMap { near in endpoints.first { $0.name.value == near } }
        }
        let login = find(definition.login)
        let refresh = find(definition.refresh)
        session.logout = find(definition.logout)?.name.value
        if let name = definition.attach, let attach = find(name) {
            session.attach = attach.name.value
            session.attachInput = attachInput(of: attach, name)
        }
        session.login = login?.name.value
        session.refresh = refresh?.name.value
        if let login {
            session.token = checkedPath(definition.token, in: login, of: "token", isText)
            session.expiresIn = checkedPath(definition.expiresIn, in: login, of: "lifetime", isNumber)
            session.refreshToken = checkedPath(definition.refreshToken, in: login, of: "refresh token", isText)
            session.identity = checkedIdentity(definition, login: login, refresh: refresh)
        }
        if case .endpoint(let question)? = session.identity {
            let asked = find(question.endpoint)
            session.identity = asked.flatMap { checkedQuestion(question, $0, session) }
        }
        if let refresh, let login, let path = definition.token {
            _ = checkedPath(path, in: refresh, of: "token", isText)
            readRenewalStrictly(refresh, session.expiresIn, "lifetime")
            readRenewalStrictly(refresh, session.refreshToken, "refresh token")
            session.refreshInput = refreshInput(of: refresh, definition, login)
        }
        return session
    }

    /// Checks that the response to a renewal has the user's identity at the same path as the login's, or that the endpoint that says it
    /// can be asked.
    private mutating func checkedIdentity(
        _ definition: SessionDefinition, login: ResolvedEndpoint, refresh: ResolvedEndpoint?
    ) -> SessionDefinition.Identity? {
        guard let identity = definition.identity else { return nil }
        switch identity.value {
        case .claim: return identity.value
        case .path(let path):
            let located = identity.map { _ in path }
            if let refresh { _ = checkedPath(located, in: refresh, of: "identity", isIdentity) }
            return checkedPath(located, in: login, of: "identity", isIdentity).map { .path($0) }
        case .endpoint: return identity.value
        }
    }

    /// Checks the endpoint that says who is logged in, which the session asks by itself.
    private mutating func checkedQuestion(
        _ question: SessionDefinition.IdentityQuestion, _ endpoint: ResolvedEndpoint, _ session: ResolvedSession
    ) -> SessionDefinition.Identity? {
        func refuse(_ reason: String, _ help: String) {
            report(
                .identityUnanswered, "`\(endpoint.name.value)` cannot say who is logged in, because \(reason)",
                at: question.endpoint.range, notes: [DiagnosticNote("the endpoint", at: endpoint.name.range)],
                help: help)
        }
        if session.endpoints.contains(endpoint.name.value) {
            refuse("it is a command of the session itself", "name a read, or write the path in the login's response")
        } else if case .frame = endpoint.definition.target {
            refuse(
                "it travels over a connection, on which the token is presented first",
                "write the path of the user in the login's response")
        } else if endpoint.effect != .read {
            refuse("it may change something on the server", "name an endpoint with `effect: read`")
        } else if endpoint.session == .none {
            refuse("it has `session: none`, so it is sent without the token", "remove `session: none`")
        } else if let input = endpoint.inputs.first(where: { $0.isRequired }) {
            refuse(
                "it needs `\(input.name.value)`, which the runtime cannot supply",
                "name an endpoint without a required input")
        } else if !endpoint.outcomes.isEmpty || endpoint.definition.delivery?.value == .stream {
            refuse("its response has several forms", "name an endpoint with one response")
        } else {
            return checkedPath(question.path, in: endpoint, of: "identity", isIdentity).map {
                .endpoint(.init(endpoint: question.endpoint, path: Located($0, at: question.path.range)))
            }
        }
        return nil
    }

    /// The input of the refresh endpoint that takes the refresh token: the one required text that it has.
    private mutating func refreshInput(
        of refresh: ResolvedEndpoint, _ definition: SessionDefinition, _ login: ResolvedEndpoint
    ) -> String? {
        guard let name = definition.refresh else { return nil }
        guard let token = definition.refreshToken else {
            report(
                .missingKey,
                "`session` has a refresh endpoint, but not the path of the refresh token in the login's response",
                at: name.range,
                help: "add `refreshToken: refreshToken`, the path of the refresh token")
            return nil
        }
        let texts = refresh.inputs.filter { $0.type == .primitive(.string) && $0.isRequired }
        let others = refresh.inputs.filter { $0.isRequired && $0.type != .primitive(.string) }
        let named = texts.first { $0.name.value == token.value.keys.last } ?? (texts.count == 1 ? texts.first : nil)
        guard let named, texts.count == 1, others.isEmpty else {
            report(
                .refreshInputUnclear,
                "`\(refresh.name.value)` must have exactly one required input, a text for the refresh token",
                at: name.range,
                notes: [DiagnosticNote("the endpoint", at: refresh.name.range)],
                help: "make its other inputs optional, or give them defaults")
            return nil
        }
        return named.name.value
    }

    private mutating func checkedPath(
        _ path: Located<FieldPath>?, in endpoint: ResolvedEndpoint, of what: String, _ fits: (TypeReference) -> Bool
    ) -> FieldPath? {
        guard let path else { return nil }
        var fields = responseFields(endpoint)
        var names: [String] = []
        for (position, key) in path.value.keys.enumerated() {
            guard
                let field = fields.first(where: { $0.name.value == key }) ?? fields.first(where: { $0.wireName == key })
            else {
                let near = NearSpelling(of: key, among: fields.map(\.name.value))
                let isAlone = path.value.keys.count == 1
                report(
                    .unknownPath,
                    "the response of `\(endpoint.name.value)` has no field `\(path.value.text)` for the \(what)",
                    at: path.range,
                    notes: [DiagnosticNote("the endpoint", at: endpoint.name.range)],
                    help: near.map { "did you mean `\($0.candidate)`?" }
                        ?? "write the path from the payload, with dots between keys",
                    fix: isAlone ? near.map { replacement(of: path.map { _ in key }, with: $0.candidate) } : nil)
                return nil
            }
            names.append(field.name.value)
            readStrictly([field], "it leads to the \(what) of the session")
            if field.distinguishesNull {
                report(
                    .wrongKind, "`\(path.value.text)` has `nullable: distinct`, which is not valid for the \(what)",
                    at: path.range,
                    notes: [DiagnosticNote("the field", at: field.name.range)], help: "remove `nullable: distinct`")
                return nil
            }
            if position == path.value.keys.count - 1 {
                guard fits(field.type.unwrapped) else {
                    report(
                        .wrongKind, "`\(path.value.text)` is a `\(field.type.spelling)`, which cannot be the \(what)",
                        at: path.range,
                        notes: [DiagnosticNote("the field", at: field.name.range)])
                    return nil
                }
            } else {
                fields = structureFields(field.type) ?? []
            }
        }
        return FieldPath(names)
    }

    /// A renewal may also give what only the login has to give.
    private mutating func readRenewalStrictly(_ refresh: ResolvedEndpoint, _ path: FieldPath?, _ what: String) {
        var fields = responseFields(refresh)
        for key in path?.keys ?? [] {
            guard let field = fields.first(where: { $0.name.value == key }) else { return }
            readStrictly([field], "it leads to the \(what) of the session")
            fields = structureFields(field.type) ?? []
        }
    }

    private func responseFields(_ endpoint: ResolvedEndpoint) -> [FieldDefinition] {
        switch endpoint.response.value {
        case .fields(let own): own
        case .type(let type, _, _): structureFields(type) ?? []
        case .none, .bytes: []
        }
    }

    func structureFields(_ type: TypeReference) -> [FieldDefinition]? {
        guard case .named(let name)? = expanded(type.unwrapped)?.unwrapped, let definition = self.type(name.value),
            case .structure(let fields) = definition.form
        else { return nil }
        return fields
    }

    private func isText(_ type: TypeReference) -> Bool { expanded(type)?.unwrapped == .primitive(.string) }

    /// The types that can identify a user: a text, an integer or a UUID.
    private func isIdentity(_ type: TypeReference) -> Bool {
        guard case .primitive(let primitive)? = expanded(type)?.unwrapped else { return false }
        return primitive == .string || primitive == .uuid || primitive.isWholeNumber
    }

    private func isNumber(_ type: TypeReference) -> Bool {
        guard case .primitive(let primitive)? = expanded(type)?.unwrapped else { return false }
        return primitive.isNumber
    }
}
