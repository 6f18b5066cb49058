import Foundation

@testable import ErrandRuntime

/// A place in a script at which one party waits for another.
struct Meeting: Sendable {
    private let arrival = AsyncStream.makeStream(of: Void.self)
    private let departure = AsyncStream.makeStream(of: Void.self)
    /// Says that one is there, and waits to be let go.
    func hold() async {
        arrival.continuation.finish()
        for await _ in departure.stream {}
    }
    /// Waits for the other one.
    func met() async { for await _ in arrival.stream {} }
    func release() { departure.continuation.finish() }
}

actor Tally {
    private(set) var count = 0
    func next() -> Int {
        count += 1
        return count
    }
}

/// A clock that goes on when it is told to. On it, short sleeps are over at once, and long ones never.
final class SteppedClock: Clock, Sendable {
    private let state = LockedState<(now: Duration, sleeps: [Duration])> { (.zero, []) }
    var now: InstantClock.Instant { InstantClock.Instant(offset: state.withLock { $0.now }) }
    var minimumResolution: Duration { .zero }
    var shortSleeps: [Duration] { state.withLock { $0.sleeps } }
    func pass(_ duration: Duration) { state.withLock { $0.now += duration } }
    func sleep(until deadline: InstantClock.Instant, tolerance: Duration?) async throws {
        let duration = now.duration(to: deadline)
        if duration > .milliseconds(200) { return try await Task.sleep(for: .seconds(1_000)) }
        state.withLock { $0.sleeps.append(duration) }
    }
}

/// A shop behind a script.
func shop(_ transport: ScriptedTransport, _ session: Session = Session()) -> Shop {
    Shop(
        on: Dispatcher(
            transport: transport,
            environment: DispatcherEnvironment(
                clock: InstantClock(), wallTime: { Date(timeIntervalSince1970: 1_000) },
                generator: SeededGenerator(seed: 1))),
        session: session)
}
