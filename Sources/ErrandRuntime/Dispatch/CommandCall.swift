/// One command that is being carried out: its description and its destination. The code is the same for all commands. The
/// receiver holds the typed response.
final class CommandCall: SessionCommand {
    let command: any Command
    let endpoint: EndpointDescription
    let route: ServiceRoute
    let session: Session
    let role: CommandRole
    let limits: CommandLimits
    /// The caller's own headers, by name.
    let headers: [String: String]
    let opensIncidents: Bool
    /// Asked about incidents before the dispatcher's responder.
    let responders: [ResponderLevel]
    /// The state of the session when the command, or the renewal that sends it, was started.
    let basis: SessionBasis
    /// Which login the command belonged to when it was submitted.
    let membership: SessionMembership
    /// Nil without observers.
    let observation: Observation?

    @inline(never)
    init(
        command: any Command, endpoint: EndpointDescription, route: ServiceRoute, session: Session,
        role: CommandRole, options: CommandOptions = CommandOptions(), responders: [ResponderLevel] = []
    ) {
        self.command = command
        self.endpoint = endpoint
        self.route = route
        self.session = session
        self.role = role
        self.responders = responders
        limits = CommandLimits(endpoint, options)
        headers = options.headers
        opensIncidents = options.opensIncidents
        switch role {
        case .renewal(let start):
            basis = start
            membership = .none
        case .confirmation(let of), .resubmission(_, let of), .rest(let of):
            basis = session.basis
            membership = of
        case .page(let of?, _), .carried(_, let of?):
            basis = session.basis
            membership = of
        case .ordinary, .page(nil, _), .carried(_, nil):
            basis = session.basis(continuing: options.continuation)
            membership = session.membership(of: endpoint.session, isLogout: command is any LogoutCommand)
        }
        observation = route.dispatcher.observers?.begin(endpoint, route.dispatcher.environment.time)
    }

    /// How a command ends.
    enum Ending {
        /// The receiver holds the response.
        indirect case responded(ReplyParts)
        indirect case declared(DeclaredName, ErrorMatch)
        case fault(CommandFault)
        indirect case unconfirmed(Receipt)
    }

    /// Asked about incidents, one after the other.
    var chain: [ResponderLevel] { responders + (route.dispatcher.responder.map { [$0] } ?? []) }

    /// Carries the command out: check, then gates, encode, attempt, classify, decide, and again where
    /// that was the decision. Its success may begin or end the session.
    func run(into receiver: any ResponseReceiver) async -> Ending {
        // Until the session has what a login gave, other commands wait for it.
        let isLogin = role.isOrdinary && command is any LoginCommand
        if isLogin { session.noteLogin(started: self) }
        defer { if isLogin { session.noteLogin(ended: self) } }
        let progress = begin()
        let broken = check()
        let ending: Ending
        if let server = route.server, broken.isEmpty {
            ending = await carryOut(server, progress, into: receiver)
        } else {
            ending = await runWithoutServer(broken, progress, into: receiver)
        }
        if case .responded(let parts) = ending, !parts.isOutcome { await applySessionChange(receiver) }
        return ending
    }

    /// Begins or ends the session, if the response requires it.
    @inline(never)
    private func applySessionChange(_ receiver: any ResponseReceiver) async {
        if let change = receiver.sessionChange { await session.apply(change, of: self) }
    }

    func carryOut(
        _ server: ServerAddress, _ progress: CallProgress, into receiver: any ResponseReceiver
    ) async -> Ending {
        while true {
            switch await attempt(server, progress, into: receiver) {
            case .responded(let parts):
                progress.isTransparentRetry = false
                reportConnectivity(progress)
                noteSuccess(progress)
                // An open stream has not succeeded yet.
                if receiver.opened == nil { deposit(progress) }
                return .responded(parts)
            case .failed(let failure):
                if failure.settles(by: progress.account) { deposit(progress) }
                if let ending = await proceed(after: failure, server, progress, into: receiver) { return ending }
            }
        }
    }

    @inline(never)
    func begin() -> CallProgress {
        let progress = CallProgress(
            endpoint, begun: environment.time.now, membership: membership,
            order: route.dispatcher.submit(isRenewal: role.isRenewal, limits.priority))
        progress.account.localize = route.dispatcher.settings.localize
        if case .resubmission(let key, _) = role {
            progress.key = key
            progress.isOpen = true
        }
        if case .carried(let carrier, _) = role, let earlier = carrier.earlier { note(earlier, progress) }
        return progress
    }

    /// The fields of the command that break its contract.
    @inline(never)
    func check() -> [BrokenField] {
        var check = RequestCheck()
        (command as? any CheckedCommand)?.validate(&check)
        guard check.broken.isEmpty, route.server == nil, route.stubs == nil else { return check.broken }
        return [BrokenField(name: "server", reason: "must be an http or https URL")]
    }

    /// The failure for a receiver that reported a response but has none.
    func makeMissingResponse() -> CommandFault {
        let failure = FailedAttempt(.malformed, endpoint, isOpen: true)
        var account = CallProgress(endpoint).account
        account.localize = route.dispatcher.settings.localize
        return CommandFault(.malformed, failure.context(account))
    }

    // MARK: What comes next

    /// Does what was decided about a failed attempt. Nil for another attempt.
    func proceed(
        after failed: FailedAttempt, _ server: ServerAddress, _ progress: CallProgress,
        into receiver: any ResponseReceiver
    ) async -> Ending? {
        var failure = failed
        var outcome: IncidentOutcome?
        // A renewal without a response shows nothing about the session.
        var isSessionKept = false
        progress.isConflict = progress.isOpen && progress.account.status == 409 && !failure.isDeclared
        if failure.applied != .never { progress.isOpen = true }
        while true {
            let decision = decideNext(failure, outcome, server, progress)
            // Others follow a probe once the gate hears of it. The renewal that the probe needs begins first, or they would
            // be sent with the session that has just been refused.
            if decision != .wait(.session) { reportConnectivity(progress) }
            if let ended = sessionEnd(instead: decision, failure, progress) {
                failure = ended
                continue
            }
            switch decision {
            case .retryTransparently:
                progress.isTransparentRetry = true
                progress.attempts -= 1
                return nil
            case .resend(let pause):
                progress.isTransparentRetry = false
                guard let refusal = await self.pause(for: pause, failure.name, progress) else { return nil }
                failure = refusal
            case .beginRound(let pause):
                progress.beginRound(at: environment.time.now)
                guard let refusal = await self.pause(for: pause, "it was answered before", progress) else { return nil }
                failure = refusal
            case .wait(.session):
                progress.renewals += 1
                progress.isTransparentRetry = false
                let generation = progress.grant?.generation ?? 0
                if !failure.isRefused { progress.attempts -= 1 }
                guard let refusal = await renewSession(after: generation, progress) else { return nil }
                isSessionKept = !refusal.isUnexplained
                // The caller hears what the server said, unless the reason for the missing session is known.
                failure = refusal.isUnexplained && !failure.isRefused ? failure.refused() : refusal
            case .wait:
                progress.losses += 1
                progress.attempts -= 1
                return nil
            case .confirm:
                if let parts = await confirm(failure, progress, into: receiver) { return .responded(parts) }
            case .raiseIncident:
                switch await raise(failure, progress) {
                case .granted(let end): outcome = end
                case .timeOver: outcome = .unanswered
                case .cancelled: failure = cancelled(progress)
                case .sessionEnded: failure = sessionEnded(progress)
                }
                if outcome == .withdrawn { progress.withdrawals += 1 }
            case .complete(let isUnconfirmed):
                if case .answered(.recategorize(let category))? = outcome { failure = failure.recategorized(category) }
                if outcome?.isRefusal ?? false { progress.account.isAnswered = true }
                if !isSessionKept { await noteSessionLoss(failed, progress) }
                return end(failure, isUnconfirmed, progress)
            }
        }
    }

    /// Decides, and pays for a repetition if one was decided.
    @inline(never)
    private func decideNext(
        _ failure: FailedAttempt, _ outcome: IncidentOutcome?, _ server: ServerAddress, _ progress: CallProgress
    ) -> Decision {
        var context = makeContext(failure, progress)
        context.outcome = outcome
        let decision = decide(context)
        switch decision {
        case .resend, .confirm:
            let host = progress.host ?? server.origin
            if progress.paidFor != nil { return decision }
            if route.dispatcher.budget.withdraw(for: host) {
                progress.paidFor = host
                return decision
            }
            context.isWithinBudget = false
            return decide(context)
        case .retryTransparently, .beginRound, .wait, .raiseIncident, .complete: return decision
        }
    }

    /// The failure of a command whose session is over, in place of a decision that would continue it.
    @inline(never)
    private func sessionEnd(
        instead decision: Decision, _ failure: FailedAttempt, _ progress: CallProgress
    ) -> FailedAttempt? {
        guard !failure.isCancelled, !failure.isSessionEnded, session.isOver(progress.membership) else { return nil }
        if case .complete = decision, failure.category != .requiresLogout { return nil }
        return sessionEnded(progress)
    }

    /// A session that the server refused, and that could not be replaced, is over.
    private func noteSessionLoss(_ failure: FailedAttempt, _ progress: CallProgress) async {
        guard failure.category == .requiresLogout, !failure.isRefused, role.isOrdinary, let grant = progress.grant
        else { return }
        if isLogout {
            // Nothing is left to log out of.
            await session.end(from: basis, for: route.dispatcher)
        } else {
            await session.expire(grant.generation, for: route.dispatcher)
        }
    }

    private func makeContext(_ failure: FailedAttempt, _ progress: CallProgress) -> RetryContext {
        let settings = route.dispatcher.settings
        return RetryContext(
            effect: endpoint.effect, category: failure.category, applied: failure.applied, isOpen: progress.isOpen,
            evidence: progress.account.evidence, isStaleConnection: progress.isStaleConnection,
            isTransparentRetry: progress.isTransparentRetry, isOwn: failure.isOwn, isSpent: progress.isBodySpent,
            isRefused: failure.isRefused,
            isCancelled: failure.isCancelled, isSessionOver: failure.isSessionEnded, attempts: progress.attempts,
            rule: limits.retry(failure.retry ?? endpoint.retry ?? settings.retry),
            timeLeft: limits.deadline - progress.spent, hasAdvanced: progress.advance.hasRenewed,
            retryAfter: [progress.account.retryAfter, progress.reopeningPause].compactMap { $0 }.max(),
            isConflict: progress.isConflict,
            isKeyExpired: progress.key?.isExpired(endpoint.keyLifetime, at: environment.time.now) ?? false,
            jitter: environment.chance.fraction(), isOffline: isOffline(progress), losses: progress.losses,
            canRenewSession: canRenewSession(failure, progress), renewals: progress.renewals,
            confirmation: confirmation(failure, progress), canAsk: canAsk(failure, progress),
            withdrawals: progress.withdrawals, rounds: progress.rounds, maximumRounds: settings.maximumRounds)
    }

    func canRenewSession(_ failure: FailedAttempt, _ progress: CallProgress) -> Bool {
        guard failure.renews, role.isOrdinary, endpoint.session != .none, !isLogout, !LoginScope.isOpen(for: session)
        else {
            return false
        }
        return session.isReplaceable(after: progress.grant?.generation ?? 0)
    }

    // MARK: Responders

    var isResponders: Bool { !opensIncidents || ResponderScope.isOpen }

    /// Whether the failure is put to responders, and the command may wait for them.
    private func canAsk(_ failure: FailedAttempt, _ progress: CallProgress) -> Bool {
        guard incidentCause(of: failure, progress) != nil else { return false }
        return patienceLeft(at: .responder, progress).map { $0 > .zero } ?? true
    }

    /// Puts a failure to the responders, together with all others of its cause, and waits for the incident's end.
    private func raise(_ failure: FailedAttempt, _ progress: CallProgress) async -> WaitResult<IncidentOutcome> {
        var member: IncidentMember?
        let result: WaitResult<IncidentOutcome> = await wait(
            at: .responder, failure.name, limit: patienceLeft(at: .responder, progress), progress,
            join: { member = join($0, failure, progress) })
        if let member { route.dispatcher.board.leave(member) }
        return result
    }

    @inline(never)
    private func join(
        _ waiter: GateWaiter<IncidentOutcome>, _ failure: FailedAttempt, _ progress: CallProgress
    ) -> IncidentMember? {
        guard let cause = incidentCause(of: failure, progress) else {
            waiter.end(.granted(.unanswered))
            return nil
        }
        var context = makeContext(failure, progress)
        context.outcome = .answered(.retry)
        let maySendAgain = if case .beginRound = decide(context) { true } else { false }
        return route.dispatcher.board.join(
            cause, failure.context(progress.account), chain,
            CommandTime(begun: progress.begun, now: environment.time.now), maySendAgain: maySendAgain
        ) { [weak waiter] outcome in waiter?.end(.granted(outcome)) }
    }

    /// Notes a sign that the host works.
    func deposit(_ progress: CallProgress) {
        if let host = progress.host { route.dispatcher.budget.deposit(for: host) }
    }

    // MARK: The end

    /// Ends the command: with the failure, or as unconfirmed if its effect on the server is unknown.
    @inline(never)
    private func end(_ failure: FailedAttempt, _ isUnconfirmed: Bool, _ progress: CallProgress) -> Ending {
        if let host = progress.paidFor { route.dispatcher.budget.restore(for: host) }
        guard isUnconfirmed else { return failure.ending(progress.account) }
        return .unconfirmed(makeReceipt(failure, progress))
    }
}

extension FailedAttempt {
    /// How a command ends that ends with it.
    @inline(never)
    func ending(_ account: AttemptAccount) -> CommandCall.Ending {
        switch cause {
        case .declared(let error, let payload):
            return .declared(error, ErrorMatch(context: context(account), payload: payload))
        case .builtIn(let kind, _): return .fault(CommandFault(kind, context(account)))
        }
    }
}
