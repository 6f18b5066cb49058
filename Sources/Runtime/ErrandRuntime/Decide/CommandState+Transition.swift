extension CommandState {
    /// The one transition of a command. Architecture invariant: nothing else sets `step`, and it is pure.
    mutating func handle(_ event: Event) {
        // What has ended stays so. A download may still ask for the whole file after a 416, before anybody was told.
        if case .end = step {
            if case .continued = event { failing = nil } else { return }
        }
        switch event {
        case .begun(let isStubbed): step = isStubbed ? .stub : .attempt
        case .refused(let failure): step = .end(failure, isUnconfirmed: false, isSessionLost: false)
        case .responded:
            isTransparentRetry = false
            failing = nil
            step = .respond
        case .failed(let failure, let facts) where facts.isLogout && failure.isUnexplained:
            step = .logOutLocally(failure)
        case .failed(let failure, let facts):
            isAfterOpenAttempt = mayHaveBeenApplied && confirmation != .foundNothing
            isConflict = mayHaveBeenApplied && summary.status == 409 && !failure.isDeclared
            if failure.applied != .never { mayHaveBeenApplied = true }
            if mayChangeKey(after: failure) { key = nil }
            decideNext(Failing(first: failure, current: failure), facts)
        case .paid(let isPaid):
            guard case .pay(let host, let facts) = step, let failing else { return }
            if isPaid { paidFor = host }
            apply(decide(context(failing, facts, isWithinBudget: isPaid)), to: failing, facts)
        case .resumed: step = .attempt
        case .interrupted(let refusal, let facts):
            guard var failing else { return }
            failing.note(refusal, insteadOf: step)
            decideNext(failing, facts)
        case .notConfirmed(let result, let facts):
            switch result {
            case .nothingFound: confirmation = .foundNothing
            case .failed(let made): attempts += made
            }
            if let failing { decideNext(failing, facts) }
        case .answered(let outcome, let facts):
            guard var failing else { return }
            failing.outcome = outcome
            if outcome == .withdrawn { withdrawals += 1 }
            decideNext(failing, facts)
        case .continued(let isPart):
            if isPart { attempts -= 1 }
            step = .attempt
        }
    }

    /// Decides, and asks for the payment of a repetition if one was decided.
    private mutating func decideNext(_ failing: Failing, _ facts: CommandFacts) {
        self.failing = failing
        let decision = decide(context(failing, facts))
        switch decision {
        case .resend, .confirm:
            // A run of a durable command begins with the read that confirms an earlier run: nothing of this one is repeated.
            if paidFor == nil, !isUnsentRun, !isReopening, let host = host ?? facts.home {
                step = .pay(host, facts)
                return
            }
        case .retryTransparently, .beginRound, .wait, .raiseIncident, .succeed, .useStaleResponse, .complete: break
        }
        apply(decision, to: failing, facts)
    }

    private mutating func apply(_ decision: Decision, to failing: Failing, _ facts: CommandFacts) {
        let failure = failing.current
        if endsWithSession(instead: decision, failure, facts) {
            var ended = failing
            ended.current = FailedAttempt(.sessionEnded, endpoint, mayHaveBeenApplied: mayHaveBeenApplied)
            return decideNext(ended, facts)
        }
        switch decision {
        case .retryTransparently:
            isTransparentRetry = true
            attempts -= 1
            step = .attempt
        case .resend(let pause):
            isTransparentRetry = false
            if isReopening {
                let window = rule(for: failure, facts).longestPause(after: attempts)
                windowEnd = facts.now + pause + window * (1 - facts.jitter)
            }
            step = .pause(pause, reason: failure.name)
        case .beginRound(let pause):
            beginRound(at: facts.now)
            step = .pause(pause, reason: "it was answered before")
        case .wait(.session):
            renewals += 1
            isTransparentRetry = false
            if !failure.isPermanent { attempts -= 1 }
            step = .renewSession(after: facts.generation)
        case .wait(.connection):
            isTransparentRetry = false
            hasSeenLoss = true
            step = .attempt
        case .wait:
            losses += 1
            attempts -= 1
            step = .attempt
        case .confirm:
            paidFor = nil
            confirmation = .failed
            step = .confirm(failure)
        case .raiseIncident:
            var asked = failing
            asked.outcome = .answered(.retry)
            let maySendAgain = if case .beginRound = decide(context(asked, facts)) { true } else { false }
            step = .ask(failure, maySendAgain: maySendAgain)
        case .succeed:
            if case .declared(let error, _) = failure.cause { doneAlready = error }
            handle(.responded)
        case .useStaleResponse:
            guard let stale = staleResponse(instead: failing, facts) else { return end(failing, isUnconfirmed: false) }
            step = .useStaleResponse(stale.response, stale.basis)
        case .complete(let isUnconfirmed): end(failing, isUnconfirmed: isUnconfirmed)
        }
    }

    private mutating func end(_ failing: Failing, isUnconfirmed: Bool) {
        var failure = failing.current
        if case .answered(.recategorize(let category))? = failing.outcome { failure = failure.recategorized(category) }
        if failing.outcome?.isRefusal ?? false { summary.isAnswered = true }
        // A stored refusal is about the token of an earlier attempt.
        let isSessionLost =
            !failing.isSessionKept && !summary.isReplayed && failing.first.category == .requiresLogout
            && !failing.first.isPermanent
        step = .end(failure, isUnconfirmed: isUnconfirmed, isSessionLost: isSessionLost)
    }

    /// Starts a new round, since a responder said so: with all attempts and all of the deadline.
    private mutating func beginRound(at now: Duration) {
        rounds += 1
        begun = now
        spent = .zero
        attempts = 0
        renewals = 0
        losses = 0
        withdrawals = 0
        isTransparentRetry = false
        if confirmation == .failed { confirmation = .possible }
    }

    /// Whether the session of the command is over, and the command ends with it in place of a decision that would continue it.
    private func endsWithSession(instead decision: Decision, _ failure: FailedAttempt, _ facts: CommandFacts) -> Bool {
        guard facts.isSessionOver, !failure.isCancelled, !failure.isSessionEnded else { return false }
        switch decision {
        case .succeed: return false
        case .complete: return failure.category == .requiresLogout
        case .retryTransparently, .resend, .beginRound, .wait, .confirm, .raiseIncident, .useStaleResponse: return true
        }
    }

    // MARK: The input of `decide`

    private func context(_ failing: Failing, _ facts: CommandFacts, isWithinBudget: Bool = true) -> RetryContext {
        let failure = failing.current
        return RetryContext(
            effect: endpoint.effect,
            category: isReopening && failure.isAccident ? .retryable : failure.category, applied: failure.applied,
            mayHaveBeenApplied: mayHaveBeenApplied,
            evidence: summary.evidence, isStaleConnection: isStaleConnection,
            isStaleRetryInVain: facts.isStaleRetryInVain, isTransparentRetry: isTransparentRetry,
            isEndpointSpecific: failure.isEndpointSpecific,
            settling: failure.settling, isAfterOpenAttempt: isAfterOpenAttempt,
            isBodyConsumed: isBodyConsumed,
            isPermanent: failure.isPermanent,
            isCancelled: failure.isCancelled, isSessionOver: failure.isSessionEnded, attempts: attempts,
            rule: rule(for: failure, facts), isWithinBudget: isWithinBudget,
            // Far more than any program runs.
            timeLeft: timeLeft(facts.limits, facts.patience) ?? .seconds(1 << 40), isReopening: isReopening,
            windowLeft: max(.zero, windowEnd - facts.now), hasAdvanced: advance.hasRenewed,
            retryAfter: [summary.retryAfter, reopeningPause].compactMap { $0 }.max(),
            isConflict: isConflict, isKeySpent: isKeySpent(at: facts.now),
            jitter: facts.jitter, isOffline: isOffline && facts.isNetworkWatched, losses: losses,
            // Nobody has looked at the token if the refusal is a stored one.
            canRenewSession: failure.renews && facts.canReplaceSession && !summary.isReplayed, renewals: renewals,
            isOverConnection: isConnectionLost, hasStaleResponse: staleResponse(instead: failing, facts) != nil,
            confirmation: confirmation(facts), canAsk: canAsk(failure, facts), outcome: failing.outcome,
            withdrawals: withdrawals, rounds: rounds, maximumRounds: facts.maximumRounds)
    }

    private func isKeySpent(at now: Duration) -> Bool {
        guard endpoint.effect == .keyed else { return false }
        return summary.isReplayed || key?.isExpired(endpoint.keyLifetime, at: now) ?? false
    }

    /// Whether the next attempt has a new key: the server has stored a refusal under this one, and no attempt was carried out. Few
    /// servers mark what they have stored, so a refusal of the session's token counts as stored at once.
    private func mayChangeKey(after failure: FailedAttempt) -> Bool {
        guard endpoint.effect == .keyed, !keepsKey, !mayHaveBeenApplied, summary.evidence == .responded else {
            return false
        }
        return summary.isReplayed || failure.category == .requiresLogout
    }

    private func rule(for failure: FailedAttempt, _ facts: CommandFacts) -> RetryRule {
        facts.limits.retry(failure.retry ?? endpoint.retry ?? facts.retry)
    }

    /// Whether the last attempt found no network.
    private var isOffline: Bool { fault == .offline && summary.evidence == .notSent }

    /// The stale response of the cache that may be used in place of a failure: without a network what the contract allows, and for
    /// every error that a cache would give 500, 502, 503 or 504 for (RFC 5861 section 4) what the server allows.
    private func staleResponse(
        instead failing: Failing, _ facts: CommandFacts
    ) -> (response: StoredResponse, basis: CacheHit.Basis)? {
        guard let stale = facts.stale, failing.outcome == nil else { return nil }
        if failing.first.isOffline || fault == .offline || fault == .dns, stale.mayBeUsedOffline {
            return (stale.response, .offline)
        }
        return stale.mayBeUsedIfError && (failing.first.isOffline || isServerError) ? (stale.response, .ifError) : nil
    }

    /// Whether the last attempt has shown that the server cannot respond now. A server that cannot be trusted, and what this device
    /// could not do, are other failures.
    private var isServerError: Bool {
        switch fault {
        case .offline, .dns, .refused, .lost, .timeout: true
        case .tls, .authentication, .oversized, .unreadable, .requestBody, .storageFull, .storage, .cancelled: false
        case nil: summary.status.map { [500, 502, 503, 504].contains($0) } ?? false
        }
    }

    /// The state of the contract's `confirm`, and whether the read is possible.
    private func confirmation(_ facts: CommandFacts) -> RetryContext.Confirmation {
        guard confirmation == .possible else { return confirmation }
        guard facts.hasConfirmation else { return .none }
        // A host that is down cannot tell either.
        switch fault {
        case .offline, .dns, .refused: return .failed
        default: return facts.isHostDown ? .failed : .possible
        }
    }

    /// Whether the failure is put to responders, and the command may wait for them.
    private func canAsk(_ failure: FailedAttempt, _ facts: CommandFacts) -> Bool {
        // A login does not help against a stored refusal.
        if failure.category == .requiresLogout, summary.isReplayed { return false }
        guard facts.mayAsk, failure.concernsOthers(endpoint) else { return false }
        return patienceLeft(at: .responder, facts.limits, facts.patience).map { $0 > .zero } ?? true
    }

    /// How much longer attempts and the pauses between them may take; nil for any time. A stream that is opened again has its
    /// patience for that, and not its deadline.
    ///
    /// - Parameter people: the settings' patience for people.
    func timeLeft(_ limits: CommandLimits, _ people: Duration) -> Duration? {
        isReopening ? patienceLeft(at: .connectivity, limits, people) : limits.deadline - spent
    }

    /// How much longer the command may wait at a place that its deadline does not cover; nil for any time.
    ///
    /// - Parameter people: the settings' patience for people, which a lost stream has too.
    func patienceLeft(at place: WaitReason, _ limits: CommandLimits, _ people: Duration) -> Duration? {
        let patience = limits.patience
        if patience.isForever { return nil }
        let isForPeople = place != .connectivity
        // A stream that is gone waits all the time. A person is asked in spite of it, at the end too.
        let waited = waitedForNetwork + (isReopening && !isForPeople ? spent : .zero)
        if let limit = patience.limit { return limit - waited - waitedForPeople }
        if isForPeople { return people - waitedForPeople }
        return (isReopening ? people : limits.deadline) - waited
    }
}

extension CommandState.Failing {
    /// Notes the refusal that has ended a wait.
    fileprivate mutating func note(_ refusal: FailedAttempt, insteadOf step: CommandState.Step) {
        guard case .renewSession = step else {
            current = refusal
            return
        }
        isSessionKept = !refusal.isUnexplained
        // The caller hears what the server said, unless the reason for the missing session is known.
        current = refusal.isUnexplained && !current.isPermanent ? current.refused() : refusal
    }
}

// MARK: What attempts and responses bring

extension CommandState {
    /// Begins to prepare an attempt. The evidence of an earlier attempt doesn't apply to this one, which has sent nothing yet.
    mutating func noteAttempt() {
        summary.evidence = .notSent
        isStaleRetry = isStaleConnection
        isStaleConnection = false
        isConnectionLost = false
    }

    /// Notes a reopening for which there was no session. It has its pause, as one that was sent.
    mutating func noteUnsentOpening() {
        attempts += 1
        fault = nil
    }

    /// Starts the summary of an attempt that is sent.
    mutating func noteSent(_ assembled: AssembledRequest, at now: Duration) {
        isPaid = paidFor != nil
        isUnsentRun = false
        paidFor = nil
        advance.hasRenewed = false
        fault = nil
        attempts += 1
        key?.noteUse(at: now)
        summary.attempts += 1
        summary.method = assembled.request.method
        summary.url = assembled.printedURL
        summary.status = nil
        summary.code = nil
        summary.serverMessage = nil
        summary.retryAfter = nil
        summary.underlying = nil
        summary.followed = .none
    }

    /// Notes the attempts that an earlier process has made for the command.
    mutating func note(_ earlier: EarlierAttempt, at now: Duration) {
        attempts = earlier.attempts - 1
        summary.attempts = earlier.attempts - 1
        mayHaveBeenApplied = earlier.mayHaveBeenApplied
        if let key = earlier.key { self.key = IdempotencyKey(key.text, firstUse: now - key.age) }
    }

    /// Notes what earlier runs of a durable command have left.
    mutating func note(_ earlier: EarlierRuns, at now: Duration) {
        mayHaveBeenApplied = earlier.mayHaveBeenApplied
        isUnsentRun = true
        keepsKey = true
        key = earlier.key.map { IdempotencyKey($0, firstUse: earlier.keyAge.map { now - $0 }) }
    }

    /// Notes how long the command has waited at a place.
    mutating func noteWait(_ duration: Duration, at place: WaitReason) {
        switch place {
        case .connectivity: waitedForNetwork += duration
        case .session, .responder: waitedForPeople += duration
        // The deadline covers these.
        case .connection, .host, .pause: spent += duration
        }
    }

    /// Notes the transport's fault.
    mutating func note(_ fault: TransportFault) -> FailedAttempt {
        self.fault = fault.kind
        isConnectionLost = fault.connection?.isLoss ?? false
        return FailedAttempt(Classifier.classify(fault: fault, endpoint, &summary), endpoint, summary)
    }

    /// Notes that a stream has brought something new since it was last opened: its patience begins anew, and its session was good.
    mutating func renewPatience() {
        renewals = 0
        spent = .zero
        waitedForNetwork = .zero
        waitedForPeople = .zero
    }

    /// Begins the attempts anew if the last responses have brought the transfer far enough. They were a success, so they cost no
    /// tokens, and the next attempt counts as the first repetition.
    ///
    /// - Returns: how many tokens the budget gets back; nil if the attempts don't begin anew.
    mutating func renewAttempts() -> Int? {
        isPaid = false
        guard advance.isProven else { return nil }
        let tokens = advance.tokens
        advance = TransferAdvance(hasRenewed: true)
        isLongTransfer = true
        // Only an element begins the patience of a stream anew.
        if !isReopening { spent = .zero }
        windowEnd = .zero
        attempts = 1
        renewals = 0
        losses = 0
        withdrawals = 0
        return tokens
    }
}
