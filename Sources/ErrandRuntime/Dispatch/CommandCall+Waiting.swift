extension CommandCall {
    /// Waits at one place, until something there grants what the command wants, its time is over, its task is cancelled, or
    /// the session that it belongs to ends. The only way in which a command waits.
    ///
    /// - Parameters:
    ///   - limit: how long at most; nil for any time.
    ///   - join: registers the waiter at the place, or ends its wait at once.
    ///   - leave: removes the waiter. Called if the waiter didn't get what it waits for.
    func wait<Value: Sendable>(
        at place: WaitPlace, _ reason: @autoclosure () -> String, limit: Duration?, _ progress: CallProgress,
        join: (GateWaiter<Value>) -> Void, leave: (GateWaiter<Value>) -> Void = { _ in }
    ) async -> WaitResult<Value> {
        let waiter = GateWaiter<Value>()
        join(waiter)
        if let result = waiter.valueAtOnce { return result }
        progress.endTurn()
        if let limit, limit <= .zero {
            leave(waiter)
            // A place that was granted at the same moment is taken: a place that no command takes would be lost.
            return waiter.end(.timeOver) ? .timeOver : (waiter.valueAtOnce ?? .timeOver)
        }
        let wait = beginWait(at: place, reason(), limit, progress.membership) { waiter.end($0.result()) }
        let result = await waiter.value(ifCancelled: .cancelled)
        if case .granted = result {} else { leave(waiter) }
        end(wait, progress)
        return result
    }

    /// The registrations of a command that waits, as the numbers that remove them.
    private struct OpenWait {
        let listed: Int
        var timer: Int?
        var watch: Int?
    }

    /// The event that ends a wait early.
    private enum EarlyEnd {
        case timeOver, sessionEnded

        func result<Value: Sendable>() -> WaitResult<Value> {
            switch self {
            case .timeOver: .timeOver
            case .sessionEnded: .sessionEnded
            }
        }
    }

    @inline(never)
    private func beginWait(
        at place: WaitPlace, _ reason: String, _ limit: Duration?, _ membership: SessionMembership,
        end: @escaping @Sendable (EarlyEnd) -> Void
    ) -> OpenWait {
        let dispatcher = route.dispatcher
        let start = environment.time.now
        var wait = OpenWait(listed: dispatcher.waitingList.add(endpoint, place, reason, since: start))
        observation?.wait(place, reason, at: start)
        if let limit { wait.timer = dispatcher.timeLimits.set(at: start + limit) { end(.timeOver) } }
        wait.watch = session.watch(membership) { end(.sessionEnded) }
        return wait
    }

    @inline(never)
    private func end(_ wait: OpenWait, _ progress: CallProgress) {
        let dispatcher = route.dispatcher
        session.unwatch(wait.watch)
        if let timer = wait.timer { dispatcher.timeLimits.drop(timer) }
        guard let entry = dispatcher.waitingList.remove(wait.listed) else { return }
        observation?.resume(entry.place, entry.reason, since: entry.since)
        let waited = environment.time.now - entry.since
        switch entry.place {
        case .connectivity: progress.waitedForNetwork += waited
        case .session, .responder: progress.waitedForPeople += waited
        // The deadline covers these.
        case .host, .pause: progress.spent += waited
        }
    }

    /// How much longer the command may wait at a place that its deadline does not cover; nil for any time.
    func patienceLeft(at place: WaitPlace, _ progress: CallProgress) -> Duration? {
        let patience = limits.patience
        if patience.isForever { return nil }
        if let limit = patience.limit { return limit - progress.waitedForNetwork - progress.waitedForPeople }
        return place == .connectivity
            ? limits.deadline - progress.waitedForNetwork
            : route.dispatcher.settings.patience - progress.waitedForPeople
    }

    /// Pauses before the command is sent again. Nil if it may go on.
    func pause(for duration: Duration, _ reason: String, _ progress: CallProgress) async -> FailedAttempt? {
        if duration <= .zero { return Task.isCancelled ? cancelled(progress) : nil }
        let result: WaitResult<Void> = await wait(at: .pause, reason, limit: duration, progress, join: { _ in })
        switch result {
        case .timeOver, .granted: return nil
        case .cancelled: return cancelled(progress)
        case .sessionEnded: return sessionEnded(progress)
        }
    }

    @inline(never)
    func timedOut(_ progress: CallProgress) -> FailedAttempt {
        FailedAttempt(.timedOut, endpoint, isOpen: progress.isOpen, isRefused: true)
    }

    @inline(never)
    func cancelled(_ progress: CallProgress) -> FailedAttempt {
        FailedAttempt(.cancelled, endpoint, isOpen: progress.isOpen)
    }

    @inline(never)
    func sessionEnded(_ progress: CallProgress) -> FailedAttempt {
        FailedAttempt(.sessionEnded, endpoint, isOpen: progress.isOpen)
    }
}
