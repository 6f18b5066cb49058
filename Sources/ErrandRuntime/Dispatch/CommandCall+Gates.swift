extension CommandCall {
    /// Waits for the network and for a session. Nil where the command may go.
    func passGates(to server: ServerAddress, _ progress: CallProgress) async -> FailedAttempt? {
        while true {
            if !isOnline(server, progress), let refusal = await passConnectivity(progress) { return refusal }
            guard endpoint.session != .none else { return nil }
            guard !role.isRenewal else {
                progress.grant = session.currentGrant
                return nil
            }
            if let pass = session.admitAtOnce(self, progress.membership, isRenewed: progress.isRenewed) {
                return take(pass, progress)
            }
            // A person may take long to log in: other commands need not wait for that to find out about the network.
            reportConnectivity(wasSent: false, progress)
            let refusal = await passSession(progress) {
                session.enter(self, progress.membership, $0, isRenewed: progress.isRenewed)
            }
            if let refusal { return refusal }
            // And the network may have gone meanwhile.
        }
    }

    /// Waits for a better session than that of a generation. Nil where the command has one.
    func renewSession(after generation: Int, _ progress: CallProgress) async -> FailedAttempt? {
        await passSession(progress, join: { session.replace(self, after: generation, progress.membership, $0) })
    }

    private func passSession(
        _ progress: CallProgress, join: (GateWaiter<SessionPass>) -> Void
    ) async -> FailedAttempt? {
        let result = await wait(
            at: .session, "the session is being renewed", limit: patienceLeft(at: .session, progress), progress,
            join: join,
            leave: { session.leave($0) })
        switch result {
        case .granted(let pass):
            progress.isRenewed = true
            return take(pass, progress)
        case .cancelled: return cancelled(progress)
        case .timeOver: return take(.refused(nil), progress)
        case .sessionEnded: return sessionEnded(progress)
        }
    }

    /// Keeps the session that was granted; the failure where none was.
    private func take(_ pass: SessionPass, _ progress: CallProgress) -> FailedAttempt? {
        switch pass {
        case .granted(let grant):
            progress.grant = grant
            if progress.membership == .undecided {
                if let epoch = grant.epoch {
                    progress.membership = .epoch(epoch)
                } else if endpoint.session == .optional {
                    // It goes without a session, and stays without one.
                    progress.membership = .none
                }
            }
            return nil
        case .ended: return sessionEnded(progress)
        case .refused(let cause):
            if let cause { progress.account.underlying = cause }
            return FailedAttempt(noSession: cause, isOver: true, endpoint, isOpen: progress.isOpen)
                ?? FailedAttempt(.unauthenticated, endpoint, isOpen: progress.isOpen, isRefused: true)
        case .unrenewed(let cause):
            progress.account.underlying = cause
            return FailedAttempt(noSession: cause, isOver: false, endpoint, isOpen: progress.isOpen)
                ?? FailedAttempt(.unavailable, endpoint, isOpen: progress.isOpen, isRefused: true)
        }
    }

    // MARK: The network

    /// Whether the command may go without waiting for the network.
    func isOnline(_ server: ServerAddress, _ progress: CallProgress) -> Bool {
        server.isLoopback || route.dispatcher.connectivity.isOpen(for: endpoint.network, rank(progress))
    }

    private func rank(_ progress: CallProgress) -> ConnectivityGate.Rank {
        role.isRenewal ? .sessionRenewal : (progress.losses > 0 ? .returning : .newcomer)
    }

    /// Waits for the network, while responders are told that there is none: their notice ends by itself when it is back. A
    /// responder may end the waiting, or have the network tried at once. Nil where the command may go.
    private func passConnectivity(_ progress: CallProgress) async -> FailedAttempt? {
        let gate = route.dispatcher.connectivity
        let board = route.dispatcher.board
        let failure = FailedAttempt(.offline, endpoint, isOpen: progress.isOpen, isRefused: true)
        let rank = rank(progress)
        let use = endpoint.network
        let limit = patienceLeft(at: .connectivity, progress)
        if let limit, limit <= .zero { return failure }
        var ticket: ConnectivityState.Ticket?
        var member: IncidentMember?
        let result: WaitResult<ConnectivityGate.Pass> = await wait(
            at: .connectivity, Self.reason(gate.path, use), limit: limit, progress,
            join: { waiter in
                ticket = gate.join(use, rank, waiter)
                guard ticket != nil, let cause = incidentCause(of: failure, progress) else { return }
                member = board.join(
                    cause, failure.context(progress.account), chain,
                    CommandTime(begun: progress.begun, now: environment.time.now), maySendAgain: true
                ) { [weak waiter] outcome in
                    switch outcome {
                    case .answered(.fail), .answered(.recategorize(.nonRetryable)),
                        .answered(.recategorize(.requiresLogout)):
                        waiter?.end(.granted(.refused))
                    case .answered(.retry): gate.tryNow()
                    case .answered(.pass), .answered(.recategorize(.retryable)), .unanswered, .withdrawn: break
                    }
                }
            },
            leave: { _ in if let ticket { gate.leave(ticket) } })
        if let member { board.leave(member) }
        switch result {
        case .granted(.granted): return nil
        case .granted(.probe(let id)):
            progress.probe = id
            return nil
        case .granted(.refused):
            if let ticket { gate.leave(ticket) }
            return failure
        case .timeOver: return failure
        case .cancelled: return cancelled(progress)
        case .sessionEnded: return sessionEnded(progress)
        }
    }

    private static func reason(_ path: NetworkPath, _ use: NetworkUse) -> String {
        if !path.isSatisfied { return "no path to the network" }
        return path.allows(use) ? "the network is being tried" : "no unmetered network"
    }

    /// Tells the gate what an attempt has found out about the network.
    func reportConnectivity(wasSent: Bool, _ progress: CallProgress) {
        let gate = route.dispatcher.connectivity
        let isLost = wasSent && (progress.fault == .offline || progress.fault == .dns)
        if let probe = progress.probe {
            progress.probe = nil
            gate.finish(probe: probe, wasSent ? (isLost ? .lost : .reached) : .unsent)
        } else if wasSent, progress.fault == .offline, gate.isWatching {
            gate.noteLoss()
        }
    }

    /// Whether the last attempt found no network, and it can be waited for.
    func isOffline(_ progress: CallProgress) -> Bool {
        progress.fault == .offline && progress.account.evidence == .notSent
            && route.dispatcher.connectivity.isWatching
    }

    // MARK: The host

    /// Waits until fewer requests to the host are under way. Nil where the command has a place, which it must give
    /// back. The deadline covers this.
    func passHost(_ host: Origin, _ progress: CallProgress) async -> FailedAttempt? {
        let limiter = route.dispatcher.hosts
        let priority = role.isRenewal ? .high : limits.priority
        var ticket: ConcurrencyLimiter.Ticket?
        let result: WaitResult<Void> = await wait(
            at: .host, "\(host) is busy", limit: limits.deadline - progress.spent, progress,
            join: { ticket = limiter.join(host, priority, $0) },
            leave: { _ in if let ticket { limiter.leave(ticket) } })
        switch result {
        case .granted: return nil
        case .timeOver: return timedOut(progress)
        case .cancelled: return cancelled(progress)
        case .sessionEnded: return sessionEnded(progress)
        }
    }
}
