import Dispatch
import ErrandRuntime

/// Runs all tasks of a simulation on the caller's thread, one step at a time. The seed chooses the next task. The executor also
/// keeps the time, which moves only when no task can run.
///
/// A step is what a task does between two suspensions. Actors without an executor of their own run here as well, since
/// they follow the preference of the task that calls them (SE-0417).
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
final class SimulatedExecutor: TaskExecutor {
    /// How a stretch of running ends.
    enum Stop {
        /// All work is done.
        case finished
        /// No task can run, and no task sleeps.
        case stuck
        /// It took more steps than anything reasonable does.
        case endless
    }

    private typealias Sleeper = CheckedContinuation<Bool, Never>

    private struct State: Sendable {
        var ready: [UnownedJob] = []
        var sleepers: [Int: Sleeper] = [:]
        var alarms = Heap<TimeLimit>()
        var nextID = 0
        var now = Duration.zero
        var chance: SeededGenerator
        /// Whether the loop waits for what may come from outside.
        var isIdle = false
        /// Whether no task sleeps any more, so that all can end.
        var isEnding = false
        var isClosed = false
        /// Whether what comes after the end is let go of.
        var isAbandoned = false
    }

    /// Work outside, on the main actor for instance, gets this long to come back before it counts as a hang. It is real
    /// time, and spent only if a run would fail otherwise.
    private static let grace = DispatchTimeInterval.seconds(2)

    private let state: LockedState<State>
    private let arrival = DispatchSemaphore(value: 0)

    init(seed: UInt64) {
        state = LockedState { State(chance: SeededGenerator(seed: seed)) }
    }

    /// The virtual time, counted from the start.
    var now: Duration { state.withLock { $0.now } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isLate, isAwaited) = state.withLock { state in
            if state.isClosed { return (!state.isAbandoned, false) }
            state.ready.append(job)
            defer { state.isIdle = false }
            return (false, state.isIdle)
        }
        if isAwaited { arrival.signal() }
        // The run is over. Its remaining jobs end elsewhere, so that nothing leaks.
        guard isLate else { return }
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs until `isOver` says so.
    func run(steps limit: Int, until isOver: () -> Bool) -> Stop {
        var steps = 0
        while !isOver() {
            guard let job = takeReady() else {
                if moveTime() || waitForOutside() { continue }
                return .stuck
            }
            steps += 1
            if steps > limit {
                // It is taken out already, and must not be lost.
                enqueueAgain(job)
                return .endless
            }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        return .finished
    }

    /// Ends the run: all sleeping tasks are woken as if cancelled, and what can come to its end does. What still has more to
    /// do after so many steps is let go of.
    func finish(steps limit: Int) {
        let sleepers = state.withLock { state in
            state.isEnding = true
            defer { state.sleepers = [:] }
            return state.sleepers.sorted { $0.key < $1.key }.map(\.value)
        }
        for sleeper in sleepers { sleeper.resume(returning: false) }
        let isThrough = run(steps: limit) { isEmpty } == .finished
        let left = state.withLock { state in
            state.isClosed = true
            state.isAbandoned = !isThrough
            defer { state.ready = [] }
            return isThrough ? state.ready : []
        }
        for job in left {
            DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Sleeps until a moment of the virtual time.
    func sleep(until moment: Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { (sleeper: Sleeper) in
                let isOver: Bool? = state.withLock { state in
                    // Looked at under the lock: a cancellation from now on finds the sleeper.
                    if Task.isCancelled || state.isEnding { return false }
                    if moment <= state.now { return true }
                    state.sleepers[id] = sleeper
                    state.alarms.insert(TimeLimit(moment: moment, id: id))
                    return nil
                }
                if let isOver { sleeper.resume(returning: isOver) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.resume(returning: false)
        }
        if !isOver { throw CancellationError() }
    }

    // MARK: Steps

    private var isEmpty: Bool { state.withLock { $0.ready.isEmpty } }

    private func takeReady() -> UnownedJob? {
        state.withLock { state in
            guard !state.ready.isEmpty else { return nil }
            let index = Int.random(in: state.ready.indices, using: &state.chance)
            state.ready.swapAt(index, state.ready.count - 1)
            return state.ready.popLast()
        }
    }

    private func enqueueAgain(_ job: UnownedJob) {
        state.withLock { $0.ready.append(job) }
    }

    /// Moves the time to the next sleeper's moment, and wakes all sleepers of that moment. False if no task sleeps.
    private func moveTime() -> Bool {
        let due = state.withLock { state in
            var due: [Sleeper] = []
            while let alarm = state.alarms.first, due.isEmpty || alarm.moment <= state.now {
                state.alarms.removeFirst()
                guard let sleeper = state.sleepers.removeValue(forKey: alarm.id) else { continue }
                state.now = max(state.now, alarm.moment)
                due.append(sleeper)
            }
            return due
        }
        for sleeper in due { sleeper.resume(returning: true) }
        return !due.isEmpty
    }

    private func waitForOutside() -> Bool {
        let isEmpty = state.withLock { state in
            state.isIdle = state.ready.isEmpty
            return state.isIdle
        }
        if !isEmpty { return true }
        if arrival.wait(timeout: .now() + Self.grace) == .success { return true }
        // A task that came at the last moment has signaled, or will.
        let isStillIdle = state.withLock { state in
            defer { state.isIdle = false }
            return state.isIdle
        }
        if isStillIdle { return false }
        arrival.wait()
        return true
    }
}
