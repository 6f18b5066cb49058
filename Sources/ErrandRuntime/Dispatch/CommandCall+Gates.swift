extension CommandCall {
    /// Waits for the network and for a session. Nil where the command may go.
    func passGates(to server: ServerAddress, _ progress: CallProgress) async -> FailedAttempt? {
        while true {
            if !isOnline(server, progress), let refusal = await passConnectivity(progress) { return refusal }
            guard endpoint.session != .none else { return nil }
            if !session.isLoaded { await session.loadOnce() }
            guard role.isOrdinary else {
                progress.grant = await session.current()
                return nil
            }
            if let pass = session.admitAtOnce(self) { return take(pass, progress) }
            // Somebody may take long to log in: others need not wait for that to find out about the network.
            reportConnectivity(wasSent: false, progress)
            let pass = await wait(progress) { await session.admit(self, patience: $0) }
            if let refusal = take(pass, progress) { return refusal }
            // And the network may have gone meanwhile.
        }
    }

    /// Keeps the session that was granted; the failure where none was.
    private func take(_ pass: SessionPass, _ progress: CallProgress) -> FailedAttempt? {
        switch pass {
        case .granted(let grant):
            progress.grant = grant
            return nil
        case .cancelled, .again: return cancelled(progress)
        case .refused(let cause):
            progress.account.underlying = cause
            return FailedAttempt(noSession: cause, endpoint, isOpen: progress.isOpen)
                ?? FailedAttempt(.unauthenticated, endpoint, isOpen: progress.isOpen)
        }
    }

    /// Whether the command may go without waiting for the network.
    private func isOnline(_ server: ServerAddress, _ progress: CallProgress) -> Bool {
        server.isLoopback || route.dispatcher.connectivity.isOpen(for: endpoint.network, rank(progress))
    }

    private func rank(_ progress: CallProgress) -> ConnectivityGate.Rank {
        role.isOrdinary ? (progress.losses > 0 ? .returning : .newcomer) : .sessionRenewal
    }

    /// Waits for the network. Nil where the command may go.
    private func passConnectivity(_ progress: CallProgress) async -> FailedAttempt? {
        let gate = route.dispatcher.connectivity
        let rank = rank(progress)
        let use = endpoint.network
        let reason = gate.path.isSatisfied
            ? (gate.path.allows(use) ? "the network is being tried" : "no unmetered network")
            : "no path to the network"
        let start = environment.time.now
        let limit = endpoint.patience.map { $0 - progress.waited }
        let notice = FailedAttempt(.offline, endpoint, isOpen: progress.isOpen)
        let context = notice.context(progress.account)
        let cause = incidentCause(of: notice, progress)
        let begun = progress.begun
        let pass = await route.dispatcher.noteWaiting(self, at: .connectivity, reason) {
            await within(limit) { await self.admit(use, rank, cause, context, begun: begun) }
        }
        progress.waited += environment.time.now - start
        switch pass {
        case .granted: return nil
        case .probe(let id):
            progress.probe = id
            return nil
        case .refused, .cancelled, nil:
            if Task.isCancelled { return cancelled(progress) }
            return FailedAttempt(.offline, endpoint, isOpen: progress.isOpen)
        }
    }

    /// Waits at the gate, while people are told that there is no network: the notice ends by itself when it is back. A
    /// responder may end the waiting, or have the network tried at once; where none decides, the command goes on waiting.
    private func admit(
        _ use: NetworkUse, _ rank: ConnectivityGate.Rank, _ cause: IncidentCause?, _ notice: FailureContext, begun: Duration
    ) async -> ConnectivityGate.Pass? {
        let dispatcher = route.dispatcher
        let gate = dispatcher.connectivity
        guard let cause else { return await gate.admit(use, rank) }
        let chain = chain
        return await withTaskGroup(of: ConnectivityGate.Pass?.self) { group in
            group.addTask { await gate.admit(use, rank) }
            group.addTask {
                switch await dispatcher.board.ask(cause, notice, chain, begun: begun, maySendAgain: true) {
                case .answered(.fail): return .refused
                case .answered(.recategorize(.nonRetryable)), .answered(.recategorize(.requiresLogout)): return .refused
                case .answered(.retry):
                    gate.tryNow()
                    return nil
                case .unanswered, .withdrawn, nil, .answered: return nil
                }
            }
            var pass: ConnectivityGate.Pass?
            for await result in group {
                guard let result else { continue }
                // A place that was given counts, whatever else was said at the same moment.
                if pass == nil || pass == .refused, result != .cancelled { pass = result }
                group.cancelAll()
            }
            return pass
        }
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

    /// Waits until fewer requests to the host are under way. Nil where the command has a place, which it must give
    /// back. The deadline covers this.
    func passHost(_ host: Origin, _ progress: CallProgress) async -> FailedAttempt? {
        let gate = route.dispatcher.hosts
        let start = environment.time.now
        let limit = endpoint.deadline - progress.spent
        let priority = role.isOrdinary ? endpoint.priority : .high
        let hasPlace = await route.dispatcher.noteWaiting(
            self, at: .host, "\(host) is busy"
        ) {
            await within(limit) { await gate.wait(host, priority) ? true : nil }
        }
        progress.spent += environment.time.now - start
        if hasPlace == true { return nil }
        return Task.isCancelled ? cancelled(progress) : timedOut(progress)
    }

    /// Waits, for a time at most; nil where it is over before, or the task is cancelled. What comes at the same moment is
    /// taken: a place that nobody takes would be lost.
    private func within<Pass: Sendable>(
        _ limit: Duration?, _ wait: @escaping @Sendable () async -> Pass?
    ) async -> Pass? {
        guard let limit else { return await wait() }
        guard limit > .zero else { return nil }
        return await route.dispatcher.limit(to: limit, wait).value ?? nil
    }
}
