import ContractModel
import JSONTree

/// The sessions of a mock server: the tokens that it gave out, and which of them it still takes.
struct SessionDesk: Sendable {
    private struct Grant: Sendable {
        var user: Int
        /// The end; nil for a token without one.
        var end: Duration?
    }

    private var access: [ByteText: Grant] = [:]
    private var accessOrder: [ByteText] = []
    private var refresh: [ByteText: Int] = [:]
    private var refreshOrder: [ByteText] = []
    private var users: [Fingerprint: Int] = [:]
    /// Tokens that another service gave out and this one does not take any more.
    private var refused: Set<Fingerprint> = []
    private var foreign: Set<Fingerprint> = []
    private var issued = 0
    private let seed: UInt64

    static let mostTokens = 10_000

    init(seed: UInt64) { self.seed = seed }

    /// Whether a token is taken.
    ///
    /// - Parameter isForeign: whether another service gives out the tokens. Each is then taken until all sessions are ended.
    mutating func takes(_ token: String, at now: Duration, isForeign: Bool) -> Bool {
        if let grant = access[ByteText(token)] { return grant.end.map { now < $0 } ?? true }
        let known = Fingerprint(token)
        guard isForeign, !token.isEmpty, !refused.contains(known) else { return false }
        if foreign.count < Self.mostTokens { foreign.insert(known) }
        return true
    }

    func user(of token: String) -> Int? { access[ByteText(token)]?.user }

    /// The number of a user who logs in, by what the login says of the user.
    mutating func user(named name: Fingerprint) -> Int {
        if let known = users[name] { return known }
        let number = users.count % Self.mostTokens + 1
        if users.count < Self.mostTokens { users[name] = number }
        return number
    }

    /// A new access token. With a claim, it is a JSON Web Token (RFC 7519) without a signature.
    mutating func issueAccess(user: Int, identity: String, claim: String?, lifetime: Duration?, at now: Duration)
        -> String
    {
        issued += 1
        var random = SeededRandom(seed: seed, for: "token \(issued)")
        let unique = String(random.next(), radix: 36)
        var token = "mock-access-\(issued)-\(unique)"
        if let claim {
            let payload = JSONNode.object([
                JSONNode.Member(claim, .string(identity)), JSONNode.Member("jti", .string("\(issued)-\(unique)")),
            ])
            let head = JSONNode.object([
                JSONNode.Member("alg", .string("none")), JSONNode.Member("typ", .string("JWT")),
            ])
            token = [head, payload].map { TextCoding.base64($0.bytes, forURL: true) }.joined(separator: ".") + ".mock"
        }
        access[ByteText(token)] = Grant(user: user, end: lifetime.map { now + $0 })
        accessOrder.append(ByteText(token))
        if accessOrder.count > Self.mostTokens { access[accessOrder.removeFirst()] = nil }
        return token
    }

    mutating func issueRefresh(user: Int) -> String {
        issued += 1
        var random = SeededRandom(seed: seed, for: "refresh \(issued)")
        let token = "mock-refresh-\(issued)-\(String(random.next(), radix: 36))"
        refresh[ByteText(token)] = user
        refreshOrder.append(ByteText(token))
        if refreshOrder.count > Self.mostTokens { refresh[refreshOrder.removeFirst()] = nil }
        return token
    }

    /// The user of a refresh token, which is good once.
    mutating func takeRefresh(_ token: String) -> Int? { refresh.removeValue(forKey: ByteText(token)) }

    func user(ofRefresh token: String) -> Int? { refresh[ByteText(token)] }

    mutating func revoke(_ token: String) {
        access[ByteText(token)] = nil
        if refused.count < Self.mostTokens { refused.insert(Fingerprint(token)) }
    }

    /// Ends all sessions. Refresh tokens stay good, so that a client can renew its session.
    mutating func expireAll() {
        access = [:]
        accessOrder = []
        refused.formUnion(foreign)
        foreign = []
        if refused.count > Self.mostTokens { refused = [] }
    }
}
