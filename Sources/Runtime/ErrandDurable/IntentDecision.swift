import ErrandRuntime

/// How a run of a durable command ended without a success. A run is a command with all of its attempts.
struct IntentEnd: Sendable {
    let effect: Effect
    /// The failure's name, as the contract or the list of built-in errors has it.
    let name: String
    let category: ErrorCategory
    let applied: Applied
    /// Whether the service itself has refused the command. Anything else may be different at another time.
    var isRefusal = false
    /// Whether the server may have forgotten the idempotency key.
    var isKeyExpired = false
    /// Whether the contract names a read that tells how the command ended, and it may be asked once more.
    var mayConfirm = false
    /// Whether the app has canceled the command.
    var isCancelled = false
    /// Whether the command's lifetime has ended during the run, which cancels a run that waits.
    var isExpired = false
    /// Whether the command's user has tokens. The server has refused those of the run, or the user has others by now.
    var isLoggedIn = true
}

/// What becomes of a durable command after a run.
enum IntentStep: Sendable, Equatable {
    /// It was carried out, although its response can't be read.
    case deliver
    /// It isn't sent any more.
    case settle(OutboxEntry.Reason)
    /// It is sent again later.
    ///
    /// - mayHaveBeenApplied: whether the server may have carried out an attempt of this run.
    /// - pauses: whether time has to pass. Otherwise it is sent as soon as its user is logged in.
    case wait(OutboxEntry.Reason, mayHaveBeenApplied: Bool, pauses: Bool)
}

/// Decides what becomes of a durable command after a run without a success.
///
/// Architecture invariant: only this function makes that decision, and it is pure. A command whose effect could be repeated is never
/// sent again. Any other command is sent again until the service has refused it: a fault of the device, the network, a server in between
/// or the service itself ends no command.
func afterRun(_ end: IntentEnd) -> IntentStep {
    if end.applied == .yes { return .deliver }
    let isUnconfirmed = end.name == CommandFault.Kind.unconfirmed.rawValue
    let mayHaveBeenApplied = isUnconfirmed || end.applied != .never
    if end.isExpired, CommandFault.Kind(rawValue: end.name) == .cancelled {
        return .settle(mayHaveBeenApplied && end.effect.isUnsafe ? .unconfirmed : .expired)
    }
    if end.isCancelled { return .settle(mayHaveBeenApplied && end.effect.isUnsafe ? .unconfirmed : .cancelled) }
    if mayHaveBeenApplied, end.effect == .once, !end.mayConfirm { return .settle(.unconfirmed) }
    if mayHaveBeenApplied, end.effect == .keyed, end.isKeyExpired, !end.mayConfirm { return .settle(.unconfirmed) }
    if isUnconfirmed { return .wait(.failedForNow, mayHaveBeenApplied: true, pauses: true) }
    if CommandFault.Kind(rawValue: end.name) == .sessionEnded {
        return .wait(.needsLogin, mayHaveBeenApplied: mayHaveBeenApplied, pauses: false)
    }
    switch end.category {
    case .nonRetryable where end.isRefusal:
        return .settle(mayHaveBeenApplied && end.effect.isUnsafe ? .unconfirmed : .failed)
    case .requiresLogout:
        return .wait(.needsLogin, mayHaveBeenApplied: mayHaveBeenApplied, pauses: end.isLoggedIn)
    case .retryable, .nonRetryable:
        return .wait(.failedForNow, mayHaveBeenApplied: mayHaveBeenApplied, pauses: true)
    }
}
