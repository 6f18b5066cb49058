#if os(Linux)
import ErrandRuntime

/// Passes the body of a request from its source to the connection.
final class Upload: Sendable {
    private struct State {
        var reader: Task<Void, Never>?
        var chunks: [[UInt8]] = []
        /// How many bytes of the first chunk were sent.
        var offset = 0
        var size = 0
        /// How many bytes were moved to the connection.
        var moved = 0
        var isWhole = false
        var isClosed = false
        var problem: BodySourceError?
        /// Called when bytes arrive, or when the body ends.
        var onBytes: (@Sendable () -> Void)?
        /// Waits for room.
        var room: Suspension<Void>?
    }

    /// The maximum number of waiting bytes, plus or minus a chunk: 256 KiB.
    private static let capacity = 256 << 10

    enum Portion: Sendable {
        case bytes(Int)
        case end
        /// No bytes have arrived yet.
        case wait
        case broken
    }

    private let body: BodySource
    private let state = LockedState<State> { State() }

    init(_ body: BodySource) { self.body = body }

    var length: Int? { body.length }
    /// Why the body could not be read to its end.
    var problem: BodySourceError? { state.withLock { $0.problem } }

    /// Moves bytes to a connection. Reading from the source begins with the first call.
    ///
    /// - Parameter onBytes: called once after `wait`, when another call can succeed.
    func read(into buffer: UnsafeMutableRawBufferPointer, orWait onBytes: @escaping @Sendable () -> Void) -> Portion {
        let target = UInt(bitPattern: buffer.baseAddress)
        let space = buffer.count
        let (portion, room, isFirst) = state.withLock { state -> (Portion, Suspension<Void>?, Bool) in
            let target = UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(bitPattern: target), count: space)
            let portion = Self.move(&state, to: target, of: body.length)
            if case .wait = portion {
                state.onBytes = onBytes
                return (portion, nil, state.reader == nil)
            }
            guard state.size < Self.capacity / 2 else { return (portion, nil, false) }
            defer { state.room = nil }
            return (portion, state.room, false)
        }
        room?.end(())
        if isFirst { start() }
        return portion
    }

    private static func move(
        _ state: inout State, to target: UnsafeMutableRawBufferPointer, of length: Int?
    ) -> Portion {
        // A body of known length is complete with its last byte. That one waits for the end of the source, which may be longer.
        let rest = state.isWhole ? nil : length.map { $0 - 1 - state.moved }
        let target = UnsafeMutableRawBufferPointer(rebasing: target.prefix(max(0, rest ?? target.count)))
        var count = 0
        var used = 0
        while used < state.chunks.count, count < target.count {
            let length = min(state.chunks[used].count - state.offset, target.count - count)
            state.chunks[used].withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: target[count...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[state.offset..<state.offset + length]))
            }
            count += length
            state.offset += length
            guard state.offset == state.chunks[used].count else { break }
            state.offset = 0
            used += 1
        }
        state.chunks.removeFirst(used)
        state.size -= count
        state.moved += count
        if count > 0 { return .bytes(count) }
        if state.problem != nil || state.isClosed { return .broken }
        return state.isWhole ? .end : .wait
    }

    /// Stops reading.
    func close() {
        let (reader, room) = state.withLock { state in
            state.isClosed = true
            defer { (state.reader, state.room, state.onBytes, state.chunks) = (nil, nil, nil, []) }
            return (state.reader, state.room)
        }
        reader?.cancel()
        room?.end(())
    }

    private func start() {
        let task = Task { [self] in
            do throws(BodySourceError) {
                var reader = try body.makeReader()
                while let chunk = try await reader.next() {
                    guard await put(chunk) else { return }
                }
                finish(nil)
            } catch {
                finish(error)
            }
        }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.reader = task }
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    /// Keeps a chunk, and waits until there is room for another; false if its reader is gone.
    private func put(_ chunk: [UInt8]) async -> Bool {
        let (isWanted, onBytes, room) = state.withLock { state -> (Bool, (@Sendable () -> Void)?, Suspension<Void>?) in
            if state.isClosed { return (false, nil, nil) }
            state.chunks.append(chunk)
            state.size += chunk.count
            if state.size >= Self.capacity { state.room = Suspension<Void>() }
            defer { state.onBytes = nil }
            return (true, state.onBytes, state.room)
        }
        onBytes?()
        await room?.value(ifCancelled: ())
        return isWanted && !Task.isCancelled
    }

    private func finish(_ problem: BodySourceError?) {
        let onBytes = state.withLock { state in
            (state.isWhole, state.problem) = (problem == nil, problem)
            defer { state.onBytes = nil }
            return state.onBytes
        }
        onBytes?()
    }
}
#endif
