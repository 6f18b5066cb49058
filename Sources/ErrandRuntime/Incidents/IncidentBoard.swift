/// All open incidents. A command that fails joins the incident of its cause, and waits there for the answer.
final class IncidentBoard: Sendable {
    /// How the waiting ends for one command.
    enum Verdict: Sendable, Hashable {
        case retry, fail, withdrawn
        /// Nobody has said anything.
        case undecided
        case recategorize(ErrorCategory)
        /// Its task was cancelled.
        case cancelled
    }

    private let state = LockedState<IncidentState> { IncidentState() }
    private let followers = EventFollowers<IncidentEvent>()
    private let environment: DispatcherEnvironment

    init(_ environment: DispatcherEnvironment) { self.environment = environment }

    /// What happens from now on.
    func events() -> AsyncStream<IncidentEvent> { followers.stream() }

    /// Opens or joins the incident of a cause. `outcome` is called at most once.
    func join(
        _ key: IncidentCause, _ context: FailureContext, _ chain: [ResponderLevel], _ time: CommandTime, maySendAgain: Bool,
        _ outcome: @escaping @Sendable (IncidentOutcome) -> Void
    ) -> IncidentMember {
        IncidentMember(
            task: environment.start {
                switch await self.ask(key, context, chain, begun: time.begun) {
                case .retry: outcome(.answered(.retry))
                case .withdrawn: outcome(.withdrawn)
                case .fail: outcome(.answered(.fail))
                case .undecided: outcome(.unanswered)
                case .recategorize(let category): outcome(.answered(.recategorize(category)))
                case .cancelled: break
                }
            })
    }

    func leave(_ member: IncidentMember) { member.task.cancel() }

    func noteSuccess(host: Origin, endpoint: EndpointDescription, at now: Duration) { withdraw(.host(host)) }

    /// Whether the host is known to be down.
    func isDown(_ host: Origin) -> Bool { false }

    /// Puts a failure to the chain, together with all others of its cause, and waits for the answer.
    ///
    /// What was answered since the command began was said about it too: it was under way already. A command that was
    /// started later is another matter, of which nobody has been told.
    func ask(
        _ key: IncidentKey, _ context: FailureContext, _ chain: [ResponderLevel], begun: Duration
    ) async -> Verdict {
        let time = CommandTime(begun: begun, now: environment.time.now)
        if let verdict = state.withLock({ $0.remembered(key, chain, time) }) { return verdict }
        let (incident, isNew) = state.withLock { $0.join(key, context) }
        if isNew { followers.tell(.opened(incident)) }
        defer { if state.withLock({ $0.leave(key, incident.id) }) { followers.tell(.closed(incident)) } }
        for level in chain {
            switch await answer(of: level, key, incident, time) {
            case .answered(let answer):
                if let verdict = Verdict(answer) { return verdict }
            case .withdrawn: return .withdrawn
            case .cancelled: return .cancelled
            }
        }
        return .undecided
    }

    /// Ends all incidents with this scope: their cause is gone.
    func withdraw(_ scope: IncidentKey.Scope) {
        for (incident, asks) in state.withLock({ $0.withdraw(scope) }) {
            followers.tell(.withdrawn(incident))
            for ask in asks { ask.end(.withdrawn) }
        }
    }

    /// Whether any incident is open. Asked on every success, so it is cheap.
    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// How many commands wait for an answer.
    var cohort: Int { state.withLock { $0.cohort } }

    // MARK: One level

    private func answer(
        of level: ResponderLevel, _ key: IncidentKey, _ incident: Incident, _ time: CommandTime
    ) async -> IncidentState.Result {
        let waiterID = state.withLock { $0.makeID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (result, ask) = state.withLock { state -> (IncidentState.Result?, IncidentState.Ask?) in
                    // Looked at under the lock: a cancellation from now on finds the waiter.
                    if Task.isCancelled { return (.cancelled, nil) }
                    if let answer = state.remembered(key, level, time) { return (.answered(answer), nil) }
                    guard state.isOpen(key, incident.id) else { return (.withdrawn, nil) }
                    return (nil, state.wait(key, level, waiterID, waiter))
                }
                if let result { waiter.resume(returning: result) }
                guard let ask else { return }
                _ = environment.start { [weak self] in
                    let answer = await Self.race(level.responder, incident, ask.withdrawal)
                    self?.finish(key, incident, level, ask.id, answer)
                }
            }
        } onCancel: {
            let left = state.withLock { $0.removeWaiter(key, incident.id, level, waiterID) }
            left.waiter?.resume(returning: .cancelled)
            // Nobody wants to know any more.
            left.abandoned?.withdraw()
        }
    }

    private func finish(
        _ key: IncidentKey, _ incident: Incident, _ level: ResponderLevel, _ ask: Int, _ answer: IncidentAnswer?
    ) {
        let now = environment.time.now
        guard let answer,
            let ask = state.withLock({ $0.take(key, incident.id, level, ask, answer, now) })
        else { return }
        if answer != .pass { followers.tell(.answered(incident, answer)) }
        ask.end(.answered(answer))
    }

    /// The responder's answer; nil if the incident was withdrawn before.
    private static func race(
        _ responder: any Responder, _ incident: Incident, _ withdrawal: AsyncStream<Never>
    ) async -> IncidentAnswer? {
        await withTaskGroup(of: IncidentAnswer?.self) { group in
            group.addTask { await responder.respond(to: incident) }
            group.addTask {
                for await _ in withdrawal {}
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

}

extension IncidentBoard.Verdict {
    /// Nil for `pass`, which decides nothing.
    init?(_ answer: IncidentAnswer) {
        switch answer {
        case .retry: self = .retry
        case .fail: self = .fail
        case .recategorize(let category): self = .recategorize(category)
        case .pass: return nil
        }
    }
}

/// What makes two failures one incident.
struct IncidentKey: Sendable, Hashable {
    enum Scope: Sendable, Hashable {
        case network
        case host(Origin)
        case session(ObjectIdentifier)
        case service(String)

        /// What an app sees of it.
        func published(_ context: FailureContext) -> Incident.Scope {
            switch self {
            case .network: .network
            case .host(let origin): .host(origin)
            case .session: .session(service: context.service)
            case .service(let name): .service(name)
            }
        }
    }

    var scope: Scope
    /// The error's name.
    var name: String
}

typealias IncidentCause = IncidentKey

/// A command's place among those that an incident hit.
struct IncidentMember: Sendable {
    let task: Task<Void, Never>
}
