/// Ends what takes longer than it may. One task sleeps for all time limits: a timer for each would cost more than
/// everything else that the pipeline does.
package final class TimeLimits: Sendable {
    /// Called once, when the time is over. It must not take long: all other limits wait for it.
    package typealias Action = @Sendable () -> Void

    private struct State {
        /// The actions of the limits that are still set.
        var actions: [Int: Action] = [:]
        /// When, the earliest first. Those that were dropped stay until their time, or until they are
        /// the most of it.
        var limits = Heap<TimeLimit>()
        var nextID = 0
        /// When the task that is in charge wakes; nil if none sleeps.
        var wakes: Duration?
        /// The tasks that sleep, by the numbers of the limits for which they were started.
        var watchers: [Int: Task<Void, Never>] = [:]
    }

    private let state = LockedState<State> { State() }
    private let time: Timekeeper
    private let environment: DispatcherEnvironment

    init(_ environment: DispatcherEnvironment) {
        time = environment.time
        self.environment = environment
    }

    deinit { for watcher in state.withLock({ $0.watchers.values }) { watcher.cancel() } }

    /// Sets a limit, and returns the number by which it can be dropped.
    package func set(at moment: Duration, _ action: @escaping Action) -> Int {
        let (id, isFirst) = state.withLock { state in
            state.nextID += 1
            state.actions[state.nextID] = action
            state.limits.insert(TimeLimit(moment: moment, id: state.nextID))
            let isFirst = state.wakes.map { moment < $0 } ?? true
            if isFirst { state.wakes = moment }
            return (state.nextID, isFirst)
        }
        if isFirst {
            // Who waits for a limit holds this. A task that held it, too, would keep it for minutes after a client is gone.
            let watcher = environment.startDetached { [weak self, time] in
                var moment = moment
                while true {
                    _ = await time.sleep(until: moment)
                    guard let next = self?.endLimits(of: moment, id) else { return }
                    moment = next
                }
            }
            state.withLock { $0.watchers[id] = watcher }
        }
        return id
    }

    /// Drops a limit. False if its action was called already, or is about to be.
    @discardableResult
    package func drop(_ id: Int) -> Bool {
        state.withLock { state in
            guard state.actions.removeValue(forKey: id) != nil else { return false }
            if state.limits.count > 64, state.limits.count > 2 * state.actions.count {
                let actions = state.actions
                state.limits.keep { actions[$0.id] != nil }
            }
            return true
        }
    }

    /// Calls what is due at a moment. Returns the next one; nil if none is left, or another task with an earlier one has taken over.
    private func endLimits(of moment: Duration, _ watcher: Int) -> Duration? {
        // Everything that is due by now goes at once, however many moments that are.
        let now = max(moment, time.now)
        let (due, next) = state.withLock { state in
            var due: [Action] = []
            while let limit = state.limits.first, limit.moment <= now {
                state.limits.removeFirst()
                if let action = state.actions.removeValue(forKey: limit.id) { due.append(action) }
            }
            guard state.wakes == moment else {
                state.watchers[watcher] = nil
                return (due, Duration?.none)
            }
            while let limit = state.limits.first, state.actions[limit.id] == nil {
                state.limits.removeFirst()
            }
            state.wakes = state.limits.first?.moment
            if state.wakes == nil { state.watchers[watcher] = nil }
            return (due, state.wakes)
        }
        for action in due { action() }
        return next
    }
}

/// A moment at which something is due. Of one moment, the first comer goes first.
package struct TimeLimit: Comparable, Sendable {
    package var moment: Duration
    package var id: Int

    package init(moment: Duration, id: Int) {
        self.moment = moment
        self.id = id
    }

    package static func < (first: TimeLimit, second: TimeLimit) -> Bool {
        (first.moment, first.id) < (second.moment, second.id)
    }
}
