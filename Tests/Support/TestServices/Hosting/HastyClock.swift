/// A clock on which time passes faster, so that a contract's ten seconds need not be waited for. The
/// sockets know nothing of it: only the dispatcher's limits and pauses are shorter.
public struct HastyClock: Clock {
    public typealias Instant = ContinuousClock.Instant

    private let start = ContinuousClock.now
    private let factor: Int

    /// - Parameter factor: how many seconds pass in one.
    public init(times factor: Int) { self.factor = factor }

    public var now: Instant { start + (ContinuousClock.now - start) * factor }
    public var minimumResolution: Duration { ContinuousClock().minimumResolution * factor }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let left = now.duration(to: deadline)
        if left > .zero { try await Task.sleep(for: left / factor) }
    }
}
