/// A failed attempt, and everything that bears on what comes next.
package struct RetryContext: Sendable {
    package var effect: Effect
    /// The contract's category of the failure.
    package var category: ErrorCategory
    /// Whether the failed attempt may have been carried out, evidence considered.
    package var applied: Applied
    /// Whether an attempt, this one or an earlier one, may have been carried out.
    package var mayHaveBeenApplied: Bool
    /// How far the attempt got.
    package var evidence: Evidence
    /// Whether the attempt ended with a kept connection, before the first line of a response.
    package var isStaleConnection: Bool
    /// Whether a command that was sent again because of a kept connection has failed at the host, and no kept connection has carried
    /// a response since.
    package var isStaleRetryInVain: Bool
    /// Whether the attempt was sent a second time already, because the server had not processed it.
    package var isTransparentRetry: Bool
    /// Whether the endpoint itself lists the error. What all endpoints can fail with may come from a gateway.
    package var isEndpointSpecific: Bool
    /// When the contract takes the error for a success of the command (`settles`); nil for never.
    package var settling: SettlingRule?
    /// Whether an attempt before the failed one may have been carried out, and no read has shown since that none was.
    package var isAfterOpenAttempt: Bool
    /// Whether the command cannot be sent again, regardless of its effect, because its body can be read only once and was read.
    package var isBodyConsumed: Bool
    /// Whether the failure stays what it is however often the command is sent: its input breaks the contract, or a gate
    /// refused it.
    package var isPermanent: Bool
    package var isCancelled: Bool
    /// Whether the login that the command belongs to is over.
    package var isSessionOver: Bool

    // MARK: Sending again

    /// How many times it was sent in this round, replays after a login and transparent retries not counted.
    package var attempts: Int
    package var rule: RetryRule
    /// Whether the host's retry budget allows one more.
    package var isWithinBudget: Bool
    /// How much of the deadline is left, or of the patience with which a stream is opened again.
    package var timeLeft: Duration
    /// Whether a stream is to be opened again that has delivered elements. Only the time that is left bounds how often.
    package var isReopening: Bool
    /// How much is left of the window of the reopening before this one.
    package var windowLeft: Duration
    /// Whether the failed attempt has brought a transfer so far forward that its attempts begin anew.
    package var hasAdvanced: Bool
    /// How long the server asked to wait: it is sent again no earlier.
    package var retryAfter: Duration?
    /// Whether it was an undeclared 409 while an earlier attempt was open. To a key, that means that the server is
    /// still busy with the attempt before (draft-ietf-httpapi-idempotency-key-header, section 2.7).
    package var isConflict: Bool
    /// Whether the idempotency key is of no use any more: the server may have forgotten it, or has stored a failure under it.
    package var isKeySpent: Bool
    /// A random number, at least 0 and below 1.
    package var jitter: Double

    // MARK: Waiting at gates

    /// Whether the network is down, and its return will be noticed.
    package var isOffline: Bool
    /// How many attempts of this round found no network.
    package var losses: Int
    /// Whether a new session exists or can be obtained.
    package var canRenewSession: Bool
    /// How many times in this round it was sent again with another session.
    package var renewals: Int

    // MARK: Connections

    /// Whether the failure is that of the connection that the command traveled over: it was lost or closed, or could not be opened.
    /// The command is sent again over the next one, whose opening has the pause and takes the budget's token.
    package var isOverConnection: Bool

    // MARK: Caching

    /// Whether the cache has a stale response that may be used in place of this failure (RFC 9111 section 4.2.4).
    package var hasStaleResponse: Bool

    // MARK: Confirming

    /// Whether the contract names a read that tells how the command ended, and the host may respond to it.
    package var confirmation: Confirmation

    // MARK: Asking

    /// Whether the failure concerns an incident, and the command has patience left to wait for its end.
    package var canAsk: Bool
    /// How the incident ended for this failure; nil if none was raised.
    package var outcome: IncidentOutcome?
    /// How many incidents of this round have ended because their cause did.
    package var withdrawals: Int
    /// How many rounds responders have started.
    package var rounds: Int
    package var maximumRounds: Int

    package init(
        effect: Effect, category: ErrorCategory, applied: Applied, mayHaveBeenApplied: Bool, evidence: Evidence,
        isStaleConnection: Bool = false, isStaleRetryInVain: Bool = false, isTransparentRetry: Bool = false,
        isEndpointSpecific: Bool = false, settling: SettlingRule? = nil, isAfterOpenAttempt: Bool = false,
        isBodyConsumed: Bool = false,
        isPermanent: Bool = false, isCancelled: Bool = false, isSessionOver: Bool = false,
        attempts: Int, rule: RetryRule, isWithinBudget: Bool = true, timeLeft: Duration, isReopening: Bool = false,
        windowLeft: Duration = .zero, hasAdvanced: Bool = false,
        retryAfter: Duration? = nil, isConflict: Bool = false, isKeySpent: Bool = false, jitter: Double,
        isOffline: Bool = false, losses: Int = 0, canRenewSession: Bool = false, renewals: Int = 0,
        isOverConnection: Bool = false, hasStaleResponse: Bool = false, confirmation: Confirmation = .none,
        canAsk: Bool = false,
        outcome: IncidentOutcome? = nil,
        withdrawals: Int = 0, rounds: Int = 0, maximumRounds: Int = 5
    ) {
        self.effect = effect
        self.category = category
        self.applied = applied
        self.mayHaveBeenApplied = mayHaveBeenApplied
        self.evidence = evidence
        self.isStaleConnection = isStaleConnection
        self.isStaleRetryInVain = isStaleRetryInVain
        self.isTransparentRetry = isTransparentRetry
        self.isEndpointSpecific = isEndpointSpecific
        self.settling = settling
        self.isAfterOpenAttempt = isAfterOpenAttempt
        self.isBodyConsumed = isBodyConsumed
        self.isPermanent = isPermanent
        self.isCancelled = isCancelled
        self.isSessionOver = isSessionOver
        self.attempts = attempts
        self.rule = rule
        self.isWithinBudget = isWithinBudget
        self.timeLeft = timeLeft
        self.isReopening = isReopening
        self.windowLeft = windowLeft
        self.hasAdvanced = hasAdvanced
        self.retryAfter = retryAfter
        self.isConflict = isConflict
        self.isKeySpent = isKeySpent
        self.jitter = jitter
        self.isOffline = isOffline
        self.losses = losses
        self.canRenewSession = canRenewSession
        self.renewals = renewals
        self.isOverConnection = isOverConnection
        self.hasStaleResponse = hasStaleResponse
        self.confirmation = confirmation
        self.canAsk = canAsk
        self.outcome = outcome
        self.withdrawals = withdrawals
        self.rounds = rounds
        self.maximumRounds = maximumRounds
    }

    /// The state of the contract's `confirm`.
    package enum Confirmation: Sendable, Hashable, CaseIterable {
        /// The contract names no such read.
        case none
        /// It was not made yet.
        case possible
        /// It found that no attempt was carried out.
        case foundNothing
        /// It failed, or cannot be made.
        case failed
    }
}

/// The next step after a failed attempt.
package enum Decision: Sendable, Hashable {
    /// The same attempt is sent once more at once, on a new connection, because the server has not processed it. It counts
    /// neither against the attempts nor against the budget.
    case retryTransparently
    /// The command is sent again after a pause.
    case resend(after: Duration)
    /// It starts a new round, with all of its attempts and its deadline, after a pause.
    case beginRound(after: Duration)
    /// It waits for the network, for a session or for a connection, and is sent again from there. The place is `connectivity`,
    /// `session` or `connection`.
    case wait(WaitReason)
    /// The contract's `confirm` is asked how it ended.
    case confirm
    /// Its failure is put to the responders.
    case raiseIncident
    /// It succeeds, without a payload: the response says that what the command asks for is there.
    case succeed
    /// It succeeds with a stale response of the cache.
    case useStaleResponse
    /// It ends: with its failure, or as `unconfirmed` if its effect on the server is unknown.
    case complete(isUnconfirmed: Bool)
}

/// Bounds of every loop of a command. `decide` sees the counters.
package enum RetryBounds {
    /// How many times in one round a command is sent again with another session. More would mean that the server
    /// refuses every session there is.
    package static let renewals = 2
    /// How many times in one round a command waits for the network after an attempt that found none.
    package static let losses = 32
    /// The longest wait that a server can ask for. A command whose server asks for more fails at once.
    package static let retryAfter = Duration.seconds(3_600)

    /// How many times in one round a command is tried again because the cause of its failure has ended.
    package static let withdrawals = 2

    /// How many times one attempt is sent: a second time if the server has provably not processed it.
    package static let sendsOfAnAttempt = 2

    /// The maximum number of requests for one command, for any responder decisions: in each round its attempts with the read
    /// that confirms, replays after a login, and attempts after the cause of a failure has ended. Each is sent a second time if
    /// the server has provably not processed it. A stream that is opened again after an element is bounded by its patience instead.
    package static func sends(attempts: Int, rounds: Int) -> Int {
        (rounds + 1) * (max(attempts, 2) + 1 + renewals + withdrawals) * sendsOfAnAttempt
    }
}

/// Decides what comes after a failed attempt. Architecture invariant: nothing else in the runtime decides that, and the
/// tool says of a contract what it decides. It is a pure function, without clock, chance, input or output.
package func decide(_ context: RetryContext) -> Decision {
    if context.isCancelled || context.isSessionOver { return .complete(isUnconfirmed: context.endsUnconfirmed) }
    if context.isDoneAlready { return .succeed }
    if context.mayRetryTransparently { return .retryTransparently }
    if context.mayResendAtOnce { return .resend(after: .zero) }
    if context.hasStaleResponse, context.effect == .read, context.outcome == nil { return .useStaleResponse }
    var category = context.category
    switch context.outcome {
    case .answered(.retry): return beginRound(context)
    case .answered(.fail), .answered(.pass), .unanswered: return conclude(context)
    case .answered(.recategorize(let other)):
        if other == category { return conclude(context) }
        category = other
    case .withdrawn:
        // The cause has ended. The command gets one attempt more to find that out, within the same deadline, and no new round.
        guard context.isRepeatable, context.withdrawals <= RetryBounds.withdrawals else { return conclude(context) }
        switch category {
        case .nonRetryable: return conclude(context)
        case .retryable: return resendAfterWithdrawal(context)
        case .requiresLogout: break
        }
    case nil: break
    }
    guard context.isRepeatable else { return conclude(context) }
    if context.isOffline, !context.isPermanent, context.hasTimeLeft, context.losses < RetryBounds.losses {
        return .wait(.connectivity)
    }
    switch category {
    case .requiresLogout:
        // A session that was refused before may be there by now.
        let isRenewable = context.canRenewSession && (!context.isPermanent || context.outcome != nil)
        return isRenewable && context.renewals < RetryBounds.renewals ? .wait(.session) : conclude(context)
    case .retryable: return context.isPermanent ? conclude(context) : resend(context)
    case .nonRetryable:
        let isBusyWithKey = context.effect == .keyed && context.isConflict
        return isBusyWithKey && !context.isPermanent ? resend(context) : conclude(context)
    }
}

extension RetryContext {
    /// Whether sending the command once more does no harm.
    fileprivate var isRepeatable: Bool {
        if isBodyConsumed { return false }
        return switch effect {
        case .read, .idempotent: true
        case .keyed: !isKeySpent || (applied == .never && !mayHaveBeenApplied)
        case .once: applied == .never && !mayHaveBeenApplied
        }
    }

    fileprivate var hasTimeLeft: Bool { timeLeft > .zero }

    /// The pause before the command is sent again, no shorter than the server asks for; nil if the command must not wait so long.
    fileprivate var delay: Duration? {
        var pause = rule.pause(after: max(1, attempts), jitter: jitter)
        // Nothing else bounds how often a transfer goes on that comes forward.
        if hasAdvanced { pause += min(rule.base, rule.cap) }
        // All clients of a stream may be asked to wait for as long, and have lost it in one moment.
        let delay = isReopening ? windowLeft + (retryAfter ?? .zero) + pause : max(pause, retryAfter ?? .zero)
        return delay < timeLeft && mayWaitAsAsked ? delay : nil
    }

    /// Whether the server asks for no longer than a person waits. For a stream that is opened again, only the time that is left counts.
    fileprivate var mayWaitAsAsked: Bool { isReopening || retryAfter ?? .zero <= RetryBounds.retryAfter }

    /// Whether the attempt may be sent a second time at once. Its failure then says nothing about the server, whatever its
    /// category is.
    fileprivate var mayRetryTransparently: Bool {
        guard !isTransparentRetry, mayGoOnAtOnce else { return false }
        return switch evidence {
        case .unprocessed: true
        case .notSent: isStaleConnection
        case .sent, .responded: false
        }
    }

    /// Whether the command is sent again without a pause, because its kept connection has ended before a response. That is no proof:
    /// a gateway may have passed the request on and closed the connection without a response. The command may therefore be one that
    /// may be carried out twice only, and it is sent again like after any other failure: as one of its attempts, within the budget.
    /// A stream that is opened again pays nothing, and so has its pause.
    fileprivate var mayResendAtOnce: Bool {
        isStaleConnection && evidence == .sent && !isStaleRetryInVain && !isReopening && !effect.isUnsafe
            && mayGoOnAtOnce && attempts < attemptLimit && isWithinBudget && retryAfter == nil
    }

    /// Whether nothing demands a wait, a responder or the end before the command is sent again.
    private var mayGoOnAtOnce: Bool { outcome == nil && !isPermanent && hasTimeLeft && isRepeatable }

    /// Whether the command's effect on the server is unknown, if it ends now.
    package var endsUnconfirmed: Bool {
        // A response that says that the command was carried out says so about all attempts.
        guard effect.isUnsafe, applied != .yes, mayHaveBeenApplied || applied == .maybe, !isSessionOver else {
            return false
        }
        return !settles || isCancelled
    }

    /// Whether the response says that the command was done already. The response to a first attempt, or to one after attempts that were
    /// all refused, says so only if the contract makes no difference: what the command asks for was there before it, or a gateway has
    /// delivered the attempt twice.
    fileprivate var isDoneAlready: Bool {
        guard let settling, settles, effect != .read else { return false }
        return settling == .always || isAfterOpenAttempt
    }

    /// Whether the response says what became of all attempts.
    private var settles: Bool { evidence == .responded && isEndpointSpecific && category == .nonRetryable }

    /// How many times it may be sent in this round. If a confirming read is needed, it takes the last time.
    fileprivate var attemptLimit: Int {
        confirmation == .possible && endsUnconfirmed ? max(1, rule.attempts - 1) : rule.attempts
    }

    /// Whether the read that confirms may be made: within the same attempts, deadline and budget. A command that is sent once
    /// only has one read.
    fileprivate var mayConfirm: Bool {
        confirmation == .possible && endsUnconfirmed && isWithinBudget && hasTimeLeft
            && attempts < max(rule.attempts, 2)
    }
}

/// The command is sent again, if attempts, budget and deadline allow it. A reopening only needs the time.
private func resend(_ context: RetryContext) -> Decision {
    guard context.isReopening || context.attempts < context.attemptLimit else { return conclude(context) }
    if context.isOverConnection {
        let hasTime = context.retryAfter ?? .zero < context.timeLeft
        return hasTime && context.mayWaitAsAsked ? .wait(.connection) : conclude(context)
    }
    guard context.isReopening || context.isWithinBudget else { return conclude(context) }
    return context.delay.map { .resend(after: $0) } ?? conclude(context)
}

/// The command is sent again, if its deadline allows it. The budget spares a host that is down, and this one has responded.
private func resendAfterWithdrawal(_ context: RetryContext) -> Decision {
    let pause = context.rule.pause(after: 1, jitter: context.jitter)
    return pause < context.timeLeft ? .resend(after: pause) : conclude(context)
}

/// A responder wants the command to be tried again. A person decides once; a responder that always says `retry` must not make
/// a storm of it, so that later rounds begin after a pause.
private func beginRound(_ context: RetryContext) -> Decision {
    guard context.isRepeatable, context.rounds < context.maximumRounds else { return conclude(context) }
    let pause = context.rounds == 0 ? .zero : context.rule.pause(after: context.rounds, jitter: context.jitter)
    return .beginRound(after: pause)
}

/// The command is not sent again as things are. What can be found out is found out, then responders are asked, then it ends.
private func conclude(_ context: RetryContext) -> Decision {
    if context.mayConfirm { return .confirm }
    // Nothing was carried out, and the same key makes sure that nothing is carried out twice.
    if context.effect == .keyed, context.confirmation == .foundNothing, context.outcome == nil, !context.isKeySpent,
        context.isWithinBudget, context.attempts < context.rule.attempts, !context.isBodyConsumed
    {
        if let delay = context.delay { return .resend(after: delay) }
    }
    if context.outcome == nil, context.canAsk { return .raiseIncident }
    return .complete(isUnconfirmed: context.endsUnconfirmed)
}
