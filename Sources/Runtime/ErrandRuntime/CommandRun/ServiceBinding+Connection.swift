// What a client wants of a connection.

extension ServiceBinding {
    /// The connection of this client's commands, or why there is none.
    package var connection: Result<any CommandConnection, InvalidRequest> {
        route.connection(session, session.membership(of: .required))
    }
}

extension ServiceRoute {
    /// The connection of the commands of a login, or why there is none.
    func connection(
        _ session: Session, _ membership: CommandEpoch
    ) -> Result<any CommandConnection, InvalidRequest> {
        guard let server else { return .failure(InvalidRequest(broken: [CommandExecution.brokenServer(service)])) }
        guard let description = service.connection else {
            let broken = BrokenField(name: "connection", reason: "must be described by the service")
            return .failure(InvalidRequest(broken: [broken]))
        }
        guard
            let connection = dispatcher.connections(of: description.provider)?.connection(
                server, self, session, membership)
        else {
            let broken = BrokenField(
                name: "messageTransport",
                reason: "must be set: on Linux to `WebSocketTransport()` of the product ErrandWebSocket")
            return .failure(InvalidRequest(broken: [broken]))
        }
        return .success(connection)
    }
}

extension Dispatcher {
    /// The connections of this dispatcher, by the provider that its first service with a connection has.
    fileprivate func connections(of provider: ConnectionProvider) -> (any CommandConnections)? {
        kept.withLock { kept in
            if let known = kept as? KeptConnections { return known.connections }
            guard let maker = provider.maker as? any CommandConnections.Type else { return nil }
            let connections = maker.init(of: self)
            kept = KeptConnections(connections)
            return connections
        }
    }
}

/// A class, since each command looks for its connection, and a class is found sooner than a protocol.
private final class KeptConnections: Sendable {
    let connections: any CommandConnections

    init(_ connections: any CommandConnections) { self.connections = connections }
}
