import ContractModel
import ErrandService
import JSONTree

/// The requests that come as frames. A frame is handled like a request whose body is the payload, and the response becomes a reply, or
/// the end of the connection.
extension MockEngine {
    /// Handles a message of a client. The frames that it leads to are taken with ``takeFrames(of:at:)``.
    package mutating func receive(_ message: MockMessage, on number: Int, at now: Duration) -> LogEntry? {
        guard let definition = contract.connection, let connection = connections[number], !connection.isEnding else {
            return nil
        }
        self.number += 1
        let frames = FrameText(connection: definition)
        guard case .text(let text) = message else {
            return refuse("a message of bytes is not a frame", "a message of bytes", 1003, on: number, at: now)
        }
        let frame: FrameText.Request
        do {
            frame = try frames.request(text)
        } catch {
            return refuse(error.message, "a message", 1007, on: number, at: now)
        }
        if let end = cancellation(frame, on: number, now) { return end }
        guard
            let position = contract.endpoints.firstIndex(where: { $0.frame?.kind.value == frame.kind })
        else { return unknown(frame, number, now) }
        let endpoint = contract.endpoints[position]
        var opening = connection.opening
        (opening.method, opening.path, opening.query) = ("->", frame.kind, "")
        opening.body = frame.payload?.bytes ?? []
        var call = Call(
            request: opening, route: RouteTable.Match(endpoint: position, base: "", parameters: []), endpoint: endpoint,
            content: RequestContent(opening, of: endpoint), composer: ResponseComposer(endpoint, in: contract),
            now: now, findings: frame.oddities, connection: number, attachedToken: connection.token)
        if frame.id == nil, endpoint.delivery != .none {
            call.findings.append("the frame has no `\(definition.correlationMember)`, so its reply has none either")
        }
        let plan = failurePlan(&call)
        if plan.expiresSessions { desk.expireAll() }
        let handled = handle(&call, plan)
        let reply = reply(to: call, frame, handled, plan)
        var entry = LogEntry(
            number: self.number, moment: now, method: "#\(number) ->", target: frame.kind,
            endpoint: endpoint.name.value, status: 0, result: handled.result, name: handled.name,
            findings: call.findings, reply: reply)
        finish(&entry, plan, call)
        return entry
    }

    /// What the log says of an attempt, as over HTTP.
    private mutating func finish(_ entry: inout LogEntry, _ plan: FailurePlan, _ call: Call) {
        if let failure = plan.failure, case .wire(let wire) = failure, !wire.isModifier {
            entry.result = .wire
            entry.name = wire.name
        }
        let key = ledgerKey(call)
        if call.endpoint.delivery == .stream, key == nil {
            // The same subscription from another place is the same one.
            var input = input(of: call)
            let resumed = resumption(call)
            if let name = resumed?.wireName { input[name] = nil }
            let client = client(call.request, call.attachedToken)
            let identity = Fingerprint([Array(call.request.path.utf8), input.bytes, client])
            if let last = resumptions[identity], let resumed {
                (entry.earlier, entry.remark) = (last, "resumed from \(ClientText.shown(resumed.place, longest: 40))")
            }
            resumptions[identity] = entry.number
            return
        }
        let identity = identity(of: call, key, [Array(call.request.path.utf8), call.request.body])
        let repetition = history.repetition(identity, at: call.now)
        (entry.remark, entry.earlier) = (repetition?.remark, repetition?.number)
        history.note(identity, number: entry.number, isSuccess: entry.result == .success, at: call.now)
    }

    // MARK: Replies

    /// Sends what a request leads to. Returns what the log says of it.
    private mutating func reply(
        to call: Call, _ frame: FrameText.Request, _ handled: Handled, _ plan: FailurePlan
    ) -> String {
        guard let number = call.connection, let definition = contract.connection, let target = call.endpoint.frame
        else { return "no reply" }
        let due = call.now + plan.delivery.delay
        let texts = FrameText(connection: definition)
        let isSuccess = handled.result == .success
        // Also if the client gets no reply: the server has carried it out.
        if isSuccess { takeToken(of: call, handled.response) }
        if plan.delivery.hangs { return "no reply" }
        if plan.delivery.cut == .beforeResponse {
            send(.cut, to: number, at: due)
            return "connection cut"
        }
        if let code = handled.close ?? (isSuccess ? nil : closeCode(for: handled.response, call)) {
            send(.close(code: code, reason: handled.name ?? ""), to: number, at: due)
            return "closed with \(code)"
        }
        if call.endpoint.delivery == .none { return "no reply" }
        if isSuccess, call.endpoint.delivery == .stream {
            return subscribe(call, frame, plan, due)
        }
        let isFailure = !isSuccess
        let kind = isFailure ? definition.failure?.value ?? definition.reply(to: target) : definition.reply(to: target)
        let payload = try? JSONParser.parse(handled.response.body.bytes)
        let text = texts.message(kind, id: frame.id, payload: payload)
        if plan.delivery.cut == .insideBody {
            send(.half(text), to: number, at: due)
            return "half of a reply"
        }
        let usual = MockFrame.text(text, bytesPerSecond: plan.delivery.bytesPerSecond)
        switch plan.failure {
        case .builtIn(.malformed)?:
            let odd = texts.message("errand.malformed", id: frame.id, payload: nil)
            send(.text(odd), to: number, at: due)
            return "a reply of another kind"
        case .wire(.notJSON)?:
            send(.text(Array("<!DOCTYPE html>".utf8)), to: number, at: due)
            return "a message that is not JSON"
        case .wire(.unknownID)?:
            let id: JSONNode = definition.hasNumericCorrelation ? .number("4503599627370496") : .string("unknown")
            send(.text(texts.message(kind, id: id, payload: payload)), to: number, at: due)
            return "a reply with an unknown id"
        case .wire(.twice)?:
            send(usual, to: number, at: due)
            send(usual, to: number, at: due)
            return "the reply twice"
        default:
            send(usual, to: number, at: due)
            return isFailure ? "failure" : "reply"
        }
    }

    /// The code with which the connection is closed in place of a reply. Nil if a frame says the failure.
    private func closeCode(for response: MockResponse, _ call: Call) -> UInt16? {
        switch response.status {
        case 200..<300: return nil
        case 401, 408, 429, 500...: break
        default: if contract.connection?.failure != nil { return nil }
        }
        return CloseCode.saying(response.status, in: call.endpoint.table.table).rawValue
    }

    // MARK: Sessions

    /// A connection belongs to the session that a login on it has begun, or that was presented on it.
    private mutating func takeToken(of call: Call, _ response: MockResponse) {
        guard let session = contract.session, let number = call.connection else { return }
        switch call.endpoint.name.value {
        case session.login, session.refresh:
            guard let path = session.token, let body = try? JSONParser.parse(response.body.bytes),
                let payload = body.value(at: call.composer.payloadPath[...]),
                let token = payload.value(at: wire(path, call)[...])?.scalarText
            else { return }
            connections[number]?.token = token
        case session.attach:
            let token = presentedToken(in: call)
            connections[number]?.token = token
        case session.logout: connections[number]?.token = nil
        default: break
        }
    }

    /// The token that a command presents for its connection.
    func presentedToken(in call: Call) -> String? {
        guard let name = contract.session?.attachInput else { return nil }
        let inputs = PayloadMaker(contract: contract, seed: settings.seed).inputs(of: call.endpoint)
        return inputs.first { $0.name.value == name }.flatMap { input(of: call)[$0.wireName]?.scalarText }
    }

    // MARK: Wrong frames

    /// Closes a connection on which something came that is no frame.
    private mutating func refuse(
        _ finding: String, _ subject: String, _ code: UInt16, on number: Int, at now: Duration
    ) -> LogEntry {
        send(.close(code: code, reason: Self.headerText(finding)), to: number, at: now)
        return LogEntry(
            number: self.number, moment: now, method: "#\(number) ->", target: subject, status: 0, result: .refused,
            findings: [finding], reply: "closed with \(code)")
    }

    /// Refuses a frame of a kind that the contract does not have.
    private mutating func unknown(_ frame: FrameText.Request, _ number: Int, _ now: Duration) -> LogEntry {
        let finding = "the contract has no frame `\(ClientText.shown(frame.kind))`"
        guard let definition = contract.connection, let failure = definition.failure?.value,
            let endpoint = contract.endpoints.first(where: { $0.frame != nil })
        else { return refuse(finding, frame.kind, 1008, on: number, at: now) }
        let composer = ResponseComposer(endpoint, in: contract)
        let payload = try? JSONParser.parse(composer.unexplained(400, message: finding).body.bytes)
        let text = FrameText(connection: definition).message(failure, id: frame.id, payload: payload)
        send(.text(text), to: number, at: now)
        return LogEntry(
            number: self.number, moment: now, method: "#\(number) ->", target: frame.kind, status: 0, result: .refused,
            findings: [finding], reply: "failure")
    }
}
