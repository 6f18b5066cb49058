/// The time between a login and its end: a successful logout, an end by the app, or another login.
///
/// A command belongs to the epoch that it was submitted in, and is only sent with tokens of this epoch. A renewal stays in the
/// epoch, and so does a login that was made to continue it (`SessionVersion.continuedEpoch`). A session that expires is not over
/// yet, because it may be renewed.
struct SessionEpoch: Sendable, Hashable {
    /// Which one of this session, in this process.
    let number: Int
    /// The user who is logged in, if the contract says how to find that out.
    var identity: String?
    /// How other processes that share the store know it.
    var lineage: SessionLineage
}

/// Tells a session from all others. A reference to it does not retain the session.
package final class SessionIdentity: Sendable {}

/// One login of one session.
struct SessionLogin: Sendable {
    let session: SessionIdentity
    /// The number of its epoch.
    let epoch: Int
}

/// The login that a login command continues, for the client of a session incident.
struct LoginContinuation: Sendable {
    let login: SessionLogin
    /// Whether the incident is still open. No command waits for a login after that.
    let isOpen: @Sendable () -> Bool
}

/// The origin of a session in a shared store. A process takes over a session of another process only if it continues its own
/// session.
public struct SessionLineage: Sendable, Hashable {
    /// A random name of the login that the session began with. It isn't a secret.
    public let epoch: String
    /// How often the tokens were replaced since.
    public let generation: Int

    public init(epoch: String, generation: Int) {
        self.epoch = epoch
        self.generation = generation
    }

    /// For a login.
    static func begun() -> SessionLineage {
        func word() -> String { String(UInt64.random(in: 0 ... .max), radix: 36) }
        return SessionLineage(epoch: "\(word())-\(word())", generation: 0)
    }

    /// For tokens that an older version kept without a lineage. All processes that find them derive the same one, and another
    /// one for another token.
    ///
    /// A lineage isn't a secret and must not give the token away. So it is made from 32 bits of a hash (FNV-1a), which tell 32 bits
    /// of the token at most, however well the hash can be reversed.
    static func derived(from tokens: SessionTokens) -> SessionLineage {
        SessionLineage(epoch: "token-" + String(StableHash.short(of: tokens.access), radix: 36), generation: 0)
    }

    /// The lineage of tokens from a store.
    static func of(_ kept: SessionTokens) -> SessionLineage { kept.lineage ?? .derived(from: kept) }

    var next: SessionLineage { SessionLineage(epoch: epoch, generation: generation + 1) }
}

/// Which login a process has last put into a shared store, or found there. A process that ends its session removes this login from
/// the store, and none that another process has put in its place.
struct KnownLogin: Sendable {
    private var name: String?
    private var identity: String?

    mutating func note(_ latest: KeptSession) {
        if case .tokens(let tokens) = latest { (name, identity) = (SessionLineage.of(tokens).epoch, tokens.identity) }
    }

    /// Whether the tokens in the store are another login's. A user who logs in again is still the same user.
    func isReplaced(by kept: SessionTokens?) -> Bool {
        guard let name, let kept, SessionLineage.of(kept).epoch != name else { return false }
        return kept.identity == nil || kept.identity != identity
    }
}

/// To which epoch of a session a command belongs.
package enum CommandEpoch: Sendable, Hashable {
    /// The request does not belong to a session, and has no tokens.
    case none
    /// The login with this number, from 1. If no user was logged in when the command was submitted, it is the number of the next login:
    /// the command joins that login, and no later one.
    case epoch(Int)

    /// A login that is over in every session.
    static let over = CommandEpoch.epoch(0)
}

/// Identifies the point in a session's history that a change is based on: a change that starts from
/// something else than what there is comes too late.
package struct SessionVersion: Sendable, Hashable {
    /// Counts sessions, that is beginnings, renewals and endings: a failure of an older one says
    /// nothing about this one.
    var generation = 0
    /// Counts what people did: logins and logouts. A renewal, an expiry and the reading of the store
    /// leave it as it is, so that they get in no login's way.
    var era = 0
    /// The login that there was, or that the store is about to tell; nil if no user was logged in. Another process can end a login
    /// or replace it, which leaves the era as it is.
    var epoch: Int?
    /// The number of the login that the change was made to continue: by the login closure, or through the client of an incident
    /// of this session. Nil for a change that the app makes by itself, which may be another user's.
    var continuedEpoch: Int?
}

/// The session that a request carries: the tokens, and the identity of the session. With the identity, a late response for an
/// old session does not end a new one.
///
/// An object, since a command keeps it while it waits.
package final class SessionSnapshot: Sendable {
    package let generation: Int
    package let tokens: SessionTokens?
    /// The epoch that the tokens belong to; nil without tokens.
    package let epoch: Int?

    init(generation: Int, tokens: SessionTokens?, epoch: Int?) {
        self.generation = generation
        self.tokens = tokens
        self.epoch = epoch
    }
}
