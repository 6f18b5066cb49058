#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a session consists of.
public struct SessionTokens: Sendable, Hashable {
    /// The token that requests carry.
    public let access: String
    /// How long it is good for, in seconds from when it was issued; nil where the server does not say.
    public let expiresIn: Int?
    /// The token that gets a new one; nil where there is none.
    public internal(set) var refresh: String?
    /// When the access token ends, once the session has taken the tokens over.
    public var expiry: Date?

    public init(access: String, expiresIn: Int? = nil, refresh: String? = nil) {
        self.access = access
        self.expiresIn = expiresIn
        self.refresh = refresh
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
    /// What was saved last; nil where there is nothing, or it cannot be read.
    func load() async -> SessionTokens?
    /// Keeps the tokens, or removes what is kept. A store that fails keeps the session in memory only.
    func save(_ tokens: SessionTokens?) async
}

/// Keeps nothing: the session in memory is all there is.
public struct MemorySessionStore: SessionStore {
    public init() {}
    public func load() async -> SessionTokens? { nil }
    public func save(_ tokens: SessionTokens?) async {}
}

extension SessionStore where Self == MemorySessionStore {
    /// The session ends with the process.
    public static var memory: MemorySessionStore { MemorySessionStore() }
}

/// The session that a request carries: the tokens, and which session of all it is, so that a late
/// answer to an old one does not end a new one.
struct SessionGrant: Sendable {
    let generation: Int
    let tokens: SessionTokens?
}
