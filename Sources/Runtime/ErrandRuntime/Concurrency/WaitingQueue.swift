/// First in, first out, with removal from the middle. Every step takes constant time on average, so that a hundred
/// thousand waiters cost no more each than ten.
struct WaitingQueue<Waiter: Sendable>: Sendable {
    /// Nil if a waiter has left.
    private var entries: [Waiter?] = []
    /// The index of the first entry that was not taken out.
    private var front = 0
    /// The ticket of the first entry.
    private var firstTicket = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a waiter at the end.
    ///
    /// - Returns: the ticket by which it can be removed.
    mutating func append(_ waiter: Waiter) -> Int {
        entries.append(waiter)
        count += 1
        return firstTicket + entries.count - 1
    }

    /// Takes a waiter out; nil if it is not in the queue any more.
    @discardableResult
    mutating func remove(_ ticket: Int) -> Waiter? {
        let index = ticket - firstTicket
        guard index >= front, index < entries.count, let waiter = entries[index] else { return nil }
        entries[index] = nil
        count -= 1
        trim()
        return waiter
    }

    /// Takes out the waiter that has waited longest.
    mutating func popFirst() -> Waiter? {
        while front < entries.count {
            defer { trim() }
            guard let waiter = entries[front] else {
                front += 1
                continue
            }
            entries[front] = nil
            front += 1
            count -= 1
            return waiter
        }
        return nil
    }

    /// Gives the memory of taken entries back, half of all at a time.
    private mutating func trim() {
        while front < entries.count, entries[front] == nil { front += 1 }
        guard front == entries.count || (front > 64 && front * 2 > entries.count) else { return }
        firstTicket += front
        entries.removeSubrange(..<front)
        front = 0
    }
}
