extension CommandRun {
    /// Takes a place at an equal read's attempt that is under way. Such a command sends nothing itself, and needs no place at the host.
    @inline(never)
    func joinSharedAttempt() -> Bool {
        guard let key = sharingKey else { return false }
        shared = dispatcher.sharedAttempts.join(key, limit: timeLimit, at: environment.time.now)
        return shared != nil
    }

    /// What equal reads have in common; nil for a command that shares nothing. A read that confirms another command has to be sent
    /// after that one, and a part of a transfer continues its own response.
    private var sharingKey: SharedAttemptKey? {
        guard role.isCacheable, endpoint.effect == .read, endpoint.frame == nil, endpoint.stream == nil,
            let request
        else { return nil }
        return SharedAttemptKey(request.request, session: session.identity, membership, reloads: call.reloads)
    }

    /// Waits for the response to an equal request that is under way, or to a new one that equal reads join.
    @inline(never)
    func sendShared() async -> ReceivedResponse? {
        let limit = timeLimit
        guard limit > .zero, let host = state.host, let assembled = request else {
            settle(timedOut())
            return nil
        }
        guard let place = shared ?? takeSharedPlace(at: host, limit) else { return await sendAlone() }
        let start = environment.time.now
        let observed = begin(assembled, to: host, at: start, isShared: place.isJoined)
        if place.isJoined {
            endTurn()
        } else {
            for stage in stages { stage.lend(to: place.attempt) }
            make(place.attempt, assembled, limit, host)
        }
        let attempts = dispatcher.sharedAttempts
        let ended = await dispatcher.limit(to: limit) { await attempts.result(at: place) }
        assembled.request.sent = place.attempt.sent
        // Also the command that has begun the request.
        for stage in stages { stage.join(place.attempt) }
        return finish(
            Dispatcher.named(ended, isCancelled: Task.isCancelled), assembled, observed, since: start)
    }

    /// Takes a place at an attempt for which the command has waited at the host.
    @inline(never)
    private func takeSharedPlace(at host: Origin, _ limit: Duration) -> SharedAttempts.Place? {
        guard let key = sharingKey else { return nil }
        let place = dispatcher.sharedAttempts.joinOrBegin(key, limit: limit, at: environment.time.now)
        // The place at the host belongs to the attempt from now on, which may outlast this command.
        if place.isJoined { leaveHost() }
        shared = place
        return place
    }

    /// Starts an attempt that may outlast the command.
    @inline(never)
    private func make(
        _ attempt: SharedAttempt, _ assembled: AssembledRequest, _ limit: Duration, _ host: Origin
    ) {
        let (dispatcher, limiter, turn) = (dispatcher, limiter, turn)
        let longest = SharedAttemptState<SharedAttemptKey, SharedAttempts.Waiter>.longest(limit)
        assembled.request.timeout = longest
        attempt.sent = assembled.request.sent
        let request = assembled.request
        let task = environment.startAtOnce {
            let result = await dispatcher.attempt(request, limit: longest, turn: turn) { _ in false }
            limiter.leave(host)
            dispatcher.sharedAttempts.end(attempt, result)
        }
        attempt.note(task)
    }
}
