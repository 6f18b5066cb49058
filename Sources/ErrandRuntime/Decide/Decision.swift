/// What is to be decided upon: a failed attempt, and everything that bears on what comes next.
struct Situation: Sendable {
    var effect: Effect
    var category: ErrorCategory
    /// Whether the failed attempt may have been carried out, evidence considered.
    var applied: Applied
    var evidence: Evidence
    /// How many times it was sent, replays after a login not counted.
    var attempts: Int
    var rule: RetryRule
    /// Whether the host's retry budget allows one more.
    var isWithinBudget = true
    /// How much of the deadline is left.
    var timeLeft: Duration
    /// How long the server asked to wait.
    var retryAfter: Duration?
    /// Whether an attempt, this one or an earlier one, may have been carried out.
    var isOpen: Bool
    /// Whether the contract names the error.
    var isDeclared = false
    /// Whether it was a 409 while an earlier attempt was open. To a key, that means that the server is
    /// still busy with the attempt before (draft-ietf-httpapi-idempotency-key-header, section 2.7).
    var isConflict = false
    var isCancelled = false
    /// Whether a new session may be had, or is there already.
    var canRenewSession = false
    /// Whether there is no network, and somebody will say when it is back.
    var isOffline = false
    /// A random number, at least 0 and below 1.
    var jitter: Double
}

/// What is done about it.
enum Decision: Sendable, Hashable {
    /// It is sent again after a pause.
    case resend(after: Duration)
    /// It waits at a gate and is sent again from there.
    case park(Gate)
    /// It ends, with its failure.
    case complete
    /// It ends, and nobody knows whether it was carried out.
    case completeUnconfirmed
}

/// What a command can wait at.
enum Gate: Sendable, Hashable {
    /// The return of the network.
    case connectivity
    /// A login or a renewal.
    case session
}

/// Decides what comes after a failed attempt. Pure: no clock, no dice, no input or output.
func decide(_ situation: Situation) -> Decision {
    if situation.isCancelled { return conclude(situation) }
    // What may have taken effect is repeated only where repeating does no harm.
    let isRepeatable = situation.effect != .once || situation.applied == .never
    guard isRepeatable else { return conclude(situation) }
    if situation.isOffline, situation.timeLeft > .zero { return .park(.connectivity) }
    switch situation.category {
    case .nonRetryable: return situation.isBusyWithKey ? resend(situation) : conclude(situation)
    case .requiresLogout: return situation.canRenewSession ? .park(.session) : conclude(situation)
    case .retryable: return resend(situation)
    }
}

extension Situation {
    /// Whether the server will know more about the key later. An error that the contract declares for
    /// a 409 says what it means instead.
    fileprivate var isBusyWithKey: Bool { effect == .keyed && isConflict && !isDeclared }
}

/// It is sent again, if there is still time for it.
private func resend(_ situation: Situation) -> Decision {
    guard situation.attempts < situation.rule.attempts, situation.isWithinBudget else {
        return conclude(situation)
    }
    let pause = situation.rule.pause(after: situation.attempts, jitter: situation.jitter)
    let delay = max(pause, situation.retryAfter ?? .zero)
    return delay < situation.timeLeft ? .resend(after: delay) : conclude(situation)
}

/// How it ends if it is not sent again: with its failure, or open.
func conclude(_ situation: Situation) -> Decision {
    guard situation.effect == .keyed || situation.effect == .once, situation.isOpen else {
        return .complete
    }
    // A final answer to a key settles the attempts before it, and an error that the contract declares
    // as final is what the app wants to hear of.
    let isFinal = situation.evidence == .responded && situation.category == .nonRetryable
    let settles = isFinal && !situation.isBusyWithKey
        && (situation.isDeclared || situation.applied == .never)
    return settles && !situation.isCancelled ? .complete : .completeUnconfirmed
}
