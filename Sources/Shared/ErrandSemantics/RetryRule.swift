/// How often and how patiently a failed command is sent again.
public struct RetryRule: Sendable, Hashable {
    /// How many times it is sent at most, the first time included. Replays after a login do not count.
    public let attempts: Int
    /// The pause before the first repetition is random between zero and this; it doubles each time.
    public let base: Duration
    /// The longest pause.
    public let cap: Duration

    /// The defaults are 3 attempts, 0.2 s and 20 s.
    public init(attempts: Int = 3, base: Duration = .milliseconds(200), cap: Duration = .seconds(20)) {
        self.attempts = max(1, attempts)
        self.base = max(.zero, base)
        self.cap = max(.zero, cap)
    }

    /// It is sent once.
    public static let never = RetryRule(attempts: 1)

    /// The pause before the next attempt, with full jitter.
    ///
    /// - Parameters:
    ///   - attempts: how many were made, at least 1.
    ///   - jitter: a random number, at least 0 and below 1.
    package func pause(after attempts: Int, jitter: Double) -> Duration {
        longestPause(after: attempts) * jitter
    }

    /// The same with the greatest jitter: the pauses double up to the longest.
    package func longestPause(after attempts: Int) -> Duration {
        var longest = min(base, cap)
        var doublings = max(0, attempts - 1)
        while doublings > 0, longest > .zero, cap > longest {
            longest = min(longest + longest, cap)
            doublings -= 1
        }
        return longest
    }
}
