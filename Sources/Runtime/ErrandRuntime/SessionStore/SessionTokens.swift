#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The tokens of a session, with the facts that belong to them.
public struct SessionTokens: Sendable, Hashable {
    /// The token that requests carry.
    public let access: String
    /// How long it is good for, in seconds from when it was issued; nil if the server does not say.
    public let expiresIn: Int?
    /// The refresh token; nil if the server gave none.
    public internal(set) var refresh: String?
    /// When the access token ends, once the session has taken the tokens over.
    public var expiry: Date?
    /// The service that issued them, by its name in the contract. A store should keep it: the refresh
    /// token goes to no other.
    public var service: String?
    /// The user who is logged in, if the contract says how to find that out (`session: {identity: …}`). It is any text that
    /// differs between users. Nil if the user is unknown; an empty text counts as unknown. A store should keep it.
    public internal(set) var identity: String?
    /// Which login the session goes back to. The session sets it; a store that processes share must keep it, or
    /// each of them takes what another one has saved for the session of another user.
    public var lineage: SessionLineage?

    public init(access: String, expiresIn: Int? = nil, refresh: String? = nil, identity: String? = nil) {
        self.access = access
        self.expiresIn = expiresIn
        self.refresh = refresh
        // A server that leaves it empty has not named the user.
        self.identity = identity?.isEmpty == true ? nil : identity
    }
}

extension SessionTokens {
    /// With the moment in which they end, if the server said how long they last.
    func issued(at now: Date) -> SessionTokens {
        guard let expiresIn else { return self }
        var tokens = self
        tokens.expiry = now.addingTimeInterval(Double(expiresIn))
        return tokens
    }

    func identified(as user: String?) -> SessionTokens {
        var tokens = self
        tokens.identity = SessionTokens(access: access, identity: user).identity
        return tokens
    }
}

extension SessionTokens: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of them.
    public var description: String { "SessionTokens(\(Redaction.mark))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["access": Redaction.mark], displayStyle: .struct)
    }
}

/// Where the tokens of a session are kept between runs of an app.
public protocol SessionStore: Sendable {
    /// The session that was saved last; nil if the store has none, or cannot read it.
    func load() async -> SessionTokens?
    /// Keeps the tokens, or removes what is kept. A store that fails keeps the session in memory only.
    /// Called by one at a time.
    func save(_ tokens: SessionTokens?) async
    /// Whether other processes may change what it keeps. Then the session looks into it while the app is asked for a login.
    var isShared: Bool { get }
    /// Runs a renewal of the session while no other process that shares the store runs one.
    ///
    /// A store of one process does not need this. A shared store takes a lock, reads its session, passes it to the renewal, and
    /// releases the lock. If another process has renewed the session meanwhile, the store's tokens are used and no request is
    /// sent. If another process has ended it, it is over in this process too. The result of the renewal is saved while the lock
    /// is held.
    func exclusively<Value: Sendable>(
        _ renew: @Sendable (_ latest: KeptSession) async -> Value
    ) async -> Value
}

extension SessionStore {
    /// No other process has it.
    public var isShared: Bool { false }

    /// For the store of one process: no other process can have changed what it keeps.
    public func exclusively<Value: Sendable>(
        _ renew: @Sendable (_ latest: KeptSession) async -> Value
    ) async -> Value {
        await renew(.unknown)
    }
}

/// The session that a shared store has found when it looked again.
public enum KeptSession: Sendable, Hashable {
    /// The session as it was saved last, by this process or another one.
    case tokens(SessionTokens)
    /// This process had saved one, and another process has removed it: the user has logged out.
    case ended
    /// Unknown: the store cannot be read, or has never kept this session.
    case unknown
}

/// Keeps nothing: the session in memory is all there is.
public struct MemorySessionStore: SessionStore {
    let tokens: SessionTokens?

    /// - Parameters:
    ///   - tokens: what the session begins with, for a script or a service that is given its token.
    ///   - now: the moment at which `expiresIn` starts to count.
    public init(_ tokens: SessionTokens? = nil, at now: Date = Date()) { self.tokens = tokens?.issued(at: now) }

    public func load() async -> SessionTokens? { nil }
    public func save(_ tokens: SessionTokens?) async {}
}

extension SessionStore where Self == MemorySessionStore {
    /// The session ends with the process.
    public static var memory: MemorySessionStore { MemorySessionStore() }

    /// The same, for a session that begins with these tokens as soon as it is made.
    ///
    /// - Parameter now: the moment at which `expiresIn` starts to count.
    public static func memory(_ tokens: SessionTokens, at now: Date = Date()) -> MemorySessionStore {
        MemorySessionStore(tokens, at: now)
    }
}
