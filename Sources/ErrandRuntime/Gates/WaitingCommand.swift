/// A command that waits at a gate.
public struct WaitingCommand: Sendable, Identifiable {
    /// What a command can wait for.
    public enum Gate: String, Sendable, CaseIterable {
        /// The network.
        case connectivity
        /// A login or the renewal of a session.
        case session
        /// Other requests to the same host.
        case host
    }

    /// Tells it from others.
    public let id: Int
    /// The service's name in its contract.
    public let service: String
    /// The endpoint's name in its contract.
    public let endpoint: String
    public let gate: Gate
    /// Why, for people who develop the app: `no path to the network`.
    public let reason: String
    /// Since when, on the clock of the dispatcher, counted from its making.
    public let since: Duration
}

/// Who waits, for those who want to know. Commands that do not wait cost nothing here.
final class WaitingList: Sendable {
    private struct State {
        var commands: [Int: WaitingCommand] = [:]
        var nextID = 0
    }

    private let state = LockedState<State> { State() }

    /// All who wait, the longest waiting first.
    var commands: [WaitingCommand] {
        state.withLock { Array($0.commands.values) }.sorted { ($0.since, $0.id) < ($1.since, $1.id) }
    }

    var count: Int { state.withLock { $0.commands.count } }

    /// Notes a command for as long as `body` takes.
    func during<Value: Sendable>(
        _ endpoint: EndpointDescription, _ gate: WaitingCommand.Gate, _ reason: String, since: Duration,
        _ body: () async -> Value
    ) async -> Value {
        let id = state.withLock { state in
            state.nextID += 1
            state.commands[state.nextID] = WaitingCommand(
                id: state.nextID, service: endpoint.service.name, endpoint: endpoint.name, gate: gate,
                reason: reason, since: since)
            return state.nextID
        }
        let value = await body()
        state.withLock { _ = $0.commands.removeValue(forKey: id) }
        return value
    }
}
