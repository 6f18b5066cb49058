/// How an incident has ended for a command that waited for that.
struct IncidentRelease: Sendable {
    let outcome: IncidentOutcome
    /// Nil for a command that is not sent again.
    let turn: GateTurn?
}

/// All open incidents of a dispatcher. A command that fails joins the incident of its cause, and is called back with the
/// decision.
final class IncidentRegistry: Sendable {
    typealias Waiter = GateWaiter<IncidentRelease>

    private let state = LockedState<IncidentState> { IncidentState() }
    private let released = LockedState<ReleasedWaiters<(Waiter, IncidentOutcome)>> { ReleasedWaiters() }
    private let followers = EventFollowers<IncidentEvent> { count, next in [.dropped(count), next] }
    private let environment: DispatcherEnvironment

    init(_ environment: DispatcherEnvironment) { self.environment = environment }

    /// The events from now on.
    func events() -> AsyncStream<IncidentEvent> { followers.stream() }

    /// Opens the incident of a cause, or joins it, and puts it to the chain.
    ///
    /// - Parameters:
    ///   - chain: the responders, the first one asked first. Without any, the outcome is `unanswered` at once.
    ///   - outcome: called at most once, from any thread and maybe before this returns.
    /// - Returns: by what the command leaves when it does not wait any more, however that came.
    func join(
        _ cause: IncidentCause, _ context: FailureContext, _ chain: [ResponderLevel], _ time: CommandTime,
        maySendAgain: Bool, tell outcome: @escaping @Sendable (IncidentOutcome) -> Void
    ) -> IncidentMember {
        change { $0.join(cause, context, chain, time, maySendAgain: maySendAgain, tell: outcome) }
    }

    /// Removes a waiter. The last one ends the question.
    func leave(_ member: IncidentMember) {
        let now = environment.time.now
        change { $0.leave(member, at: now) }
    }

    /// Notes that an endpoint of a host has succeeded. This ends an outage of the endpoint, and shows that the host responds.
    func noteSuccess(host: Origin, endpoint: EndpointDescription, at now: Duration) {
        change { $0.noteSuccess(host, ObjectIdentifier(endpoint), at: now) }
    }

    /// Ends an incident: its cause is gone.
    func withdraw(_ key: IncidentKey) {
        let now = environment.time.now
        change { $0.withdraw(key, at: now) }
    }

    /// Whether a whole host is known to be down.
    func isDown(_ host: Origin) -> Bool { state.withLock { $0.isDown(host) } }

    /// The incident of a cause as it is now; nil if it is not open.
    func openIncident(_ key: IncidentKey) -> Incident? { state.withLock { $0.incidents[key]?.value } }

    /// Whether no incident is open.
    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// How many commands are affected now.
    var cohort: Int { state.withLock { $0.cohort } }

    /// Changes the state, and runs the consequences once the lock is free. Events are sent under the lock, so that they
    /// come in their order.
    private func change<Value: Sendable>(_ body: @Sendable (inout IncidentState) -> Value) -> Value {
        let (value, steps) = state.withLock { [followers] state in
            let value = body(&state)
            let work = state.takeWork()
            for event in work.events { followers.tell(event) }
            return (value, work.steps)
        }
        if steps.isEmpty { return value }
        // The first one to go on is the first of all that go on, and not the first that is told.
        released.withLock { $0.hold() }
        for step in steps {
            switch step {
            case .tell(let outcome, let result): outcome(result)
            case .ask(let question, let responder, let incident): ask(question, responder, incident)
            case .cancel(let task): task.cancel()
            }
        }
        released.withLock { $0.letGo() }
        releaseNext()
        return value
    }

    /// Lets a command go on that has waited for the end of an incident: at once if it is not sent again, and otherwise in its turn.
    func release(_ waiter: Waiter, _ order: WaitingOrder, _ outcome: IncidentOutcome) {
        guard outcome.mayResend else {
            waiter.end(.granted(IncidentRelease(outcome: outcome, turn: nil)))
            return
        }
        released.withLock { $0.insert((waiter, outcome), order) }
        releaseNext()
    }

    private func releaseNext() {
        while let next = released.withLock({ $0.takeNext() }) {
            let turn = GateTurn { [weak self] in
                self?.released.withLock { $0.endTurn(next.turn) }
                self?.releaseNext()
            }
            let (waiter, outcome) = next.waiter
            if waiter.end(.granted(IncidentRelease(outcome: outcome, turn: turn))) { return }
            turn.discard()
            released.withLock { $0.endTurn(next.turn) }
        }
    }

    private func ask(_ question: Int, _ responder: any Responder, _ incident: Incident) {
        // It is everyone's question. Only the login closure that it is asked in stays known: a command that the responder
        // sends must not wait for that login.
        let start = LoginScope.inheriting(environment.startDetached)
        let task = start { [weak self] in
            // The cause may have ended before this task began.
            let answer = Task.isCancelled ? .pass : await ResponderScope.run { await responder.respond(to: incident) }
            guard let self else { return }
            let now = self.environment.time.now
            self.change { $0.finish(question, answer, at: now) }
        }
        change { $0.note(task, of: question) }
    }
}
