/// What the connectivity gate knows, and all steps that must be taken at once.
struct ConnectivityState: Sendable {
    typealias Waiter = CheckedContinuation<ConnectivityGate.Pass, Never>

    /// Those who wait for one kind of network.
    private struct Line {
        /// They go before all others: a probe that needs the session that they get would wait for them, and they for it.
        var renewals = WaitingQueue<Waiter>()
        var returning = WaitingQueue<Waiter>()
        var newcomers = WaitingQueue<Waiter>()

        var count: Int { renewals.count + returning.count + newcomers.count }

        mutating func popFirst() -> (id: Int, waiter: Waiter)? {
            renewals.popFirst() ?? returning.popFirst() ?? newcomers.popFirst()
        }

        mutating func remove(_ id: Int) -> Waiter? {
            renewals.remove(id) ?? returning.remove(id) ?? newcomers.remove(id)
        }
    }

    /// What is to be done once the state has changed.
    enum Step: Sendable {
        case wake(Waiter, ConnectivityGate.Pass)
        /// Wait for another probe, after so many that did not get through.
        case pause(Int, failures: Int)
        /// Let so many through, one after the other.
        case drain(Int)
    }

    private enum Mode {
        case open
        /// Those who waited are let through.
        case draining
        /// There is no path, or nobody has got through it yet.
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

    func isOpen(for use: NetworkUse, _ rank: ConnectivityGate.Rank) -> Bool {
        switch (mode, rank) {
        case (.open, _), (.draining, .sessionRenewal), (.probing, .sessionRenewal): path.allows(use)
        case (.draining, _), (.probing, _), (.closed, _), (.pausing, _): false
        }
    }

    mutating func join(_ waiter: Waiter, id: Int, _ use: NetworkUse, _ rank: ConnectivityGate.Rank) -> [Step] {
        func add(to line: inout Line) {
            switch rank {
            case .newcomer: line.newcomers.append(waiter, id: id)
            case .returning: line.returning.append(waiter, id: id)
            case .sessionRenewal: line.renewals.append(waiter, id: id)
            }
        }
        switch use {
        case .any: add(to: &any)
        case .unmetered: add(to: &unmetered)
        }
        return proceed()
    }

    mutating func remove(_ id: Int) -> Waiter? {
        any.remove(id) ?? unmetered.remove(id)
    }

    /// Takes out the first one who may go over the path there is.
    private mutating func popAllowed() -> (id: Int, waiter: Waiter)? {
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

    /// Ends a pause, whichever it is.
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

    /// Takes out the next who may go; nil at the end of the draining.
    mutating func takeNext() -> Waiter? {
        guard case .draining = mode else { return nil }
        guard let next = popAllowed() else {
            mode = .open
            return nil
        }
        return next.waiter
    }

    private mutating func beginPause() -> [Step] {
        failures += 1
        let number = makeID()
        mode = .pausing(number)
        return [.pause(number, failures: failures)]
    }

    /// Sends a probe where one is due. With nobody to send, the way is open.
    private mutating func proceed() -> [Step] {
        guard case .closed = mode, path.isSatisfied else { return [] }
        guard let first = popAllowed() else {
            mode = .open
            return []
        }
        mode = .probing(first.id)
        return [.wake(first.waiter, .probe(first.id))]
    }
}
