import ErrandRuntime
import Observation
import Testing

/// Waits until what a view would draw is so: told of changes as a view is. Ends with the test at its limit of time.
@MainActor func becomes(_ condition: @escaping @MainActor () -> Bool) async {
    while !Task.isCancelled {
        let changed = Suspension<Void>()
        let holds = withObservationTracking {
            condition()
        } onChange: {
            changed.end(())
        }
        if holds { return }
        await changed.value(ifCancelled: ())
        // The change is announced before it is made.
        await Task.yield()
    }
}

/// Waits until something is so that no view observes. It looks each millisecond, and leaves the processor to what it waits for.
/// After half a minute, or when the test is cancelled at its limit of time, the test's own expectations say what is missing.
@MainActor func until(_ condition: @MainActor () -> Bool) async {
    let end = ContinuousClock.now + .seconds(30)
    while !condition(), !Task.isCancelled, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(1)) }
}

/// Waits until a task has ended, within the same bounds.
@MainActor func end(of task: Task<Void, Never>) async {
    let hasEnded = LockedState { false }
    Task {
        await task.value
        hasEnded.withLock { $0 = true }
    }
    await until { hasEnded.withLock { $0 } }
    if !hasEnded.withLock({ $0 }) { Issue.record("a task does not end") }
}

/// What a view draws, one after the other: drawn again after each change of what it has read.
@MainActor final class Drawings {
    private(set) var all: [String] = []
    private let draw: @MainActor () -> String

    init(_ draw: @escaping @MainActor () -> String) {
        self.draw = draw
        drawAgain()
    }

    private func drawAgain() {
        withObservationTracking {
            all.append(draw())
        } onChange: {
            Task { @MainActor in self.drawAgain() }
        }
    }
}
