/// One command on its way: what it is and where it goes. The same code for all commands; the typed
/// response is left in the receiver.
final class CommandCall: Sendable {
    let command: any Command
    let endpoint: EndpointDescription
    let route: ServiceRoute
    let session: Session
    let role: CommandRole
    /// Who is asked about incidents before the dispatcher's responder.
    let responders: [ResponderLevel]
    /// What the session was when the command, or the renewal that sends it, was started.
    let basis: SessionBasis
    /// Nil where nobody observes.
    let observation: Observation?

    init(
        command: any Command, endpoint: EndpointDescription, route: ServiceRoute, session: Session,
        role: CommandRole, responders: [ResponderLevel] = []
    ) {
        self.command = command
        self.endpoint = endpoint
        self.route = route
        self.session = session
        self.role = role
        self.responders = responders
        if case .renewal(let start) = role { basis = start } else { basis = session.basis }
        observation = route.dispatcher.observers?.begin(endpoint, route.dispatcher.environment.time)
    }

    /// How a command ends.
    enum Ending {
        /// The receiver holds the response.
        case responded(ReplyParts)
        case declared(DeclaredName, ErrorMatch)
        case fault(CommandFault)
        case unconfirmed(Receipt)
    }

    var environment: DispatcherEnvironment { route.dispatcher.environment }
    var isLogout: Bool { command is any LogoutCommand }
    /// Who is asked about incidents, one after the other.
    var chain: [ResponderLevel] { responders + (route.dispatcher.responder.map { [$0] } ?? []) }

    /// Carries the command out: check, then gate, encode, attempt, classify, decide, and again where
    /// that was the decision.
    func run(into receiver: any ResponseReceiver) async -> Ending {
        let progress = CallProgress(endpoint, begun: environment.time.now)
        progress.account.localize = route.dispatcher.settings.localize
        var check = RequestCheck()
        (command as? any CheckedCommand)?.validate(&check)
        guard check.broken.isEmpty else {
            return end(FailedAttempt(invalid: check.broken, endpoint), progress)
        }
        guard let server = route.server else {
            let broken = BrokenField(name: "server", reason: "must be an http or https URL")
            return end(FailedAttempt(invalid: [broken], endpoint), progress)
        }
        if endpoint.effect == .keyed {
            progress.key = JSONText.of(environment.chance.uuid())
        }
        while true {
            switch await attempt(server, progress, into: receiver) {
            case .responded(let parts):
                noteSuccess(progress)
                return .responded(parts)
            case .refused(let failure):
                if let ending = await settle(failure, progress) { return ending }
            case .failed(let failure):
                if let ending = await proceed(after: failure, server, progress) { return ending }
            }
        }
    }

    /// The failure for a receiver that said it has a response and has none.
    func makeMissingResponse() -> CommandFault {
        let failure = FailedAttempt(.malformed, endpoint, isOpen: true)
        var account = CallProgress(endpoint).account
        account.localize = route.dispatcher.settings.localize
        return CommandFault(.malformed, failure.context(account))
    }

    // MARK: One attempt

    private enum Step {
        case responded(ReplyParts)
        /// It was not made, and another would not be either.
        case refused(FailedAttempt)
        case failed(FailedAttempt)
    }

    private func attempt(
        _ server: ServerAddress, _ progress: CallProgress, into receiver: any ResponseReceiver
    ) async -> Step {
        // What an earlier attempt met says nothing about this one, of which nothing was sent yet.
        progress.account.evidence = .notSent
        if Task.isCancelled { return .refused(cancelled(progress)) }
        let attempts = progress.account.attempts
        let step = if let refusal = await passGates(to: server, progress) {
            Step.refused(refusal)
        } else {
            await attemptOnline(server, progress, into: receiver)
        }
        if case .failed(let failure) = step, progress.probe != nil, canRenewSession(failure, progress) {
            // Those who follow the probe would be sent with the session that has just been refused.
            session.beginRenewal(self, after: progress.grant?.generation ?? 0)
        }
        reportConnectivity(wasSent: progress.account.attempts > attempts, progress)
        return step
    }

    private func attemptOnline(
        _ server: ServerAddress, _ progress: CallProgress, into receiver: any ResponseReceiver
    ) async -> Step {
        var assembled: AssembledRequest
        switch encode(server, progress) {
        case .success(let request): assembled = request
        case .failure(let problem): return .refused(FailedAttempt(invalid: problem.broken, endpoint))
        }
        // A whole URL may lead to another host, which has a budget of its own.
        let host = assembled.foreignOrigin ?? server.origin
        progress.host = host
        if !route.dispatcher.hosts.enter(host) {
            if let refusal = await passHost(host, progress) { return .refused(refusal) }
            // What it says of the time must be true when it is sent.
            guard case .success(let request) = encode(server, progress) else {
                route.dispatcher.hosts.leave(host)
                return .refused(FailedAttempt(invalid: [], endpoint))
            }
            assembled = request
        }
        defer { route.dispatcher.hosts.leave(host) }
        let limit = timeLimit(progress)
        guard limit > .zero else { return .refused(timedOut(progress)) }
        if progress.account.attempts == 0 { route.dispatcher.budget.deposit(for: host) }
        progress.begin(assembled)
        let start = environment.time.now
        assembled.request.command = type(of: command)
        if route.dispatcher.isIntercepted { assembled.request.sent = SentRequest() }
        let observed = observation?.attempt(&assembled, to: host)
        let result = await route.dispatcher.attempt(assembled.request, limit: limit)
        progress.spent += environment.time.now - start
        progress.account.noteSent(assembled)
        let step = classify(result, assembled, progress, into: receiver)
        if let observed {
            var error: String?
            if case .failed(let failure) = step { error = failure.name }
            observation?.end(observed, result, error: error, progress.account.evidence)
        }
        return step
    }

    private func encode(
        _ server: ServerAddress, _ progress: CallProgress
    ) -> Result<AssembledRequest, InvalidRequest> {
        let service = endpoint.service
        var encoder = RequestEncoder(
            method: endpoint.method, base: server.base, isSigned: service.signing != nil,
            sensitiveNames: service.sensitive, wallTime: environment.wallTime(), chance: environment.chance)
        command.encode(into: &encoder)
        if let key = progress.key { encoder.header("Idempotency-Key", key) }
        if encoder.isAtHome {
            if let common = route.common { common(&encoder) }
            if let placement = service.session, let token = progress.grant?.tokens?.access {
                encoder.add(token, at: placement)
            }
            if let rule = service.signing {
                guard let key = route.signingKey else {
                    let broken = BrokenField(name: "signing", reason: "must have a key")
                    return .failure(InvalidRequest(broken: [broken]))
                }
                encoder.sign(rule, key: key)
            }
        }
        return encoder.finish(endpoint, timeout: timeLimit(progress), limits: route.dispatcher.settings)
    }

    private func classify(
        _ result: AttemptResult, _ assembled: AssembledRequest, _ progress: CallProgress,
        into receiver: any ResponseReceiver
    ) -> Step {
        let classification: Classification
        switch result {
        case .success(let response):
            classification = Classifier.classify(
                response, endpoint, blank: assembled.blank, &progress.account, into: receiver)
            switch classification {
            case .success(let parts), .outcome(let parts): return .responded(parts)
            case .declared, .builtIn:
                progress.account.retryAfter = RetryAfter.pause(
                    response.headers, now: environment.wallTime)
            }
        case .failure(let fault):
            progress.fault = fault.kind
            classification = Classifier.classify(fault: fault, endpoint, &progress.account)
        }
        return .failed(FailedAttempt(classification, endpoint, progress.account))
    }

    // MARK: What comes next

    /// Does what was decided about a failed attempt. Nil for another attempt.
    private func proceed(
        after failure: FailedAttempt, _ server: ServerAddress, _ progress: CallProgress
    ) async -> Ending? {
        progress.isConflict = progress.isOpen && progress.account.status == 409
        if failure.applied == .maybe { progress.isOpen = true }
        var situation = makeSituation(failure, progress)
        var decision = decide(situation)
        if case .resend = decision {
            let host = progress.host ?? server.origin
            if route.dispatcher.budget.withdraw(for: host) {
                progress.paidFor = host
            } else {
                situation.isWithinBudget = false
                decision = decide(situation)
            }
        }
        switch decision {
        case .resend(let pause):
            let start = environment.time.now
            let wait = observation?.wait(.pause, failure.name)
            let isRested = await environment.time.sleep(for: pause)
            if let wait { observation?.resume(wait) }
            progress.spent += environment.time.now - start
            return isRested ? nil : end(cancelled(progress), progress)
        case .park(.connectivity):
            progress.losses += 1
            return nil
        case .park(.session):
            let generation = progress.grant?.generation ?? 0
            let pass = await wait(progress) {
                await session.renew(self, after: generation, patience: $0)
            }
            switch pass {
            case .granted:
                progress.replays += 1
                return nil
            case .cancelled, .again: return end(cancelled(progress), progress)
            case .refused(let cause):
                if let cause { progress.account.underlying = cause }
                let reason = FailedAttempt(noSession: cause, endpoint, isOpen: progress.isOpen)
                return await settle(reason ?? failure, progress)
            }
        case .complete, .completeUnconfirmed:
            if failure.category == .requiresLogout, role.isOrdinary, let grant = progress.grant {
                if isLogout {
                    // There is nothing left to log out of.
                    await session.end(from: basis)
                } else {
                    await session.expire(grant.generation)
                }
            }
            return await settle(failure, progress)
        }
    }

    /// Waits at a gate, for as long as the patience lasts that the command has left.
    func wait(
        _ progress: CallProgress, _ gate: (Duration?) async -> SessionPass
    ) async -> SessionPass {
        let start = environment.time.now
        let pass = await gate(endpoint.patience.map { $0 - progress.waited })
        progress.waited += environment.time.now - start
        return pass
    }

    func makeSituation(_ failure: FailedAttempt, _ progress: CallProgress) -> Situation {
        Situation(
            effect: endpoint.effect, category: failure.category, applied: failure.applied,
            evidence: progress.account.evidence, attempts: progress.attempts,
            rule: failure.retry ?? endpoint.retry ?? route.dispatcher.settings.retry,
            timeLeft: endpoint.deadline - progress.spent, retryAfter: progress.account.retryAfter,
            isOpen: progress.isOpen, isDeclared: failure.isDeclared, isConflict: progress.isConflict,
            isCancelled: failure.isCancelled,
            canRenewSession: canRenewSession(failure, progress), isOffline: isOffline(progress),
            jitter: environment.chance.fraction())
    }

    /// A session may be replaced so often on behalf of one command. More would mean that the server
    /// refuses every session there is.
    private static let maximumReplays = 2

    private func canRenewSession(_ failure: FailedAttempt, _ progress: CallProgress) -> Bool {
        guard failure.category == .requiresLogout, failure.renews, role.isOrdinary,
            endpoint.session != .none, progress.replays < Self.maximumReplays,
            !isLogout, !LoginScope.isOpen(for: session)
        else { return false }
        return session.isReplaceable(after: progress.grant?.generation ?? 0)
    }

    /// How long the next attempt may take.
    func timeLimit(_ progress: CallProgress) -> Duration {
        min(endpoint.timeout, endpoint.deadline - progress.spent)
    }

    func timedOut(_ progress: CallProgress) -> FailedAttempt {
        FailedAttempt(.timedOut, endpoint, isOpen: progress.isOpen)
    }

    func cancelled(_ progress: CallProgress) -> FailedAttempt {
        FailedAttempt(.cancelled, endpoint, isOpen: progress.isOpen)
    }

    /// Whether nobody knows how a command ended that ends with this failure.
    func endsUnconfirmed(_ failure: FailedAttempt, _ progress: CallProgress) -> Bool {
        var situation = makeSituation(failure, progress)
        situation.isOpen = progress.isOpen || failure.applied == .maybe
        return conclude(situation) == .completeUnconfirmed
    }

    /// Ends the command: with the failure, or as unconfirmed where an attempt may have been carried out.
    func end(_ failure: FailedAttempt, _ progress: CallProgress) -> Ending {
        if let host = progress.paidFor { route.dispatcher.budget.restore(for: host) }
        if endsUnconfirmed(failure, progress) {
            let cause = failure.context(progress.account)
            let description = endpoint.service.redeclaration(of: .unconfirmed)
            let context = cause.renamed(
                CommandFault.Kind.unconfirmed.rawValue, description?.category ?? .nonRetryable,
                message: description?.message ?? CommandFault.Kind.unconfirmed.message,
                messageKey: MessageKey.of(.unconfirmed, description, in: endpoint.service))
            return .unconfirmed(Receipt(idempotencyKey: progress.key, cause: cause, context: context))
        }
        return failure.ending(progress.account)
    }
}
