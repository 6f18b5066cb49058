/// The sessions of a service: the tokens that it has given out, and which of them it still takes. A token is known by its text, or by what
/// stands for the text. The texts are those of the server.
///
/// Two engines use it. The mock server reads a contract, and checks requests by its types. The simulated server of tests has only the
/// description in generated code, and finds the places of tokens by trying what the client reads.
package struct SessionDesk<Token: Hashable & Sendable>: Sendable {
    /// What is known of an access token, whether it is still taken or not.
    private struct Grant: Sendable {
        /// The user who got it; nil if another service has given it out.
        var user: Int?
        /// The end; nil for a token without one.
        var end: Duration?
        /// How often all sessions had ended by then; nil for a token that was revoked.
        var epoch: Int?
    }

    private var access: RecentMap<Token, Grant>
    private var refresh: RecentMap<Token, Int>
    private var users: RecentMap<Token, Int>
    private var lastUser = 0
    private var issued = 0
    /// How often all sessions have ended.
    private var epoch = 0

    /// - Parameter most: how many tokens of each kind, and how many users, are known. The oldest of more is forgotten.
    package init(most: Int = 10_000) {
        access = RecentMap(most: most)
        refresh = RecentMap(most: most)
        users = RecentMap(most: most)
    }

    // MARK: Access tokens

    /// Whether an access token is taken.
    package func takes(_ token: Token, at now: Duration) -> Bool {
        guard let grant = access[token], grant.epoch == epoch else { return false }
        return grant.end.map { now < $0 } ?? true
    }

    /// Takes a token that another service has given out, unless it was revoked, or all sessions have ended since it was first seen.
    package mutating func accept(_ token: Token) {
        if access[token] == nil { issue(access: token, to: nil, until: nil) }
    }

    /// The user that an access token was given to, whether it is still taken or not.
    package func owner(of token: Token) -> Int? { access[token]?.user }

    package mutating func issue(access token: Token, to user: Int?, until end: Duration?) {
        access[token] = Grant(user: user, end: end, epoch: epoch)
    }

    package mutating func revoke(_ token: Token) {
        access[token] = Grant(user: access[token]?.user, end: nil, epoch: nil)
    }

    /// Ends all sessions.
    ///
    /// - Parameter refreshTokens: whether they cannot be renewed either.
    package mutating func expireAll(refreshTokens: Bool = false) {
        epoch += 1
        if refreshTokens { refresh.removeAll() }
    }

    // MARK: Refresh tokens

    package mutating func issue(refresh token: Token, to user: Int) { refresh[token] = user }

    /// The user of a refresh token; nil if it is not taken.
    ///
    /// - Parameter isUsedUp: whether the token is good once, because a new one comes in its place. The mock server uses tokens up, as
    ///   the contract lets services do. The simulated server keeps them, so that a lost response shows what the client does, and not
    ///   what the service forbids.
    package mutating func user(ofRefresh token: Token, isUsedUp: Bool) -> Int? {
        defer { if isUsedUp { refresh[token] = nil } }
        return refresh[token]
    }

    // MARK: Names

    /// A number that tells the next token from all others.
    package mutating func nextNumber() -> Int {
        issued += 1
        return issued
    }

    /// The number of a user who logs in, by what the login says of the user.
    package mutating func user(named name: Token) -> Int {
        if let known = users[name] { return known }
        lastUser += 1
        users[name] = lastUser
        return lastUser
    }
}
