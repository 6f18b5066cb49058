import ErrandRuntime
import Foundation

/// A clock on which nothing takes time but sleeping, and sleeping takes none.
final class InstantClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private actor Log {
        var sleeps: [Duration] = []
        func add(_ duration: Duration) { sleeps.append(duration) }
    }

    private let log = Log()
    /// Sleeps at least this long are those of time limits, and last for ever.
    private let forever: Duration
    /// Whether the time after a sleep is the time that was slept until.
    private let advances: Bool
    private let time = LockedState<Duration> { .zero }

    init(forever: Duration = .seconds(15), advances: Bool = false) {
        self.forever = forever
        self.advances = advances
    }

    var now: Instant { Instant(offset: time.withLock { $0 }) }
    var minimumResolution: Duration { .zero }
    var sleeps: [Duration] { get async { await log.sleeps } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        if deadline.offset >= forever {
            try await Task.sleep(for: .seconds(1_000))
        } else {
            await log.add(deadline.offset - now.offset)
            try Task.checkCancellation()
            if advances { time.withLock { $0 = max($0, deadline.offset) } }
        }
    }
}
