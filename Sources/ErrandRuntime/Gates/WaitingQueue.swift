/// First in, first out, with removal from the middle. Every step takes constant time on average, so that a hundred
/// thousand that wait cost no more each than ten.
struct WaitingQueue<Waiter: Sendable>: Sendable {
    private var order: [Int] = []
    private var front = 0
    private var waiting: [Int: Waiter] = [:]

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    mutating func append(_ waiter: Waiter, id: Int) {
        order.append(id)
        waiting[id] = waiter
    }

    mutating func remove(_ id: Int) -> Waiter? {
        defer { if waiting.isEmpty { clear() } }
        return waiting.removeValue(forKey: id)
    }

    mutating func popFirst() -> (id: Int, waiter: Waiter)? {
        while front < order.count {
            let id = order[front]
            front += 1
            if front > 64, front * 2 > order.count {
                order.removeSubrange(..<front)
                front = 0
            }
            guard let waiter = waiting.removeValue(forKey: id) else { continue }
            if waiting.isEmpty { clear() }
            return (id, waiter)
        }
        return nil
    }

    private mutating func clear() {
        order = []
        front = 0
    }
}
