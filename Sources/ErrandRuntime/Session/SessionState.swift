#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a session knows, and all steps that must be taken at once.
struct SessionState: Sendable {
    typealias Waiter = GateWaiter<SessionPass>

    private(set) var tokens: SessionTokens?
    /// Which session of all it is, and what of it anybody may start from.
    private(set) var basis = SessionBasis()
    private(set) var isLoaded = false
    /// The clients that share the session.
    var routes = SessionRoutes()
    /// What the store has yet to be told.
    var ledger = StoreLedger()

    /// Who waits for the renewal under way, and since which era; nil where none is.
    private var waiters: [(waiter: Waiter, era: Int)]?
    /// Why the last renewal failed.
    private var lastFailure: (any Error)?

    var grant: SessionGrant { SessionGrant(generation: basis.generation, tokens: tokens) }

    /// The client that gets new tokens for the refresh token there is.
    var refreshRoute: ServiceRoute? { tokens.flatMap { routes.refresher(of: $0) } }

    /// Whether the refresh token is good for nothing here, where no client can use it. Another process that shares
    /// the store may have one that can: the session is not this one's to end.
    private var isLeftToOthers: Bool { tokens?.refresh != nil && refreshRoute == nil }

    // MARK: Beginning and ending

    /// The app's own tokens begin a session whatever there was.
    mutating func begin(_ tokens: SessionTokens) {
        basis.era += 1
        routes.began = nil
        replace(tokens)
    }

    /// The answer to a login or a renewal begins a session, unless the one it started from is gone:
    /// a late answer neither undoes a logout nor replaces another user's session.
    mutating func begin(
        _ tokens: SessionTokens, from start: SessionBasis, isRenewal: Bool, through route: ServiceRoute
    ) -> Bool {
        var tokens = tokens
        if isRenewal {
            guard start.generation == basis.generation else { return false }
            // A server that sends no new refresh token lets the old one stand.
            tokens.refresh = tokens.refresh ?? self.tokens?.refresh
        } else {
            guard start.era == basis.era else { return false }
            basis.era += 1
        }
        tokens.service = route.service.name
        routes.began = route
        replace(tokens)
        return true
    }

    /// Takes over what another process has renewed, unless the store has yet to be told of something later: it must
    /// not bring back what somebody has just logged out of.
    mutating func adopt(_ kept: SessionTokens, from start: SessionBasis) -> Bool {
        guard start.generation == basis.generation, ledger.isKept(basis.generation), kept.access != tokens?.access
        else { return false }
        routes.began = nil
        replace(kept)
        ledger.noteKept(basis.generation)
        return true
    }

    /// The app ends the session, or a logout does.
    mutating func end() {
        basis.era += 1
        replace(nil)
    }

    /// The answer to a logout ends the session that it was sent for.
    mutating func end(from start: SessionBasis) -> Bool {
        guard start.era == basis.era else { return false }
        end()
        return true
    }

    mutating func expire(_ generation: Int) -> Bool {
        guard generation == basis.generation, waiters == nil, tokens != nil, !isLeftToOthers else { return false }
        replace(nil)
        return true
    }

    mutating func finishLoading(_ tokens: SessionTokens?) {
        if isLoaded { return }
        isLoaded = true
        guard let tokens else { return }
        self.tokens = tokens
        basis.generation += 1
        ledger.noteKept(basis.generation)
    }

    private mutating func replace(_ tokens: SessionTokens?) {
        self.tokens = tokens
        basis.generation += 1
        isLoaded = true
        lastFailure = nil
    }

    // MARK: The gate

    func isReplaceable(after generation: Int, hasLogin: Bool) -> Bool {
        // Even where nothing can be done about them, another process may have put better ones into the store.
        waiters != nil || basis.generation > generation || hasLogin || tokens != nil
    }

    /// Answers who wants to pass: at once, or nil after joining the renewal.
    ///
    /// - Parameter start: set where the renewal has yet to be started, to what it starts from.
    mutating func pass(
        _ question: SessionQuestion, hasLogin: Bool, waiter: Waiter?,
        start: inout SessionBasis?
    ) -> SessionPass? {
        if waiters == nil {
            switch question {
            case .enter(let use, let now):
                let isExpired = tokens?.expiry.map { $0 <= now() } ?? false
                let isWanting = tokens == nil ? use == .required && hasLogin : isExpired
                guard isWanting, hasLogin || refreshRoute != nil else { return .granted(grant) }
            case .replace(let generation):
                if basis.generation > generation {
                    return tokens == nil ? .refused(lastFailure) : .granted(grant)
                }
                guard hasLogin || tokens != nil else { return .refused(nil) }
            }
        }
        guard let waiter else { return nil }
        if waiters == nil {
            waiters = []
            start = basis
        }
        waiters?.append((waiter, basis.era))
        return nil
    }

    /// Begins the renewal of a generation before anybody waits for it; nil where there is none to begin.
    mutating func beginRenewal(after generation: Int) -> SessionBasis? {
        guard waiters == nil, basis.generation == generation else { return nil }
        waiters = []
        return basis
    }

    mutating func removeWaiter(_ waiter: Waiter) {
        waiters?.removeAll { $0.waiter === waiter }
    }

    /// Ends the renewal, and gives whom to tell what.
    ///
    /// - Parameters:
    ///   - start: what was to be renewed.
    ///   - isOver: whether the session that there was is good for nothing any more.
    mutating func finishRenewal(
        from start: SessionBasis, failure: (any Error)?, isOver: Bool
    ) -> [(waiter: Waiter, pass: SessionPass)] {
        let waiting = waiters ?? []
        waiters = nil
        if basis.generation > start.generation, tokens != nil {
            return waiting.map { ($0.waiter, .granted(grant)) }
        }
        if basis.era > start.era {
            // The session was ended meanwhile. Who came after that asks for another one.
            return waiting.map { ($0.waiter, $0.era > start.era ? .again : .refused(failure)) }
        }
        if isOver, basis.generation == start.generation, !isLeftToOthers { replace(nil) }
        lastFailure = failure
        return waiting.map { ($0.waiter, .refused(failure)) }
    }
}

/// What somebody may start from who is going to change the session: a change that starts from
/// something else than what there is comes too late.
struct SessionBasis: Sendable, Hashable {
    /// Counts sessions, that is beginnings, renewals and endings: a failure of an older one says
    /// nothing about this one.
    var generation = 0
    /// Counts what people did: logins and logouts. A renewal, an expiry and the reading of the store
    /// leave it as it is, so that they get in no login's way.
    var era = 0
}

/// What a command asks at the gate.
enum SessionQuestion: Sendable {
    /// For the session, before it is sent.
    case enter(SessionUse, now: @Sendable () -> Date)
    /// For a better one than that of this generation.
    case replace(Int)
}

extension SessionQuestion {
    static func enter(_ call: CommandCall) -> SessionQuestion {
        .enter(call.endpoint.session, now: call.environment.wallTime)
    }
}

/// What the gate answers.
enum SessionPass: Sendable {
    case granted(SessionGrant)
    /// The login that the command belongs to is over.
    case ended
    /// There is no session to be had, and why where that is known.
    case refused((any Error)?)
    /// What was waited for is over, and says nothing about who came later.
    case again
}
