import ErrandRuntime

/// The time of a simulated server, and the start of its tasks: virtual in a simulation, and real on a socket.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
struct ServerTime: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void
    private let executor: (any TaskExecutor)?
    /// What is to be done later; nil in a simulation, whose executor keeps the order.
    private let queue: ActionQueue?

    /// The time of a simulation.
    init(_ executor: SimulatedExecutor) {
        read = { executor.now }
        wait = { try await executor.sleep(until: $0) }
        self.executor = executor
        queue = nil
    }

    /// The time of the system, counted from now.
    init() {
        let start = ContinuousClock.now
        let read: @Sendable () -> Duration = { ContinuousClock.now - start }
        self.read = read
        wait = { try await Task.sleep(until: start + $0, clock: .continuous) }
        executor = nil
        queue = ActionQueue(now: read)
    }

    /// Counted from the start.
    var now: Duration { read() }

    func sleep(until moment: Duration) async throws { try await wait(moment) }

    func start(_ operation: @escaping @Sendable () async -> Void) {
        Task(executorPreference: executor, operation: operation)
    }

    /// Does something at a moment, unless the simulation ends before. Of two actions, the one with the earlier moment comes first.
    func schedule(at moment: Duration, _ action: @escaping @Sendable () -> Void) {
        queue?.add(at: moment, action)
        start { [wait, queue] in
            do { try await wait(moment) } catch { return }
            if let queue { queue.runDue() } else { action() }
        }
    }
}

/// Actions at moments of the system's time, of which one runs at a time: the earliest first, and of two at the same moment the one that was
/// added first. Two tasks that sleep until nearly the same moment may wake in any order, so a task that wakes runs everything that is due.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
final class ActionQueue: Sendable {
    private struct State: Sendable {
        var waiting: [(moment: Duration, action: @Sendable () -> Void)] = []
        var isRunning = false
    }

    private let state = LockedState { State() }
    private let now: @Sendable () -> Duration

    init(now: @escaping @Sendable () -> Duration) { self.now = now }

    func add(at moment: Duration, _ action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            let place = state.waiting.lastIndex { $0.moment <= moment }.map { $0 + 1 } ?? 0
            state.waiting.insert((moment, action), at: place)
        }
    }

    /// Runs what is due. Another task that does so already goes on with what is added meanwhile.
    func runDue() {
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return }
        while let action = takeDue() { action() }
    }

    private func takeDue() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let first = state.waiting.first, first.moment <= now() else {
                state.isRunning = false
                return nil
            }
            return state.waiting.removeFirst().action
        }
    }
}
