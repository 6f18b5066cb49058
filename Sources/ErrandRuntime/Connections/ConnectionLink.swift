/// One open connection of a `PersistentConnection`, with the tasks that read and write.
final class ConnectionLink: Sendable {
    /// A message to be sent. The correlation is nil for one that is no request.
    struct Outgoing: Sendable {
        let correlation: UInt64?
        let message: [UInt8]
    }

    private struct State {
        var outgoing: [Outgoing] = []
        /// The index of the first message that was not taken.
        var front = 0
        var isClosed = false
        var isPaused = false
        var writer: Suspension<Void>?
        var reader: Suspension<Void>?
        var tasks: [Task<Void, Never>] = []
        var ping: Task<Void, Never>?
    }

    /// Tells it from earlier connections.
    let number: Int
    let connection: any MessageConnection
    private let state = LockedState<State> { State() }

    init(_ number: Int, _ connection: any MessageConnection) {
        self.number = number
        self.connection = connection
    }

    /// Keeps a task that ends with the connection.
    func keep(_ task: Task<Void, Never>) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.tasks.append(task) }
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    /// Keeps the task that sends a ping, in place of the one before. A connection that is open for months sends many.
    func keepPing(_ task: Task<Void, Never>) {
        let replaced = state.withLock { state -> Task<Void, Never>? in
            if state.isClosed { return task }
            defer { state.ping = task }
            return state.ping
        }
        replaced?.cancel()
    }

    // MARK: Writing

    /// Hands a message over to the transport, or to the task that writes. One task calls this at a time.
    ///
    /// - Returns: whether the transport has taken it already.
    func push(_ outgoing: Outgoing) -> Bool {
        // The task that writes waits for work, so that nothing is before this message.
        let isFirst = state.withLock { !$0.isClosed && $0.writer != nil && $0.outgoing.isEmpty }
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

    // MARK: Reading

    func pauseReading() { state.withLock { $0.isPaused = true } }

    func resumeReading() {
        let reader = state.withLock { state -> Suspension<Void>? in
            state.isPaused = false
            defer { state.reader = nil }
            return state.reader
        }
        reader?.end(())
    }

    /// Waits while the server is to be held back.
    func waitToRead() async {
        let reader = state.withLock { state -> Suspension<Void>? in
            guard state.isPaused, !state.isClosed else { return nil }
            let reader = Suspension<Void>()
            state.reader = reader
            return reader
        }
        await reader?.value(ifCancelled: ())
    }

    // MARK: The end

    /// Ends the tasks. What was not sent stays unsent.
    ///
    /// - Returns: the messages that no one has begun to send, and nil if it was closed before.
    func close() -> [Outgoing]? {
        let (rest, waiting, tasks) = state.withLock {
            state -> ([Outgoing]?, [Suspension<Void>], [Task<Void, Never>]) in
            if state.isClosed { return (nil, [], []) }
            state.isClosed = true
            defer {
                (state.outgoing, state.front, state.writer, state.reader) = ([], 0, nil, nil)
                (state.tasks, state.ping) = ([], nil)
            }
            return (
                Array(state.outgoing[state.front...]), [state.writer, state.reader].compactMap { $0 },
                state.tasks + [state.ping].compactMap { $0 }
            )
        }
        for task in tasks { task.cancel() }
        for suspension in waiting { suspension.end(()) }
        return rest
    }
}
