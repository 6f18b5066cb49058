public import ErrandRuntime

/// The script of a test for single requests.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension SimulatedServer {
    /// Scripts what happens to the next request of a command that reaches the server, or to the next few. Turns of the same
    /// command follow each other; after the last one, the server does as before. A scripted request meets no fault of
    /// `faults`.
    ///
    ///     try server.next(Bank.ListAccounts.self, .status(503), times: 2)
    ///     try server.next(Bank.TransferFunds.self, .carriedOutThenCut)
    ///
    /// - Throws: `UnknownContractError` if no response of a server makes the command fail this way.
    public func next<C: Command>(_ type: C.Type, _ turn: ScriptedTurn<C>, times: Int = 1) throws(UnknownContractError) {
        let resolved = try turn.resolve()
        state.withLock { $0.script[ObjectIdentifier(type), default: []] += Array(repeating: resolved, count: times) }
    }

    /// Whether a turn is scripted for the command of a request.
    func isScripted(_ request: TransportRequest) -> Bool {
        guard let type = request.command else { return false }
        return state.withLock { $0.script[ObjectIdentifier(type)]?.isEmpty == false }
    }

    /// Takes the next turn for the command of a request; nil if none is left.
    func takeTurn(_ request: TransportRequest) -> ServerTurn? {
        guard let type = request.command else { return nil }
        let id = ObjectIdentifier(type)
        return state.withLock { state in
            guard state.script[id]?.isEmpty == false else { return nil }
            return state.script[id]?.removeFirst()
        }
    }

    /// Plays a turn, before anything of the request was sent.
    func play(_ turn: ServerTurn, _ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        if case .unreachable(let kind) = turn { throw TransportFault(kind, evidence: .notSent) }
        try await travel(evidence: .sent)
        guard isOnline else { throw TransportFault(.lost, evidence: .sent) }
        let response: TransportResponse
        switch turn {
        case .cut, .unreachable: throw TransportFault(.lost, evidence: .sent)
        case .refusedStream:
            _ = receive(request)
            throw TransportFault(.lost, evidence: .unprocessed)
        case .staleConnection: throw TransportFault(.lost, evidence: .sent, isStaleConnection: true)
        case .silence:
            try await pause(for: Self.endless, evidence: .sent)
            throw TransportFault(.lost, evidence: .sent)
        case .carriedOutThenCut:
            _ = handle(request, receive(request))
            throw TransportFault(.lost, evidence: .sent)
        case .response(let scripted): response = refuse(request, receive(request), with: scripted)
        case .replacement(let replacement):
            _ = handle(request, receive(request))
            response = replacement
        case .sessionExpires:
            let entry = receive(request)
            forgetSession(of: request)
            response = handle(request, entry)
        case .stream(let stream):
            let usual = handle(request, receive(request))
            let isCarriedOut = request.command.map { Classifier.isSuccess(usual, $0.endpoint) } ?? false
            guard isCarriedOut else {
                response = usual
                break
            }
            response = stream.makeResponse(to: request) { [self] duration throws(TransportFault) in
                try await pause(for: duration, evidence: .sent)
            }
        case .late(let delay):
            response = handle(request, receive(request))
            try await pause(for: delay, evidence: .sent)
        // No turn of a request over HTTP is resolved to these.
        case .asUsual, .close, .odd: response = handle(request, receive(request))
        }
        try await travel(evidence: .sent)
        guard isOnline else { throw TransportFault(.lost, evidence: .sent) }
        return response
    }

    /// Longer than any client waits.
    static let endless = Duration.seconds(86_400 * 365)

    /// The scripted response, unless it says that nothing was carried out and the request's key is known: then the response
    /// that the key has.
    func refuse(
        _ request: TransportRequest, _ entry: LedgerEntry, with scripted: TransportResponse
    ) -> TransportResponse {
        mayBeCarriedOut(request, scripted) ? scripted : settled(request, entry) ?? scripted
    }
}
