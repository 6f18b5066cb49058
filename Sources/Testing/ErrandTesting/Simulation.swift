public import ErrandRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A world in which the real client runs against a simulated server and network. The same seed gives the same run: time is
/// virtual, and the seed determines the order of tasks, the faults, the pauses and the keys.
///
/// ```swift
/// try await Simulation.run(seeds: 100) { simulation in
///     let bank = Bank(on: simulation.dispatcher)
///     …
/// }
/// ```
/// Everything in the body runs in the simulation, child tasks (`async let`, task groups) included. `Task { }` leaves
/// it: use `simulation.task { }`. To wait, use `simulation.sleep(for:)`.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
public final class Simulation: Sendable {
    /// The seed that repeats the run.
    public let seed: UInt64
    /// The virtual time.
    public let clock: SimulatedClock
    /// The network, there at first.
    public let network = ScriptedPathMonitor()
    /// Sends commands to `server`, with settings as they are by default.
    public let dispatcher: Dispatcher
    /// The server that receives all requests of the simulation, for any host.
    public let server: SimulatedServer

    private let executor: SimulatedExecutor
    private let events: EventLog
    private let dispatchers: LockedState<[Dispatcher]>

    /// The maximum number of steps in a run; a hundred commands take about ten thousand.
    private static let maximumSteps = 20_000_000

    private init(seed: UInt64) {
        self.seed = seed
        executor = SimulatedExecutor(seed: seed)
        clock = SimulatedClock(executor: executor)
        let time = ServerTime(executor)
        events = EventLog(time)
        server = SimulatedServer(seed: seed, time, events, network)
        let dispatcher = Dispatcher(
            transport: server, network: network, environment: Self.environment(seed: seed, executor))
        self.dispatcher = dispatcher
        dispatchers = LockedState { [dispatcher] }
    }

    /// Runs a body in as many simulations as asked for, each with a seed of its own, one after the other. The seed in
    /// the environment variable `ERRAND_SEED`, if there is one, is the only one then.
    ///
    /// - Throws: `SimulationFailure`, with the seed, for the first run that failed.
    public static func run(
        seeds count: Int = 1, _ body: @escaping @Sendable (Simulation) async throws -> Void
    ) async throws {
        let seeds = SimulationSeeds.pick(count)
        print(SimulationSeeds.announcement(seeds))
        for seed in seeds { try run(seed: seed, body) }
    }

    /// Runs a body in one simulation. The caller's thread does all the work.
    ///
    /// - Throws: `SimulationFailure`.
    public static func run<Value: Sendable>(
        seed: UInt64, _ body: @escaping @Sendable (Simulation) async throws -> Value
    ) throws -> Value {
        let simulation = Simulation(seed: seed)
        return try simulation.run(body)
    }

    /// The log so far, with one line for each event, for people and for comparing runs.
    public var log: [String] { events.lines }

    /// Adds a line to the log.
    public func note(_ text: String) { events.note(text) }

    /// Waits in virtual time. Returns at once if the task is cancelled.
    public func sleep(for duration: Duration) async {
        try? await clock.sleep(until: clock.now.advanced(by: duration), tolerance: nil)
    }

    /// Starts a task that runs in the simulation, as `Task { }` would not.
    @discardableResult
    public func task<Value: Sendable>(
        _ operation: @escaping @Sendable () async -> Value
    ) -> Task<Value, Never> {
        Task(executorPreference: executor, operation: operation)
    }

    /// Another dispatcher of the same simulation.
    public func makeDispatcher(
        responder: (any Responder)? = nil, interceptors: [any Interceptor] = [],
        observers: [any CommandObserver] = [], settings: DispatcherSettings = DispatcherSettings()
    ) -> Dispatcher {
        let number = dispatchers.withLock { $0.count }
        let made = Dispatcher(
            transport: server, network: network, responder: responder, interceptors: interceptors,
            observers: observers, settings: settings,
            environment: Self.environment(seed: seed &+ UInt64(number), executor))
        dispatchers.withLock { $0.append(made) }
        return made
    }

    // MARK: The run

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (Simulation) async throws -> Value
    ) throws -> Value {
        let end = LockedState<Result<Value, any Error>?> { nil }
        let task = Task(executorPreference: executor) {
            let result: Result<Value, any Error>
            do { result = .success(try await body(self)) } catch { result = .failure(error) }
            end.withLock { $0 = result }
        }
        let stop = executor.run(steps: Self.maximumSteps) { end.withLock { $0 != nil } }
        let result = end.withLock { $0 }
        defer { tidyUp(task) }
        switch (stop, result) {
        case (_, .success(let value)?): return value
        case (_, .failure(let error)?):
            throw (error as? SimulationFailure) ?? failure(.failed(error))
        case (.endless, nil): throw failure(.endless)
        case (.stuck, nil), (.finished, nil): throw failure(.hang)
        }
    }

    private func failure(_ reason: SimulationFailure.Reason) -> SimulationFailure {
        SimulationFailure(
            seed: seed, reason: reason,
            waiting: dispatchers.withLock { $0 }.flatMap(\.waiting), lastEvents: events.lines.suffix(12))
    }

    /// Lets go of what is still under way: tasks that sleep, those that follow the network, a body that hangs.
    private func tidyUp(_ task: Task<Void, Never>) {
        task.cancel()
        network.close()
        executor.finish(steps: 1_000_000)
        // Closures and responders that the body gave to dispatchers may retain the simulation.
        dispatchers.withLock { $0 = [] }
        server.forgetHandlers()
    }

    private static func environment(seed: UInt64, _ executor: SimulatedExecutor) -> DispatcherEnvironment {
        DispatcherEnvironment(
            clock: SimulatedClock(executor: executor), wallTime: { Self.date(executor.now) },
            generator: SeededGenerator(seed: seed ^ 0xD15A_7C4E),
            start: { operation in Task(executorPreference: executor, operation: operation) })
    }

    /// The date at a moment of the virtual time; it starts on a day like any other.
    private static func date(_ time: Duration) -> Date {
        let (seconds, attoseconds) = time.components
        return Date(timeIntervalSince1970: 1_760_000_000 + Double(seconds) + Double(attoseconds) * 1e-18)
    }
}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension Simulation: CustomStringConvertible {
    /// How to repeat the run: the comment to give an expectation.
    public var description: String { "seed \(seed), \(SimulationSeeds.variable)=\(seed) repeats it" }
}
