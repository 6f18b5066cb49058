import ContractModel
import JSONTree

/// The sessions of a mock server: the tokens that it gave out, and which of them it still takes.
struct SessionDesk: Sendable {
    private struct Grant: Sendable {
        var user: Int
        /// The end; nil for a token without one.
        var end: Duration?
    }

    private var access = RecentMap<ByteText, Grant>(most: mostTokens)
    private var refresh = RecentMap<ByteText, Int>(most: mostTokens)
    private var users = RecentMap<Fingerprint, Int>(most: mostTokens)
    private var lastUser = 0
    /// The users of all tokens, also of those that are not taken any more.
    private var owners = RecentMap<Fingerprint, Int>(most: mostTokens)
    /// Tokens that another service gave out and this one does not take any more.
    private var refused = RecentMap<Fingerprint, Bool>(most: mostTokens)
    private var foreign = RecentMap<Fingerprint, Bool>(most: mostTokens)
    private var issued = 0
    private let seed: UInt64

    /// How many tokens of each kind, and how many users, are known. The oldest of more is forgotten.
    static let mostTokens = 10_000

    init(seed: UInt64) { self.seed = seed }

    /// Whether a token is taken.
    ///
    /// - Parameter isForeign: whether another service gives out the tokens. Each is then taken until all sessions are ended.
    mutating func takes(_ token: String, at now: Duration, isForeign: Bool) -> Bool {
        if let grant = access[ByteText(token)] { return grant.end.map { now < $0 } ?? true }
        let known = Fingerprint(token)
        guard isForeign, !token.isEmpty, refused[known] == nil else { return false }
        foreign[known] = true
        return true
    }

    func user(of token: String) -> Int? { access[ByteText(token)]?.user }

    /// The user that a token was given to, whether it is still taken or not.
    func owner(of token: String) -> Int? { owners[Fingerprint(token)] }

    /// The number of a user who logs in, by what the login says of the user.
    mutating func user(named name: Fingerprint) -> Int {
        if let known = users[name] { return known }
        lastUser += 1
        users[name] = lastUser
        return lastUser
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
        owners[Fingerprint(token)] = user
        return token
    }

    mutating func issueRefresh(user: Int) -> String {
        issued += 1
        var random = SeededRandom(seed: seed, for: "refresh \(issued)")
        let token = "mock-refresh-\(issued)-\(String(random.next(), radix: 36))"
        refresh[ByteText(token)] = user
        return token
    }

    /// The user of a refresh token, which is good once.
    mutating func takeRefresh(_ token: String) -> Int? {
        defer { refresh[ByteText(token)] = nil }
        return refresh[ByteText(token)]
    }

    func user(ofRefresh token: String) -> Int? { refresh[ByteText(token)] }

    mutating func revoke(_ token: String) {
        access[ByteText(token)] = nil
        refused[Fingerprint(token)] = true
    }

    /// Ends all sessions. Refresh tokens stay good, so that a client can renew its session.
    mutating func expireAll() {
        access.removeAll()
        for token in foreign.keys { refused[token] = true }
        foreign.removeAll()
    }
}
