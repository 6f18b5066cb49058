extension CommandCall {
    /// Tells the incidents that the endpoint responds, and its host.
    @inline(never)
    func noteSuccess(_ progress: CallProgress) {
        guard let host = progress.host else { return }
        route.dispatcher.board.noteSuccess(host: host, endpoint: endpoint, at: environment.time.now)
    }

    /// The cause that a failure has in common with others; nil if it concerns the caller alone.
    @inline(never)
    func incidentCause(of failure: FailedAttempt, _ progress: CallProgress) -> IncidentCause? {
        // The commands that wait for a renewal report its failure. A command of a responder must not join the incident that the
        // responder is to decide.
        guard role.isOrdinary, opensIncidents, !failure.isCancelled, !failure.isSessionEnded,
            !failure.isCallers(endpoint),
            !ResponderScope.isOpen, let host = progress.host ?? route.server?.origin
        else { return nil }
        let place: IncidentCause.Place
        var login: SessionLogin?
        if failure.category == .requiresLogout {
            place = .session(ObjectIdentifier(session))
            if case .epoch(let epoch) = progress.membership {
                login = SessionLogin(session: session.identity, epoch: epoch)
            }
        } else if failure.name == CommandFault.Kind.offline.rawValue {
            place = .network(endsWithSuccess: !route.dispatcher.connectivity.isWatching)
        } else if failure.category == .retryable || failure.isOutage {
            place = .outage(host)
        } else {
            place = .refusal(host)
        }
        return IncidentCause(place, endpoint, failure.category, progress.account.evidence, login: login)
    }
}
