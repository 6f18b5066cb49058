import ContractModel
import ErrandService
import JSONTree

extension MockEngine {
    /// The lifetime of a session if the contract tells the client, and the settings have none.
    private static let usualLifetime = Duration.seconds(3600)

    // MARK: Who may

    /// The response to a request that needs a session or credentials and has none.
    mutating func sessionRefusal(_ call: inout Call) -> Handled? {
        let role = call.endpoint.definition.server.flatMap { contract.role(named: $0.value) }
        if contract.session != nil, role?.sends(.session) ?? true, let handled = tokenRefusal(&call) { return handled }
        guard role?.sends(.credentials) ?? true, !call.endpoint.credentials.isEmpty else { return nil }
        let isGiven = call.endpoint.credentials.contains { $0.names.allSatisfy { hasCredential($0, call) } }
        if isGiven { return nil }
        let texts = call.endpoint.credentials.map(\.text).joined(separator: " or ")
        call.findings.append("the request carries no credential: the contract says `credentials: \(texts)`")
        let response = call.composer.undeclared([401, 403], message: "A credential is missing.")
        return Handled(response: response ?? builtIn(.unauthenticated, call), result: .refused, name: "no credential")
    }

    private mutating func tokenRefusal(_ call: inout Call) -> Handled? {
        let token = sessionToken(in: call)
        switch call.endpoint.session {
        case .none: return nil
        case .optional: if token == nil { return nil }
        case .required: break
        }
        if let token, takes(token, at: call.now) { return nil }
        if token == nil {
            call.findings.append("the request carries no session, and the contract says `session: required`")
        }
        return noSession(call, token == nil ? "no session" : "session expired")
    }

    /// The contract's response for a missing session, or else 401.
    private func noSession(_ call: Call, _ name: String) -> Handled {
        if let own = firstError(call, where: { $0.category.value == .requiresLogout && $0.renewsSession }) {
            return Handled(response: own.response, result: .failure, name: own.name)
        }
        return Handled(response: builtIn(.unauthenticated, call), result: .failure, name: name)
    }

    /// The response to a command that presents a token for its connection, if the token is not valid.
    mutating func attachRefusal(_ call: Call) -> Handled? {
        if let token = presentedToken(in: call), takes(token, at: call.now) { return nil }
        return noSession(call, "session expired")
    }

    /// Whether a token is taken. Without a login, another service gives out the tokens, and each is taken until all sessions are ended.
    mutating func takes(_ token: String, at now: Duration) -> Bool {
        if contract.session?.login == nil, !token.isEmpty { desk.accept(Fingerprint(token)) }
        return desk.takes(Fingerprint(token), at: now)
    }

    /// The token in the value of a header.
    static func token(in value: String?, of header: String, _ prefix: String, _ suffix: String) -> String? {
        guard let value, begins(value, with: prefix, in: header), value.hasSuffix(suffix),
            value.count > prefix.count + suffix.count
        else { return nil }
        return String(value.dropFirst(prefix.count).dropLast(suffix.count))
    }

    /// How a request to the endpoint says who it is from: with the scheme of its session, and with those of its credentials. What has no
    /// scheme, such as a key in a cookie, is called `ApiKey`.
    ///
    /// - Parameter credentials: the names of the credentials that the request may carry.
    func challenges(_ credentials: [String]) -> [String] {
        var schemes: [String] = []
        func add(_ header: String, _ prefix: String) {
            let scheme = prefix.split(separator: " ").first.map(String.init) ?? ""
            let isScheme = !scheme.isEmpty && scheme.utf8.allSatisfy { (0x30...0x7A).contains($0) && $0 != 0x3D }
            guard header.lowercased() == "authorization", isScheme, !schemes.contains(scheme) else { return }
            schemes.append(scheme)
        }
        if case .header(let name, let prefix, _)? = contract.session?.placement { add(name, prefix) }
        for name in credentials {
            switch contract.credentials.first(where: { $0.name.value == name })?.placement {
            case .basic?: add("Authorization", "Basic ")
            case .header(let header, let prefix, _)?: add(header, prefix)
            case .query?, .cookie?, nil: break
            }
        }
        if schemes.isEmpty { schemes = ["ApiKey"] }
        return schemes.map { "\($0) realm=\"\(contract.service.value)\"" }
    }

    /// The access token of a request.
    func sessionToken(in call: Call) -> String? {
        call.connection == nil ? sessionToken(in: call.request) { call.content.text($0) } : call.attachedToken
    }

    /// The access token of a request, or of the handshake of a connection.
    ///
    /// - Parameter field: gives the text of a field at the root of the body.
    func sessionToken(in request: MockRequest, _ field: (String) -> String? = { _ in nil }) -> String? {
        switch contract.session?.placement {
        case .header(let name, let prefix, let suffix)?:
            return Self.token(in: request.header(name), of: name, prefix, suffix)
        case .parameter(let name)?:
            let text = request.queryValues(name).first ?? field(name)
            return text.flatMap { $0.isEmpty ? nil : $0 }
        case .attached?, nil: return nil
        }
    }

    /// What tells the clients of the log apart: the program, and the user of the session, also of one that has ended.
    func client(_ request: MockRequest, _ token: String?) -> [UInt8] {
        let program = (request.header("User-Agent") ?? "") + "\n" + (request.header("Origin") ?? "")
        let user = token.flatMap { desk.owner(of: Fingerprint($0)) }.map { "\n\($0)" } ?? ""
        return Array((program + user).utf8)
    }

    /// Whether a header begins with the text before its token. A scheme has any case (RFC 9110, section 11.1).
    private static func begins(_ value: String, with prefix: String, in header: String) -> Bool {
        header.lowercased() == "authorization"
            ? value.prefix(prefix.count).lowercased() == prefix.lowercased() : value.hasPrefix(prefix)
    }

    private func hasCredential(_ name: String, _ call: Call) -> Bool {
        guard let credential = contract.credentials.first(where: { $0.name.value == name }) else { return true }
        switch credential.placement {
        case .header(let header, let prefix, _):
            return call.request.header(header).map {
                Self.begins($0, with: prefix, in: header) && $0.count > prefix.count
            } ?? false
        case .basic: return call.request.header("Authorization").map { $0.lowercased().hasPrefix("basic ") } ?? false
        case .query(let parameter): return !call.request.queryValues(parameter).isEmpty
        case .cookie(let cookie): return call.request.cookies.contains { $0.name == cookie }
        }
    }

    // MARK: Beginning and renewing

    mutating func logIn(_ call: Call, _ input: JSONNode) -> Handled {
        let inputs = PayloadMaker(contract: contract, seed: settings.seed).inputs(of: call.endpoint)
        // A name may be sensitive, too. What proves that the user is the one of the name may change, and the user stays.
        let names = inputs.filter { !$0.isProof }
        func said(_ fields: [FieldDefinition]) -> [String] {
            fields.flatMap { field in input[field.wireName].map { [field.wireName, $0.normalized.description] } ?? [] }
        }
        let name = said(names)
        return grant(call, input, user: desk.user(named: Fingerprint((name.isEmpty ? said(inputs) : name).map(\.utf8))))
    }

    mutating func renew(_ call: Call, _ input: JSONNode) -> Handled {
        let field = contract.session?.refreshInput.flatMap { name in
            PayloadMaker(contract: contract, seed: settings.seed).inputs(of: call.endpoint).first {
                $0.name.value == name
            }
        }
        guard let field else { return grant(call, input, user: 1) }
        let token = input[field.wireName]?.scalarText ?? ""
        let isRotated = contract.session?.refreshToken.map { path in
            responseFields(call.endpoint).contains {
                $0.wireName == path.keys.first || $0.name.value == path.keys.first
            }
        }
        guard let user = desk.user(ofRefresh: Fingerprint(token), isUsedUp: isRotated == true) else {
            if let own = firstError(
                call,
                where: { error in
                    call.endpoint.definition.errors.contains { $0.value == error.name.value }
                })
            {
                return Handled(response: own.response, result: .failure, name: own.name)
            }
            return noSession(call, "refresh token expired")
        }
        return grant(call, input, user: user)
    }

    /// The response with new tokens.
    private mutating func grant(_ call: Call, _ input: JSONNode, user: Int) -> Handled {
        let maker = PayloadMaker(contract: contract, seed: settings.seed)
        var payload = maker.payload(of: call.endpoint, request: input) ?? .object([])
        guard let session = contract.session else { return success(payload, call) }
        var identity = String(user)
        if case .path(let path)? = session.identity, let known = payload.value(at: wire(path, call)[...]) {
            let value = Self.numbered(user, like: known)
            payload.put(value, at: wire(path, call)[...])
            identity = value.scalarText ?? identity
        }
        var claim: String?
        if case .claim(let name)? = session.identity { claim = name }
        let lifetime = settings.sessionLifetime ?? (session.expiresIn == nil ? nil : Self.usualLifetime)
        if let path = session.token {
            let claim = claim.map { JSONNode.Member($0, .string(identity)) }
            let token = issueAccess(user: user, claim, until: lifetime.map { call.now + $0 })
            payload.put(.string(token), at: wire(path, call)[...])
        }
        if let path = session.expiresIn, payload.value(at: wire(path, call)[...]) != nil, let lifetime {
            payload.put(.number(Int(lifetime.components.seconds)), at: wire(path, call)[...])
        }
        if let path = session.refreshToken, payload.value(at: wire(path, call)[...]) != nil {
            payload.put(.string(issueRefresh(user: user)), at: wire(path, call)[...])
        }
        return success(payload, call)
    }

    mutating func issueAccess(user: Int, _ claim: JSONNode.Member? = nil, until end: Duration? = nil) -> String {
        let token = newToken("access", claim)
        desk.issue(access: Fingerprint(token), to: user, until: end)
        return token
    }

    mutating func issueRefresh(user: Int) -> String {
        let token = newToken("refresh", nil)
        desk.issue(refresh: Fingerprint(token), to: user)
        return token
    }

    /// A token that was not given out before. With a claim, it is a JSON Web Token (RFC 7519) without a signature.
    private mutating func newToken(_ kind: String, _ claim: JSONNode.Member?) -> String {
        let number = desk.nextNumber()
        var random = SeededRandom(seed: settings.seed, for: "\(kind) token \(number)")
        let unique = String(random.next(), radix: 36)
        guard let claim else { return "mock-\(kind)-\(number)-\(unique)" }
        let payload = JSONNode.object([claim, JSONNode.Member("jti", .string("\(number)-\(unique)"))])
        let head = JSONNode.object([
            JSONNode.Member("alg", .string("none")), JSONNode.Member("typ", .string("JWT")),
        ])
        return [head, payload].map { TextCoding.base64($0.bytes, forURL: true) }.joined(separator: ".") + ".mock"
    }

    /// Puts the user into the response that says who is logged in.
    func identify(_ payload: inout JSONNode, _ call: Call) {
        guard let session = contract.session, session.identification == call.endpoint.name.value,
            case .endpoint(let question)? = session.identity, let token = sessionToken(in: call),
            let user = desk.owner(of: Fingerprint(token))
        else { return }
        let path = wire(question.path.value, call)
        if let known = payload.value(at: path[...]) { payload.put(Self.numbered(user, like: known), at: path[...]) }
    }

    /// A path of the response under the names on the wire.
    func wire(_ path: FieldPath, _ call: Call) -> [String] { contract.onWire(path, inPayloadOf: call.endpoint).keys }

    /// A value that can be told from others of its kind: the sample itself for the first.
    static func numbered(_ number: Int, like sample: JSONNode) -> JSONNode {
        guard number > 1 else { return sample }
        switch sample {
        case .number(let text):
            guard let first = Int(text) else { return .number(number) }
            return .number(String(first.addingReportingOverflow(number - 1).partialValue))
        case .string(let text):
            if text.count == 36, text.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12] {
                return .string(ListPage.uuid(endingIn: String(number, radix: 16), text.prefix(24)))
            }
            return .string("\(text)-\(number)")
        case .null, .bool, .array, .object: return sample
        }
    }
}

extension FieldDefinition {
    private static let proofs = [
        "password", "passwort", "passphrase", "passcode", "secret", "pin", "code", "otp", "token",
    ]

    /// Whether a field of a login proves who the user is, by its name: a sensitive one such as `password`.
    fileprivate var isProof: Bool {
        let name = name.value.lowercased()
        return isSensitive && Self.proofs.contains { $0.count < 4 ? name == $0 : name.contains($0) }
    }
}
