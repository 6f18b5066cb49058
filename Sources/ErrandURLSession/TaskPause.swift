import ErrandRuntime

/// Suspends a task while the reader of its streamed response has to catch up.
///
/// `URLSession` counts suspensions, still delivers data that it had read before one, and the reader makes room on another thread.
/// So no event suspends or resumes the task by itself: after each event, the task is compared with its buffer.
final class TaskPause: Sendable {
    private let buffer: StreamedBodyBuffer
    private let isSuspended = LockedState<Bool> { false }

    init(_ buffer: StreamedBodyBuffer) { self.buffer = buffer }

    /// Brings the task into the state that its buffer asks for. The last call after a change of the buffer decides, so the order of
    /// calls does not matter.
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
