extension CommandCall {
    /// Tells the incidents that their host responds.
    func noteSuccess(_ progress: CallProgress) {
        guard let host = progress.host, !route.dispatcher.board.isEmpty else { return }
        route.dispatcher.board.noteSuccess(host: host, endpoint: endpoint, at: environment.time.now)
    }

    /// The cause of the incident that a failure belongs to; nil where it concerns the caller alone.
    func incidentCause(of failure: FailedAttempt, _ progress: CallProgress) -> IncidentCause? {
        // Renewals tell the commands for whose sake they run.
        guard !chain.isEmpty, role.isOrdinary, !failure.isCancelled, !failure.isSessionEnded, !failure.isCallers(endpoint) else {
            return nil
        }
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
}
