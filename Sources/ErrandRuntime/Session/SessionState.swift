#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a session knows, and all steps that must be taken at once.
struct SessionState: Sendable {
    typealias Waiter = CheckedContinuation<SessionPass, Never>

    private(set) var tokens: SessionTokens?
    /// Counts beginnings and endings: a failure of an older generation says nothing about this one.
    private(set) var generation = 0
    private(set) var isLoaded = false
    /// The clients that share the session, by their service.
    var routes: [ObjectIdentifier: ServiceRoute] = [:]
    /// Who waits for the renewal under way; nil where none is.
    private var waiters: [Int: Waiter]?
    private var nextWaiter = 0
    /// Why the last renewal failed.
    private var lastFailure: (any Error)?

    var grant: SessionGrant { SessionGrant(generation: generation, tokens: tokens) }

    /// A client with a refresh command, where there is a refresh token for it.
    var refreshRoute: ServiceRoute? {
        tokens?.refresh == nil ? nil : routes.values.first { $0.refresh != nil }
    }

    // MARK: Beginning and ending

    mutating func begin(_ tokens: SessionTokens) {
        self.tokens = tokens
        generation += 1
        isLoaded = true
        lastFailure = nil
    }

    mutating func end() {
        tokens = nil
        generation += 1
        isLoaded = true
        lastFailure = nil
    }

    mutating func expire(_ generation: Int) -> Bool {
        guard generation == self.generation, waiters == nil, tokens != nil else { return false }
        end()
        return true
    }

    mutating func finishLoading(_ tokens: SessionTokens?) {
        if isLoaded { return }
        isLoaded = true
        guard let tokens else { return }
        self.tokens = tokens
        generation += 1
    }

    /// Keeps the refresh token that was used, where the server sent no new one.
    mutating func keep(refresh: String) -> SessionTokens? {
        guard var tokens, tokens.refresh == nil else { return nil }
        tokens.refresh = refresh
        self.tokens = tokens
        return tokens
    }

    // MARK: The gate

    func isReplaceable(after generation: Int, hasLogin: Bool) -> Bool {
        waiters != nil || self.generation > generation || hasLogin || refreshRoute != nil
    }

    /// Answers who wants to pass: at once, or nil after joining the renewal.
    ///
    /// - Parameter isStarting: set where the renewal has yet to be started.
    mutating func pass(
        _ question: SessionQuestion, hasLogin: Bool, id: Int, waiter: Waiter?, isStarting: inout Bool
    ) -> SessionPass? {
        if waiters == nil {
            switch question {
            case .enter(let use, let now):
                let isExpired = tokens?.expiry.map { $0 <= now() } ?? false
                let isWanting = tokens == nil ? use == .required && hasLogin : isExpired
                guard isWanting, hasLogin || refreshRoute != nil else { return .granted(grant) }
            case .replace(let generation):
                if self.generation > generation {
                    return tokens == nil ? .refused(lastFailure) : .granted(grant)
                }
                guard hasLogin || refreshRoute != nil else { return .refused(nil) }
            }
        }
        guard let waiter else { return nil }
        if waiters == nil {
            waiters = [:]
            isStarting = true
        }
        waiters?[id] = waiter
        return nil
    }

    mutating func makeWaiterID() -> Int {
        nextWaiter += 1
        return nextWaiter
    }

    mutating func removeWaiter(_ id: Int) -> Waiter? {
        waiters?.removeValue(forKey: id)
    }

    /// Ends the renewal, and gives whom to tell what.
    ///
    /// - Parameters:
    ///   - started: the generation that was to be renewed.
    ///   - isOver: whether the session that there was is good for nothing any more.
    mutating func finishRenewal(
        of started: Int, failure: (any Error)?, isOver: Bool
    ) -> (waiters: [Waiter], pass: SessionPass, isEnded: Bool) {
        let waiting = (waiters ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        waiters = nil
        if generation > started, tokens != nil { return (waiting, .granted(grant), false) }
        var isEnded = false
        if isOver, generation == started {
            isEnded = tokens != nil
            end()
        }
        lastFailure = failure
        return (waiting, .refused(failure), isEnded)
    }
}

/// What a command asks at the gate.
enum SessionQuestion: Sendable {
    /// For the session, before it is sent.
    case enter(SessionUse, now: @Sendable () -> Date)
    /// For a better one than that of this generation.
    case replace(Int)
}

/// What the gate answers.
enum SessionPass: Sendable {
    case granted(SessionGrant)
    /// The task was cancelled while it waited.
    case cancelled
    /// There is no session to be had, and why where that is known.
    case refused((any Error)?)
}
