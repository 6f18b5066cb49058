extension CommandCall {
    /// Ends the command with its failure, unless whoever responds to the incident decides otherwise. Nil for
    /// another attempt.
    func settle(_ failure: FailedAttempt, _ progress: CallProgress) async -> Ending? {
        var failure = failure
        // What can still be found out is found out first, and nobody is bothered before.
        if command is any ConfirmableCommand, endsUnconfirmed(failure, progress) { return end(failure, progress) }
        while let cause = incidentCause(of: failure, progress) {
            let context = failure.context(progress.account)
            let wait = observation?.wait(.responder, failure.name)
            let answer = await dispatcher.board.ask(
                cause, context, chain, begun: progress.begun, maySendAgain: failure.maySend(again: endpoint.effect))
            if let wait { observation?.resume(wait) }
            switch answer {
            case .answered(.fail), .answered(.pass), .unanswered: return end(failure, progress)
            case nil: return end(cancelled(progress), progress)
            case .answered(.retry), .withdrawn: return await sendAgain(after: failure, progress)
            case .answered(.recategorize(let category)):
                guard category != failure.category else { return end(failure, progress) }
                failure = failure.recategorized(category)
                switch category {
                case .nonRetryable: return end(failure, progress)
                case .retryable: return await sendAgain(after: failure, progress)
                // The session is renewed where that is possible; where it is not, that is an incident in turn.
                case .requiresLogout:
                    if let ending = await renew(for: failure, progress) { failure = ending } else { return nil }
                }
            }
        }
        return end(failure, progress)
    }

    /// Sends the command once more, where that may be done; its end where it may not, or it was cancelled.
    private func sendAgain(after failure: FailedAttempt, _ progress: CallProgress) async -> Ending? {
        guard failure.maySend(again: endpoint.effect) else { return end(failure, progress) }
        return await rest(progress) ? nil : end(cancelled(progress), progress)
    }

    /// Tells the incidents that the endpoint answers, and its host.
    func noteSuccess(_ progress: CallProgress) {
        guard let host = progress.host else { return }
        dispatcher.board.noteSuccess(host: host, endpoint: endpoint, at: environment.time.now)
    }

    private var dispatcher: Dispatcher { route.dispatcher }

    /// A person answers once; a responder that always says `retry` must not make a storm of it.
    private func rest(_ progress: CallProgress) async -> Bool {
        let pauses = progress.answers
        progress.beginAgain(at: environment.time.now)
        if pauses == 0 { return !Task.isCancelled }
        let rule = dispatcher.settings.retry
        let wait = observation?.wait(.pause, "it was answered before")
        defer { if let wait { observation?.resume(wait) } }
        return await environment.time.sleep(
            for: rule.pause(after: pauses, jitter: environment.chance.fraction()))
    }

    /// The cause that a failure has in common with others; nil where it is the caller's own business.
    func incidentCause(of failure: FailedAttempt, _ progress: CallProgress) -> IncidentCause? {
        guard joinsIncidents, !failure.isCancelled, !failure.isCallers(endpoint),
            let host = progress.host ?? route.server?.origin
        else { return nil }
        let place: IncidentCause.Place
        if failure.category == .requiresLogout {
            place = .session(ObjectIdentifier(session))
        } else if failure.name == CommandFault.Kind.offline.rawValue {
            place = .network(endsWithSuccess: !dispatcher.connectivity.isWatching)
        } else if failure.category == .retryable || failure.isOutage {
            place = .outage(host)
        } else {
            place = .refusal(host)
        }
        return IncidentCause(place, endpoint, failure.context(progress.account))
    }

    /// Waits for a new session. Nil where there is one, and the command is sent again.
    private func renew(for failure: FailedAttempt, _ progress: CallProgress) async -> FailedAttempt? {
        let generation = progress.grant?.generation ?? 0
        guard endpoint.session != .none, session.isReplaceable(after: generation) else {
            return failure.recategorized(.nonRetryable)
        }
        switch await wait(progress, { await session.renew(self, after: generation, patience: $0) }) {
        case .granted:
            progress.replays += 1
            return nil
        case .cancelled, .again: return cancelled(progress)
        case .refused: return failure.recategorized(.nonRetryable)
        }
    }
}

extension IncidentBoard {
    func ask(_ cause: IncidentCause, _ context: FailureContext, _ chain: [ResponderLevel], begun: Duration, maySendAgain: Bool) async -> IncidentOutcome? {
        let suspension = Suspension<IncidentOutcome?>()
        let member = join(cause, context, chain, CommandTime(begun: begun, now: now), maySendAgain: maySendAgain) { _ = suspension.end($0) }
        defer { leave(member) }
        return await suspension.value(ifCancelled: nil)
    }
}
