/// The elements that a server sends in answer to a command (`delivery: stream` in the contract), read as they arrive.
///
///     for try await price in market.watchPrices(of: "ACME") {
///         show(price)
///     }
///
/// Nothing is sent until the first element is asked for. The request goes the way of every command: gates, retries, a login,
/// responders, the endpoint's own failures. A failure in the middle of the stream goes the same way: where the contract says
/// that the server can go on after the last element, the stream is opened again, and its reader sees nothing of that.
/// Otherwise the loop ends with the endpoint's failure.
///
/// While no element is asked for, none is read: the server is held back. Leaving the loop closes the connection. The stream
/// ends with its login (`sessionEnded`). Each iteration sends a request of its own.
public struct ResponseStream<C: StreamCommand>: AsyncSequence, Sendable {
    public typealias Element = C.Element
    public typealias Failure = C.Failure

    private let binding: ServiceBinding
    private let command: C

    init(_ command: C, _ binding: ServiceBinding) {
        self.command = command
        self.binding = binding
    }

    public func makeAsyncIterator() -> Iterator { Iterator(handle: StreamHandle(command, binding)) }

    /// Reads one stream. Letting go of it closes the connection.
    public struct Iterator: AsyncIteratorProtocol {
        let handle: StreamHandle<C>

        /// The next element; nil after the last.
        ///
        /// - Throws: the endpoint's own failure type, once. Cancelling the task ends the stream, on the wire too.
        public mutating func next() async throws(C.Failure) -> C.Element? { try await handle.next() }

        /// The same on the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(C.Failure) -> C.Element? {
            try await handle.next()
        }
    }
}

extension ResponseStream: CustomStringConvertible {
    public var description: String { "a stream of \(C.endpoint.service.name).\(C.endpoint.name)" }
}

extension ServiceClient {
    /// The elements that the server sends in answer to a command. Nothing is sent before the first one is asked for.
    public func stream<C: StreamCommand>(_ command: C) -> ResponseStream<C> where C.Service == Self {
        ResponseStream(command, binding)
    }
}

/// Hands elements from the task that carries a stream out to the task that reads it. Nothing is done ahead: the one works
/// while the other waits.
final class StreamHandle<C: StreamCommand>: Sendable {
    /// What one turn of the work gives.
    enum Turn: Sendable {
        /// Some elements, at least one. More may follow.
        case elements([C.Element])
        /// Some elements, after which it is over.
        case end([C.Element], C.Failure?)
    }

    private struct State {
        /// What was given and not taken yet, from `next` on.
        var elements: [C.Element] = []
        var next = 0
        var isOver = false
        var failure: C.Failure?
        var task: Task<Void, Never>?
        /// The task that reads and waits for elements.
        var reader: Suspension<Void>?
        /// The task that carries the stream out and waits to go on.
        var worker: Suspension<Bool>?
    }

    private let state = Shared()
    private let command: C
    private let binding: ServiceBinding

    /// What both tasks know. The one that carries the stream out does not keep the handle, whose end ends it.
    final class Shared: Sendable {
        private let state = LockedState<State> { State() }

        /// Takes what a turn gave.
        ///
        /// - Returns: what to wait for before the next turn.
        func give(_ turn: Turn) -> Suspension<Bool> {
            let worker = Suspension<Bool>()
            let reader = state.withLock { state in
                state.next = 0
                switch turn {
                case .elements(let elements): state.elements = elements
                case .end(let elements, let failure):
                    (state.elements, state.failure, state.isOver) = (elements, failure, true)
                }
                state.worker = worker
                defer { state.reader = nil }
                return state.reader
            }
            reader?.end(())
            return worker
        }

        enum Found: Sendable {
            case element(C.Element)
            case end(C.Failure?)
            /// Nothing yet: whom to wake, and what to wait for.
            case none(Suspension<Bool>?, Suspension<Void>, isNew: Bool)
        }

        func take() -> Found {
            state.withLock { state in
                if state.next < state.elements.count {
                    defer { state.next += 1 }
                    return .element(state.elements[state.next])
                }
                if state.isOver {
                    defer { state.failure = nil }
                    return .end(state.failure)
                }
                let reader = Suspension<Void>()
                state.reader = reader
                defer { state.worker = nil }
                return .none(state.worker, reader, isNew: state.task == nil)
            }
        }

        func start(_ task: Task<Void, Never>) { state.withLock { $0.task = task } }

        var task: Task<Void, Never>? { state.withLock { $0.task } }

        /// Ends it early.
        func cancel() {
            let (task, worker) = state.withLock { ($0.task, $0.worker) }
            task?.cancel()
            worker?.end(false)
        }
    }

    init(_ command: C, _ binding: ServiceBinding) {
        self.command = command
        self.binding = binding
    }

    deinit { state.cancel() }

    func next() async throws(C.Failure) -> C.Element? {
        while true {
            switch state.take() {
            case .element(let element): return element
            case .end(nil): return nil
            case .end(let failure?): throw failure
            case .none(let worker, let reader, let isNew):
                if isNew { begin() }
                worker?.end(true)
                await wait(reader)
            }
        }
    }

    private func begin() {
        let (state, command, binding) = (state, command, binding)
        state.start(
            binding.dispatcher.environment.startDetached {
                let run = StreamRun(command, binding)
                defer { run.close() }
                while true {
                    let turn = await run.turn()
                    let worker = state.give(turn)
                    if case .end = turn { return }
                    guard await worker.value(ifCancelled: false) else { return run.abandon() }
                }
            })
    }

    /// Waits for the next turn. A cancelled reader waits for the end of the work, which knows how far it got.
    private func wait(_ reader: Suspension<Void>) async {
        await reader.value(ifCancelled: ())
        guard Task.isCancelled else { return }
        state.cancel()
        await state.task?.value
    }
}
