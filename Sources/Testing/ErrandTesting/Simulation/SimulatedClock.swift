import ErrandRuntime

/// The clock of a simulation: sleeping costs no time, and nothing but sleeping takes any.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
public struct SimulatedClock: Clock {
    /// A moment, counted from the start of the simulation.
    public struct Instant: InstantProtocol {
        public let offset: Duration
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    let executor: SimulatedExecutor

    public var now: Instant { Instant(offset: executor.now) }
    public var minimumResolution: Duration { .zero }

    /// Waits until the virtual time has come.
    ///
    /// - Throws: `CancellationError`, and only that.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await executor.sleep(until: deadline.offset)
    }
}
