public import ErrandRuntime

/// The client of a contract with a connection. Generated code conforms to this.
public protocol ConnectionClient: ServiceClient {}

extension ConnectionClient {
    /// The events of one kind that the server sends unasked, from now on.
    ///
    /// Without a server, or without a transport that opens connections, the sequence is empty, or has the events of a stub.
    public func events<Event: ServerEvent>(of type: Event.Type) -> EventStream<Event> where Event.Service == Self {
        guard let connection = binding.persistentConnection else {
            let events = binding.route.stubbedEvents[ObjectIdentifier(type)] as? [Event] ?? []
            let (stream, continuation) = AsyncStream.makeStream(of: EventOrGap<Event>.self)
            for event in events { continuation.yield(.event(event)) }
            continuation.finish()
            return EventStream(stream, nil)
        }
        return connection.follow(type)
    }
}

extension ServiceBinding {
    /// The connection of this client's commands; nil without a server, or without a transport that opens connections.
    var persistentConnection: PersistentConnection? { try? connection.get() as? PersistentConnection }
}
