/// Holds commands while the network is down. On its return one goes first, as a probe; the others follow, a little apart, once
/// that one has reached a server. A path that only looks satisfied costs one probe after each pause, however many wait.
///
/// They follow in their order: the most urgent first, among equals in the order of their submission. Each goes when the one before
/// it is on its way (`GateTurn`), so neither the random distance between them nor the system's choice of threads changes the order. A
/// command that has passed keeps its pass until the gate is closed again.
final class ConnectivityGate: Sendable {
    /// How a command got through.
    enum Pass: Sendable {
        /// It goes on. The turn is nil if no other waits for its end, and the number is what `admit` returns.
        case granted(GateTurn?, Int)
        /// It goes first, and must say how far it got.
        case probe(Int)
        /// A responder has decided that the command does not wait.
        case refused
    }

    typealias Waiter = GateWaiter<Pass>

    /// The commands that waited follow the probe within this time.
    private static let spread = Duration.milliseconds(500)
    /// The pauses between probes grow as those between the attempts of a command.
    private static let rule = RetryRule()

    private let state: LockedState<ConnectivityState>
    private let environment: DispatcherEnvironment
    /// Whether the monitor reports when the network is back. Without such a report, no command can wait for it.
    let isWatching: Bool

    init(_ monitor: any PathMonitor, _ environment: DispatcherEnvironment) {
        self.environment = environment
        isWatching = !(monitor is AlwaysSatisfiedPath)
        let path = monitor.current
        state = LockedState { ConnectivityState(path: path) }
        guard isWatching else { return }
        _ = environment.startDetached { [weak self] in
            for await path in monitor.paths() {
                guard let self else { return }
                self.change { $0.update(path) }
            }
        }
    }

    /// The latest state of the network.
    var path: NetworkPath { state.withLock { $0.path } }

    /// The number that `admit` returns for as long as the gate isn't closed again.
    var closings: Int { state.withLock { $0.closings } }

    /// Lets a command through that need not wait.
    ///
    /// - Parameters:
    ///   - isRenewal: whether it is a login or a renewal, which the probe may wait for.
    ///   - passed: what this method returned to the command before; nil if it has not passed yet.
    /// - Returns: nil if the command has to wait.
    func admit(for use: NetworkUse, isRenewal: Bool, passed: Int?) -> Int? {
        state.withLock { $0.admit(for: use, isRenewal: isRenewal, passed: passed) }
    }

    /// Queues a waiter, or lets it through at once.
    ///
    /// - Returns: what to leave the queue with; nil if the waiter has passed.
    func join(
        _ use: NetworkUse, _ order: WaitingOrder, isRenewal: Bool = false, _ waiter: Waiter
    ) -> ConnectivityState.Ticket? {
        var ticket: ConnectivityState.Ticket?
        change { state in
            if let number = state.admit(for: use, isRenewal: isRenewal, passed: nil) { return [.pass(waiter, number)] }
            let (joined, steps) = state.join(waiter, use, order)
            ticket = joined
            return steps
        }
        return ticket
    }

    /// Takes a waiter out that does not want to pass any more.
    func leave(_ ticket: ConnectivityState.Ticket) {
        state.withLock { $0.leave(ticket) }
    }

    /// Reports how far a probe got. If it was never sent, another command takes its place.
    func finish(probe: Int, _ result: ProbeResult) {
        change { $0.finish(probe: probe, result) }
    }

    /// How far a probe got.
    enum ProbeResult: Sendable {
        case reached, lost, unsent
    }

    /// Has the network tried at once, since a person asked for it.
    func tryNow() {
        change { $0.tryNow() }
    }

    /// Notes that a command found no network although the path had been satisfied.
    func noteLoss() {
        change { $0.noteLoss() }
    }

    /// Changes the state, and does what follows from that once the lock is free.
    private func change(_ body: (inout ConnectivityState) -> [ConnectivityState.Step]) {
        var steps = state.withLock { body(&$0) }
        // A waiter that has left meanwhile makes room for another one.
        while let step = steps.popLast() { steps += take(step) }
    }

    /// Takes a step. Returns the steps that follow.
    private func take(_ step: ConnectivityState.Step) -> [ConnectivityState.Step] {
        switch step {
        case .pass(let waiter, let closings): waiter.end(.granted(.granted(nil, closings)))
        case .probe(let waiter, let id):
            // A probe that has left meanwhile finds nothing out: another one goes in its place.
            if !waiter.end(.granted(.probe(id))) { return state.withLock { $0.finish(probe: id, .unsent) } }
        case .wake(let waiter, let number, let closings):
            let turn = GateTurn { [weak self] in self?.change { $0.endTurn(number) } }
            if waiter.end(.granted(.granted(turn, closings))) { break }
            turn.discard()
            return state.withLock { $0.endTurn(number) }
        case .pause(let number, let failures):
            let pause = Self.rule.pause(after: failures, jitter: environment.chance.fraction())
            _ = environment.startDetached { [weak self, time = environment.time] in
                _ = await time.sleep(for: pause)
                self?.change { $0.endPause(number) }
            }
        case .drain(let count):
            _ = environment.startDetached { [weak self] in await self?.drain(count) }
        }
        return []
    }

    /// Lets the waiters through one after the other, within `spread`. A sleep takes longer than it was asked for, so each
    /// lets as many go as are due by then. Those that are slow, or came meanwhile, follow without a pause.
    private func drain(_ count: Int) async {
        let step = Self.spread / max(1, count)
        let start = environment.time.now
        var passed = 0
        while passed < count, state.withLock({ $0.isDraining }) {
            _ = await environment.time.sleep(for: step * environment.chance.fraction())
            let due = max(passed + 1, Int((environment.time.now - start) / step))
            change { $0.allow(due - passed) }
            passed = due
        }
        change { $0.allow(.max) }
    }
}
