/// What arrived over a connection and was not received yet, between a transport's own thread and the task that receives.
package final class MessageInbox: Sendable {
    package typealias Received = Result<ReceivedMessage, TransportFault>
    private typealias Receiver = CheckedContinuation<Received, Never>

    private struct State {
        var messages: [ReceivedMessage] = []
        /// The index of the first one that was not received.
        var front = 0
        var end: Received?
        var receiver: Receiver?

        mutating func next() -> Received? { nextMessage().map { .success($0) } ?? end }

        mutating func nextMessage() -> ReceivedMessage? {
            guard front < messages.count else { return nil }
            defer {
                front += 1
                if front == messages.count {
                    messages.removeAll(keepingCapacity: messages.capacity <= 1_024)
                    front = 0
                }
            }
            return messages[front]
        }

        mutating func takeReceiver() -> Receiver? {
            defer { receiver = nil }
            return receiver
        }
    }

    private let state = LockedState<State> { State() }

    package init() {}

    /// Whether a receiver waits. A transport reads on for it, and otherwise holds the server back.
    package var isAwaited: Bool { state.withLock { $0.receiver != nil } }

    package func put(_ message: ReceivedMessage) { put([message]) }

    /// Puts messages that have arrived together. The receiver is woken once, and finds all of them.
    package func put(_ messages: [ReceivedMessage]) {
        let woken = state.withLock { state -> (Receiver, ReceivedMessage)? in
            if state.end != nil { return nil }
            state.messages += messages
            guard let receiver = state.takeReceiver() else { return nil }
            guard let first = state.nextMessage() else {
                state.receiver = receiver
                return nil
            }
            return (receiver, first)
        }
        if let (receiver, first) = woken { receiver.resume(returning: .success(first)) }
    }

    /// The next message that has arrived; nil if there is none.
    package var nextAtOnce: ReceivedMessage? { state.withLock { $0.nextMessage() } }

    /// Nothing more arrives. The first end counts.
    package func end(_ end: Received) {
        let receiver = state.withLock { state -> Receiver? in
            if state.end != nil { return nil }
            state.end = end
            return state.takeReceiver()
        }
        receiver?.resume(returning: end)
    }

    /// Waits for what is next. One task at a time may wait.
    ///
    /// - Parameter ask: makes the transport read on. It is called if nothing is there yet.
    package func next(_ ask: () -> Void) async -> Received {
        // Most messages of a busy connection have arrived before they are asked for.
        if let next = state.withLock({ $0.next() }) { return next }
        let cancelled = Received.failure(TransportFault(.cancelled, evidence: .sent))
        return await withTaskCancellationHandler {
            await withCheckedContinuation { receiver in
                let isCancelled = Task.isCancelled
                let next = state.withLock { state -> Received? in
                    if let next = state.next() { return next }
                    if isCancelled || state.receiver != nil { return cancelled }
                    state.receiver = receiver
                    return nil
                }
                guard let next else {
                    // A cancellation that came in between has found no receiver.
                    if Task.isCancelled { return cancel() }
                    return ask()
                }
                receiver.resume(returning: next)
            }
        } onCancel: {
            cancel()
        }
    }

    private func cancel() {
        let receiver = state.withLock { $0.takeReceiver() }
        receiver?.resume(returning: .failure(TransportFault(.cancelled, evidence: .sent)))
    }
}
