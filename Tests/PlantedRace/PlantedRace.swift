import ErrandRuntime

/// The races that `scripts/check-threads` must report, and those that it must not: many tasks count in one place, without a
/// lock or, with the argument `locked`, under the lock that the runtime uses.
@main struct PlantedRace {
    static func main() async {
        let isLocked = CommandLine.arguments.contains("locked")
        let (open, guarded) = (OpenCount(), LockedState { 0 })
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10_000 {
                        if isLocked { guarded.withLock { $0 += 1 } } else { open.count += 1 }
                    }
                }
            }
        }
        print(isLocked ? guarded.withLock { $0 } : open.count)
    }
}

/// The bug.
private final class OpenCount: @unchecked Sendable {
    var count = 0
}
