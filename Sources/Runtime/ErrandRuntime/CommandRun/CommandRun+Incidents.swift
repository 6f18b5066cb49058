extension CommandRun {
    /// Tells the incidents that the endpoint responds, and its host.
    @inline(never)
    func noteSuccess() {
        guard let host = state.host else { return }
        dispatcher.board.noteSuccess(host: host, endpoint: endpoint, at: environment.time.now)
    }

    /// The cause that a failure has in common with others; nil if it concerns the caller alone.
    @inline(never)
    func incidentCause(of failure: FailedAttempt) -> IncidentCause? {
        // The commands that wait for a renewal report its failure. A command of a responder must not join the incident that the
        // responder is to decide.
        guard role.isOrdinary, !role.isRecorded, call.opensIncidents, failure.concernsOthers(endpoint),
            !ResponderScope.isOpen, let host = state.host ?? call.server?.origin
        else { return nil }
        let place: IncidentCause.Place
        var login: SessionLogin?
        if failure.category == .requiresLogout {
            place = .session(ObjectIdentifier(session))
            if case .epoch(let epoch) = membership {
                login = SessionLogin(session: session.identity, epoch: epoch)
            }
        } else if failure.name == CommandFault.Kind.offline.rawValue {
            place = .network(endsWithSuccess: !dispatcher.connectivity.isWatching)
        } else if failure.category == .retryable || failure.isOutage {
            place = .outage(host)
        } else {
            place = .refusal(host)
        }
        return IncidentCause(place, endpoint, failure.category, state.summary.evidence, login: login)
    }

    /// Puts a failure to the responders, together with all others of its cause, and waits for the incident's end.
    func ask(_ failure: FailedAttempt, maySendAgain: Bool) async {
        var member: IncidentMember?
        let result: WaitResult<IncidentRelease> = await wait(
            at: .responder, failure.name, limit: patienceLeft(at: .responder),
            join: { member = join($0, failure, maySendAgain: maySendAgain) })
        if let member { dispatcher.board.leave(member) }
        switch result {
        case .granted(let release):
            turn = release.turn
            goOn(after: release.outcome)
        case .timeOver: goOn(after: .unanswered)
        case .cancelled: goOn(unless: cancelled())
        case .sessionEnded: goOn(unless: sessionEnded())
        }
    }

    @inline(never)
    private func join(
        _ waiter: IncidentRegistry.Waiter, _ failure: FailedAttempt, maySendAgain: Bool
    ) -> IncidentMember? {
        guard let cause = incidentCause(of: failure) else {
            waiter.end(.granted(IncidentRelease(outcome: .unanswered, turn: nil)))
            return nil
        }
        let (board, order) = (dispatcher.board, order)
        return board.join(
            cause, failure.context(state.summary), call.chain,
            CommandTime(begun: state.begun, now: environment.time.now), maySendAgain: maySendAgain
        ) { [weak board, weak waiter] outcome in
            if let waiter { board?.release(waiter, order, outcome) }
        }
    }
}
