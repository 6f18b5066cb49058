/// How far a transfer is.
public struct TransferState: Sendable, Hashable {
    /// How many bytes were transferred: written to the file, or handed to the transport.
    public let bytes: Int
    /// How many there are; nil if that is not known. A bar is indeterminate then.
    public let total: Int?
    /// How often the transfer went back: an attempt was repeated, and the server did not continue after the bytes that were there.
    ///
    /// While this number stays the same, `bytes` never decreases. A bar that moves with an animation moves back without one when
    /// the number changes.
    public let restarts: Int

    /// A state for an app's own tests and previews.
    public init(bytes: Int, total: Int?, restarts: Int = 0) {
        self.bytes = bytes
        self.total = total
        self.restarts = restarts
    }

    /// From 0 to 1; nil if the total is not known.
    public var fraction: Double? {
        guard let total else { return nil }
        return total <= 0 ? 1 : min(max(Double(bytes) / Double(total), 0), 1)
    }
}

/// The progress of one transfer, for a bar on a screen or in a terminal.
///
///     for await state in download.progress { print(state.bytes, state.total ?? 0) }
///
/// Every iteration begins with the state as it is and ends with the transfer. A reader that is slower than the transfer sees fewer
/// states, never an old one, and always the last.
public final class TransferProgress: AsyncSequence, Sendable {
    public typealias Element = TransferState
    public typealias Failure = Never

    private struct State: Sendable {
        var current = TransferState(bytes: 0, total: nil)
        var isOver = false
        var followers: [Int: AsyncStream<TransferState>.Continuation] = [:]
        var lastID = 0
    }

    private let state = LockedState<State> { State() }

    public init() {}

    /// The state as it is.
    public var current: TransferState { state.withLock { $0.current } }

    public func makeAsyncIterator() -> AsyncStream<TransferState>.Iterator {
        let (stream, continuation) = AsyncStream<TransferState>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (id, isOver) = state.withLock { state -> (Int, Bool) in
            continuation.yield(state.current)
            state.lastID += 1
            if !state.isOver { state.followers[state.lastID] = continuation }
            return (state.lastID, state.isOver)
        }
        if isOver { continuation.finish() }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.followers.removeValue(forKey: id) }
        }
        return stream.makeAsyncIterator()
    }

    package func note(bytes: Int, total: Int?) {
        state.withLock { state in
            let isBack = bytes < state.current.bytes
            let current = TransferState(
                bytes: bytes, total: total, restarts: state.current.restarts + (isBack ? 1 : 0))
            guard current != state.current else { return }
            state.current = current
            for follower in state.followers.values { follower.yield(current) }
        }
    }

    /// Ends the transfer, with any result.
    package func finish() {
        let followers = state.withLock { state in
            state.isOver = true
            defer { state.followers = [:] }
            return state.followers.values.map { $0 }
        }
        for follower in followers { follower.finish() }
    }

    deinit { finish() }
}
