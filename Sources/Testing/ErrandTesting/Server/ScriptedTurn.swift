public import ErrandRuntime

/// A simulated server's action for one request of a command: `SimulatedServer.next(_:_:times:)`.
public struct ScriptedTurn<C: Command>: Sendable {
    /// The action that a test has asked for. Names are looked up when the turn is scripted.
    enum Wish: Sendable {
        case asUsual
        case cut
        case refusedStream
        case staleConnection
        case carriedOutThenCut
        case carriedOutThenStatus(Int, headers: HTTPHeaders)
        case late(Duration)
        case sessionExpires
        case status(Int, headers: HTTPHeaders)
        case error(String)
        case failure(C.Failure)
        case stream([ScriptedElement<C>])
        case close(CloseCode)
        case odd(OddReply)
    }

    let wish: Wish

    /// Responds as without a script. For the requests before the one that fails.
    public static var asUsual: ScriptedTurn { ScriptedTurn(wish: .asUsual) }

    /// The connection ends before the request has reached the server.
    public static var cut: ScriptedTurn { ScriptedTurn(wish: .cut) }

    /// The server refuses the stream (HTTP/2): it has read the request, and has not processed it.
    public static var refusedStream: ScriptedTurn { ScriptedTurn(wish: .refusedStream) }

    /// The kept connection of the request was dead: the request has not reached the server, and the transport cannot be certain
    /// of that.
    public static var staleConnection: ScriptedTurn { ScriptedTurn(wish: .staleConnection) }

    /// The server carries the request out, and the connection ends before the response.
    public static var carriedOutThenCut: ScriptedTurn { ScriptedTurn(wish: .carriedOutThenCut) }

    /// The server carries the request out, and a status without words comes in place of its response, as of a gateway that has lost the
    /// response.
    public static func carriedOutThen(status: Int, headers: HTTPHeaders = HTTPHeaders()) -> ScriptedTurn {
        ScriptedTurn(wish: .carriedOutThenStatus(status, headers: headers))
    }

    /// The server carries the request out, and the response comes so much later. The client may have given up by then.
    public static func late(by delay: Duration) -> ScriptedTurn { ScriptedTurn(wish: .late(delay)) }

    /// The server has forgotten the session of this request.
    public static var sessionExpires: ScriptedTurn { ScriptedTurn(wish: .sessionExpires) }

    /// Nothing is carried out. A status without words comes, as of a proxy.
    public static func status(_ status: Int, headers: HTTPHeaders = HTTPHeaders()) -> ScriptedTurn {
        ScriptedTurn(wish: .status(status, headers: headers))
    }

    /// Nothing is carried out, and the server closes the connection with this code. All other commands on it lose it too.
    public static func closes(_ code: CloseCode) -> ScriptedTurn { ScriptedTurn(wish: .close(code)) }

    /// The server carries the request out, and its reply over the connection is not what the client expects.
    public static func replies(_ reply: OddReply) -> ScriptedTurn { ScriptedTurn(wish: .odd(reply)) }

    /// Nothing is carried out, and the client fails with this error. The server makes up the error's data itself.
    ///
    ///     try server.next(Bank.TransferFunds.self, .fails(.insufficientFunds(.declared)))
    ///     try server.next(Bank.TransferFunds.self, .fails(.shared(.fault(CommandFault(.throttled)))))
    public static func fails(_ failure: C.Failure) -> ScriptedTurn { ScriptedTurn(wish: .failure(failure)) }

    /// The same by the error's name: one of the contract, or a built-in one such as `throttled`.
    public static func fails(_ name: String) -> ScriptedTurn { ScriptedTurn(wish: .error(name)) }
}

/// The resulting action of a turn.
enum ServerTurn: Sendable {
    case asUsual
    case cut
    case refusedStream
    case staleConnection
    case carriedOutThenCut
    case late(Duration)
    case sessionExpires
    /// Nothing is carried out, and the connection is closed.
    case close(CloseCode)
    /// It is carried out, and the reply over the connection is not what the client expects.
    case odd(OddReply)
    /// Nothing is carried out.
    case response(TransportResponse)
    /// It is carried out, and this comes in place of its response.
    case replacement(TransportResponse)
    /// Nothing was sent.
    case unreachable(TransportFault.Kind)
    /// No response comes for as long as the client waits.
    case silence
    /// It is carried out, and these elements come.
    case stream(ScriptedStream)
}

extension ScriptedTurn {
    /// The resulting action of the turn for its command.
    ///
    /// - Throws: `UnknownContractError` if the contract rules it out.
    func resolve() throws(UnknownContractError) -> ServerTurn {
        try checkCarrier()
        switch wish {
        case .asUsual: return .asUsual
        case .cut: return .cut
        case .refusedStream: return .refusedStream
        case .staleConnection: return .staleConnection
        case .close(let code): return .close(code)
        case .odd(let reply): return .odd(reply)
        case .late(let delay): return .late(delay)
        case .sessionExpires: return .sessionExpires
        case .carriedOutThenCut:
            if C.endpoint.proves(Classifier.row(for: TransportFault.Kind.lost, C.endpoint)) {
                throw refusal(
                    "carriedOutThenCut", "in its contract, a lost connection means that nothing was carried out")
            }
            return .carriedOutThenCut
        case .carriedOutThenStatus(let status, let headers):
            let response = TransportResponse.wordless(status, headers: headers)
            if Classifier.applied(in: response, C.endpoint) == .never {
                throw refusal(
                    "carriedOutThen(status: \(status))", "to its client, this status means that nothing was carried out"
                )
            }
            return .replacement(response)
        case .status(let status, let headers): return .response(.wordless(status, headers: headers))
        case .error(let name): return try turn(named: name)
        case .stream(let elements): return .stream(try ScriptedStream(elements))
        case .failure(let failure):
            switch WrittenFailure(failure, of: C.endpoint).cause {
            case .declared(let name): return try turn(declared: name)
            case .builtIn(let kind): return try turn(builtIn: kind)
            case .unconfirmed: return try turn(builtIn: .unconfirmed)
            case nil: throw refusal("\(failure)", "reflection is switched off; write its name")
            }
        }
    }

    /// A turn can be about what only HTTP has, or only a connection.
    private func checkCarrier() throws(UnknownContractError) {
        switch (wish, C.endpoint.frame) {
        case (.status, _?), (.carriedOutThenStatus, _?):
            throw refusal("status", "it travels as a frame, without a status: script `closes`, or `refuseConnections`")
        case (.staleConnection, _?), (.refusedStream, _?):
            throw refusal("\(wish)", "it travels as a frame, and its connection is no kept one: script `cut`")
        case (.close, nil): throw refusal("closes", "it travels over HTTP: script `cut`")
        case (.odd(let reply), nil):
            throw refusal(reply.rawValue, "it travels over HTTP, where a response belongs to its request")
        default: break
        }
    }

    private func turn(named name: String) throws(UnknownContractError) -> ServerTurn {
        if let error = C.endpoint.service.errors.first(where: { $0.name == name }) {
            return try turn(declared: error.declaredName)
        }
        if let kind = CommandFault.Kind(rawValue: name) { return try turn(builtIn: kind) }
        let builtIn = CommandFault.Kind.allCases.filter { (try? turn(builtIn: $0)) != nil }.map(\.rawValue)
        throw UnknownContractError(endpoint: C.endpoint.fullName, error: name, known: Self.declaredNames + builtIn)
    }

    private func turn(declared name: DeclaredName) throws(UnknownContractError) -> ServerTurn {
        if let response = ResponseCatalog.shared.withLock({ $0.refusal(.error(name), of: C.self) }) {
            return .response(response)
        }
        let closing = C.endpoint.table.rows.first { $0.close != nil && $0.verdict == .error(name) }
        if let code = closing?.close?.ranges.first?.lowerBound {
            return .close(CloseCode(rawValue: UInt16(clamping: code)))
        }
        throw UnknownContractError(
            endpoint: C.endpoint.fullName, error: name.description, known: Self.declaredNames)
    }

    /// The errors of the contract that a response can say to the command.
    private static var declaredNames: [String] {
        ResponseCatalog.shared.withLock { $0.errors(of: C.self) }.map(\.description)
    }

    private func turn(builtIn kind: CommandFault.Kind) throws(UnknownContractError) -> ServerTurn {
        if C.endpoint.frame != nil { return try turn(overConnection: kind) }
        switch kind {
        case .offline: return try transport(.offline, kind, .unreachable(.offline))
        case .unreachable: return try transport(.refused, kind, .unreachable(.refused))
        case .insecure: return try transport(.tls, kind, .unreachable(.tls))
        case .connectionLost: return try transport(.lost, kind, .cut)
        case .timedOut: return try transport(.timeout, kind, .silence)
        case .throttled: return try status([429], kind)
        case .requestTimeout: return try status([408], kind)
        case .unavailable: return try status([503, 502, 504], kind)
        case .serverFault: return try status([500, 501, 505], kind)
        case .unauthenticated: return try status([401], kind)
        case .rejected: return try status([400, 403, 404, 409, 422], kind)
        case .malformed: return try first(of: [.hotelPage], kind)
        case .unconfirmed:
            throw refusal(kind.rawValue, "script `carriedOutThenCut` for the request, and for its repetitions")
        case .invalidRequest, .bodyChanged, .localStorageFull, .localFault, .sessionEnded, .cancelled:
            throw refusal(kind.rawValue, "it does not come from a server")
        }
    }

    /// The same for a command that travels as a frame.
    private func turn(overConnection kind: CommandFault.Kind) throws(UnknownContractError) -> ServerTurn {
        switch kind {
        case .connectionLost: return try transport(.lost, kind, .cut)
        case .timedOut: return try transport(.timeout, kind, .silence)
        case .malformed: return .odd(.wrongKind)
        case .offline, .unreachable, .insecure:
            throw refusal(
                kind.rawValue, "the connection is open by then: use `isDown`, `refuseConnections` or the network")
        case .throttled, .requestTimeout: throw refusal(kind.rawValue, "no frame and no close code means it")
        case .unavailable, .serverFault, .unauthenticated, .rejected:
            let codes = [
                CloseCode.restart, .tryAgainLater, .badGateway, .internalError, .unauthorized, .policyViolation,
            ]
            let fitting = codes.filter { $0.meaning == kind }
            if let code = fitting.first(where: { C.endpoint.table.row(close: $0) == nil }) { return .close(code) }
            let names = fitting.compactMap { C.endpoint.table.row(close: $0)?.verdict.name }
            throw refusal(kind.rawValue, names.first.map { "its contract says '\($0)'" } ?? "no close code means it")
        case .unconfirmed:
            throw refusal(kind.rawValue, "script `carriedOutThenCut` for the request, and for its repetitions")
        case .invalidRequest, .bodyChanged, .localStorageFull, .localFault, .sessionEnded, .cancelled:
            throw refusal(kind.rawValue, "it does not come from a server")
        }
    }

    private func transport(
        _ fault: TransportFault.Kind, _ kind: CommandFault.Kind, _ turn: ServerTurn
    ) throws(UnknownContractError) -> ServerTurn {
        if let row = Classifier.row(for: fault, C.endpoint) {
            throw refusal(kind.rawValue, "its contract says '\(row.verdict.name)'")
        }
        return turn
    }

    private func status(_ statuses: [Int], _ kind: CommandFault.Kind) throws(UnknownContractError) -> ServerTurn {
        try first(of: statuses.map { .wordless($0) }, kind)
    }

    /// The first response that a client takes for the built-in error.
    private func first(
        of responses: [TransportResponse], _ kind: CommandFault.Kind
    ) throws(UnknownContractError) -> ServerTurn {
        if let response = responses.first(where: { Classifier.builtIn(in: $0, of: C.self) == kind }) {
            return .response(response)
        }
        let names = responses.compactMap { Classifier.row(for: $0, C.endpoint)?.verdict.name }
        throw refusal(kind.rawValue, names.first.map { "its contract says '\($0)'" } ?? "no status means it")
    }

    private func refusal(_ error: String, _ reason: String) -> UnknownContractError {
        UnknownContractError(endpoint: C.endpoint.fullName, error: error, reason: reason)
    }
}

extension TransportResponse {
    /// A status without words, as of something in between.
    static func wordless(_ status: Int, headers: HTTPHeaders = HTTPHeaders()) -> TransportResponse {
        var headers = headers
        if headers["Content-Type"] == nil { headers.append("Content-Type", "text/plain") }
        return TransportResponse(status: status, headers: headers, body: Array("error".utf8))
    }

    /// The response of a network that requires a login first.
    static let hotelPage = TransportResponse(
        status: 200, headers: ["Content-Type": "text/html"],
        body: Array("<!DOCTYPE html><title>Welcome to our hotel</title>".utf8))
}
