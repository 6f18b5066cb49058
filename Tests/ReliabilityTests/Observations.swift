import ErrandRuntime
import ErrandTesting
import TestSeeds

/// Counts what happens to commands.
final class Observations: CommandObserver {
    private struct Counts {
        var pauses = 0
        var attempts = 0
        var transparentRetries = 0
        var mostAttempts = 0
    }

    private let counts = LockedState<Counts> { Counts() }

    /// How often a command has paused before it was sent again.
    var pauses: Int { counts.withLock { $0.pauses } }
    /// The number of requests.
    var attempts: Int { counts.withLock { $0.attempts } }
    var transparentRetries: Int { counts.withLock { $0.transparentRetries } }
    /// The maximum number of requests for one command.
    var mostAttempts: Int { counts.withLock { $0.mostAttempts } }

    func observe(_ event: CommandEvent) {
        counts.withLock { counts in
            switch event.kind {
            case .waiting(let wait) where wait.place == .pause: counts.pauses += 1
            case .attemptStarted(let attempt):
                counts.attempts += 1
                if attempt.isTransparentRetry { counts.transparentRetries += 1 }
            case .settled(let settlement): counts.mostAttempts = max(counts.mostAttempts, settlement.attempts)
            default: break
            }
        }
    }
}
