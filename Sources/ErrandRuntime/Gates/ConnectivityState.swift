/// The state of the connectivity gate, and all steps that must be atomic.
struct ConnectivityState: Sendable {
    typealias Waiter = ConnectivityGate.Waiter
    typealias Rank = ConnectivityGate.Rank

    /// A waiter's place in the queues.
    struct Ticket: Sendable {
        let use: NetworkUse
        let rank: Rank
        let number: Int
    }

    /// The waiters for one kind of network.
    private struct Line {
        /// They go before all others: a probe that needs the session that they get would wait for them, and they for it.
        var renewals = WaitingQueue<Waiter>()
        var returning = WaitingQueue<Waiter>()
        var newcomers = WaitingQueue<Waiter>()

        var count: Int { renewals.count + returning.count + newcomers.count }

        mutating func popFirst() -> Waiter? {
            renewals.popFirst() ?? returning.popFirst() ?? newcomers.popFirst()
        }

        mutating func append(_ waiter: Waiter, _ rank: Rank) -> Int {
            switch rank {
            case .newcomer: newcomers.append(waiter)
            case .returning: returning.append(waiter)
            case .sessionRenewal: renewals.append(waiter)
            }
        }

        mutating func remove(_ number: Int, _ rank: Rank) {
            switch rank {
            case .newcomer: newcomers.remove(number)
            case .returning: returning.remove(number)
            case .sessionRenewal: renewals.remove(number)
            }
        }
    }

    /// The actions to take once the state has changed.
    enum Step: Sendable {
        case wake(Waiter, ConnectivityGate.Pass)
        /// Wait for another probe, after this number of probes that did not get through.
        case pause(Int, failures: Int)
        /// Let this number of commands through, one after the other.
        case drain(Int)
    }

    private enum Mode {
        case open
        /// The commands that waited are let through.
        case draining
        /// The path is down, or no request has got through it yet.
        case closed
        /// The last probe did not get through. The number tells this pause from earlier ones.
        case pausing(Int)
        case probing(Int)
    }

    private(set) var path: NetworkPath
    private var mode: Mode
    private var any = Line()
    private var unmetered = Line()
    private var nextID = 0
    private var failures = 0

    init(path: NetworkPath) {
        self.path = path
        mode = path.isSatisfied ? .open : .closed
    }

    mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    func isOpen(for use: NetworkUse, _ rank: Rank) -> Bool {
        switch (mode, rank) {
        case (.open, _), (.draining, .sessionRenewal), (.probing, .sessionRenewal): path.allows(use)
        case (.draining, _), (.probing, _), (.closed, _), (.pausing, _): false
        }
    }

    mutating func join(_ waiter: Waiter, _ use: NetworkUse, _ rank: Rank) -> (Ticket, [Step]) {
        let number =
            switch use {
            case .any: any.append(waiter, rank)
            case .unmetered: unmetered.append(waiter, rank)
            }
        return (Ticket(use: use, rank: rank, number: number), proceed())
    }

    mutating func leave(_ ticket: Ticket) {
        switch ticket.use {
        case .any: any.remove(ticket.number, ticket.rank)
        case .unmetered: unmetered.remove(ticket.number, ticket.rank)
        }
    }

    /// Takes out the first waiter that the path allows.
    private mutating func popAllowed() -> Waiter? {
        if path.allows(.unmetered), let first = unmetered.popFirst() { return first }
        return path.allows(.any) ? any.popFirst() : nil
    }

    private var drain: Step { .drain(any.count + (path.allows(.unmetered) ? unmetered.count : 0)) }

    mutating func update(_ path: NetworkPath) -> [Step] {
        if path == self.path { return [] }
        let isBack = path.isSatisfied && !self.path.isSatisfied
        self.path = path
        if !path.isSatisfied {
            mode = .closed
        } else if isBack {
            failures = 0
            mode = .closed
        } else if case .open = mode {
            // Another network, over which more may go.
            mode = .draining
            return [drain]
        }
        return proceed()
    }

    mutating func finish(probe: Int, _ result: ConnectivityGate.ProbeResult) -> [Step] {
        guard case .probing(probe) = mode else { return [] }
        switch result {
        case .reached:
            failures = 0
            mode = .draining
            return [drain]
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

    /// Takes out the next command that may go; nil at the end of the draining.
    mutating func takeNext() -> Waiter? {
        guard case .draining = mode else { return nil }
        guard let next = popAllowed() else {
            mode = .open
            return nil
        }
        return next
    }

    private mutating func beginPause() -> [Step] {
        failures += 1
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
        return [.wake(first, .probe(id))]
    }
}
