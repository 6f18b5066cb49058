/// Holds commands while the network is down. On its return one goes first, as a probe; the others follow in order, a
/// little apart, once that one has reached a server. A path that only looks satisfied costs one probe after each pause,
/// however many wait.
final class ConnectivityGate: Sendable {
    /// How a command got through.
    enum Pass: Sendable, Hashable {
        case granted
        /// It goes first, and must say how far it got.
        case probe(Int)
        /// A responder has decided that the command does not wait.
        case refused
    }

    typealias Waiter = GateWaiter<Pass>

    /// The command that asks to pass.
    enum Rank: Sendable {
        /// A command that was not sent yet.
        case newcomer
        /// One that was, and did not get through: it keeps its place before newcomers.
        case returning
        /// A login or a renewal on behalf of others, the probe among them: it does not wait for the probe.
        case sessionRenewal
    }

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

    /// Whether a command may go at once.
    func isOpen(for use: NetworkUse, _ rank: Rank) -> Bool {
        state.withLock { $0.isOpen(for: use, rank) }
    }

    /// Queues a waiter, or lets it through at once.
    ///
    /// - Returns: what to leave the queue with; nil if the waiter has passed.
    func join(_ use: NetworkUse, _ rank: Rank, _ waiter: Waiter) -> ConnectivityState.Ticket? {
        var ticket: ConnectivityState.Ticket?
        change { state in
            if state.isOpen(for: use, rank) { return [.wake(waiter, .granted)] }
            let (joined, steps) = state.join(waiter, use, rank)
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
        for step in state.withLock({ body(&$0) }) {
            switch step {
            case .wake(let waiter, let pass):
                // A probe that has left meanwhile finds nothing out: another one goes in its place.
                if !waiter.end(.granted(pass)), case .probe(let id) = pass { finish(probe: id, .unsent) }
            case .pause(let number, let failures):
                let pause = Self.rule.pause(after: failures, jitter: environment.chance.fraction())
                _ = environment.startDetached { [weak self, time = environment.time] in
                    _ = await time.sleep(for: pause)
                    self?.change { $0.endPause(number) }
                }
            case .drain(let count):
                _ = environment.startDetached { [weak self] in await self?.drain(count) }
            }
        }
    }

    /// Lets the waiters through one after the other, within `spread`. A sleep takes longer than it was asked for, so each
    /// wakes as many as are due by then.
    private func drain(_ count: Int) async {
        let step = Self.spread / max(1, count)
        let start = environment.time.now
        var passed = 0
        while true {
            _ = await environment.time.sleep(for: step * environment.chance.fraction())
            let due = max(passed + 1, Int((environment.time.now - start) / step))
            while passed < due {
                passed += 1
                var isOver = false
                change { state in
                    let next = state.takeNext()
                    isOver = next == nil
                    return next.map { [.wake($0, .granted)] } ?? []
                }
                if isOver { return }
            }
        }
    }
}
