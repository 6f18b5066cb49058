/// The chunks of a response between the connection that delivers them and the task that reads them.
package final class StreamedBodyBuffer: Sendable {
    /// Bytes of a body that wait for their reader.
    package struct Chunk: Sendable {
        /// The number of bytes.
        let size: Int
        /// Makes the bytes, in the reader's task.
        let bytes: @Sendable () -> [UInt8]

        /// - Parameters:
        ///   - size: the number of bytes.
        ///   - bytes: makes the bytes. The reader calls it once, so that a transport needs no copy on its own thread.
        package init(size: Int, bytes: @escaping @Sendable () -> [UInt8]) {
            self.size = size
            self.bytes = bytes
        }
    }

    private struct State {
        /// Those that wait, after those that were read, which are nil.
        var chunks: [Chunk?] = []
        /// How many of the chunks were read.
        var read = 0
        var size = 0
        var isEnded = false
        var fault: TransportFault?
        var reader: Suspension<Void>?
        /// Called when there is room again.
        var onRoom: (@Sendable () -> Void)?
        var onCancel: (@Sendable () -> Void)?
    }

    /// The maximum number of waiting bytes, plus or minus a chunk: 1 MiB. With a smaller buffer, the connection pauses while
    /// its reader works.
    package static let capacity = 1 << 20

    private let state = LockedState<State> { State() }

    package init() {}

    /// Sets what closes the connection.
    package func onCancel(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if state.isEnded { return state.fault?.kind == .cancelled }
            state.onCancel = action
            return false
        }
        if isLate { action() }
    }

    /// Whether the connection must wait, because the buffer is full and its reader hasn't made room yet.
    package var isFull: Bool { state.withLock { $0.onRoom != nil } }

    /// How many bytes wait.
    package var size: Int { state.withLock { $0.size } }

    /// Takes a chunk.
    ///
    /// - Parameter onRoom: called once there is room again, if the buffer is full now.
    /// - Returns: whether there is room for another chunk.
    package func push(_ chunk: [UInt8], orWait onRoom: @escaping @Sendable () -> Void = {}) -> Bool {
        push(Chunk(size: chunk.count) { chunk }, orWait: onRoom)
    }

    /// Takes a chunk whose bytes the reader makes.
    ///
    /// - Parameters:
    ///   - chunk: not empty.
    ///   - onRoom: called once there is room again, if the buffer is full now.
    /// - Returns: whether there is room for another chunk.
    package func push(_ chunk: Chunk, orWait onRoom: @escaping @Sendable () -> Void = {}) -> Bool {
        let (isRoom, reader) = state.withLock { state -> (Bool, Suspension<Void>?) in
            guard !state.isEnded else { return (true, nil) }
            state.chunks.append(chunk)
            state.size += chunk.size
            let reader = state.reader
            state.reader = nil
            if state.size < Self.capacity { return (true, reader) }
            state.onRoom = onRoom
            return (false, reader)
        }
        reader?.end(())
        return isRoom
    }

    /// Ends the body, with a fault or as complete. Chunks that were pushed before can still be read. Later ends are ignored.
    package func finish(_ fault: TransportFault? = nil) {
        let (reader, onRoom) = state.withLock { state -> (Suspension<Void>?, (@Sendable () -> Void)?) in
            guard !state.isEnded else { return (nil, nil) }
            state.isEnded = true
            state.fault = fault
            state.onCancel = nil
            defer { (state.reader, state.onRoom) = (nil, nil) }
            return (state.reader, state.onRoom)
        }
        onRoom?()
        reader?.end(())
    }

    /// Ends the body early, and drops what was not read.
    package func cancel() {
        let (reader, actions) = state.withLock { state -> (Suspension<Void>?, [@Sendable () -> Void]) in
            let isUnread = state.size > 0
            (state.chunks, state.read, state.size) = ([], 0, 0)
            let actions = [state.onCancel, state.onRoom].compactMap { $0 }
            (state.onCancel, state.onRoom) = (nil, nil)
            guard !state.isEnded || isUnread else { return (nil, actions) }
            state.isEnded = true
            state.fault = TransportFault(.cancelled, evidence: .responded)
            defer { state.reader = nil }
            return (state.reader, actions)
        }
        for action in actions { action() }
        reader?.end(())
    }

    private enum Turn: Sendable {
        case chunk(Chunk, (@Sendable () -> Void)?)
        case ended(TransportFault?)
        case wait(Suspension<Void>)
    }

    private func next() async throws(TransportFault) -> [UInt8]? {
        while true {
            if Task.isCancelled { cancel() }
            switch state.withLock({ Self.turn(&$0) }) {
            case .chunk(let chunk, let onRoom):
                onRoom?()
                return chunk.bytes()
            case .ended(let fault?): throw fault
            case .ended(nil): return nil
            case .wait(let suspension): await suspension.value(ifCancelled: ())
            }
        }
    }

    private static func turn(_ state: inout State) -> Turn {
        if state.read < state.chunks.count, let chunk = state.chunks[state.read] {
            state.chunks[state.read] = nil
            state.read += 1
            state.size -= chunk.size
            // Dropped many at a time, so that each costs little.
            if state.read == state.chunks.count || state.read >= 1_024 {
                state.chunks.removeFirst(state.read)
                state.read = 0
            }
            guard state.size < capacity / 2, let onRoom = state.onRoom else { return .chunk(chunk, nil) }
            state.onRoom = nil
            return .chunk(chunk, onRoom)
        }
        if state.isEnded { return .ended(state.fault) }
        let suspension = Suspension<Void>()
        state.reader = suspension
        return .wait(suspension)
    }

    /// The body as its reader sees it. Letting go of it cancels the buffer.
    package func makeBody() -> StreamedBody {
        StreamedBody { [self] () async throws(TransportFault) -> [UInt8]? in
            try await next()
        } cancel: { [self] in
            cancel()
        }
    }
}
