/// The state of the connectivity gate, and all steps that must be atomic.
struct ConnectivityState: Sendable {
    typealias Waiter = ConnectivityGate.Waiter

    /// A waiter's place in the queues.
    struct Ticket: Sendable {
        let use: NetworkUse
        let number: Int
    }

    /// The actions to take once the state has changed.
    enum Step: Sendable {
        /// Let a command through as a probe.
        case probe(Waiter, Int)
        /// Let a command through that followed a probe, and tell of the end of its turn by the number.
        case wake(Waiter, turn: Int, closings: Int)
        /// Let a command through that need not wait.
        case pass(Waiter, Int)
        /// Wait for another probe, after this number of probes that did not get through.
        case pause(Int, failures: Int)
        /// Let this number of commands through, one after the other.
        case drain(Int)
    }

    /// How the commands that waited are let through.
    private struct Draining {
        /// How many may go by now, and have not.
        var due = 0
        /// The command that was let through last, until its turn is over.
        var turn: Int?
    }

    private enum Mode {
        case open
        /// The commands that waited are let through.
        case draining(Draining)
        /// The path is down, or no request has got through it yet.
        case closed
        /// The last probe did not get through. The number tells this pause from earlier ones.
        case pausing(Int)
        case probing(Int)
    }

    private(set) var path: NetworkPath
    private var mode: Mode
    private var any = OrderedQueue<Waiter>()
    private var unmetered = OrderedQueue<Waiter>()
    private var nextID = 0
    /// How often the gate was closed. A command that has passed since may pass again: it waits in no line twice.
    private(set) var closings = 0
    private var failures = 0

    init(path: NetworkPath) {
        self.path = path
        mode = path.isSatisfied ? .open : .closed
    }

    mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    /// Whether a command may go at once.
    ///
    /// - Parameters:
    ///   - isRenewal: whether it is a login or a renewal, which the probe may wait for.
    ///   - passed: the number of closings when the command passed before; nil if it has not.
    /// - Returns: the number of closings so far; nil if the command has to wait.
    func admit(for use: NetworkUse, isRenewal: Bool, passed: Int?) -> Int? {
        let isOpen =
            switch mode {
            case .open: true
            case .draining: isRenewal || passed == closings
            case .probing: isRenewal
            case .closed, .pausing: false
            }
        return isOpen && path.allows(use) ? closings : nil
    }

    mutating func join(_ waiter: Waiter, _ use: NetworkUse, _ order: WaitingOrder) -> (Ticket, [Step]) {
        let number =
            switch use {
            case .any: any.insert(waiter, order)
            case .unmetered: unmetered.insert(waiter, order)
            }
        return (Ticket(use: use, number: number), proceed())
    }

    mutating func leave(_ ticket: Ticket) {
        switch ticket.use {
        case .any: any.remove(ticket.number)
        case .unmetered: unmetered.remove(ticket.number)
        }
    }

    /// Takes out the first waiter that the path allows.
    private mutating func popAllowed() -> Waiter? {
        guard path.allows(.any) else { return nil }
        guard path.allows(.unmetered), let first = unmetered.first else { return any.popFirst() }
        if let other = any.first, other < first { return any.popFirst() }
        return unmetered.popFirst()
    }

    mutating func update(_ path: NetworkPath) -> [Step] {
        if path == self.path { return [] }
        let isBack = path.isSatisfied && !self.path.isSatisfied
        self.path = path
        if !path.isSatisfied {
            close()
        } else if isBack {
            failures = 0
            mode = .closed
        } else if case .open = mode {
            // Another network, over which more may go.
            return beginDraining()
        }
        return proceed()
    }

    mutating func finish(probe: Int, _ result: ConnectivityGate.ProbeResult) -> [Step] {
        guard case .probing(probe) = mode else { return [] }
        switch result {
        case .reached:
            failures = 0
            return beginDraining()
        case .unsent:
            mode = .closed
            return proceed()
        case .lost: return beginPause()
        }
    }

    mutating func noteLoss() -> [Step] {
        switch mode {
        case .open, .draining: return beginPause()
        case .closed, .pausing, .probing: return []
        }
    }

    /// Ends a pause of any kind.
    mutating func tryNow() -> [Step] {
        guard case .pausing = mode else { return [] }
        mode = .closed
        return proceed()
    }

    mutating func endPause(_ number: Int) -> [Step] {
        guard case .pausing(number) = mode else { return [] }
        mode = .closed
        return proceed()
    }

    private mutating func beginDraining() -> [Step] {
        let count = any.count + (path.allows(.unmetered) ? unmetered.count : 0)
        mode = count == 0 ? .open : .draining(Draining())
        return count == 0 ? [] : [.drain(count)]
    }

    /// Whether commands that waited are being let through.
    var isDraining: Bool { if case .draining = mode { true } else { false } }

    /// So many more commands that waited may go, one after the other.
    mutating func allow(_ count: Int) -> [Step] {
        guard case .draining(var draining) = mode else { return [] }
        draining.due = count == .max ? count : min(draining.due, .max - count) + count
        mode = .draining(draining)
        return takeNext()
    }

    /// The command that was let through last is on its way, or waits elsewhere, or has ended: the next one may go.
    mutating func endTurn(_ number: Int) -> [Step] {
        guard case .draining(var draining) = mode, draining.turn == number else { return [] }
        draining.turn = nil
        mode = .draining(draining)
        return takeNext()
    }

    /// Takes out the next command that may go. At the end of the draining, the way is open.
    private mutating func takeNext() -> [Step] {
        guard case .draining(var draining) = mode, draining.due > 0, draining.turn == nil else { return [] }
        guard let next = popAllowed() else {
            mode = .open
            return []
        }
        let number = makeID()
        draining.due -= 1
        draining.turn = number
        mode = .draining(draining)
        return [.wake(next, turn: number, closings: closings)]
    }

    private mutating func close() {
        closings += 1
        mode = .closed
    }

    private mutating func beginPause() -> [Step] {
        failures += 1
        close()
        let number = makeID()
        mode = .pausing(number)
        return [.pause(number, failures: failures)]
    }

    /// Sends a probe if one is due. Without a waiting command, the way is open.
    private mutating func proceed() -> [Step] {
        guard case .closed = mode, path.isSatisfied else { return [] }
        guard let first = popAllowed() else {
            mode = .open
            return []
        }
        let id = makeID()
        mode = .probing(id)
        return [.probe(first, id)]
    }
}
