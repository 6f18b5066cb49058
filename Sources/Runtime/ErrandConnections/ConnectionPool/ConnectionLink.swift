import ErrandRuntime

/// One open connection of a `PersistentConnection`, with the tasks that read and write.
final class ConnectionLink: Sendable {
    /// A message to be sent. The correlation is nil for one that is no request.
    struct Outgoing: Sendable {
        let correlation: UInt64?
        let message: [UInt8]
        /// Whether its command ends when the system has it. Until then, it does not count as written.
        var endsWhenWritten = false
    }

    /// What a task does for the connection. There is one task of each kind, because a connection that is open for months begins many.
    enum Duty: Hashable, Sendable {
        case reading, writing, ping, presentation
    }

    private struct State {
        var outgoing: [Outgoing] = []
        /// The index of the first message that was not taken.
        var front = 0
        var isClosed = false
        var isPaused = false
        var writer: Suspension<Void>?
        /// Is called when the server is not held back any more.
        var reader: (@Sendable () -> Void)?
        var tasks: [Duty: Task<Void, Never>] = [:]
    }

    /// Tells it from earlier connections.
    let number: Int
    let connection: any MessageConnection
    private let state = LockedState<State> { State() }

    init(_ number: Int, _ connection: any MessageConnection) {
        self.number = number
        self.connection = connection
    }

    /// Keeps a task that ends with the connection, in place of the one before that had its duty.
    func keep(_ task: Task<Void, Never>, for duty: Duty) {
        let replaced = state.withLock { state -> Task<Void, Never>? in
            if state.isClosed { return task }
            return state.tasks.updateValue(task, forKey: duty)
        }
        replaced?.cancel()
    }

    // MARK: Writing

    /// Hands a message over to the transport, or to the task that writes. One task calls this at a time.
    ///
    /// - Returns: whether the transport has taken it already.
    func push(_ outgoing: Outgoing) -> Bool {
        // The task that writes waits for work, so that nothing is before this message.
        let isFirst =
            !outgoing.endsWhenWritten
            && state.withLock { !$0.isClosed && $0.writer != nil && $0.outgoing.isEmpty }
        if isFirst, connection.sendAtOnce(outgoing.message) { return true }
        let writer = state.withLock { state -> Suspension<Void>? in
            if state.isClosed { return nil }
            state.outgoing.append(outgoing)
            defer { state.writer = nil }
            return state.writer
        }
        writer?.end(())
        return false
    }

    /// The message to send next; nil once the connection is closed. They are taken one by one, so that those that no one has begun to
    /// send are known when it closes.
    func takeOutgoing() async -> Outgoing? {
        while true {
            let (taken, writer) = state.withLock { state -> (Outgoing?, Suspension<Void>?) in
                if state.isClosed { return (nil, nil) }
                if state.front < state.outgoing.count {
                    let next = state.outgoing[state.front]
                    state.front += 1
                    if state.front == state.outgoing.count {
                        state.outgoing.removeAll(keepingCapacity: state.front <= 64)
                        state.front = 0
                    } else if state.front >= 1_024 {
                        state.outgoing.removeFirst(state.front)
                        state.front = 0
                    }
                    return (next, nil)
                }
                let writer = Suspension<Void>()
                state.writer = writer
                return (nil, writer)
            }
            guard let writer else { return taken }
            await writer.value(ifCancelled: ())
            if Task.isCancelled { return nil }
        }
    }

    /// Takes the messages back that no one has begun to send.
    func takeBack() -> [Outgoing] {
        state.withLock { state in
            defer { (state.outgoing, state.front) = ([], 0) }
            return Array(state.outgoing[state.front...])
        }
    }

    // MARK: Reading

    func pauseReading() { state.withLock { $0.isPaused = true } }

    /// - Returns: what reads on; nil if nothing waits for that.
    func resumeReading() -> (@Sendable () -> Void)? {
        state.withLock { state in
            state.isPaused = false
            defer { state.reader = nil }
            return state.reader
        }
    }

    /// Whether the connection may be read. If the server is to be held back, `resumed` is called when that is over, or when the
    /// connection is closed.
    func mayRead(orLater resumed: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.isPaused, !state.isClosed else { return true }
            state.reader = resumed
            return false
        }
    }

    /// Waits while the server is to be held back.
    func waitToRead() async {
        let resumed = Suspension<Void>()
        if mayRead(orLater: { resumed.end(()) }) { return }
        await resumed.value(ifCancelled: ())
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    // MARK: The end

    /// Ends the tasks. What was not sent stays unsent.
    ///
    /// - Returns: the messages that no one has begun to send, and nil if it was closed before.
    func close() -> [Outgoing]? {
        let last = state.withLock { state -> State? in
            if state.isClosed { return nil }
            defer {
                state = State()
                state.isClosed = true
            }
            return state
        }
        guard let last else { return nil }
        for task in last.tasks.values { task.cancel() }
        last.writer?.end(())
        last.reader?()
        return Array(last.outgoing[last.front...])
    }
}
