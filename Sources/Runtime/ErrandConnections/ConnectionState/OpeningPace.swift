import ErrandRuntime

/// When a connection may be opened again after a loss.
///
/// Each opening has a window of its own, which begins where the one before ends, and comes at a random moment in it (full jitter). So
/// clients that were lost together come back spread over the whole window, and chance cannot make many openings of a short absence.
struct OpeningPace: Sendable {
    private let rule: RetryRule
    /// How many openings in a row have failed, or were lost soon.
    private var failures = 0
    /// No connection is opened before this time.
    private(set) var earliest = Duration.zero
    /// When the window of the next opening ends.
    private var windowEnd = Duration.zero

    /// - Parameter rule: the windows double from its `base` to its `cap`.
    init(_ rule: RetryRule) { self.rule = rule }

    /// Notes a failed opening, or a loss.
    mutating func noteFailure(at now: Duration, jitter: Double) {
        failures += 1
        let begin = max(now, windowEnd)
        earliest = begin + rule.pause(after: failures, jitter: jitter)
        windowEnd = begin + rule.longestPause(after: failures)
    }

    /// Moves the window by the time for which the server asked. All of its clients may have been asked the same in one moment.
    mutating func noteRequest(for pause: Duration) {
        earliest += pause
        windowEnd += pause
    }

    /// Notes that a connection has worked until now: the next failure is the first of a row.
    mutating func begin(at now: Duration) { (failures, windowEnd) = (0, now) }

    /// Ends the pause, because another network may reach the server.
    mutating func endPause(at now: Duration) { (earliest, windowEnd) = (now, now) }
}
