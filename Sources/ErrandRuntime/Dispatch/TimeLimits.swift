/// Wakes attempts whose time is over. One task sleeps for all of them: a timer for each would cost more
/// than everything else that the pipeline does.
final class TimeLimits: Sendable {
    private struct Limit {
        var moment: Duration
        var waiter: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var limits: [Int: Limit] = [:]
        var nextID = 0
        /// When the task that is in charge wakes; nil where none sleeps.
        var wakes: Duration?
    }

    private let state = Guarded<State> { State() }
    private let time: Timekeeper
    private let start: DispatcherSurroundings.TaskStarter

    init(_ surroundings: DispatcherSurroundings) {
        time = surroundings.time
        start = surroundings.start
    }

    /// Waits until a moment. False if the task was cancelled before.
    func wait(until moment: Duration) async -> Bool {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (isCancelled, isFirst) = state.withLock { state in
                    // Looked at under the lock: a cancellation from now on finds the waiter.
                    if Task.isCancelled { return (true, false) }
                    state.limits[id] = Limit(moment: moment, waiter: waiter)
                    let isFirst = state.wakes.map { moment < $0 } ?? true
                    if isFirst { state.wakes = moment }
                    return (false, isFirst)
                }
                if isCancelled { waiter.resume(returning: false) }
                if isFirst { start { await self.watch(moment) } }
            }
        } onCancel: {
            state.withLock { $0.limits.removeValue(forKey: id)?.waiter }?.resume(returning: false)
        }
    }

    /// Sleeps from limit to limit, until there is none or another task with an earlier one takes over.
    private func watch(_ first: Duration) async {
        var moment = first
        while true {
            _ = await time.sleep(for: moment - time.now)
            let (due, next) = state.withLock { state in
                var due: [CheckedContinuation<Bool, Never>] = []
                var earliest: Duration?
                for (id, limit) in state.limits.sorted(by: { $0.key < $1.key }) {
                    if limit.moment <= moment {
                        due.append(limit.waiter)
                        state.limits[id] = nil
                    } else {
                        earliest = min(earliest ?? limit.moment, limit.moment)
                    }
                }
                guard state.wakes == moment else { return (due, Duration?.none) }
                state.wakes = earliest
                return (due, earliest)
            }
            for waiter in due { waiter.resume(returning: true) }
            guard let next else { return }
            moment = next
        }
    }
}
