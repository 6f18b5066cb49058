import ContractModel

/// The runtime's action after a failed attempt: what `decide` chooses with enough time and budget left.
enum Consequence: Hashable {
    case isSentAgain
    case isSentAgainAfterLogin
    /// It ends with the failure.
    case ends
    /// It ends, and its effect on the server is unknown.
    case endsUnconfirmed

    /// The facts that decide the consequence.
    struct Failure {
        var category: ErrorCategory
        var applied: Applied
        /// Whether the endpoint itself lists the error.
        var isOwn: Bool
        /// Whether a response arrived; otherwise the transport failed.
        var isAnswered: Bool
        /// Whether it may start a login if it asks for one.
        var renews = true
    }

    init(_ failure: Failure, effect: Effect, attempts: Int, canLogIn: Bool) {
        let context = RetryContext(
            effect: effect, category: failure.category, applied: failure.applied, isOpen: failure.applied == .maybe,
            evidence: failure.isAnswered ? .responded : .sent, isOwn: failure.isOwn, attempts: 1,
            rule: RetryRule(attempts: attempts), timeLeft: .seconds(1), jitter: 0,
            canRenewSession: canLogIn && failure.renews)
        switch decide(context) {
        case .resend: self = .isSentAgain
        case .wait: self = .isSentAgainAfterLogin
        case .complete(let isUnconfirmed): self = isUnconfirmed ? .endsUnconfirmed : .ends
        // No fact of the context leads to these.
        case .retryTransparently, .beginRound, .confirm, .raiseIncident: self = .ends
        }
    }

    func text(effect: Effect, attempts: Int) -> String {
        switch self {
        case .isSentAgain: "sent again\(effect == .keyed ? " with the same key" : ""), \(attempts) attempts in total"
        case .isSentAgainAfterLogin: "a login, then sent again"
        case .ends: "ends with it"
        case .endsUnconfirmed: "ends as `unconfirmed`"
        }
    }
}
