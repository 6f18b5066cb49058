#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of a session, and all steps that must be atomic.
struct SessionState: Sendable {
    /// Whether the app can be asked for a login.
    let hasLogin: Bool
    /// Whether another process may put tokens into the store.
    let isShared: Bool
    private(set) var isLoaded: Bool
    /// Whether the store is being asked for what it keeps, and the commands that wait for that alone.
    var isLoading = false
    var loading: [Suspension<Void>] = []

    private(set) var tokens: SessionTokens?
    /// The user who is logged in, and the start of that login. The epoch outlasts an expiry, because the session may still be
    /// renewed.
    private(set) var epoch: SessionEpoch?
    private var generation = 0
    private var era = 0
    private var lastEpoch = 0
    /// Why the last renewal failed.
    private(set) var lastFailure: (any Error)?

    /// The clients that share the session.
    var routes = SessionRoutes()
    /// The changes that the store has not been told yet.
    var ledger = StoreWriteQueue()
    var renewal: SessionRenewal?
    /// The last number given to a renewal, a waiter or a watcher, and the app's logins under way.
    var lastID = 0
    var logins: Set<ObjectIdentifier> = []
    var waiters: [ObjectIdentifier: SessionWaiter] = [:]
    var released = ReleasedWaiters<(place: SessionWaiter.Place, pass: SessionPass)>()
    private var watchers: [Int: (epoch: Int, ended: @Sendable () -> Void)] = [:]
    private var followers = PhaseFollowers()
    /// The events since the last report.
    var news = SessionNews()

    init(hasLogin: Bool, isShared: Bool = false, isLoaded: Bool) {
        self.hasLogin = hasLogin
        self.isShared = isShared
        self.isLoaded = isLoaded
    }

    /// Identifies one session and the point in its history that a change is based on.
    var basis: SessionVersion {
        SessionVersion(generation: generation, era: era, epoch: isLoaded ? epoch?.number : epochToJoin)
    }

    var grant: SessionSnapshot {
        SessionSnapshot(generation: generation, tokens: tokens, epoch: tokens == nil ? nil : epoch?.number)
    }

    /// The client that gets new tokens for the refresh token there is.
    var refreshRoute: ServiceRoute? { tokens.flatMap { routes.refresher(of: $0) } }

    /// Whether the refresh token is good for nothing here, where no client can use it. Another process that shares
    /// the store may have one that can: the session is not this one's to end.
    var isLeftToOthers: Bool { tokens?.refresh != nil && refreshRoute == nil }

    // MARK: Beginning

    /// Begins a session with the app's own tokens, regardless of the earlier session.
    ///
    /// - Parameters:
    ///   - isSameUser: whether the app says that the tokens belong to the user who is logged in.
    ///   - continuedEpoch: the login that a login closure of the app was asked to continue.
    mutating func begin(_ tokens: SessionTokens, isSameUser: Bool, continuedEpoch: Int? = nil) {
        let stays = isSameUser || continues(continuedEpoch)
        var tokens = tokens
        tokens.lineage = nil
        era += 1
        routes.began = nil
        dissolveRenewal()
        replace(tokens, staysInEpoch: stays)
    }

    /// Begins a session with the response to a login or a renewal, unless the session it started from is gone. A late response
    /// neither undoes a logout nor replaces another user's session.
    ///
    /// - Parameter isOwn: whether the session itself has sent the command.
    mutating func begin(
        _ tokens: SessionTokens, from start: SessionVersion, isRenewal: Bool, isOwn: Bool, through route: ServiceRoute
    ) -> Bool {
        var tokens = tokens
        if isRenewal {
            guard start.generation == generation else { return false }
            // A server that sends no new refresh token keeps the old one valid.
            tokens.refresh = tokens.refresh ?? self.tokens?.refresh
        } else {
            guard start.era == era else { return false }
            era += 1
        }
        tokens.service = route.service.name
        tokens.lineage = nil
        routes.began = route
        if isOwn { renewal?.stage = .done } else { dissolveRenewal() }
        replace(tokens, staysInEpoch: isRenewal || continues(start.continuedEpoch))
        return true
    }

    /// Whether a login that was made to continue an epoch meets that very epoch: another process may have put another user's
    /// session in its place.
    private func continues(_ continued: Int?) -> Bool { continued != nil && continued == epoch?.number }

    /// Takes over the session that another process has stored, unless this process has a later one that it has not stored
    /// yet: it must not bring back a session that has just been logged out of.
    mutating func adopt(_ kept: SessionTokens, from start: SessionVersion) -> Bool {
        guard start.generation == generation, ledger.isKept(generation), kept.access != tokens?.access else {
            return false
        }
        let lineage = SessionLineage.of(kept)
        var isSuccessor = false
        if let own = epoch?.lineage, own.epoch == lineage.epoch {
            // The store has failed to keep what is newer here.
            if lineage.generation < own.generation { return false }
            isSuccessor = true
        }
        routes.began = nil
        dissolveRenewal()
        var kept = kept
        kept.lineage = lineage
        replace(kept, staysInEpoch: isSuccessor)
        ledger.noteKept(generation)
        return true
    }

    mutating func finishLoading(_ kept: SessionTokens?) {
        if isLoaded { return }
        isLoaded = true
        news.isLoaded = true
        if var kept {
            kept.lineage = .of(kept)
            replace(kept, staysInEpoch: false)
            ledger.noteKept(generation)
        } else {
            review()
        }
    }

    /// New tokens, of the current epoch or of a new one. If the users of both are known, they decide.
    private mutating func replace(_ new: SessionTokens, staysInEpoch: Bool) {
        var new = new
        isLoaded = true
        generation += 1
        lastFailure = nil
        var stays = staysInEpoch
        if let known = epoch?.identity, let identity = new.identity { stays = known == identity }
        if var epoch, stays {
            let name = epoch.lineage.epoch
            epoch.lineage = new.lineage ?? epoch.lineage.next
            // Another process has logged the same user in again.
            if epoch.lineage.epoch != name { news.endedLogins.append(name) }
            epoch.identity = new.identity ?? epoch.identity
            self.epoch = epoch
        } else {
            endEpoch()
            lastEpoch += 1
            epoch = SessionEpoch(number: lastEpoch, identity: new.identity, lineage: new.lineage ?? .begun())
        }
        new.lineage = epoch?.lineage
        new.identity = epoch?.identity
        tokens = new
        news.isBegun = true
        review(isRenewed: true)
    }

    // MARK: Ending

    /// The app ends the session, or a logout does. Commands that wait for a login wait in vain.
    mutating func end() {
        era += 1
        dissolveRenewal()
        remove()
        endEpoch()
        refuseAll(with: nil)
        review()
    }

    /// Ends a session with the response to the logout that was sent for it. A login that another process has made since goes on.
    mutating func end(from start: SessionVersion) -> Bool {
        guard start.era == era, start.epoch == epochToJoin else { return false }
        end()
        return true
    }

    /// Another process has ended the session. Commands without an epoch go on.
    mutating func endElsewhere(from start: SessionVersion) {
        guard start.generation == generation else { return }
        dissolveRenewal()
        remove()
        ledger.noteKept(generation)
        endEpoch()
        review()
    }

    /// The session is over and cannot be renewed here. Its user stays known, for the next login.
    mutating func expire(_ generation: Int) -> Bool {
        guard generation == self.generation, renewal == nil, tokens != nil, !isLeftToOthers else { return false }
        remove()
        review()
        return true
    }

    /// Ends the renewal without a session.
    ///
    /// - Parameter isOver: whether the previous session is invalid.
    mutating func finishRenewal(_ id: Int, _ failure: (any Error)?, isOver: Bool) {
        guard let stage = renewal?.stage, renewal?.id == id else { return }
        renewal = nil
        if stage == .done { return review(isRenewed: true) }
        if isOver, !isLeftToOthers, tokens != nil { remove() }
        lastFailure = failure
        if !isOver, let failure { endWaits { _ in .unrenewed(failure) } } else { refuseAll(with: failure) }
        review()
    }

    private mutating func remove() {
        tokens = nil
        generation += 1
        isLoaded = true
        lastFailure = nil
    }

    /// All commands of the epoch hear that it is over.
    private mutating func endEpoch() {
        guard let number = epoch?.number else { return }
        if let name = epoch?.lineage.epoch { news.endedLogins.append(name) }
        epoch = nil
        for (id, watcher) in watchers.sorted(by: { $0.key < $1.key }) where watcher.epoch == number {
            watchers[id] = nil
            news.ended.append(watcher.ended)
        }
    }

    // MARK: Following

    /// The number of the login that there is, or else of the next one.
    var epochToJoin: Int { epoch?.number ?? lastEpoch + 1 }

    /// Whether the login that a command belongs to has ended. One that is still to come has not.
    func isOver(_ membership: CommandEpoch) -> Bool {
        if case .epoch(let number) = membership { number < epochToJoin } else { false }
    }

    /// Whether the login that a command belongs to is still to come.
    func isToCome(_ membership: CommandEpoch) -> Bool {
        if case .epoch(let number) = membership { number > lastEpoch } else { false }
    }

    mutating func watch(_ number: Int, _ ended: @escaping @Sendable () -> Void) -> Int? {
        if isOver(.epoch(number)) { return nil }
        lastID += 1
        watchers[lastID] = (number, ended)
        return lastID
    }

    mutating func unwatch(_ id: Int) { watchers[id] = nil }

    private var phase: SessionPhase {
        guard let epoch else { return .loggedOut }
        if renewal != nil { return .renewing(identity: epoch.identity) }
        return tokens == nil ? .expired(identity: epoch.identity) : .loggedIn(identity: epoch.identity)
    }

    mutating func follow(_ stream: AsyncStream<SessionPhase>.Continuation) -> Int {
        tellPhase()
        return followers.add(stream)
    }

    mutating func followGenerations(_ stream: AsyncStream<Int>.Continuation) -> Int {
        tellPhase()
        return followers.add(stream)
    }

    mutating func unfollow(_ id: Int) { followers.remove(id) }
    func finishFollowing() { followers.finish() }

    mutating func tellPhase() {
        if isLoaded { followers.tell(phase, of: epoch?.number, renewal == nil ? generation : nil) }
    }
}
