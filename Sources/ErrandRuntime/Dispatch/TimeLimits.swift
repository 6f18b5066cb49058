/// Wakes attempts whose time is over. One task sleeps for all of them: a timer for each would cost more
/// than everything else that the pipeline does.
final class TimeLimits: Sendable {
    private struct State {
        /// Who waits.
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
        /// When, the earliest first. Those who wait no more stay until their time, or until they are
        /// the most of it.
        var limits = EarliestFirst()
        var nextID = 0
        /// When the task that is in charge wakes; nil where none sleeps.
        var wakes: Duration?

        mutating func remove(_ id: Int) -> CheckedContinuation<Bool, Never>? {
            guard let waiter = waiters.removeValue(forKey: id) else { return nil }
            if limits.count > 64, limits.count > 2 * waiters.count {
                limits.keep { waiters[$0] != nil }
            }
            return waiter
        }
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
                    state.waiters[id] = waiter
                    state.limits.insert(EarliestFirst.Limit(moment: moment, id: id))
                    let isFirst = state.wakes.map { moment < $0 } ?? true
                    if isFirst { state.wakes = moment }
                    return (false, isFirst)
                }
                if isCancelled { waiter.resume(returning: false) }
                if isFirst { start { await self.watch(moment) } }
            }
        } onCancel: {
            state.withLock { $0.remove(id) }?.resume(returning: false)
        }
    }

    /// Sleeps from limit to limit, until there is none or another task with an earlier one takes over.
    private func watch(_ first: Duration) async {
        var moment = first
        while true {
            _ = await time.sleep(for: moment - time.now)
            // Everything that is due by now goes at once, however many moments that are.
            let now = max(moment, time.now)
            let (due, next) = state.withLock { state in
                var due: [CheckedContinuation<Bool, Never>] = []
                while let limit = state.limits.first, limit.moment <= now {
                    state.limits.removeFirst()
                    if let waiter = state.waiters.removeValue(forKey: limit.id) { due.append(waiter) }
                }
                guard state.wakes == moment else { return (due, Duration?.none) }
                while let limit = state.limits.first, state.waiters[limit.id] == nil {
                    state.limits.removeFirst()
                }
                state.wakes = state.limits.first?.moment
                return (due, state.wakes)
            }
            for waiter in due { waiter.resume(returning: true) }
            guard let next else { return }
            moment = next
        }
    }
}

/// Time limits as a binary heap: the earliest can be looked at, and putting one in or taking it out
/// costs the logarithm of their number. Of one moment, the first comer goes first.
package struct EarliestFirst: Sendable {
    package struct Limit: Sendable {
        package var moment: Duration
        package var id: Int

        package init(moment: Duration, id: Int) {
            self.moment = moment
            self.id = id
        }

        package static func < (first: Limit, second: Limit) -> Bool {
            first.moment == second.moment ? first.id < second.id : first.moment < second.moment
        }
    }

    private var limits: [Limit] = []

    package init() {}

    package var count: Int { limits.count }
    package var first: Limit? { limits.first }

    package mutating func insert(_ limit: Limit) {
        limits.append(limit)
        var child = limits.count - 1
        while child > 0, limits[child] < limits[(child - 1) / 2] {
            limits.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    package mutating func removeFirst() {
        guard let last = limits.popLast(), !limits.isEmpty else { return }
        limits[0] = last
        sink(0)
    }

    /// Drops all whose waiter is not wanted any more.
    package mutating func keep(_ isWanted: (Int) -> Bool) {
        limits.removeAll { !isWanted($0.id) }
        for index in stride(from: limits.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    private mutating func sink(_ index: Int) {
        var parent = index
        while true {
            let left = 2 * parent + 1
            guard left < limits.count else { return }
            let right = left + 1
            let child = right < limits.count && limits[right] < limits[left] ? right : left
            guard limits[child] < limits[parent] else { return }
            limits.swapAt(parent, child)
            parent = child
        }
    }
}
