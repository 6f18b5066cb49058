import ErrandRuntime

/// The time of a simulated server, and the start of its tasks: virtual in a simulation, and real on a socket.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
struct ServerTime: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void
    private let executor: (any TaskExecutor)?

    /// The time of a simulation.
    init(_ executor: SimulatedExecutor) {
        read = { executor.now }
        wait = { try await executor.sleep(until: $0) }
        self.executor = executor
    }

    /// The time of the system, counted from now.
    init() {
        let start = ContinuousClock.now
        read = { ContinuousClock.now - start }
        wait = { try await Task.sleep(until: start + $0, clock: .continuous) }
        executor = nil
    }

    /// Whether the moments of tasks determine their order. In real time, two tasks that wake at nearly the same moment may run in any order.
    var isVirtual: Bool { executor != nil }

    /// Counted from the start.
    var now: Duration { read() }

    func sleep(until moment: Duration) async throws { try await wait(moment) }

    func start(_ operation: @escaping @Sendable () async -> Void) {
        Task(executorPreference: executor, operation: operation)
    }
}
