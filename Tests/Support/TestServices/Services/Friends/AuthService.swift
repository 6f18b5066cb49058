/// Plays `auth.contract.yaml`. `ada` (`lovelace`) is person 1, `grace` (`hopper`) person 2; `locked` is locked out.
///
/// Each request has to be signed with the client's secret, and may be sent only once.
public actor AuthService: TestService {
    public static let clientID = "errand-tests"
    public static let clientSecret = "s3cret"

    public nonisolated let host: ServiceHost
    private var tokens = Tokens(prefix: "auth", form: .webToken)
    private var refreshTokens = Tokens(prefix: "refresh")
    private var keyed = KeyedAnswers()
    private var nonces: Set<String> = []
    private var people = ["ada": 1, "grace": 2]
    public private(set) var refreshes = 0
    public private(set) var lifetime = 3600

    public static func start() async throws -> AuthService {
        let service = AuthService(host: try await ServiceHost(basePath: ""))
        await service.host.serve { [weak service] in await service?.answer($0) ?? .hangUp }
        return service
    }

    init(host: ServiceHost) { self.host = host }

    public var logins: Int { tokens.count - refreshes }
    public var registered: Int { people.count - 2 }
    /// Ends the sessions; their refresh tokens stay good.
    public func expireSessions() { tokens.revokeAll() }
    public func revokeRefreshTokens() { refreshTokens.revokeAll() }
    /// What later sessions say about how long they are good, in seconds.
    public func setLifetime(_ seconds: Int) { lifetime = seconds }
    /// Whose session that is.
    public func person(of token: String?) -> Int? { tokens.owner(of: token) }

    private func answer(_ request: ReceivedRequest) async -> ServedAnswer {
        if let breach = breach(of: request) {
            await complain(request, breach)
            return Self.failure("bad_request", status: 400)
        }
        switch request {
        case "POST /sessions": return await logIn(request)
        case "POST /sessions/renewal": return refresh(request)
        case "POST /people": return await register(request)
        default: break
        }
        let token = request.parameter("token")
        guard let person = tokens.owner(of: token) else { return Self.failure("invalid_token", status: 401) }
        switch request {
        case "DELETE /sessions":
            tokens.revoke(token)
            return ServedAnswer(204)
        case "GET /me": return .json(Self.person(person, handle: "ada", name: "Ada Lovelace"))
        default: return ServedAnswer(404)
        }
    }

    /// The problem of the parameters that every request has.
    private func breach(of request: ReceivedRequest) -> String? {
        if request.method == "POST", request.form == nil { return "no form, but \(request.mediaType ?? "nothing")" }
        if request.parameter("client_id") != Self.clientID { return "client_id" }
        guard let nonce = request.parameter("nonce"), nonce.count == 36 else { return "no nonce" }
        guard nonces.insert(nonce).inserted else { return "a nonce for the second time" }
        guard let sentAt = request.parameter("sent_at"), sentAt.count >= 10 else { return "no sent_at" }
        let rule = Signature.Rule(algorithm: .hmacSHA256, key: Self.clientSecret)
        let wanted = Signature.of(request.parameters, by: rule)
        let given = request.header("X-Signature")
        return given == wanted ? nil : "signature \(given ?? "missing"), should be \(wanted)"
    }

    private func logIn(_ request: ReceivedRequest) async -> ServedAnswer {
        if request.parameter("token") != nil { await complain(request, "a login carries a session") }
        if request.parameter("user") == "locked" {
            let body: WireJSON = [
                "error": "account_locked", "error_description": "locked", "lockedUntil": 1_900_000_000_000,
            ]
            return .json(body, status: 403)
        }
        switch (request.parameter("user"), request.parameter("password")) {
        case ("ada", "lovelace"): return .json(grant(for: 1))
        case ("grace", "hopper"): return .json(grant(for: 2))
        default: return Self.failure("wrong_password", status: 401)
        }
    }

    private func refresh(_ request: ReceivedRequest) -> ServedAnswer {
        let old = request.parameter("refreshToken")
        guard let person = refreshTokens.owner(of: old) else { return Self.failure("invalid_grant", status: 400) }
        refreshTokens.revoke(old)
        refreshes += 1
        return .json(grant(for: person))
    }

    private func register(_ request: ReceivedRequest) async -> ServedAnswer {
        guard let key = request.header("Idempotency-Key"), let handle = request.parameter("handle"),
            let name = request.parameter("name"), request.parameter("password") != nil
        else {
            await complain(request, "no idempotency key, handle, name or password")
            return ServedAnswer(400)
        }
        // Nonce, time and signature differ from attempt to attempt, the rest must not.
        switch keyed.lookUp(key, fingerprint: "\(handle) \(name)") {
        case .replay(let answer): return answer
        case .misused:
            await complain(request, "one key for two commands")
            return ServedAnswer(400)
        case .new: break
        }
        if people[handle] != nil { return Self.failure("name_taken", status: 409) }
        let id = people.count + 1
        people[handle] = id
        let answer = ServedAnswer.json(Self.person(id, handle: handle, name: name), status: 201)
        keyed.keep(answer, for: key, fingerprint: "\(handle) \(name)")
        return answer
    }

    private func grant(for person: Int) -> WireJSON {
        [
            "token": .string(tokens.make(for: person)), "refreshToken": .string(refreshTokens.make(for: person)),
            "expiresIn": .number(lifetime),
        ]
    }

    static func person(_ id: Int, handle: String, name: String) -> WireJSON {
        ["id": .number(id), "handle": .string(handle), "name": .string(name), "since": "2020-02-29"]
    }

    private static func failure(_ code: String, status: Int) -> ServedAnswer {
        .json(["error": .string(code), "error_description": .string("the server says \(code)")], status: status)
    }
}
