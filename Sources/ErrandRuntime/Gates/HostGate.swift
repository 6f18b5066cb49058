/// Bounds how many requests to one host are under way at once; the most urgent go first, among equals the first come.
final class HostGate: Sendable {
    private struct Host {
        var underWay = 0
        /// By priority, the most urgent first.
        var queues: [WaitingQueue<CheckedContinuation<Bool, Never>>] = Array(
            repeating: WaitingQueue(), count: Priority.allCases.count)
    }

    private struct State {
        var hosts: [Origin: Host] = [:]
        var nextID = 0
    }

    private let limit: Int
    private let state = Guarded<State> { State() }

    /// - Parameter limit: how many requests to a host may be under way at once, at least 1.
    init(limit: Int) { self.limit = max(1, limit) }

    /// Whether a request may go at once; it counts from now on where it may.
    func enter(_ host: Origin) -> Bool {
        state.withLock { state in
            guard state.hosts[host, default: Host()].underWay < limit else { return false }
            state.hosts[host, default: Host()].underWay += 1
            return true
        }
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
                    if state.hosts[host, default: Host()].underWay < limit {
                        state.hosts[host, default: Host()].underWay += 1
                        return true
                    }
                    state.hosts[host, default: Host()].queues[priority.rank].append(continuation, id: id)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.hosts[host]?.queues[priority.rank].remove(id) }?.resume(returning: false)
        }
    }

    /// Gives the place back; whoever is next takes it.
    func leave(_ host: Origin) {
        let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
            guard var entry = state.hosts.removeValue(forKey: host) else { return nil }
            for index in entry.queues.indices {
                if let next = entry.queues[index].popFirst() {
                    state.hosts[host] = entry
                    return next.waiter
                }
            }
            entry.underWay -= 1
            // A host that nobody talks to is forgotten.
            if entry.underWay > 0 { state.hosts[host] = entry }
            return nil
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
