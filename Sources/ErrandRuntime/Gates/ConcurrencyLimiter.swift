/// Bounds how many requests to one host are under way at once. The most urgent waiter goes first, among equals the one
/// that has waited longest.
final class ConcurrencyLimiter: Sendable {
    typealias Waiter = GateWaiter<Void>

    /// A waiter's place in the queues of its host.
    struct Ticket: Sendable {
        let host: Origin
        let priority: Priority
        let number: Int
    }

    private struct Host {
        var underWay = 0
        /// By priority, the most urgent first. Empty until something has to wait.
        var queues: [WaitingQueue<Waiter>] = []

        /// Counts one more, if there is a place for it.
        mutating func take(limit: Int) -> Bool {
            guard underWay < limit else { return false }
            underWay += 1
            return true
        }

        mutating func append(_ waiter: Waiter, _ priority: Priority) -> Int {
            if queues.isEmpty { queues = Array(repeating: WaitingQueue(), count: Priority.allCases.count) }
            return queues[priority.rank].append(waiter)
        }

        /// Gives a place back, or returns the waiter that may take it over.
        mutating func leave() -> Waiter? {
            for index in queues.indices {
                if let next = queues[index].popFirst() { return next }
            }
            underWay -= 1
            return nil
        }
    }

    /// How many hosts without a request are remembered. Each costs a dictionary entry.
    private static let idleHosts = 16

    private let limit: Int
    private let hosts = LockedState<[Origin: Host]> { [:] }

    /// - Parameter limit: how many requests to a host may be under way at once, at least 1.
    init(limit: Int) { self.limit = max(1, limit) }

    /// Whether a request may go at once; if so, it counts from now on.
    func enter(_ host: Origin) -> Bool {
        hosts.withLock { $0[host, default: Host()].take(limit: limit) }
    }

    /// Queues a waiter, or grants it a place at once.
    ///
    /// - Returns: what to leave the queue with; nil if the waiter has its place.
    func join(_ host: Origin, _ priority: Priority, _ waiter: Waiter) -> Ticket? {
        let number = hosts.withLock { hosts -> Int? in
            if hosts[host, default: Host()].take(limit: limit) { return nil }
            return hosts[host, default: Host()].append(waiter, priority)
        }
        if let number { return Ticket(host: host, priority: priority, number: number) }
        if !waiter.end(.granted(())) { leave(host) }
        return nil
    }

    /// Takes a waiter out of its queue that does not want a place any more.
    func leave(_ ticket: Ticket) {
        hosts.withLock { hosts in
            guard hosts[ticket.host]?.queues.isEmpty == false else { return }
            hosts[ticket.host]?.queues[ticket.priority.rank].remove(ticket.number)
        }
    }

    /// Gives a place back. The next waiter that still wants one takes it.
    func leave(_ host: Origin) {
        while true {
            let next: Waiter? = hosts.withLock { hosts in
                guard let index = hosts.index(forKey: host) else { return nil }
                let next = hosts.values[index].leave()
                if hosts.values[index].underWay == 0, hosts.count > Self.idleHosts { hosts.remove(at: index) }
                return next
            }
            guard let next, !next.end(.granted(())) else { return }
        }
    }
}

extension Priority {
    /// The place among the queues of a host.
    fileprivate var rank: Int {
        switch self {
        case .high: 0
        case .normal: 1
        case .low: 2
        }
    }
}
