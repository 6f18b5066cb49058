extension CommandRun {
    /// Waits for the network, for a session and for a place at the host, and makes the request.
    ///
    /// - Returns: nil if the command may go. It has a place at its host then, which it must give back.
    @inline(never)
    func passGates(to server: ServerAddress) async -> FailedAttempt? {
        // At the gate of a stage.
        var hasWaited = false
        while true {
            if !isOnline(server) {
                if call.isLogout, let refusal = await refuseLogout() { return refusal }
                if let refusal = await passConnectivity() { return refusal }
            }
            // After it has waited for the session, its turn is that of the session's gate.
            switch askSession(isInTurn: turn != nil && !isRenewed) {
            case .passed: break
            case .refused(let refusal): return refusal
            case .mustWait:
                // A person may take long to log in: other commands need not wait for that to find out about the network.
                reportConnectivity()
                let refusal = await passSession {
                    session.enter(call, membership, order, $0, isRenewed: isRenewed)
                }
                if let refusal { return refusal }
                // And the network may have gone meanwhile.
                continue
            }
            if let invalid = askStages({ $0.prepare() }) { return invalid }
            if let closed = closedStage(isInTurn: hasWaited) {
                if let refusal = await closed.pass() { return refusal }
                hasWaited = true
                // The session and the network may have changed since.
                continue
            }
            if let invalid = prepare(server) { return invalid }
            if endpoint.isShared, joinSharedAttempt() { return nil }
            if !enterHost() {
                request = nil
                if let refusal = await passHost() { return refusal }
                // The session and the network may have changed since the command came to wait.
                guard stillMayGo(server, isInTurn: hasWaited) else {
                    leaveHost()
                    continue
                }
            }
            if let pause = rateLimitPause() {
                leaveHost()
                request = nil
                if let refusal = await passRateLimit(pause) { return refusal }
                continue
            }
            if request != nil { return nil }
            // The time stamps and the token in the request must be valid when it is sent.
            guard let invalid = prepare(server) else { return nil }
            leaveHost()
            return invalid
        }
    }

    /// The stage at whose gate the command has to wait; nil if it may go.
    @inline(never)
    private func closedStage(isInTurn: Bool) -> CommandStage? {
        stages.first { !$0.isOpen(isInTurn: isInTurn) }
    }

    /// Whether the gates would let the command through now. Takes the grant that there is.
    @inline(never)
    private func stillMayGo(_ server: ServerAddress, isInTurn: Bool) -> Bool {
        guard probe != nil || isOnline(server), closedStage(isInTurn: isInTurn) == nil else { return false }
        // It has passed the session's gate in its turn already.
        if case .passed = askSession(isInTurn: false) { return true }
        return false
    }

    /// The session's reply to a command that doesn't wait yet.
    private enum Admission {
        case passed
        case refused(FailedAttempt)
        case mustWait
    }

    @inline(never)
    private func askSession(isInTurn: Bool) -> Admission {
        guard endpoint.session != .none else { return .passed }
        guard !role.isRenewal else {
            if case .identification(let token) = role {
                // The session does not have this token yet.
                grant = SessionSnapshot(generation: -1, tokens: SessionTokens(access: token), epoch: nil)
            } else {
                grant = session.currentGrant
            }
            return .passed
        }
        let pass = session.admitAtOnce(
            call, membership, isRenewed: isRenewed, isInTurn: isInTurn)
        guard let pass else { return .mustWait }
        return take(pass).map { .refused($0) } ?? .passed
    }

    /// The refusal of a logout without a token, which needs no network. Nil if there is a token to be sent.
    private func refuseLogout() async -> FailedAttempt? {
        await session.loadOnce()
        if case .refused(let refusal) = askSession(isInTurn: false) { return refusal }
        return nil
    }

    /// Waits for a better session than that of a generation. Nil if the command has one.
    func renewSession(after generation: Int) async -> FailedAttempt? {
        await passSession {
            session.replace(call, after: generation, membership, order, $0)
            reportConnectivity()
        }
    }

    private func passSession(join: (SessionWaiter.Place) -> Void) async -> FailedAttempt? {
        let result = await wait(
            at: .session, "the session is being renewed", limit: patienceLeft(at: .session),
            join: join,
            leave: { session.leave($0) })
        return finish(result)
    }

    @inline(never)
    private func finish(_ result: WaitResult<SessionAdmission>) -> FailedAttempt? {
        switch result {
        case .granted(let admission):
            isRenewed = true
            turn = admission.turn
            return take(admission.pass)
        case .cancelled: return cancelled()
        case .timeOver: return take(.refused(nil))
        case .sessionEnded: return sessionEnded()
        }
    }

    /// Keeps the session that was granted; the failure where none was.
    @inline(never)
    private func take(_ pass: SessionPass) -> FailedAttempt? {
        switch pass {
        case .granted(let grant):
            self.grant = grant
            // The store had no user. It goes without a session, and stays without one.
            if grant.epoch == nil, endpoint.session == .optional || call.isLogout, session.isToCome(membership) {
                membership = .none
            }
            return nil
        case .ended: return sessionEnded()
        case .refused(let cause):
            if let cause { state.summary.underlying = cause }
            return FailedAttempt(noSession: cause, isOver: true, endpoint, mayHaveBeenApplied: state.mayHaveBeenApplied)
                ?? FailedAttempt(withoutSession: endpoint, mayHaveBeenApplied: state.mayHaveBeenApplied)
        case .unrenewed(let cause):
            state.summary.underlying = cause
            // A stream that was lost comes back when the session can be renewed again. No person was asked for that: a login that fails
            // refuses the command.
            let isPermanent = !state.isReopening
            if !isPermanent { state.noteUnsentOpening() }
            return FailedAttempt(
                noSession: cause, isOver: false, endpoint, mayHaveBeenApplied: state.mayHaveBeenApplied,
                isPermanent: isPermanent)
                ?? FailedAttempt(
                    .unavailable, endpoint, mayHaveBeenApplied: state.mayHaveBeenApplied, isPermanent: isPermanent)
        }
    }

    // MARK: The network

    /// Whether the command may go without waiting for the network.
    @inline(never)
    func isOnline(_ server: ServerAddress) -> Bool {
        // The carrier waits for the network by itself, even after the process has ended.
        if server.isLoopback || role.isCarried { return true }
        let pass = dispatcher.connectivity.admit(
            for: endpoint.network, isRenewal: role.isRenewal, passed: networkPass)
        networkPass = pass
        return pass != nil
    }

    /// Waits for the network, while responders are told that it is down: their notice ends by itself when it is back. A
    /// responder may end the waiting, or have the network tried at once. Nil if the command may go.
    private func passConnectivity() async -> FailedAttempt? {
        let limit = patienceLeft(at: .connectivity)
        if let limit, limit <= .zero { return offline() }
        var place = NetworkPlace()
        let result: WaitResult<ConnectivityGate.Pass> = await wait(
            at: .connectivity, networkReason, limit: limit,
            join: { place = join($0) },
            leave: { _ in if let ticket = place.ticket { dispatcher.connectivity.leave(ticket) } })
        return finish(result, place)
    }

    /// Where a command waits for the network.
    private struct NetworkPlace {
        var ticket: ConnectivityState.Ticket?
        var member: IncidentMember?
    }

    @inline(never)
    private func join(
        _ waiter: ConnectivityGate.Waiter
    ) -> NetworkPlace {
        let gate = dispatcher.connectivity
        var place = NetworkPlace(
            ticket: gate.join(
                endpoint.network, order, isRenewal: role.isRenewal, waiter))
        let failure = offline()
        guard place.ticket != nil, let cause = incidentCause(of: failure) else { return place }
        place.member = dispatcher.board.join(
            cause, failure.context(state.summary), call.chain,
            CommandTime(begun: state.begun, now: environment.time.now), maySendAgain: true
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
        _ result: WaitResult<ConnectivityGate.Pass>, _ place: NetworkPlace
    ) -> FailedAttempt? {
        if let member = place.member { dispatcher.board.leave(member) }
        switch result {
        case .granted(.granted(let turn, let number)):
            self.turn = turn ?? self.turn
            networkPass = number
            return nil
        case .granted(.probe(let id)):
            probe = id
            // If it needs a login, it goes on before the others that have waited for the login.
            networkPass = dispatcher.connectivity.closings
            return nil
        case .granted(.refused):
            if let ticket = place.ticket { dispatcher.connectivity.leave(ticket) }
            state.summary.isAnswered = true
            return offline()
        case .timeOver: return offline()
        case .cancelled: return cancelled()
        case .sessionEnded: return sessionEnded()
        }
    }

    @inline(never)
    private func offline() -> FailedAttempt {
        FailedAttempt(.offline, endpoint, mayHaveBeenApplied: state.mayHaveBeenApplied, isPermanent: true)
    }

    private var networkReason: String { Self.reason(dispatcher.connectivity.path, endpoint.network) }

    private static func reason(_ path: NetworkPath, _ use: NetworkUse) -> String {
        if !path.isSatisfied { return "no path to the network" }
        return path.allows(use) ? "the network is being tried" : "no unmetered network"
    }

    /// Tells the gate what an attempt has found out about the network, once.
    @inline(never)
    func reportConnectivity() {
        let gate = dispatcher.connectivity
        let isSent = isSent
        self.isSent = false
        let isLost = isSent && (state.fault == .offline || state.fault == .dns)
        if let probe {
            self.probe = nil
            gate.finish(probe: probe, isSent ? (isLost ? .lost : .reached) : .unsent)
        } else if isSent, state.fault == .offline, gate.isWatching {
            gate.noteLoss()
        }
    }

    // MARK: The host

    /// Takes a place at the host of the request. False if the command has to wait for one.
    @inline(never)
    private func enterHost() -> Bool {
        // A transfer may take hours, so it doesn't use a place of other requests.
        hasNoPlace || state.host.map { limiter.enter($0) } ?? false
    }

    /// Gives the place at the host back.
    @inline(never)
    func leaveHost() {
        if let shared {
            // The attempt gives its place back itself.
            self.shared = nil
            dispatcher.sharedAttempts.leave(shared)
            return
        }
        if let host = state.host, !hasNoPlace { limiter.leave(host) }
    }

    /// What bounds the requests beside which the next attempt is made.
    var limiter: ConcurrencyLimiter { askStages { $0.limiter } ?? dispatcher.hosts }

    /// Whether its requests take no place.
    var hasNoPlace: Bool { role.isCarried || role.isAttachment }

    /// Waits until fewer requests to the host are under way. Nil if the command has a place. The deadline, or the patience of a lost
    /// stream, covers this.
    private func passHost() async -> FailedAttempt? {
        guard let host = state.host else { return nil }
        let limiter = limiter
        var ticket: ConcurrencyLimiter.Ticket?
        let result: WaitResult<GateTurn> = await wait(
            at: .host, "\(host) is busy", limit: timeLeft,
            join: { ticket = limiter.join(host, order, $0) },
            leave: { _ in if let ticket { limiter.leave(ticket) } })
        return finish(result)
    }

    @inline(never)
    private func finish(_ result: WaitResult<GateTurn>) -> FailedAttempt? {
        switch result {
        case .granted(let turn):
            self.turn = turn
            return nil
        case .timeOver: return outOfTime()
        case .cancelled: return cancelled()
        case .sessionEnded: return sessionEnded()
        }
    }
}
