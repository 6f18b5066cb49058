import ErrandRuntime
import ErrandService

/// The frames of requests, and all that can go wrong with them. Nothing that the client can take for a proof that a command was not
/// carried out happens to one that was.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension SimulatedServer {
    // MARK: Arrival

    /// The fault that a message meets; nil for a message that a test has scripted, or that is no request.
    func drawFault(for message: [UInt8], on connection: SimulatedConnection) -> FaultPlan.Fault? {
        let fault = drawFault()
        guard let contract = contract(of: connection), let frame = contract.read(message),
            let command = contract.commands[frame.kind]
        else { return nil }
        let isScripted = state.withLock { $0.script[ObjectIdentifier(command)]?.isEmpty == false }
        note("\(command.endpoint.fullName) → \(connection.number)" + (fault.map { " " + $0.rawValue } ?? ""))
        return isScripted ? nil : fault
    }

    /// Handles a message that has arrived.
    func read(_ message: [UInt8], _ fault: FaultPlan.Fault?, on connection: SimulatedConnection) {
        guard isOnline else {
            connection.end(.lost)
            return
        }
        let (isReading, token) = connection.state.withLock { ($0.isReading, $0.token) }
        guard isReading else { return }
        guard let contract = contract(of: connection), let frame = contract.read(message) else {
            note("connection \(connection.number) got no frame: \(String(decoding: message, as: UTF8.self))")
            connection.end(.closed(.protocolError))
            return
        }
        if contract.cancellations.contains(frame.kind) {
            if let id = frame.correlation { connection.state.withLock { $0.subscriptions[id] = nil } }
            return
        }
        guard let command = contract.commands[frame.kind] else {
            note("connection \(connection.number) got an unknown frame: \(frame.kind)")
            connection.end(.closed(.policyViolation))
            return
        }
        var request = TransportRequest(
            method: .post, url: connection.opening.url, headers: connection.opening.headers,
            body: frame.payload.map { Array(message[$0]) }, endpoint: command.endpoint.fullName)
        request.command = command
        // What brings a token of its own is not about the one before.
        if let token, !command.bringsToken { request.headers.append("Authorization", "Bearer \(token)") }
        let call = FrameCall(command: command, request: request, correlation: frame.correlation, contract: contract)
        if let turn = takeTurn(request) {
            play(turn, call, on: connection)
        } else {
            meet(fault, call, on: connection)
        }
    }

    /// Handles a request, and keeps the token that it presents.
    private func carryOut(_ call: FrameCall, on connection: SimulatedConnection) -> TransportResponse {
        let response = handle(call.request, receive(call.request, connection: connection.number))
        guard call.command.bringsToken, Classifier.isSuccess(response, call.command.endpoint) else { return response }
        var bringing = call.request
        if call.command is any LoginCommand.Type { bringing.body = response.body }
        let token = state.withLock { [bringing] in $0.desk.accessToken(in: bringing) }
        connection.state.withLock { $0.token = token }
        return response
    }

    // MARK: Faults

    private func meet(_ fault: FaultPlan.Fault?, _ call: FrameCall, on connection: SimulatedConnection) {
        let isRead = draw() < 0.5
        /// Ends the connection, after the request was carried out or not.
        func end(_ end: SimulatedConnection.End, afterwards isCarriedOut: Bool) {
            if isCarriedOut, !Self.isProof(end, call.command) {
                _ = carryOut(call, on: connection)
            } else {
                _ = receive(call.request, connection: connection.number)
            }
            connection.end(end)
        }
        switch fault {
        case .cutBefore: connection.end(.lost)
        case .staleConnection, .cutDuring: end(.lost, afterwards: isRead)
        case .cutAfter, .cutReply: end(.lost, afterwards: true)
        case .refusedStream: end(.closed(.goingAway), afterwards: false)
        case .throttled: end(.closed(.tryAgainLater), afterwards: false)
        case .unavailable: end(.closed(.restart), afterwards: false)
        case .serverError: end(.closed(.internalError), afterwards: isRead)
        case .badGateway: end(.closed(.badGateway), afterwards: isRead)
        case .networkLoss:
            loseNetwork()
            connection.end(.lost)
        case .gatewayTimeout:
            if isRead, !Self.isProofOfTime(call.command) {
                _ = carryOut(call, on: connection)
            } else {
                _ = receive(call.request, connection: connection.number)
            }
        case .delayed:
            // A command that takes a timeout for a refusal is not carried out until then.
            let delay = Duration.seconds(60) * draw()
            if Self.isProofOfTime(call.command) { return schedule(after: delay) { self.serve(call, on: connection) } }
            serve(call, on: connection, after: delay)
        case .duplicated: answer(.twice, call, on: connection)
        case .truncated: answer(.nonsense, call, on: connection)
        case .garbage:
            let all: [OddReply] = [.nonsense, .binary, .unknownCorrelation, .noCorrelation, .tooLong, .half]
            answer(all[Int(draw() * Double(all.count))], call, on: connection)
        case .moved: answer(.wrongKind, call, on: connection)
        case .unauthorized:
            forgetSession(of: call.request)
            serve(call, on: connection)
        case nil, .refused: serve(call, on: connection)
        }
    }

    // MARK: Turns

    private func play(_ turn: ServerTurn, _ call: FrameCall, on connection: SimulatedConnection) {
        switch turn {
        case .asUsual: serve(call, on: connection)
        case .cut, .staleConnection, .unreachable: connection.end(.lost)
        case .close(let code):
            _ = receive(call.request, connection: connection.number)
            connection.end(.closed(code))
        case .refusedStream: connection.end(.closed(.goingAway))
        // A replacement has a status, which a frame has not: `ScriptedTurn` resolves to none.
        case .carriedOutThenCut, .replacement:
            _ = carryOut(call, on: connection)
            connection.end(.lost)
        case .late(let delay): serve(call, on: connection, after: delay)
        case .sessionExpires:
            forgetSession(of: call.request)
            serve(call, on: connection)
        case .response(let scripted):
            let response = refuse(call.request, receive(call.request, connection: connection.number), with: scripted)
            reply(response, to: call, on: connection)
        case .silence: _ = receive(call.request, connection: connection.number)
        case .odd(let reply): answer(reply, call, on: connection)
        case .stream(let stream):
            let response = carryOut(call, on: connection)
            guard Classifier.isSuccess(response, call.command.endpoint) else {
                return reply(response, to: call, on: connection)
            }
            play(stream.steps, endsAfterwards: true, call, on: connection)
        }
    }

    // MARK: Replies

    /// Carries a request out and replies.
    private func serve(_ call: FrameCall, on connection: SimulatedConnection, after delay: Duration = .zero) {
        guard connection.state.withLock({ $0.isReading }) else { return }
        let response = carryOut(call, on: connection)
        guard call.command.endpoint.frame?.replies == .many, Classifier.isSuccess(response, call.command.endpoint)
        else {
            return reply(response, to: call, on: connection, after: delay)
        }
        beginSubscription(call, response, on: connection)
    }

    /// Carries a request out and replies in a way that a server should not.
    private func answer(_ odd: OddReply, _ call: FrameCall, on connection: SimulatedConnection) {
        let response = carryOut(call, on: connection)
        guard Classifier.isSuccess(response, call.command.endpoint) else {
            return reply(response, to: call, on: connection)
        }
        let payload = payload(of: response, call)
        let lane = SimulatedConnection.Lane.reply(call.correlation ?? 0)
        var message: ReceivedMessage?
        switch odd {
        case .twice:
            // A subscription is not repeated: its second frame would be its next element.
            guard call.command.endpoint.frame?.replies == .one else {
                return serveAgain(response, call, on: connection)
            }
            reply(response, to: call, on: connection)
            return reply(response, to: call, on: connection, after: drawTravel())
        case .wrongKind: message = call.contract.message("errand.unknown", call.correlation, payload)
        case .unknownCorrelation:
            message = call.contract.message(call.command.endpoint.frame?.reply ?? "", 1 << 52, payload)
        case .noCorrelation: message = call.contract.message(call.command.endpoint.frame?.reply ?? "", nil, payload)
        case .binary: message = .binary(count: 16)
        case .nonsense: message = .text(Array("<!DOCTYPE html><title>Welcome to our hotel</title>".utf8))
        case .tooLong, .half:
            schedule(after: drawTravel()) { connection.end(.broken(odd == .half ? .unreadable : .oversized)) }
            return
        }
        // Only what says nothing about the request is sent in place of its reply.
        guard let message else { return }
        connection.deliver(message, in: lane, after: drawTravel(), reply: nil)
    }

    private func serveAgain(_ response: TransportResponse, _ call: FrameCall, on connection: SimulatedConnection) {
        if call.command.endpoint.frame?.replies == .many { beginSubscription(call, response, on: connection) }
    }

    private func reply(
        _ response: TransportResponse, to call: FrameCall, on connection: SimulatedConnection,
        after delay: Duration = .zero
    ) {
        guard let frame = call.command.endpoint.frame, frame.replies != .none else { return }
        let isSuccess = Classifier.isSuccess(response, call.command.endpoint)
        // A verdict that no frame can say ends the connection.
        guard response.status == 200 else {
            return connection.endLater(
                .closed(.saying(response.status, in: call.command.endpoint.table)), after: drawTravel())
        }
        guard let message = call.contract.reply(payload(of: response, call), isFailure: !isSuccess, to: call) else {
            note("\(call.command.endpoint.fullName) has no reply that a frame can carry")
            return connection.endLater(.closed(.internalError), after: drawTravel())
        }
        connection.deliver(
            message, in: .reply(call.correlation ?? 0), after: delay + drawTravel(),
            reply: isSuccess ? call.command : nil)
    }

    private func payload(of response: TransportResponse, _ call: FrameCall) -> [UInt8]? {
        response.body.isEmpty ? nil : response.body
    }

    // MARK: What an end proves

    /// Whether a client may conclude from the end of a connection that a command on it was not carried out.
    static func isProof(_ end: SimulatedConnection.End?, _ command: any Command.Type) -> Bool {
        let endpoint = command.endpoint
        let table = endpoint.table
        switch end {
        case nil, .broken: return false
        case .lost: return endpoint.proves(table.row(transport: .lost))
        case .closed(let code):
            return endpoint.proves(table.row(close: code) ?? code.transport.flatMap { table.row(transport: $0) })
        }
    }

    /// Whether a client may conclude that from having waited in vain.
    static func isProofOfTime(_ command: any Command.Type) -> Bool {
        command.endpoint.proves(command.endpoint.table.row(transport: .timeout))
    }
}

extension Command {
    /// Whether a request of the command carries a token, or gets one, that is valid from then on.
    fileprivate static var bringsToken: Bool {
        Self.self is any AttachCommand.Type || Self.self is any LoginCommand.Type
    }
}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension SimulatedConnection {
    fileprivate func endLater(_ end: End, after delay: Duration) {
        server.schedule(after: delay) { [weak self] in self?.end(end) }
    }
}
