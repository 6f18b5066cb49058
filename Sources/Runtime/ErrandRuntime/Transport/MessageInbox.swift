/// What arrived over a connection and was not received yet, between a transport's own thread and the task that receives.
package final class MessageInbox: Sendable {
    package typealias Received = Result<ReceivedMessage, TransportFault>

    /// Who wants to know of what arrives.
    private enum Receiver: Sendable {
        case task(CheckedContinuation<Received, Never>)
        case action(@Sendable () -> Void)
    }

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

        mutating func takeTask() -> CheckedContinuation<Received, Never>? {
            guard case .task(let task) = receiver else { return nil }
            receiver = nil
            return task
        }
    }

    private let state = LockedState<State> { State() }

    package init() {}

    /// Whether a receiver waits. A transport reads on for it, and otherwise holds the server back.
    package var isAwaited: Bool { state.withLock { $0.receiver != nil } }

    package func put(_ message: ReceivedMessage) { put([message]) }

    /// Puts messages that have arrived together. The receiver is woken once, and finds all of them.
    package func put(_ messages: [ReceivedMessage]) {
        let (receiver, first) = state.withLock { state -> (Receiver?, ReceivedMessage?) in
            if state.end != nil || messages.isEmpty { return (nil, nil) }
            state.messages += messages
            let receiver = state.takeReceiver()
            if case .task = receiver { return (receiver, state.nextMessage()) }
            return (receiver, nil)
        }
        switch (receiver, first) {
        case (.task(let task), let first?): task.resume(returning: .success(first))
        case (.action(let action), _): action()
        default: break
        }
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
        switch receiver {
        case .task(let task): task.resume(returning: end)
        case .action(let action): action()
        case nil: break
        }
    }

    /// Has an action called when something arrives, or at the end.
    ///
    /// - Parameter ask: makes the transport read on. It is called if nothing is there yet.
    package func notify(_ ask: () -> Void, _ action: @escaping @Sendable () -> Void) -> ArrivalNotice {
        let notice = state.withLock { state -> ArrivalNotice in
            if state.front < state.messages.count { return .arrived }
            if state.end != nil { return .unavailable }
            if case .task = state.receiver { return .unavailable }
            state.receiver = .action(action)
            return .set
        }
        if notice == .set { ask() }
        return notice
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
                    if isCancelled { return cancelled }
                    if case .task = state.receiver { return cancelled }
                    state.receiver = .task(receiver)
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
        let task = state.withLock { $0.takeTask() }
        task?.resume(returning: .failure(TransportFault(.cancelled, evidence: .sent)))
    }
}
