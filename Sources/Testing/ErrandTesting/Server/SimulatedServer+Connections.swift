import ErrandJSON
public import ErrandRuntime

/// The connections of a contract with frames.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension SimulatedServer {
    /// How many connections are open.
    public var connectionCount: Int { state.withLock { $0.hub.connections.count } }

    /// How many connections were opened so far.
    public var openedConnectionCount: Int { state.withLock { $0.hub.opened } }

    // MARK: What goes wrong

    /// Ends all connections. Replies that are under way may be lost.
    ///
    /// - Parameter code: the code of the close frame, `.restart` for instance; nil to end them without one.
    public func cut(_ code: CloseCode? = nil) { endConnections(code.map { .closed($0) } ?? .lost) }

    /// Loses all open connections without a sign: nothing arrives any more, in either direction. New connections work.
    public func fallSilent() {
        note("all connections fall silent")
        for connection in connections { connection.fallSilent() }
    }

    /// Refuses new connections: the handshake gets this response. Open connections stay open.
    ///
    /// - Parameter times: how often; nil until `acceptConnections()`.
    public func refuseConnections(
        status: Int = 503, headers: HTTPHeaders = HTTPHeaders(), times: Int? = nil
    ) {
        let response = TransportResponse.wordless(status, headers: headers)
        state.withLock { $0.hub.refusal = ConnectionHub.Refusal(response: response, times: times) }
    }

    /// Accepts new connections again.
    public func acceptConnections() { state.withLock { $0.hub.refusal = nil } }

    // MARK: What the server sends

    /// Sends an event to all clients of its service.
    ///
    /// - Parameter json: the event's data; nil for data that the server makes up.
    /// - Throws: `UnknownContractError` if the client cannot read the data.
    public func send<E: ServerEvent>(
        _ type: E.Type, json: String? = nil
    ) throws(UnknownContractError) where E.Service: ServiceClient {
        let service = E.Service.service
        let name = "\(service.name).\(E.kind)"
        let data = if let json { json } else { try Self.example(of: type, name) }
        do throws(JSONError) {
            _ = try JSON.scan(Array(data.utf8)) { reader in E.load(from: &reader) }
        } catch {
            throw UnknownContractError(endpoint: name, error: data, reason: "a client cannot read it: \(error)")
        }
        note("\(name) is sent")
        for connection in connections {
            guard let contract = contract(of: connection) ?? FrameContract(service),
                contract.services.isEmpty || contract.services.contains(service.name),
                let message = contract.message(E.kind, nil, Array(data.utf8))
            else { continue }
            connection.deliver(message, in: .events, after: drawTravel(), reply: nil)
        }
    }

    private static func example<E: ServerEvent>(of type: E.Type, _ name: String) throws(UnknownContractError) -> String
    {
        do throws(ExampleDocument.NotFound) {
            return try ExampleDocument.make(seed: 0) { document in
                ExampleDocument.fault(in: document) { reader in E.load(from: &reader) }
            }.description
        } catch {
            throw UnknownContractError(endpoint: name, error: "asUsual", reason: "no data can be made up: \(error)")
        }
    }

    /// Keeps the subscriptions of a command open from now on, without elements that the server makes up by itself. They get those
    /// that a test sends.
    public func keepOpen<C: StreamCommand>(_ type: C.Type) {
        state.withLock { state in
            if state.hub.logs[ObjectIdentifier(type)] == nil { state.hub.logs[ObjectIdentifier(type)] = ElementLog() }
        }
    }

    /// Sends an element to all open subscriptions of a command, and keeps it for those that continue from an earlier position.
    ///
    ///     simulation.server.keepOpen(Presence.Follow.self)
    ///     …
    ///     try simulation.server.send(.json(#"{"seq": 1, "user": 7, "kind": "entered"}"#), to: Presence.Follow.self)
    ///
    /// - Parameter isFor: whether a subscription gets it, by its request. All do by default.
    /// - Throws: `UnknownContractError` for an element that the client cannot read, and for an error that no frame says.
    public func send<C: StreamCommand>(
        _ element: ScriptedElement<C>, to type: C.Type,
        where isFor: @escaping @Sendable (SimulatedCall) -> Bool = { _ in true }
    ) throws(UnknownContractError) {
        let stream = try ScriptedStream([element])
        keepOpen(type)
        for step in stream.steps { send(step, to: type, where: isFor) }
    }

    /// Ends all open subscriptions of a command, as the contract says (`end`).
    public func end<C: StreamCommand>(_ type: C.Type) {
        for connection in connections { endSubscriptions(of: type, on: connection) }
    }

    // MARK: Parts

    var connections: [SimulatedConnection] {
        state.withLock { $0.hub.connections.values.sorted { $0.number < $1.number } }
    }

    func contract(of connection: SimulatedConnection) -> FrameContract? {
        state.withLock { $0.hub.contracts[FrameContract.place(connection.opening.url)] }
    }

    /// The connection has ended.
    func forget(_ connection: SimulatedConnection) {
        state.withLock { $0.hub.connections[connection.number] = nil }
    }

    func endConnections(_ end: SimulatedConnection.End) {
        for connection in connections { connection.end(end) }
    }
}
