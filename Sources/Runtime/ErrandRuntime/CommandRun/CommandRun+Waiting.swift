extension CommandRun {
    /// Waits at one place, until something there grants what the command wants, its time is over, its task is cancelled, or
    /// the session that it belongs to ends. The only way in which a command waits.
    ///
    /// - Parameters:
    ///   - limit: how long at most; nil for any time.
    ///   - join: registers the waiter at the place, or ends its wait at once.
    ///   - leave: removes the waiter. Called if the waiter didn't get what it waits for.
    func wait<Value: Sendable>(
        at place: WaitReason, _ reason: @autoclosure () -> String, limit: Duration?,
        join: (GateWaiter<Value>) -> Void, leave: (GateWaiter<Value>) -> Void = { _ in }
    ) async -> WaitResult<Value> {
        let waiter = GateWaiter<Value>()
        join(waiter)
        if let result = waiter.valueAtOnce { return result }
        endTurn()
        if let limit, limit <= .zero {
            leave(waiter)
            // A place that was granted at the same moment is taken: a place that no command takes would be lost.
            return waiter.end(.timeOver) ? .timeOver : (waiter.valueAtOnce ?? .timeOver)
        }
        let wait = beginWait(at: place, reason(), limit) { waiter.end($0.result()) }
        let result = await waiter.value(ifCancelled: .cancelled)
        if case .granted = result {} else { leave(waiter) }
        end(wait)
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
        at place: WaitReason, _ reason: String, _ limit: Duration?,
        end: @escaping @Sendable (EarlyEnd) -> Void
    ) -> OpenWait {
        let dispatcher = dispatcher
        let start = environment.time.now
        var wait = OpenWait(listed: dispatcher.waitingList.add(endpoint, place, reason, since: start))
        call.observation?.wait(place, reason, at: start)
        if let limit { wait.timer = dispatcher.timeLimits.set(at: start + limit) { end(.timeOver) } }
        wait.watch = session.watch(membership) { end(.sessionEnded) }
        return wait
    }

    @inline(never)
    private func end(_ wait: OpenWait) {
        let dispatcher = dispatcher
        session.unwatch(wait.watch)
        if let timer = wait.timer { dispatcher.timeLimits.drop(timer) }
        guard let entry = dispatcher.waitingList.remove(wait.listed) else { return }
        call.observation?.resume(entry.place, entry.reason, since: entry.since)
        state.noteWait(environment.time.now - entry.since, at: entry.place)
    }

    /// Lets the command go that waits for this one to be on its way.
    func endTurn() {
        turn?.end()
        turn = nil
    }

    /// How much longer the command may wait at a place that its deadline does not cover; nil for any time.
    @inline(never)
    func patienceLeft(at place: WaitReason) -> Duration? {
        state.patienceLeft(at: place, limits, dispatcher.settings.patience)
    }

    /// How much longer attempts, pauses and the waits that count as these may take; nil for any time.
    var timeLeft: Duration? {
        @inline(never) get { state.timeLeft(limits, dispatcher.settings.patience) }
    }

    /// Pauses before the command is sent again. Nil if it may go on.
    func pause(for duration: Duration, _ reason: String) async -> FailedAttempt? {
        if duration <= .zero { return Task.isCancelled ? cancelled() : nil }
        let result: WaitResult<Void> = await wait(at: .pause, reason, limit: duration, join: { _ in })
        switch result {
        case .timeOver, .granted: return nil
        case .cancelled: return cancelled()
        case .sessionEnded: return sessionEnded()
        }
    }
}
