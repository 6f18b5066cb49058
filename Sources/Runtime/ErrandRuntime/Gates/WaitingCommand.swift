/// A command that waits.
public struct WaitingCommand: Sendable, Identifiable {
    /// Tells it from others.
    public let id: Int
    /// The service's name in its contract.
    public let service: String
    /// The endpoint's name in its contract.
    public let endpoint: String
    public let place: WaitReason
    /// The reason, for people who develop the app: `no path to the network`.
    public let reason: String
    /// Since when, on the clock of the dispatcher, counted from its making.
    public let since: Duration
}

/// All commands of a dispatcher that wait. A command that does not wait costs nothing here.
final class WaitingList: Sendable {
    struct Entry: Sendable {
        fileprivate let endpoint: EndpointDescription
        let place: WaitReason
        let reason: String
        let since: Duration
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var nextID = 0
    }

    private let state = LockedState<State> { State() }

    /// The longest waiting first.
    var commands: [WaitingCommand] {
        state.withLock { Array($0.entries) }
            .sorted { ($0.value.since, $0.key) < ($1.value.since, $1.key) }
            .map { id, entry in
                WaitingCommand(
                    id: id, service: entry.endpoint.service.name, endpoint: entry.endpoint.name, place: entry.place,
                    reason: entry.reason, since: entry.since)
            }
    }

    var count: Int { state.withLock { $0.entries.count } }

    /// Notes a command, until it is removed by the number that this returns.
    func add(_ endpoint: EndpointDescription, _ place: WaitReason, _ reason: String, since: Duration) -> Int {
        state.withLock { state in
            state.nextID += 1
            state.entries[state.nextID] = Entry(endpoint: endpoint, place: place, reason: reason, since: since)
            return state.nextID
        }
    }

    /// Takes a command out; nil if it is not in the list.
    func remove(_ id: Int) -> Entry? {
        state.withLock { $0.entries.removeValue(forKey: id) }
    }
}
