#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The session of a user: its tokens and its renewal. All clients that are given the same session share it, across contracts.
///
/// When the server reports that the session is over, the session is renewed once, for any number of affected commands. It uses
/// the contract's refresh command if there is a refresh token, or else the app's login. Commands wait meanwhile, and those that
/// failed are then sent again. If neither renewal is possible, and no other process has put a better session into the store,
/// they fail at once with their own error.
///
/// Processes that share a store share the session. A process without a client that can use the refresh token leaves the session
/// to the other processes when it is over.
public final class Session: Sendable {
    /// Asks the app for a login command and sends it, unless the login is no longer needed.
    typealias Login = @Sendable (Session, LoginReason, SessionRenewal) async -> LoginStep

    /// Identifies the session without retaining it.
    package let identity = SessionIdentity()
    let state: LockedState<SessionState>
    let store: any SessionStore
    let login: Login?
    /// How often the app is asked for a login in one renewal.
    let maximumAsks: Int
    /// Whether the session outlasts the process.
    let isKept: Bool

    /// A session that is kept in memory, and started only by a login command that the app sends.
    public convenience init() { self.init(MemorySessionStore(), asks: 0, nil) }

    /// A session that has begun with tokens from elsewhere, without a wait: a script or a service is given its token. It is kept in
    /// memory. For one that also logs in by itself, give `store: .memory(tokens)` and a login closure.
    ///
    /// - Parameter now: the moment at which `expiresIn` starts to count.
    public convenience init(tokens: SessionTokens, at now: Date = Date()) {
        self.init(.memory(tokens, at: now), asks: 0, nil)
    }

    /// A session that is started only by a login command that the app sends.
    public convenience init(store: some SessionStore) { self.init(store, asks: 0, nil) }

    /// A session that is started by itself when a command needs it.
    ///
    /// - Parameters:
    ///   - store: the store of the tokens.
    ///   - asks: how often the closure is called in a row, if the server refuses its tokens.
    ///   - login: makes a login command, from a form for instance. It may take its time: that counts
    ///     against no deadline, and is bounded by the patience of the commands that wait. Nil means that the user does not want to
    ///     log in, and the waiting commands fail. The task is cancelled when no command waits any more, or when
    ///     a login was made elsewhere: the form should close then.
    public convenience init<Command: LoginCommand>(
        store: some SessionStore = .memory, asks: Int = 3,
        login: @escaping @Sendable () async -> Command?
    ) {
        self.init(store: store, asks: asks) { (_: LoginReason) in await login() }
    }

    /// The same, for a closure that wants to know why it is asked: to say on the login screen that the
    /// password was wrong, for instance.
    public convenience init<Command: LoginCommand>(
        store: some SessionStore = .memory, asks: Int = 3,
        login: @escaping @Sendable (LoginReason) async -> Command?
    ) {
        self.init(store, asks: max(1, asks)) { session, reason, renewal in
            let command = await LoginScope.run(for: session, epoch: renewal.start.continuedEpoch) {
                await login(reason)
            }
            guard let command, session.change({ $0.moveRenewal(renewal.id, to: .sending) })
            else { return .declined }
            let service = Command.endpoint.service
            guard let route = session.state.withLock({ $0.routes.login(of: service) }) else {
                return .failed(MissingLoginClientError(service: service.name))
            }
            return await session.send(command, through: route, from: renewal.start)
        }
    }

    private init(_ store: some SessionStore, asks: Int, _ login: Login?) {
        self.store = store
        self.login = login
        maximumAsks = asks
        let isKept = !(store is MemorySessionStore)
        self.isKept = isKept
        let (hasLogin, isShared) = (login != nil, store.isShared)
        let given = (store as? MemorySessionStore)?.tokens
        state = LockedState {
            var state = SessionState(hasLogin: hasLogin, isShared: isShared, isLoaded: !isKept)
            if let given {
                state.begin(given, isSameUser: false)
                // It has no followers yet.
                state.news = SessionNews()
            }
            return state
        }
    }

    deinit { state.withLock { $0.finishFollowing() } }

    /// The tokens, for an app that needs them elsewhere. This property doesn't read the store.
    public var tokens: SessionTokens? { state.withLock { $0.tokens } }

    /// Starts a session with tokens from elsewhere, as a login command of the contract does.
    ///
    /// Commands of the user before end with `sessionEnded`, even while they wait for a login: the app may be switching users.
    /// They go on if the `identity` of both tokens is the same, or if the session's login closure calls this method. For the same
    /// user without an `identity`, call ``replaceTokens(_:at:)``.
    ///
    /// - Parameter now: from when on `expiresIn` counts.
    public func begin(_ tokens: SessionTokens, at now: Date = Date()) async {
        let begun = tokens.issued(at: now)
        let continued = continuedEpoch()
        change { $0.begin(begun, isSameUser: false, continuedEpoch: continued) }
        await persist()
    }

    /// Replaces the tokens of the user who is logged in, after the app has renewed them by its own means. Commands under way
    /// continue with the new tokens. If the `identity` of the tokens shows another user, this is a login.
    ///
    /// - Parameter now: the moment at which `expiresIn` starts to count.
    public func replaceTokens(_ tokens: SessionTokens, at now: Date = Date()) async {
        await loadOnce()
        let begun = tokens.issued(at: now)
        change { $0.begin(begun, isSameUser: true) }
        await persist()
    }

    /// Ends the session. A logout command does this by itself. The session's commands end with `sessionEnded`, even while they
    /// wait.
    public func end() async {
        change { $0.end() }
        await persist()
    }

    // MARK: For the pipeline

    /// Remembers a client, to send logins and renewals through it.
    func introduce(_ route: ServiceRoute) {
        let isToBeRead = state.withLock { state in
            state.routes.introduce(route)
            return !state.isLoaded
        }
        if isToBeRead { route.dispatcher.cache.files?.expect(identity) }
    }

    /// Does what the success of a command asks for, unless it comes too late for that.
    func apply(_ change: SessionChange, of call: some SessionCommand) async {
        switch change {
        case .none: return
        case .begin(let tokens):
            // A login whose response has no token starts no session.
            if tokens.access.isEmpty { return }
            let isRenewal = call.command is any RefreshCommand
            let isOwn = !call.role.isOrdinary
            _ = self.change {
                $0.begin(tokens, from: call.basis, isRenewal: isRenewal, isOwn: isOwn, through: call.route)
            }
        case .end: _ = self.change { $0.end(from: call.basis) }
        }
        await persist(for: call.route.dispatcher)
    }

    /// Ends the session that a logout was sent for.
    func end(from start: SessionVersion, for dispatcher: Dispatcher? = nil) async {
        if change({ $0.end(from: start) }) { await persist(for: dispatcher) }
    }

    /// Ends the session of this generation, if it is still the current one, is not being renewed, and no other process may renew it.
    package func expire(_ generation: Int, for dispatcher: Dispatcher? = nil) async {
        if change({ $0.expire(generation) }) { await persist(for: dispatcher) }
    }

    var basis: SessionVersion { state.withLock { $0.basis } }

    /// The number of the login that a command joins that is submitted now.
    package var epochToJoin: Int { state.withLock { $0.epochToJoin } }

    /// The session as it is, without waiting for a renewal.
    package var currentGrant: SessionSnapshot { state.withLock { $0.grant } }

    /// The same, once the store has been read.
    func current() async -> SessionSnapshot {
        await loadOnce()
        return currentGrant
    }

    /// Whether a later session than that of this generation may exist.
    func isReplaceable(after generation: Int) -> Bool {
        state.withLock { $0.isReplaceable(after: generation) }
    }

    /// Whether the store has been asked for what it keeps.
    var isLoaded: Bool { state.withLock { $0.isLoaded } }

    /// Waits until the store has been asked. Ends with the caller's task, however long the store takes.
    package func loadOnce() async {
        if isLoaded { return }
        let place = Suspension<Void>()
        change { state in
            if state.isLoaded { state.news.loaded.append(place) } else { state.loading.append(place) }
        }
        load()
        await place.value(ifCancelled: ())
    }

    /// Asks the store what it keeps, unless it was asked before.
    func load(_ start: DispatcherEnvironment.TaskStarter? = nil) {
        let isFirst = state.withLock { state in
            if state.isLoaded || state.isLoading { return false }
            state.isLoading = true
            return true
        }
        if isFirst {
            _ = (start ?? starter) {
                let tokens = await self.store.load()
                self.change { $0.finishLoading(tokens) }
            }
        }
    }

    /// Starts tasks as the clients of the session do, with nothing of the caller's task.
    var starter: DispatcherEnvironment.TaskStarter {
        state.withLock { $0.routes.environment }?.startDetached ?? { Task.detached(operation: $0) }
    }

    // MARK: Telling

    /// Takes a step, and reports its results once the lock is released.
    @discardableResult
    func change<Value: Sendable>(_ step: (inout SessionState) -> Value) -> Value {
        let (value, news, isSaved) = state.withLock { state -> (Value, SessionNews, Bool) in
            let value = step(&state)
            let news = state.news
            state.news = SessionNews()
            let isSaved = !isKept || state.ledger.isKept(state.basis.generation)
            if !isSaved, news.isReleasing || !news.refusals.isEmpty { state.released.hold() }
            return (value, news, isSaved)
        }
        tell(news, isSaved: isSaved)
        return value
    }

    /// Removes what the caches of all dispatchers have on the disk of logins that are over. That comes before the store hears of it, so a
    /// process that ends between the two leaves nothing.
    private func tellCaches(_ news: SessionNews) {
        let (dispatchers, login) = state.withLock { ($0.routes.dispatchers, $0.epoch?.lineage.epoch) }
        for files in dispatchers.compactMap(\.cache.files) {
            for name in news.endedLogins { files.remove(login: name) }
            if news.isLoaded { files.note(login: login, of: identity) }
        }
    }

    private static func refuse(_ refusals: [(place: SessionWaiter.Place, pass: SessionPass)]) {
        for (place, pass) in refusals {
            if case .ended = pass {
                place.end(.sessionEnded)
            } else {
                place.end(.granted(SessionAdmission(pass: pass, turn: nil)))
            }
        }
    }

    /// Lets the next command go on that may, once the one before is on its way.
    private func release() {
        while let next = state.withLock({ $0.released.takeNext() }) {
            let turn = GateTurn { [weak self] in
                self?.state.withLock { $0.released.endTurn(next.turn) }
                self?.release()
            }
            let (place, pass) = next.waiter
            if place.end(.granted(SessionAdmission(pass: pass, turn: turn))) { return }
            turn.discard()
            state.withLock { $0.released.endTurn(next.turn) }
        }
    }

    private func tell(_ news: SessionNews, isSaved: Bool) {
        for place in news.loaded { _ = place.end(()) }
        if isKept, news.isLoaded || !news.endedLogins.isEmpty { tellCaches(news) }
        for ended in news.ended { ended() }
        for task in news.cancelled { task.cancel() }
        if isSaved {
            Self.refuse(news.refusals)
            if news.isReleasing { release() }
        } else if news.isReleasing || !news.refusals.isEmpty {
            // A process that ends when its command has must not take the only copy of a new refresh token with it.
            _ = starter {
                await self.persist()
                Self.refuse(news.refusals)
                self.state.withLock { $0.released.letGo() }
                self.release()
            }
        }
        // Commands that the end of a session has stopped hear that there is another one.
        if news.isBegun {
            for dispatcher in state.withLock({ $0.routes.dispatchers }) {
                dispatcher.board.withdraw(.session(ObjectIdentifier(self)))
            }
        }
        guard let (renewal, start) = news.renewal else { return }
        let task = start { await self.runRenewal(renewal) }
        let isWanted = state.withLock { state in
            if state.renewal?.id == renewal.id { state.renewal?.task = task }
            return state.renewal?.id == renewal.id
        }
        // The renewal may be over already, or no longer needed.
        if !isWanted { task.cancel() }
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
    /// The failure of the last login, or of the attempt to renew the session without a login; nil if the session hasn't begun,
    /// or is over.
    public let previousFailure: (any Error)?

    public init(ask: Int = 1, previousFailure: (any Error)? = nil) {
        self.ask = ask
        self.previousFailure = previousFailure
    }
}

/// The app's login command belongs to a contract none of whose clients uses the session.
public struct MissingLoginClientError: Error, Sendable {
    /// The contract's service.
    public let service: String
}
