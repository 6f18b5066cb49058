// What a client wants of a connection.

extension ServiceBinding {
    /// The connection of this client's commands, or why there is none.
    var connection: Result<PersistentConnection, InvalidRequest> {
        route.connection(session, session.membership(of: .required))
    }
}

extension ServiceRoute {
    /// The connection of the commands of a login, or why there is none.
    func connection(
        _ session: Session, _ membership: CommandEpoch
    ) -> Result<PersistentConnection, InvalidRequest> {
        guard let server else { return .failure(InvalidRequest(broken: [CommandExecution.brokenServer(service)])) }
        guard service.connection != nil else {
            let broken = BrokenField(name: "connection", reason: "must be described by the service")
            return .failure(InvalidRequest(broken: [broken]))
        }
        guard let connection = dispatcher.connections.connection(server, self, session, membership) else {
            let broken = BrokenField(
                name: "messageTransport",
                reason: "must be set: on Linux to `WebSocketTransport()` of the product ErrandWebSocket")
            return .failure(InvalidRequest(broken: [broken]))
        }
        return .success(connection)
    }
}

extension ServiceClient {
    /// The events of one kind that the server sends unasked, from now on.
    ///
    /// Without a server, or without a transport that opens connections, the sequence is empty, or has the events of a stub.
    public func events<Event: ServerEvent>(of type: Event.Type) -> EventStream<Event> where Event.Service == Self {
        guard case .success(let connection) = binding.connection else {
            let events = binding.route.stubbedEvents[ObjectIdentifier(type)] as? [Event] ?? []
            let (stream, continuation) = AsyncStream.makeStream(of: EventOrGap<Event>.self)
            for event in events { continuation.yield(.event(event)) }
            continuation.finish()
            return EventStream(stream, nil)
        }
        return connection.follow(type)
    }
}
