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
/// commands wait; afterwards those that failed are sent again. Where neither is to be had, and no other
/// process has put a better session into the store, they fail at once with their own error.
///
/// Processes that share a store share the session. One that has no client to use a refresh token with
/// leaves the session to the others when it is over.
public final class Session: Sendable {
    /// Asks the app for a login command and sends it, unless the session has changed meanwhile.
    typealias Login = @Sendable (Session, LoginReason, SessionBasis) async -> LoginStep

    let state = LockedState<SessionState> { SessionState() }
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
    public convenience init<Command: LoginCommand>(
        store: some SessionStore = .memory, asks: Int = 3,
        login: @escaping @Sendable () async -> Command?
    ) {
        self.init(store: store, asks: asks) { (_: LoginReason) in await login() }
    }

    /// The same, for a closure that wants to know why it is asked: to say on the login screen that the
    /// password was wrong, for instance.
    public init<Command: LoginCommand>(
        store: some SessionStore = .memory, asks: Int = 3,
        login: @escaping @Sendable (LoginReason) async -> Command?
    ) {
        self.store = store
        maximumAsks = max(1, asks)
        self.login = { session, reason, start in
            guard let command = await LoginScope.run(for: session, { await login(reason) }),
                session.isCurrent(start)
            else { return .declined }
            let service = Command.Service.service
            guard let route = session.state.withLock({ $0.routes.login(of: service) }) else {
                return .failed(LoginHasNoClient(service: service.name))
            }
            return await session.send(command, through: route, from: start)
        }
    }

    /// The tokens, for an app that needs them elsewhere. What is in the store is not looked up.
    public var tokens: SessionTokens? { state.withLock { $0.tokens } }

    /// Starts a session with tokens from elsewhere, or replaces the one that is running. A login
    /// command does this by itself.
    ///
    /// - Parameter now: from when on `expiresIn` counts.
    public func begin(_ tokens: SessionTokens, at now: Date = Date()) async {
        let begun = tokens.issued(at: now)
        state.withLock { $0.begin(begun) }
        withdrawIncidents()
        await persist()
    }

    /// Ends the session. A logout command does this by itself.
    public func end() async {
        state.withLock { $0.end() }
        await persist()
    }

    // MARK: For the pipeline

    /// Remembers a client, to send logins and renewals through it.
    func introduce(_ route: ServiceRoute) {
        state.withLock { $0.routes.introduce(route) }
    }

    /// Does what the success of a command asks for, unless it comes too late for that.
    func apply(_ change: SessionChange, of call: CommandCall) async {
        switch change {
        case .none: return
        case .begin(let tokens):
            // A login whose response has no token starts nothing.
            if tokens.access.isEmpty { return }
            let begun = tokens.issued(at: call.environment.wallTime())
            let isRenewal = call.command is any RefreshCommand
            let isBegun = state.withLock {
                $0.begin(begun, from: call.basis, isRenewal: isRenewal, through: call.route)
            }
            if isBegun { withdrawIncidents() }
        case .end: _ = state.withLock { $0.end(from: call.basis) }
        }
        await persist()
    }

    /// Tells those whom the end of a session has stopped that there is another one.
    private func withdrawIncidents() {
        for dispatcher in state.withLock({ $0.routes.dispatchers }) {
            dispatcher.board.withdraw(.session(ObjectIdentifier(self)))
        }
    }

    /// Ends the session that a logout was sent for.
    func end(from start: SessionBasis) async {
        if state.withLock({ $0.end(from: start) }) { await persist() }
    }

    /// Ends the session of this generation, if it is still the one, nobody is renewing it, and nobody else may.
    func expire(_ generation: Int) async {
        if state.withLock({ $0.expire(generation) }) { await persist() }
    }

    var basis: SessionBasis { state.withLock { $0.basis } }

    /// The session as it is, without waiting for a renewal.
    func current() async -> SessionGrant {
        await loadOnce()
        return state.withLock { $0.grant }
    }

    /// Whether there may be another session than that of this generation.
    func isReplaceable(after generation: Int) -> Bool {
        state.withLock { $0.isReplaceable(after: generation, hasLogin: login != nil) }
    }

    /// Whether the store has been asked for what it keeps.
    var isLoaded: Bool { state.withLock { $0.isLoaded } }

    func loadOnce() async {
        if isLoaded { return }
        let tokens = await store.load()
        state.withLock { $0.finishLoading(tokens) }
    }
}

extension Session: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Whether there is one, and nothing of it.
    public var description: String { tokens == nil ? "Session(none)" : "Session(\(Redaction.mark))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["isBegun": tokens != nil], displayStyle: .class)
    }
}

/// Why an app is asked for a login.
public struct LoginReason: Sendable {
    /// How often it is asked in a row, from 1.
    public let ask: Int
    /// What the last login failed with, or the attempt to renew the session without one; nil where
    /// there simply is no session, or it is over.
    public let previousFailure: (any Error)?

    public init(ask: Int = 1, previousFailure: (any Error)? = nil) {
        self.ask = ask
        self.previousFailure = previousFailure
    }
}

/// The app's login command belongs to a contract none of whose clients uses the session.
public struct LoginHasNoClient: Error, Sendable {
    /// The contract's service.
    public let service: String
}
