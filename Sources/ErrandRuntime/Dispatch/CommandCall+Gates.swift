extension CommandCall {
    /// Waits for the network, for a session and for a place at the host, and makes the request.
    ///
    /// - Returns: nil if the command may go. It has a place at its host then, which it must give back.
    @inline(never)
    func passGates(to server: ServerAddress, _ progress: CallProgress) async -> FailedAttempt? {
        while true {
            if !isOnline(server, progress), let refusal = await passConnectivity(progress) { return refusal }
            // After it has waited for the session, its turn is that of the session's gate.
            switch askSession(progress, isInTurn: progress.turn != nil && !progress.isRenewed) {
            case .passed: break
            case .refused(let refusal): return refusal
            case .mustWait:
                // A person may take long to log in: other commands need not wait for that to find out about the network.
                reportConnectivity(progress)
                let refusal = await passSession(progress) {
                    session.enter(self, progress.membership, progress.order, $0, isRenewed: progress.isRenewed)
                }
                if let refusal { return refusal }
                // And the network may have gone meanwhile.
                continue
            }
            if let invalid = prepare(server, progress) { return invalid }
            if enterHost(progress) { return nil }
            progress.request = nil
            if let refusal = await passHost(progress) { return refusal }
            // The session and the network may have changed since the command came to wait.
            guard stillMayGo(server, progress) else {
                leaveHost(progress)
                continue
            }
            // The time stamps and the token in the request must be valid when it is sent.
            guard let invalid = prepare(server, progress) else { return nil }
            leaveHost(progress)
            return invalid
        }
    }

    /// Whether the gates would let the command through now. Takes the grant that there is.
    @inline(never)
    private func stillMayGo(_ server: ServerAddress, _ progress: CallProgress) -> Bool {
        guard progress.probe != nil || isOnline(server, progress) else { return false }
        // It has passed the session's gate in its turn already.
        if case .passed = askSession(progress, isInTurn: false) { return true }
        return false
    }

    /// The session's reply to a command that doesn't wait yet.
    private enum Admission {
        case passed
        case refused(FailedAttempt)
        case mustWait
    }

    @inline(never)
    private func askSession(_ progress: CallProgress, isInTurn: Bool) -> Admission {
        guard endpoint.session != .none else { return .passed }
        guard !role.isRenewal else {
            progress.grant = session.currentGrant
            return .passed
        }
        let pass = session.admitAtOnce(
            self, progress.membership, isRenewed: progress.isRenewed, isInTurn: isInTurn)
        guard let pass else { return .mustWait }
        return take(pass, progress).map { .refused($0) } ?? .passed
    }

    /// Waits for a better session than that of a generation. Nil if the command has one.
    func renewSession(after generation: Int, _ progress: CallProgress) async -> FailedAttempt? {
        await passSession(progress) {
            session.replace(self, after: generation, progress.membership, progress.order, $0)
            reportConnectivity(progress)
        }
    }

    private func passSession(
        _ progress: CallProgress, join: (SessionWaiter.Place) -> Void
    ) async -> FailedAttempt? {
        let result = await wait(
            at: .session, "the session is being renewed", limit: patienceLeft(at: .session, progress), progress,
            join: join,
            leave: { session.leave($0) })
        switch result {
        case .granted(let admission):
            progress.isRenewed = true
            progress.turn = admission.turn
            return take(admission.pass, progress)
        case .cancelled: return cancelled(progress)
        case .timeOver: return take(.refused(nil), progress)
        case .sessionEnded: return sessionEnded(progress)
        }
    }

    /// Keeps the session that was granted; the failure where none was.
    @inline(never)
    private func take(_ pass: SessionPass, _ progress: CallProgress) -> FailedAttempt? {
        switch pass {
        case .granted(let grant):
            progress.grant = grant
            // The store had no user. It goes without a session, and stays without one.
            if grant.epoch == nil, endpoint.session == .optional || isLogout, session.isToCome(progress.membership) {
                progress.membership = .none
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
    @inline(never)
    func isOnline(_ server: ServerAddress, _ progress: CallProgress) -> Bool {
        // The carrier waits for the network by itself, even after the process has ended.
        if server.isLoopback || role.isCarried { return true }
        let pass = route.dispatcher.connectivity.admit(
            for: endpoint.network, isRenewal: role.isRenewal, passed: progress.networkPass)
        progress.networkPass = pass
        return pass != nil
    }

    /// Waits for the network, while responders are told that it is down: their notice ends by itself when it is back. A
    /// responder may end the waiting, or have the network tried at once. Nil if the command may go.
    private func passConnectivity(_ progress: CallProgress) async -> FailedAttempt? {
        let limit = patienceLeft(at: .connectivity, progress)
        if let limit, limit <= .zero { return offline(progress) }
        var place = NetworkPlace()
        let result: WaitResult<ConnectivityGate.Pass> = await wait(
            at: .connectivity, networkReason, limit: limit, progress,
            join: { place = join($0, progress) },
            leave: { _ in if let ticket = place.ticket { route.dispatcher.connectivity.leave(ticket) } })
        return finish(result, place, progress)
    }

    /// Where a command waits for the network.
    private struct NetworkPlace {
        var ticket: ConnectivityState.Ticket?
        var member: IncidentMember?
    }

    @inline(never)
    private func join(
        _ waiter: ConnectivityGate.Waiter, _ progress: CallProgress
    ) -> NetworkPlace {
        let gate = route.dispatcher.connectivity
        var place = NetworkPlace(
            ticket: gate.join(
                endpoint.network, progress.order, isRenewal: role.isRenewal, waiter))
        let failure = offline(progress)
        guard place.ticket != nil, let cause = incidentCause(of: failure, progress) else { return place }
        place.member = route.dispatcher.board.join(
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
        return place
    }

    @inline(never)
    private func finish(
        _ result: WaitResult<ConnectivityGate.Pass>, _ place: NetworkPlace, _ progress: CallProgress
    ) -> FailedAttempt? {
        if let member = place.member { route.dispatcher.board.leave(member) }
        switch result {
        case .granted(.granted(let turn, let number)):
            progress.turn = turn ?? progress.turn
            progress.networkPass = number
            return nil
        case .granted(.probe(let id)):
            progress.probe = id
            // If it needs a login, it goes on before the others that have waited for the login.
            progress.networkPass = route.dispatcher.connectivity.closings
            return nil
        case .granted(.refused):
            if let ticket = place.ticket { route.dispatcher.connectivity.leave(ticket) }
            progress.account.isAnswered = true
            return offline(progress)
        case .timeOver: return offline(progress)
        case .cancelled: return cancelled(progress)
        case .sessionEnded: return sessionEnded(progress)
        }
    }

    @inline(never)
    private func offline(_ progress: CallProgress) -> FailedAttempt {
        FailedAttempt(.offline, endpoint, isOpen: progress.isOpen, isRefused: true)
    }

    private var networkReason: String { Self.reason(route.dispatcher.connectivity.path, endpoint.network) }

    private static func reason(_ path: NetworkPath, _ use: NetworkUse) -> String {
        if !path.isSatisfied { return "no path to the network" }
        return path.allows(use) ? "the network is being tried" : "no unmetered network"
    }

    /// Tells the gate what an attempt has found out about the network, once.
    @inline(never)
    func reportConnectivity(_ progress: CallProgress) {
        let gate = route.dispatcher.connectivity
        let isSent = progress.isSent
        progress.isSent = false
        let isLost = isSent && (progress.fault == .offline || progress.fault == .dns)
        if let probe = progress.probe {
            progress.probe = nil
            gate.finish(probe: probe, isSent ? (isLost ? .lost : .reached) : .unsent)
        } else if isSent, progress.fault == .offline, gate.isWatching {
            gate.noteLoss()
        }
    }

    /// Whether the last attempt found no network, and it can be waited for.
    func isOffline(_ progress: CallProgress) -> Bool {
        progress.fault == .offline && progress.account.evidence == .notSent
            && route.dispatcher.connectivity.isWatching
    }

    // MARK: The host

    /// Takes a place at the host of the request. False if the command has to wait for one.
    @inline(never)
    private func enterHost(_ progress: CallProgress) -> Bool {
        // A transfer may take hours, so it doesn't use a place of other requests.
        role.isCarried || progress.host.map { route.dispatcher.hosts.enter($0) } ?? false
    }

    /// Gives the place at the host back.
    @inline(never)
    func leaveHost(_ progress: CallProgress) {
        if let host = progress.host, !role.isCarried { route.dispatcher.hosts.leave(host) }
    }

    /// Waits until fewer requests to the host are under way. Nil if the command has a place. The deadline covers this.
    private func passHost(_ progress: CallProgress) async -> FailedAttempt? {
        guard let host = progress.host else { return nil }
        let limiter = route.dispatcher.hosts
        var ticket: ConcurrencyLimiter.Ticket?
        let result: WaitResult<Turn> = await wait(
            at: .host, "\(host) is busy", limit: limits.deadline - progress.spent, progress,
            join: { ticket = limiter.join(host, progress.order, $0) },
            leave: { _ in if let ticket { limiter.leave(ticket) } })
        switch result {
        case .granted(let turn):
            progress.turn = turn
            return nil
        case .timeOver: return timedOut(progress)
        case .cancelled: return cancelled(progress)
        case .sessionEnded: return sessionEnded(progress)
        }
    }
}
