import ErrandTesting
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

/// A clock that moves only when a test tells it to. A sleep of at most 200 ms ends at once; a longer one ends when the test
/// has let its time pass.
final class SteppedClock: Clock, Sendable {
    private struct State {
        var now = Duration.zero
        var sleepers: [(deadline: Duration, end: Suspension<Bool>)] = []
    }

    private let state = LockedState<State> { State() }
    var now: InstantClock.Instant { InstantClock.Instant(offset: state.withLock { $0.now }) }
    var minimumResolution: Duration { .zero }

    func pass(_ duration: Duration) {
        let awake = state.withLock { state in
            state.now += duration
            let now = state.now
            let awake = state.sleepers.filter { $0.deadline <= now }
            state.sleepers.removeAll { $0.deadline <= now }
            return awake
        }
        for sleeper in awake { sleeper.end.end(true) }
    }

    func sleep(until deadline: InstantClock.Instant, tolerance: Duration?) async throws {
        let end = Suspension<Bool>()
        let isLong = state.withLock { state in
            guard deadline.offset - state.now > .milliseconds(200) else { return false }
            state.sleepers.append((deadline.offset, end))
            return true
        }
        if isLong, await !end.value(ifCancelled: false) { throw CancellationError() }
    }
}

/// A shop whose server is a script.
func shop(_ transport: ScriptedTransport, _ session: Session = .begun) -> Shop {
    Shop(
        on: Dispatcher(
            transport: transport,
            environment: DispatcherEnvironment(
                clock: InstantClock(), wallTime: { Date(timeIntervalSince1970: 1_000) },
                generator: SeededGenerator(seed: 1))),
        session: session)
}
