#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A command's question to the gate.
struct SessionQuestion: Sendable {
    enum Aim: Sendable {
        /// For the session, before it is sent.
        case enter
        /// For a later session than that of this generation.
        case replace(Int)
    }

    let aim: Aim
    let membership: CommandEpoch
    let use: SessionUse
    /// The command takes the current session as it is: it ends the session, or a login closure waits for it.
    let waitsForNobody: Bool
    /// A responder sends it. The app's login that is under way may wait for that very responder.
    let isSentByResponder: Bool
    /// Whether the command has waited for a renewal already. The session it got is then used once, regardless of its stated
    /// expiry.
    var isRenewed: Bool
    let wallTime: @Sendable () -> Date
}

/// The gate's immediate reply.
enum SessionAnswer: Sendable {
    case pass(SessionPass)
    /// There is something to wait for.
    case wait
    /// There is something to wait for after the renewal has been started.
    case renew
}

/// The gate's final reply.
package enum SessionPass: Sendable {
    case granted(SessionSnapshot)
    /// No session can be obtained; with the reason if it is known.
    case refused((any Error)?)
    /// The session is valid, or may be, but could not be renewed. A renewal without a response shows nothing about the session.
    case unrenewed(any Error)
    /// The epoch that the command belongs to is over.
    case ended
}

/// One command that waits at the gate.
package struct SessionWaiter: Sendable {
    package typealias Place = Suspension<WaitResult<SessionAdmission>>

    let place: Place
    let question: SessionQuestion
    /// Starts the renewal, if this one is the first to need it.
    let start: DispatcherEnvironment.TaskStarter
    let order: WaitingOrder
    /// Tells it from others of its order, which another dispatcher has given.
    let number: Int
}

/// What a command that has waited at the gate gets. An object, because a command that waits has room for several copies.
package final class SessionAdmission: Sendable {
    package let pass: SessionPass
    /// Nil if no other waits for the end of its turn.
    let turn: GateTurn?

    init(pass: SessionPass, turn: GateTurn?) {
        self.pass = pass
        self.turn = turn
    }
}

/// A renewal under way: silently, or by asking the app for a login.
struct SessionRenewal: Sendable {
    enum Stage: Sendable {
        /// With the refresh token, or with what another process has got.
        case silent
        /// The app's closure runs.
        case asking
        /// The command that it started is being sent.
        case sending
        /// There is a new session. A waiting command hears of it when the store has it, and the command that got it has ended.
        case done
    }

    let id: Int
    let start: SessionVersion
    var stage = Stage.silent
    /// Nil until it runs.
    var task: Task<Void, Never>?
}

/// The work to do when the lock of the session is released.
struct SessionNews: Sendable {
    /// The commands that get no session.
    var refusals: [(place: SessionWaiter.Place, pass: SessionPass)] = []
    /// Whether commands may go on.
    var isReleasing = false
    /// The commands that wait for the store to be read.
    var loaded: [Suspension<Void>] = []
    /// The commands that want to hear that their epoch is over.
    var ended: [@Sendable () -> Void] = []
    /// The names of the logins that are over. What caches keep of them is gone before the store hears of it.
    var endedLogins: [String] = []
    /// Whether the store was read for the first time.
    var isLoaded = false
    var cancelled: [Task<Void, Never>] = []
    var renewal: (SessionRenewal, start: DispatcherEnvironment.TaskStarter)?
    /// Whether there is a session again for those whom its end has stopped.
    var isBegun = false
}
