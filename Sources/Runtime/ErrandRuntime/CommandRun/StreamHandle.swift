/// Work that gives elements, a turn at a time. Used by one task.
protocol StreamWork<Element, Failure>: AnyObject {
    associatedtype Element: Sendable
    associatedtype Failure: Error

    /// Goes on until there are elements, or it is over.
    func turn() async -> StreamHandle<Element, Failure>.Turn
    /// Its reader has gone, or is cancelled.
    ///
    /// - Returns: the failure for a reader that is still there.
    func abandon() -> Failure
    func close()
}

/// Hands elements from the task that carries a stream out to the task that reads it, a turn at a time. Nothing is done ahead: the
/// one works while the other waits.
@usableFromInline
final class StreamHandle<Element: Sendable, Failure: Error>: Sendable {
    /// The result of one step of the work.
    enum Turn: Sendable {
        /// Some elements, at least one. More may follow.
        case elements([Element])
        /// Some elements, after which it is over.
        case end([Element], Failure?)
    }

    private struct State {
        /// The elements that were delivered and not taken yet.
        var elements: [Element] = []
        var isOver = false
        var failure: Failure?
        var task: Task<Void, Never>?
        /// The task that reads and waits for elements.
        var reader: Suspension<Void>?
        /// The task that carries the stream out and waits to go on.
        var worker: Suspension<Bool>?
    }

    private let state = Shared()
    private let environment: DispatcherEnvironment
    /// Submits the command, and gives what makes its work.
    typealias Submit = @Sendable () -> @Sendable () -> any StreamWork<Element, Failure>
    private let submit: Submit

    /// The state that both tasks share. The task that carries out the stream does not retain the handle, because
    /// releasing the handle ends that task.
    final class Shared: Sendable {
        private let state = LockedState<State> { State() }

        /// Takes what a turn gave.
        ///
        /// - Returns: what to wait for before the next turn.
        func give(_ turn: Turn) -> Suspension<Bool> {
            let worker = Suspension<Bool>()
            let reader = state.withLock { state in
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

        /// Ends the stream between two turns. Elements that were delivered and not taken yet are kept.
        func abandon(_ failure: Failure) {
            let reader = state.withLock { state in
                (state.failure, state.isOver) = (failure, true)
                defer { state.reader = nil }
                return state.reader
            }
            reader?.end(())
        }

        enum Found: Sendable {
            case elements([Element])
            case end(Failure?)
            /// Nothing yet: whom to wake, and what to wait for.
            case none(Suspension<Bool>?, Suspension<Void>, isNew: Bool)
        }

        func take() -> Found {
            state.withLock { state in
                if !state.elements.isEmpty {
                    defer { state.elements = [] }
                    return .elements(state.elements)
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

    /// - Parameter submit: is called when the first element is asked for: the command belongs to the login of that moment. The task
    ///   that carries the work out begins later, and calls the result.
    init(_ environment: DispatcherEnvironment, submit: @escaping Submit) {
        self.environment = environment
        self.submit = submit
    }

    deinit { state.cancel() }

    /// The elements of the next turn; nil after the last. It waits where its caller is isolated.
    func next(isolation: isolated (any Actor)?) async throws(Failure) -> [Element]? {
        while true {
            switch state.take() {
            case .elements(let elements): return elements
            case .end(nil): return nil
            case .end(let failure?): throw failure
            case .none(let worker, let reader, let isNew):
                if isNew { begin() }
                worker?.end(true)
                await wait(reader, isolation: isolation)
            }
        }
    }

    private func begin() {
        let (state, makeWork) = (state, submit())
        state.start(
            environment.startDetached {
                let run = makeWork()
                defer { run.close() }
                while true {
                    let turn = await run.turn()
                    let worker = state.give(turn)
                    if case .end = turn { return }
                    guard await worker.value(ifCancelled: false) else { return state.abandon(run.abandon()) }
                }
            })
    }

    /// Waits for the next turn. A cancelled reader waits for the end of the work, which knows how far it got.
    private func wait(_ reader: Suspension<Void>, isolation: isolated (any Actor)?) async {
        await reader.value(ifCancelled: (), isolation: isolation)
        guard Task.isCancelled else { return }
        state.cancel()
        await state.task?.value
    }
}
