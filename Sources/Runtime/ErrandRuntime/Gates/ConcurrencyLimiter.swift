/// Bounds how many requests to one host are under way at once. The most urgent waiter goes first, among equals the one that was
/// submitted first. One goes after the other.
package final class ConcurrencyLimiter: Sendable {
    typealias Waiter = GateWaiter<GateTurn>

    /// A waiter's place in the queue of its host.
    struct Ticket: Sendable {
        let host: Origin
        let number: Int
    }

    private struct Host {
        var underWay = 0
        var queue = OrderedQueue<Waiter>()
        /// Whether a waiter has got a place whose turn is not over.
        var isInTurn = false

        /// Counts one more, if there is a place for it that no waiter is to have.
        mutating func take(limit: Int) -> Bool {
            guard underWay < limit, !isInTurn, queue.isEmpty else { return false }
            underWay += 1
            return true
        }

        var isIdle: Bool { underWay == 0 && !isInTurn && queue.isEmpty }

        /// Changes the host, and gives a place to the next waiter, if there are both then.
        mutating func takeNext(after change: (inout Host) -> Void, limit: Int) -> Waiter? {
            change(&self)
            guard underWay < limit, !isInTurn, let next = queue.popFirst() else { return nil }
            underWay += 1
            isInTurn = true
            return next
        }
    }

    /// How many hosts without a request are remembered. Each costs a dictionary entry.
    private static let idleHosts = 16

    private let limit: Int
    private let hosts = LockedState<[Origin: Host]> { [:] }

    /// - Parameter limit: how many requests to a host may be under way at once, at least 1.
    package init(limit: Int) { self.limit = max(1, limit) }

    /// Whether a request may go at once; if so, it counts from now on.
    func enter(_ host: Origin) -> Bool {
        hosts.withLock { $0[host, default: Host()].take(limit: limit) }
    }

    /// How many requests to a host are under way.
    func underWay(at host: Origin) -> Int { hosts.withLock { $0[host]?.underWay ?? 0 } }

    /// Queues a waiter, or grants it a place at once.
    ///
    /// - Returns: what to leave the queue with.
    func join(_ host: Origin, _ order: WaitingOrder, _ waiter: Waiter) -> Ticket {
        let number = hosts.withLock { $0[host, default: Host()].queue.insert(waiter, order) }
        advance(host) { _ in }
        return Ticket(host: host, number: number)
    }

    /// Takes a waiter out of its queue that does not want a place any more.
    func leave(_ ticket: Ticket) {
        // The queue may have been all that kept newcomers from a place.
        advance(ticket.host) { $0.queue.remove(ticket.number) }
    }

    /// Gives a place back. The next waiter that still wants one takes it.
    func leave(_ host: Origin) { advance(host) { $0.underWay -= 1 } }

    private func endTurn(_ host: Origin) { advance(host) { $0.isInTurn = false } }

    /// Changes a host. Then the next waiter that still wants a place gets one, if there are both, and no other waiter has its turn.
    private func advance(_ host: Origin, _ change: (inout Host) -> Void) {
        var waiter = takeNext(host, after: change)
        while let next = waiter {
            let turn = GateTurn { [weak self] in self?.endTurn(host) }
            if next.end(.granted(turn)) { return }
            turn.discard()
            waiter = takeNext(host) {
                $0.underWay -= 1
                $0.isInTurn = false
            }
        }
    }

    private func takeNext(_ host: Origin, after change: (inout Host) -> Void) -> Waiter? {
        hosts.withLock { hosts in
            guard let index = hosts.index(forKey: host) else { return nil }
            let next = hosts.values[index].takeNext(after: change, limit: limit)
            if hosts.count > Self.idleHosts, hosts.values[index].isIdle { hosts.remove(at: index) }
            return next
        }
    }
}
