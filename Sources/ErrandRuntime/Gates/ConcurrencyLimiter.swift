/// Bounds how many requests to one host are under way at once; the most urgent go first, among equals the first come.
final class ConcurrencyLimiter: Sendable {
    private struct Host {
        var underWay = 0
        /// By priority, the most urgent first. Empty until somebody has to wait.
        var queues: [WaitingQueue<CheckedContinuation<Bool, Never>>] = []

        /// Counts one more, if there is a place for it.
        mutating func take(limit: Int) -> Bool {
            guard underWay < limit else { return false }
            underWay += 1
            return true
        }

        mutating func append(_ waiter: CheckedContinuation<Bool, Never>, id: Int, _ priority: Priority) {
            if queues.isEmpty { queues = Array(repeating: WaitingQueue(), count: Priority.allCases.count) }
            queues[priority.rank].append(waiter, id: id)
        }

        mutating func remove(_ id: Int, _ priority: Priority) -> CheckedContinuation<Bool, Never>? {
            queues.isEmpty ? nil : queues[priority.rank].remove(id)
        }

        /// Gives a place back, or returns who takes it over.
        mutating func leave() -> CheckedContinuation<Bool, Never>? {
            for index in queues.indices {
                if let next = queues[index].popFirst() { return next.waiter }
            }
            underWay -= 1
            return nil
        }
    }

    /// So many hosts are remembered that nobody talks to.
    private static let idleHosts = 16

    private struct State {
        var hosts: [Origin: Host] = [:]
        var nextID = 0
    }

    private let limit: Int
    private let state = LockedState<State> { State() }

    /// - Parameter limit: how many requests to a host may be under way at once, at least 1.
    init(limit: Int) { self.limit = max(1, limit) }

    /// Whether a request may go at once; it counts from now on where it may.
    func enter(_ host: Origin) -> Bool {
        state.withLock { $0.hosts[host, default: Host()].take(limit: limit) }
    }

    /// Waits until a request may go. False if the task was cancelled; it does not count then.
    func wait(_ host: Origin, _ priority: Priority) async -> Bool {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    // Looked at under the lock: a cancellation from now on finds the waiter.
                    if Task.isCancelled { return false }
                    if state.hosts[host, default: Host()].take(limit: limit) { return true }
                    state.hosts[host, default: Host()].append(continuation, id: id, priority)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.hosts[host]?.remove(id, priority) }?.resume(returning: false)
        }
    }

    /// Gives the place back; whoever is next takes it.
    func leave(_ host: Origin) {
        let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
            guard let index = state.hosts.index(forKey: host) else { return nil }
            let next = state.hosts.values[index].leave()
            if state.hosts.values[index].underWay == 0, state.hosts.count > Self.idleHosts { state.hosts.remove(at: index) }
            return next
        }
        next?.resume(returning: true)
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
