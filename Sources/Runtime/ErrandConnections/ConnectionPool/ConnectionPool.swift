public import ErrandRuntime

/// The persistent connections of a dispatcher: one for each service at a URL and login of a session, however many clients and commands
/// use it.
package final class ConnectionPool: CommandConnections {
    private struct Key: Hashable {
        let service: ObjectIdentifier
        let url: String
        let pins: PublicKeyPins?
        /// Nil for a service without sessions, whose connection all sessions share.
        let session: ObjectIdentifier?
        let epoch: Int?

        /// Each command looks for its connection. A service has one URL in most apps, so that its text need not be hashed.
        func hash(into hasher: inout Hasher) {
            hasher.combine(service)
            hasher.combine(session)
            hasher.combine(epoch)
        }
    }

    private struct Entry {
        let connection: PersistentConnection
        /// Held, so that no other object gets its address.
        let identity: SessionIdentity?
    }

    private struct State {
        var connections: [Key: Entry] = [:]
        var watcher: Task<Void, Never>?
        /// The latest path that is known; nil before the first connection.
        var path: NetworkPath?
    }

    /// How many connections without a use are remembered, with the pauses that they have come to.
    private static let idleConnections = 16

    /// Nil without a transport that opens connections.
    private let surroundings: PersistentConnection.Surroundings?
    private let network: any PathMonitor
    private let state = LockedState<State> { State() }

    package init(of dispatcher: Dispatcher) {
        let settings = dispatcher.settings
        let carrier = settings.messageTransport ?? dispatcher.transport.messageTransport
        surroundings = carrier.map {
            PersistentConnection.Surroundings(
                transport: $0, environment: dispatcher.environment, timeLimits: dispatcher.timeLimits,
                budget: dispatcher.budget, observers: dispatcher.observers,
                maximumMessageSize: settings.maximumElementSize)
        }
        network = dispatcher.network
    }

    deinit {
        let (connections, watcher) = state.withLock { ($0.connections.values.map(\.connection), $0.watcher) }
        watcher?.cancel()
        for connection in connections { connection.shutDown() }
    }

    package func connection(
        _ server: ServerAddress, _ route: ServiceRoute, _ session: Session, _ membership: CommandEpoch
    ) -> (any CommandConnection)? {
        guard let surroundings, let description = route.service.connection, let format = route.service.frameFormat
        else { return nil }
        let usesSession = route.service.session != nil || route.service.attach != nil
        var epoch: Int?
        if usesSession {
            if case .epoch(let number) = membership { epoch = number } else { epoch = session.epochToJoin }
        }
        let key = Key(
            service: ObjectIdentifier(route.service), url: server.base, pins: server.pins,
            session: usesSession ? ObjectIdentifier(session.identity) : nil, epoch: epoch)
        let (connection, isNew, isFirst) = state.withLock { state -> (PersistentConnection, Bool, Bool) in
            if let known = state.connections[key] {
                known.connection.note(route)
                return (known.connection, false, false)
            }
            let connection = PersistentConnection(
                to: server, route, description, format, of: session, epoch: epoch, surroundings)
            if state.connections.count >= Self.idleConnections {
                state.connections = state.connections.filter { !$0.value.connection.isForgettable }
            }
            let isFirst = state.connections.isEmpty && state.watcher == nil
            state.connections[key] = Entry(connection: connection, identity: usesSession ? session.identity : nil)
            return (connection, true, isFirst)
        }
        if isFirst { watch(surroundings.environment) }
        if isNew, let epoch {
            _ = session.watch(.epoch(epoch)) { [weak self, weak connection] in
                connection?.shutDown()
                self?.state.withLock { _ = $0.connections.removeValue(forKey: key) }
            }
        }
        return connection
    }

    /// Moves the connections when the network changes.
    private func watch(_ environment: DispatcherEnvironment) {
        guard !(network is AlwaysSatisfiedPath) else { return }
        let network = network
        // The first connection opens over this path. The network may have changed before the task below asks for it.
        let path = network.current
        state.withLock { $0.path = path }
        let task = environment.startDetached { [weak self] in
            for await path in network.paths() {
                guard let self else { return }
                self.note(path)
            }
        }
        state.withLock { $0.watcher = task }
    }

    private func note(_ path: NetworkPath) {
        let connections = state.withLock { state -> [PersistentConnection] in
            guard state.path != path else { return [] }
            state.path = path
            return path.isSatisfied ? state.connections.values.map(\.connection) : []
        }
        for connection in connections { connection.handle(.networkChanged) }
    }
}

extension PersistentConnection {
    /// Notes a client, whose common headers the next handshake has.
    fileprivate func note(_ route: ServiceRoute) {
        core.withLock { if $0.route == nil { $0.route = route } }
    }

    /// Whether nothing is lost if it is made anew when it is needed again.
    fileprivate var isForgettable: Bool {
        let now = environment.time.now
        return core.withLock { $0.machine.isForgettable(at: now) && $0.followers == 0 && $0.gate.isEmpty }
    }
}

extension ConnectionProvider {
    /// Keeps one connection for each service and login, and opens a lost one again.
    public static let persistent = ConnectionProvider(ConnectionPool.self)
}
