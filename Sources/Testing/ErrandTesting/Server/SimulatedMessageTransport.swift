import ErrandRuntime

/// Opens connections to a simulated server.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
struct SimulatedMessageTransport: MessageTransport, CommandListener {
    let server: SimulatedServer
    var enforcesPins: Bool { true }

    func noteCommand(of request: TransportRequest) {
        guard let command = request.command, let contract = FrameContract(command.endpoint.service) else { return }
        server.noteConfirmation(command)
        server.state.withLock { state in
            state.hub.contracts[FrameContract.place(request.url), default: contract].learn(command)
        }
    }

    func open(_ opening: ConnectionOpening) async throws(OpeningFault) -> any MessageConnection {
        let fault = server.drawFault()
        server.note("connection →" + (fault.map { " " + $0.rawValue } ?? ""))
        do throws(OpeningFault) {
            let connection = try await server.open(opening, fault)
            server.note("connection \(connection.number) is open")
            return connection
        } catch {
            switch error {
            case .refused(let response): server.note("connection ✗ \(response.status)")
            case .failed(let fault): server.note("connection ✗ \(fault.kind.rawValue)")
            }
            throw error
        }
    }
}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension SimulatedServer {
    func open(
        _ opening: ConnectionOpening, _ fault: FaultPlan.Fault?
    ) async throws(OpeningFault) -> SimulatedConnection {
        if fault == .networkLoss { loseNetwork() }
        let start = time.now
        try await travelToOpen(until: start + opening.timeout)
        if fault == .delayed { try await wait(.seconds(60) * draw(), until: start + opening.timeout) }
        if isDown || fault == .refused { throw .failed(TransportFault(.refused, evidence: .notSent)) }
        try await travelToOpen(until: start + opening.timeout)
        if let response = state.withLock({ $0.hub.takeRefusal() }) ?? refusal(of: opening, fault) {
            throw .refused(response)
        }
        switch fault {
        case .cutBefore, .cutDuring, .cutAfter, .cutReply, .staleConnection, .refusedStream:
            throw .failed(TransportFault(.lost, evidence: .notSent))
        default: break
        }
        return state.withLock { state in
            state.hub.opened += 1
            let connection = SimulatedConnection(state.hub.opened, opening, self)
            state.hub.connections[connection.number] = connection
            return connection
        }
    }

    /// The response of a server, or of a device before it, that makes no connection.
    private func refusal(of opening: ConnectionOpening, _ fault: FaultPlan.Fault?) -> TransportResponse? {
        switch fault {
        case .throttled: return Self.throttled(seconds: 1 + Int(draw() * 5), spelling: 4)
        case .serverError: return .wordless(500)
        case .badGateway: return .wordless(502)
        case .unavailable: return .wordless(503, headers: draw() < 0.5 ? [:] : ["Retry-After": "2"])
        case .gatewayTimeout: return .wordless(504)
        case .garbage, .truncated: return .hotelPage
        case .moved: return .wordless(307, headers: ["Location": opening.url])
        default: break
        }
        // A token in the handshake is checked like that of a request.
        let request = TransportRequest(method: .get, url: opening.url, headers: opening.headers)
        let now = time.now
        let isRefused = state.withLock { state in
            if fault == .unauthorized, let token = state.desk.accessToken(in: request) { state.desk.revoke(token) }
            return state.desk.accessToken(in: request) != nil && !state.desk.hasSession(request, at: now)
        }
        return isRefused ? TransportResponse(status: 401) : nil
    }

    private func travelToOpen(until limit: Duration) async throws(OpeningFault) {
        guard isOnline else { throw .failed(TransportFault(.offline, evidence: .notSent)) }
        try await wait(drawTravel(), until: limit)
        guard isOnline else { throw .failed(TransportFault(.offline, evidence: .notSent)) }
    }

    private func wait(_ duration: Duration, until limit: Duration) async throws(OpeningFault) {
        let isLate = time.now + duration > limit
        do throws(TransportFault) {
            try await pause(for: isLate ? limit - time.now : duration, evidence: .notSent)
        } catch {
            throw .failed(error)
        }
        if isLate { throw .failed(TransportFault(.timeout, evidence: .notSent)) }
    }
}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension SimulatedServer {
    func note(_ text: String) { events.note(text) }

    /// Does something at a moment of the server's time, unless the simulation ends before.
    func schedule(at moment: Duration, _ action: @escaping @Sendable () -> Void) {
        time.schedule(at: moment, action)
    }

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        schedule(at: time.now + delay, action)
    }
}
