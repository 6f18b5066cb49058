/// The place of a command among those that wait, at any gate: the most urgent first, among equals in the order of their submission.
package struct WaitingOrder: Comparable, Sendable {
    /// How urgent the command is; 0 for the most urgent.
    let urgency: Int
    /// The place of the command among all that were submitted to its dispatcher.
    let number: Int

    package static func < (first: Self, second: Self) -> Bool {
        (first.urgency, first.number) < (second.urgency, second.number)
    }
}

/// Waiters that go in their order, whenever they come. A waiter can be removed from the middle.
package struct OrderedQueue<Waiter: Sendable>: Sendable {
    private struct Entry: Comparable, Sendable {
        let order: WaitingOrder
        let ticket: Int

        static func < (first: Self, second: Self) -> Bool {
            (first.order, first.ticket) < (second.order, second.ticket)
        }
    }

    /// Entries of waiters that were removed stay until they come first, or are most of all.
    private var entries = Heap<Entry>()
    private var waiters: [Int: Waiter] = [:]
    private var lastTicket = 0

    package init() {}

    var count: Int { waiters.count }
    package var isEmpty: Bool { waiters.isEmpty }

    /// The order of the waiter that goes first.
    var first: WaitingOrder? {
        mutating get {
            while let entry = entries.first {
                if waiters[entry.ticket] != nil { return entry.order }
                entries.removeFirst()
            }
            return nil
        }
    }

    /// Adds a waiter.
    ///
    /// - Returns: the ticket by which it can be removed.
    package mutating func insert(_ waiter: Waiter, _ order: WaitingOrder) -> Int {
        lastTicket += 1
        waiters[lastTicket] = waiter
        entries.insert(Entry(order: order, ticket: lastTicket))
        return lastTicket
    }

    /// Takes a waiter out; nil if it is not in the queue any more.
    @discardableResult
    package mutating func remove(_ ticket: Int) -> Waiter? {
        guard let waiter = waiters.removeValue(forKey: ticket) else { return nil }
        if entries.count > 64, entries.count > 2 * waiters.count {
            let waiters = waiters
            entries.keep { waiters[$0.ticket] != nil }
        }
        return waiter
    }

    /// Takes out the waiter that goes first.
    package mutating func popFirst() -> Waiter? {
        guard first != nil, let entry = entries.first else { return nil }
        entries.removeFirst()
        return waiters.removeValue(forKey: entry.ticket)
    }
}

/// The turn of a command that a gate has let go: the gate lets the next one go when this turn is over. The order in which tasks
/// are woken is not the order in which they run, so a gate that woke several at once would mix them.
///
/// A turn is short. It is over when the command's request is with the transport, when the command waits at another gate, or
/// when it ends.
package final class GateTurn: Sendable {
    private let next: LockedState<(@Sendable () -> Void)?>

    /// - Parameter next: lets the next command go.
    package init(_ next: @escaping @Sendable () -> Void) {
        self.next = LockedState { next }
    }

    /// Ends the turn, if it isn't over yet.
    func end() { take()?() }

    /// Gives the turn back that no command has taken: the gate itself continues.
    package func discard() { _ = take() }

    private func take() -> (@Sendable () -> Void)? {
        next.withLock { next in
            defer { next = nil }
            return next
        }
    }

    deinit { end() }
}

/// The waiters that a place has released, and that go on one after the other in their order.
struct ReleasedWaiters<Waiter: Sendable>: Sendable {
    private var queue = OrderedQueue<Waiter>()
    /// The number of the turn that is not over.
    private var turn: Int?
    private var lastTurn = 0
    /// How many events must end before any waiter goes on.
    private var holds = 0

    /// Whether a command that comes now would overtake others.
    var isBusy: Bool { turn != nil || !queue.isEmpty }

    mutating func insert(_ waiter: Waiter, _ order: WaitingOrder) { _ = queue.insert(waiter, order) }

    /// Begins the turn of the next waiter; nil if there is none, or if it must wait.
    mutating func takeNext() -> (waiter: Waiter, turn: Int)? {
        guard turn == nil, holds == 0, let next = queue.popFirst() else { return nil }
        lastTurn += 1
        turn = lastTurn
        return (next, lastTurn)
    }

    mutating func endTurn(_ number: Int) {
        if turn == number { turn = nil }
    }

    mutating func hold() { holds += 1 }
    mutating func letGo() { holds -= 1 }
}
