/// A clock on which time passes faster, so that a contract's ten seconds need not be waited for. The
/// sockets know nothing of it: only the dispatcher's limits and pauses are shorter.
struct HastyClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let start = ContinuousClock.now
    private let factor: Int

    /// - Parameter factor: how many seconds pass in one.
    init(times factor: Int) { self.factor = factor }

    var now: Instant { start + (ContinuousClock.now - start) * factor }
    var minimumResolution: Duration { ContinuousClock().minimumResolution * factor }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let left = now.duration(to: deadline)
        if left > .zero { try await Task.sleep(for: left / factor) }
    }
}
