import ContractModel

/// The runtime's action after a failed attempt: what `decide` chooses with enough time and budget left.
enum Consequence: Hashable {
    case isSentAgain
    case isSentAgainAfterLogin
    case isSentAgainOnNextConnection
    /// It ends with the failure.
    case ends
    /// It succeeds, because it was done already.
    case succeeds
    /// It ends with the failure, or succeeds after an attempt that may have been carried out.
    case endsOrSucceeds
    /// It ends, and its effect on the server is unknown.
    case endsUnconfirmed

    /// The facts that decide the consequence.
    struct Failure {
        var category: ErrorCategory
        var applied: Applied
        /// Whether the endpoint itself lists the error.
        var isEndpointSpecific: Bool
        /// How far the request got: a response arrived, or the transport failed.
        var evidence: Evidence
        /// Whether the connection was lost, closed, or could not be opened.
        var isOverConnection = false
        /// Whether it may start a login if it asks for one.
        var renews = true
        /// When the contract takes it for the success of a command that was done already; nil for never.
        var settles: SettlingRule?
    }

    init(_ failure: Failure, effect: Effect, rule: RetryRule, canLogIn: Bool) {
        var context = RetryContext(
            effect: effect, category: failure.category, applied: failure.applied,
            mayHaveBeenApplied: failure.applied == .maybe,
            evidence: failure.evidence, isEndpointSpecific: failure.isEndpointSpecific, settling: failure.settles,
            attempts: 1, rule: rule, timeLeft: .seconds(1), jitter: 0,
            canRenewSession: canLogIn && failure.renews, isOverConnection: failure.isOverConnection)
        switch decide(context) {
        case .resend: self = .isSentAgain
        case .wait(.connection): self = .isSentAgainOnNextConnection
        case .wait: self = .isSentAgainAfterLogin
        case .complete(let isUnconfirmed):
            context.isAfterOpenAttempt = true
            if decide(context) == .succeed {
                self = .endsOrSucceeds
            } else {
                self = isUnconfirmed ? .endsUnconfirmed : .ends
            }
        case .succeed: self = .succeeds
        // No fact of the context leads to these.
        case .retryTransparently, .beginRound, .confirm, .raiseIncident, .useStaleResponse: self = .ends
        }
    }

    func text(effect: Effect, attempts: Int) -> String {
        switch self {
        case .isSentAgain: "sent again\(effect == .keyed ? " with the same key" : ""), \(attempts) attempts in total"
        case .isSentAgainAfterLogin: "a login, then sent again"
        case .isSentAgainOnNextConnection:
            "sent again on the next connection\(effect == .keyed ? " with the same key" : ""), \(attempts) attempts in total"
        case .ends: "ends with it"
        case .succeeds: "succeeds, because it was done already"
        case .endsOrSucceeds: "ends with it, or succeeds if an earlier attempt may have been carried out"
        case .endsUnconfirmed: "ends as `unconfirmed`"
        }
    }
}
