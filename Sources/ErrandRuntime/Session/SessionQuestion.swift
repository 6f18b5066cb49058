#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a command asks at the gate.
struct SessionQuestion: Sendable {
    enum Aim: Sendable {
        /// For the session, before it is sent.
        case enter
        /// For a better one than that of this generation.
        case replace(Int)
    }

    let aim: Aim
    let membership: SessionMembership
    let use: SessionUse
    /// The command takes the current session as it is: it ends the session, or a login closure waits for it.
    let waitsForNobody: Bool
    /// A responder sends it. The app's login that is under way may wait for that very responder.
    let isResponders: Bool
    /// Whether it has waited for a renewal already. What that gave is used once, whatever is said about when it ends.
    var isRenewed: Bool
    let wallTime: @Sendable () -> Date
}

/// What the gate says at once.
enum SessionAnswer: Sendable {
    case pass(SessionPass)
    /// There is something to wait for.
    case wait
    /// There is something to wait for after the renewal has been started.
    case renew
}

/// What the gate gives in the end.
enum SessionPass: Sendable {
    case granted(SessionGrant)
    /// A session can't be had; with the reason where it is known.
    case refused((any Error)?)
    /// The session is still good, or might be, but could not be renewed: a renewal without an answer says nothing about it.
    case unrenewed(any Error)
    /// The epoch that the command belongs to is over.
    case ended
}

/// One command that waits at the gate.
struct SessionWaiter: Sendable {
    typealias Place = Suspension<WaitResult<SessionPass>>

    let place: Place
    let question: SessionQuestion
    /// Starts the renewal, where this one is the first to need it.
    let start: DispatcherEnvironment.TaskStarter
    /// The order in which they came.
    let number: Int
}

/// A renewal under way: silently, or by asking the app for a login.
struct SessionRenewal: Sendable {
    enum Stage: Sendable {
        /// With the refresh token, or with what another process has got.
        case silent
        /// The app's closure runs.
        case asking
        /// What it gave is being sent.
        case sending
        /// There is a new session. A waiting command hears of it when the store has it, and the command that got it has ended.
        case done
    }

    let id: Int
    let start: SessionBasis
    var stage = Stage.silent
    /// Nil until it runs.
    var task: Task<Void, Never>?
}

/// What is to be done when the lock of the session is open again.
struct SessionNews: Sendable {
    var passes: [(place: SessionWaiter.Place, pass: SessionPass)] = []
    /// The commands that wait for the store to be read.
    var loaded: [Suspension<Void>] = []
    /// The commands that want to hear that their epoch is over.
    var ended: [@Sendable () -> Void] = []
    var cancelled: [Task<Void, Never>] = []
    var renewal: (SessionRenewal, start: DispatcherEnvironment.TaskStarter)?
    /// Whether there is a session again for those whom its end has stopped.
    var isBegun = false
}
