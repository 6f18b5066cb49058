import ErrandRuntime

/// Suspends a task while the buffer of its streamed response is full.
///
/// `URLSession` counts suspensions, and after a suspension it still delivers data that it read before. The reader makes room on
/// another thread. Therefore no event suspends or resumes the task by itself. After each event, the state of the task is compared
/// with its buffer.
final class TaskPause: Sendable {
    private let buffer: StreamedBodyBuffer
    private let isSuspended = LockedState<Bool> { false }

    init(_ buffer: StreamedBodyBuffer) { self.buffer = buffer }

    /// Suspends or resumes the task, depending on its buffer. The last call after a change of the buffer decides, so the order of
    /// the calls doesn't matter.
    func follow(_ task: any SuspendableTask) {
        SessionOrders.give { [self] in
            isSuspended.withLock { isSuspended in
                let isFull = buffer.isFull
                guard isFull != isSuspended else { return }
                isSuspended = isFull
                if isFull { task.suspend() } else { task.resume() }
            }
        }
    }
}

/// A task of a session, or one that a test counts with.
protocol SuspendableTask: Sendable {
    func suspend()
    func resume()
}
