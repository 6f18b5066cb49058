import Dispatch
import ErrandRuntime
import Foundation

/// The races that `scripts/check threads` must report, and those that it must not: two threads count in one place, without a
/// lock or, with the argument `locked`, under the lock that the runtime uses.
///
/// Each thread waits until the other has started. Nothing orders their counting after that, so the sanitizer sees the race
/// however the system runs them. Tasks do not give this: two of them may run one after the other on one thread. Each thread
/// counts only a few times, since the sanitizer reports a race only while it remembers where the other thread was.
@main struct PlantedRace {
    static func main() {
        let isLocked = CommandLine.arguments.contains("locked")
        let (open, guarded) = (OpenCount(), LockedState { 0 })
        let started = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let ended = DispatchSemaphore(value: 0)
        for (own, other) in [started, (started.1, started.0)] {
            Thread.detachNewThread {
                own.signal()
                other.wait()
                for _ in 0..<10 {
                    if isLocked { guarded.withLock { $0 += 1 } } else { open.count += 1 }
                }
                ended.signal()
            }
        }
        for _ in 0..<2 { ended.wait() }
        print(isLocked ? guarded.withLock { $0 } : open.count)
    }
}

/// The bug.
private final class OpenCount: @unchecked Sendable {
    var count = 0
}
