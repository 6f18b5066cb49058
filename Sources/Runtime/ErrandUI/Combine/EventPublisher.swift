#if canImport(Combine)
@preconcurrency public import Combine
import ErrandRuntime

/// Publishes the values of an asynchronous sequence of Errand's: incidents, completions, phases of a session.
///
/// Each subscription follows the sequence from the start of the subscription. It requests as many values as its subscriber
/// demands. Further values stay in the sequence, whose own bound determines which values are dropped. Values arrive on no
/// particular thread: use `receive(on:)`.
public struct EventPublisher<Output: Sendable>: Publisher {
    public typealias Failure = Never

    private let follow: @Sendable () -> AsyncStream<Output>

    init(_ follow: @escaping @Sendable () -> AsyncStream<Output>) { self.follow = follow }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        subscriber.receive(subscription: EventSubscription(AnySubscriber(subscriber), follow()))
    }
}

/// One subscriber's reading of a stream.
private final class EventSubscription<Output: Sendable>: Subscription, Sendable {
    private struct State: Sendable {
        var demand = Subscribers.Demand.none
        /// The reader that waits for demand.
        var reader: Suspension<Bool>?
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let subscriber: AnySubscriber<Output, Never>
    private let events: AsyncStream<Output>
    private let state = LockedState<State> { State() }

    init(_ subscriber: AnySubscriber<Output, Never>, _ events: AsyncStream<Output>) {
        self.subscriber = subscriber
        self.events = events
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let (reader, isFirst) = state.withLock { state -> (Suspension<Bool>?, Bool) in
            state.demand += demand
            defer { state.reader = nil }
            return (state.reader, state.task == nil && !state.isCancelled)
        }
        reader?.end(true)
        guard isFirst else { return }
        let task = Task { await self.read() }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let (reader, task) = state.withLock { state in
            state.isCancelled = true
            defer { (state.reader, state.task) = (nil, nil) }
            return (state.reader, state.task)
        }
        task?.cancel()
        reader?.end(false)
    }

    /// The only place that calls the subscriber, so that its calls follow each other.
    private func read() async {
        var events = events.makeAsyncIterator()
        while await waitForDemand() {
            guard let event = await events.next() else {
                if !isCancelled { subscriber.receive(completion: .finished) }
                return
            }
            if isCancelled { return }
            let more = subscriber.receive(event)
            state.withLock { state in
                state.demand -= 1
                state.demand += more
            }
        }
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    private func waitForDemand() async -> Bool {
        let reader = Suspension<Bool>()
        let isReady = state.withLock { state -> Bool? in
            if state.isCancelled { return false }
            if state.demand > .none { return true }
            state.reader = reader
            return nil
        }
        if let isReady { return isReady }
        return await reader.value(ifCancelled: false)
    }
}
#endif
