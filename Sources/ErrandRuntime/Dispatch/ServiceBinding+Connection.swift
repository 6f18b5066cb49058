// What a connection and a client want of each other.

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

extension PersistentConnection {
    func runPresentation(on link: ConnectionLink) async {
        let (session, route) = core.withLock { ($0.session, $0.route) }
        guard let session, let route, let token else { return refusePresentation(link, nil) }
        guard let attach = service.attach else {
            if core.withLock({ $0.refusedToken }) == token { return refusePresentation(link, nil) }
            // The token belongs into the handshake of another connection.
            return handle(.networkChanged)
        }
        guard let command = attach(token) as? any Command else { return refusePresentation(link, nil) }
        switch await ServiceBinding(route: route, session: session).present(command, on: self) {
        case .accepted: handle(.presented(link.number))
        case .refused(let fault): refusePresentation(link, fault)
        case .failed(let kind): end(link, .fault(kind))
        }
    }
}

extension ServiceBinding {
    /// Presents the session's token on a connection.
    fileprivate func present<C: Command>(_ command: C, on connection: PersistentConnection) async -> PresentationEnd {
        var binding = self
        // The connection is opened again if it fails.
        binding.options.attempts = 1
        do throws(C.Failure) {
            _ = try await binding.perform(command, as: .attachment(connection))
            return .accepted
        } catch {
            let context = error.context
            let isReply = context.evidence == .responded
            guard isReply, error.category != .retryable else {
                return .failed((context.underlying as? TransportFault)?.kind ?? .lost)
            }
            let declared = C.endpoint.service.errors.first { $0.name == context.name }?.declaredName
            let end = ConnectionEnd(
                isLoss: false,
                builtIn: BuiltInError(rawValue: context.name)
                    ?? (error.category == .requiresLogout ? .unauthenticated : .rejected), declared: declared)
            return .refused(TransportFault(.authentication, evidence: .notSent, end, underlying: context.underlying))
        }
    }
}
