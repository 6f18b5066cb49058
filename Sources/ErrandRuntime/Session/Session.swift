#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The session of a user: its tokens, and how it is renewed. All clients that are given the same one
/// share it, whichever contract they come from.
///
/// When the server says that it is over, it is renewed once, however many commands hit on that: with
/// the contract's refresh command if there is a refresh token, else with the app's login. Meanwhile
/// commands wait; afterwards those that failed are sent again. Where neither is to be had, they fail
/// at once with their own error.
public final class Session: Sendable {
    /// Asks the app for a login command and sends it.
    typealias Login = @Sendable (Session) async -> LoginStep

    let state = Guarded<SessionState> { SessionState() }
    let store: any SessionStore
    let login: Login?
    /// How often the app is asked for a login in one renewal.
    let maximumAsks: Int

    /// A session that is kept in memory, and started only by a login command that the app sends.
    public init() {
        store = MemorySessionStore()
        login = nil
        maximumAsks = 0
    }

    /// A session that is started only by a login command that the app sends.
    public init(store: some SessionStore) {
        self.store = store
        login = nil
        maximumAsks = 0
    }

    /// A session that is started by itself when a command needs it.
    ///
    /// - Parameters:
    ///   - store: where the tokens are kept.
    ///   - asks: how often the closure is called in a row, where the server refuses what it gives.
    ///   - login: makes a login command, from a form for instance. It may take its time: that counts
    ///     against no deadline. Nil means that nobody wants to log in, and the waiting commands fail.
    public init<Command: LoginCommand>(
        store: some SessionStore = .memory, asks: Int = 3,
        login: @escaping @Sendable () async -> Command?
    ) {
        self.store = store
        maximumAsks = max(1, asks)
        self.login = { session in
            guard let command = await login() else { return .declined }
            guard let route = session.route(of: Command.Service.service) else {
                return .failed(LoginHasNoClient(service: Command.Service.service.name))
            }
            return await session.send(command, through: route)
        }
    }

    /// The tokens, for an app that needs them elsewhere. What is in the store is not looked up.
    public var tokens: SessionTokens? { state.withLock { $0.tokens } }

    /// Starts a session with tokens from elsewhere, or replaces the one that is running. A login
    /// command does this by itself.
    ///
    /// - Parameter now: from when on `expiresIn` counts.
    public func begin(_ tokens: SessionTokens, at now: Date = Date()) async {
        var tokens = tokens
        if let seconds = tokens.expiresIn { tokens.expiry = now.addingTimeInterval(Double(seconds)) }
        let begun = tokens
        state.withLock { $0.begin(begun) }
        await store.save(begun)
    }

    /// Ends the session. A logout command does this by itself.
    public func end() async {
        state.withLock { $0.end() }
        await store.save(nil)
    }

    // MARK: For the pipeline

    /// Remembers a client, to send logins and renewals through it.
    func introduce(_ route: ServiceRoute) {
        state.withLock { $0.routes[ObjectIdentifier(route.service)] = route }
    }

    func route(of service: ServiceDescription) -> ServiceRoute? {
        state.withLock { $0.routes[ObjectIdentifier(service)] }
    }

    /// Does what the success of a command asks for.
    func apply(_ change: SessionChange, at now: @autoclosure () -> Date) async {
        switch change {
        case .none: break
        // A login whose response has no token starts nothing.
        case .begin(let tokens): if !tokens.access.isEmpty { await begin(tokens, at: now()) }
        case .end: await end()
        }
    }

    /// Ends the session of this generation, if it is still the one, and nobody is renewing it.
    func expire(_ generation: Int) async {
        let isEnded = state.withLock { $0.expire(generation) }
        if isEnded { await store.save(nil) }
    }

    /// The session as it is, without waiting for a renewal.
    func current() async -> SessionGrant {
        await loadOnce()
        return state.withLock { $0.grant }
    }

    /// Whether there may be another session than that of this generation.
    func isReplaceable(after generation: Int) -> Bool {
        state.withLock { $0.isReplaceable(after: generation, hasLogin: login != nil) }
    }

    func loadOnce() async {
        if state.withLock({ $0.isLoaded }) { return }
        let tokens = await store.load()
        state.withLock { $0.finishLoading(tokens) }
    }
}

extension Session: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of it.
    public var description: String { "Session(\(Redaction.mark))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class) }
}

/// The app's login command belongs to a contract none of whose clients uses the session.
public struct LoginHasNoClient: Error, Sendable {
    /// The contract's service.
    public let service: String
}
