extension CommandCall {
    /// Ends the command with its failure, unless whoever responds to the incident decides otherwise. Nil for
    /// another attempt.
    func settle(_ failure: FailedAttempt, _ progress: CallProgress) async -> Ending? {
        var failure = failure
        // What can still be found out is found out first, and nobody is bothered before.
        if command is any ConfirmableCommand, endsUnconfirmed(failure, progress) { return end(failure, progress) }
        while let key = incidentKey(of: failure, progress) {
            let context = failure.context(progress.account)
            let wait = observation?.wait(.responder, failure.name)
            let answer = await dispatcher.board.ask(key, context, chain, begun: progress.begun)
            if let wait { observation?.resume(wait) }
            switch answer {
            case .fail: return end(failure, progress)
            case .undecided:
                Self.reportUnanswered(context)
                return end(failure, progress)
            case .cancelled: return end(cancelled(progress), progress)
            case .retry: return await sendAgain(after: failure, progress)
            case .recategorize(let category):
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

    /// A developer should hear of an error that fell through all responders, loudly; a user has no use for it.
    private static func reportUnanswered(_ context: FailureContext) {
        #if DEBUG
        print("errand: no responder answered for \(context)")
        #endif
    }

    /// Tells the incidents that their host answers.
    func noteSuccess(_ progress: CallProgress) {
        guard let host = progress.host, !dispatcher.board.isEmpty else { return }
        dispatcher.board.withdraw(.host(host))
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

    /// The incident that a failure belongs to; nil where it is nobody's business but the caller's.
    private func incidentKey(of failure: FailedAttempt, _ progress: CallProgress) -> IncidentKey? {
        // Without anybody to ask there is nothing to wait for. Renewals tell those for whose sake they run.
        guard !chain.isEmpty, role.isOrdinary, !failure.isCancelled, !failure.isCallers(endpoint) else { return nil }
        let scope: IncidentKey.Scope
        switch failure.category {
        case .requiresLogout: scope = .session(ObjectIdentifier(session))
        case .retryable:
            if failure.name == CommandFault.Kind.offline.rawValue {
                scope = .network
            } else {
                scope = progress.host.map { .host($0) } ?? .service(endpoint.service.name)
            }
        case .nonRetryable: scope = .service(endpoint.service.name)
        }
        return IncidentKey(scope: scope, name: failure.name)
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
