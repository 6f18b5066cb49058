/// Work that has a time limit: what it came to, and whether its time was over first.
private struct TimedResult<Value: Sendable>: Sendable {
    var value: Value?
    var isTimeOver = false
}

extension Dispatcher {
    /// Runs work in a task of its own, which is cancelled when its time is over or the caller is cancelled. Even then this
    /// method waits for the work, since only the work knows how far it got.
    ///
    /// Work that finishes at once costs neither a time limit nor a change of threads.
    ///
    /// - Parameter turn: over when the work has begun.
    func limit<Value: Sendable>(
        to limit: Duration, in turn: GateTurn? = nil, _ work: @escaping @Sendable () async -> Value
    ) async -> (value: Value?, isTimeOver: Bool) {
        let state = LockedState { TimedResult<Value>() }
        let task = environment.startAtOnce(in: turn) {
            let value = await work()
            state.withLock { $0.value = value }
        }
        if let value = state.withLock({ $0.value }) { return (value, false) }
        let id = timeLimits.set(at: environment.time.now + limit) {
            state.withLock { $0.isTimeOver = true }
            task.cancel()
        }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        timeLimits.drop(id)
        return state.withLock { ($0.value, $0.isTimeOver) }
    }
}
