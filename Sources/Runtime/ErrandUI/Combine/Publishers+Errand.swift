#if canImport(Combine)
@preconcurrency public import Combine
public import ErrandRuntime

extension Dispatcher {
    /// What happens to incidents, from the subscription on.
    public var incidentPublisher: EventPublisher<IncidentEvent> { EventPublisher { self.incidents } }

    /// The results of all commands of one type, from any client, from the subscription on.
    public func completionPublisher<C: Command>(of type: C.Type) -> EventPublisher<Completion<C>> {
        EventPublisher { self.completions(of: type) }
    }
}

extension Session {
    /// The state of the session: as it is at the subscription, and then every change.
    public var statePublisher: EventPublisher<SessionPhase> { EventPublisher { self.states } }
}

extension PresentationHost {
    /// The state to show here: as it is at the subscription, and after each change.
    public var statePublisher: EventPublisher<PresentedState> { EventPublisher { self.states } }
}

extension ServiceClient {
    /// Sends a command for each subscription, and publishes its response or its failure. Cancellation of the subscription ends the
    /// command, on the wire too.
    public func publisher<C: Command>(for command: C) -> CommandPublisher<C> where C.Service == Self {
        CommandPublisher { await self.result(of: command) }
    }
}

/// Publishes how one command ends.
public struct CommandPublisher<C: Command>: Publisher {
    public typealias Output = C.Response
    public typealias Failure = C.Failure

    private let perform: @Sendable () async -> Result<C.Response, C.Failure>

    init(_ perform: @escaping @Sendable () async -> Result<C.Response, C.Failure>) { self.perform = perform }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == C.Response, S.Failure == C.Failure {
        subscriber.receive(subscription: CommandSubscription(AnySubscriber(subscriber), perform))
    }
}

/// Sends the command with the first demand.
private final class CommandSubscription<Output: Sendable, Failure: Error>: Subscription, Sendable {
    private struct State: Sendable {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let subscriber: AnySubscriber<Output, Failure>
    private let perform: @Sendable () async -> Result<Output, Failure>
    private let state = LockedState<State> { State() }

    init(
        _ subscriber: AnySubscriber<Output, Failure>, _ perform: @escaping @Sendable () async -> Result<Output, Failure>
    ) {
        self.subscriber = subscriber
        self.perform = perform
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        state.withLock { state in
            guard state.task == nil, !state.isCancelled else { return }
            state.task = Task { await self.deliver() }
        }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    private func deliver() async {
        let result = await perform()
        if state.withLock({ $0.isCancelled }) { return }
        switch result {
        case .success(let response):
            _ = subscriber.receive(response)
            if !state.withLock({ $0.isCancelled }) { subscriber.receive(completion: .finished) }
        case .failure(let failure): subscriber.receive(completion: .failure(failure))
        }
    }
}
#endif
