import ContractModel
import JSONTree

/// The connections of a contract with frames: their handshakes, their ends, and everything that is sent on them.
extension MockEngine {
    // MARK: Opening

    /// Answers the handshake of a connection.
    ///
    /// - Parameters:
    ///   - fault: why the request is no handshake, with the status that says so; nil if it is one.
    ///   - subprotocols: those that the client offers.
    package mutating func open(
        _ request: MockRequest, fault: (status: Int, message: String)? = nil, subprotocols: [String] = [],
        at now: Duration
    ) -> MockHandshake {
        number += 1
        if let refusal = refusal(ofHandshake: request, fault, subprotocols) {
            return .refused(refused(request, refusal.status, [refusal.message], now))
        }
        let rules = handshakeRules(request)
        let plan = handshakePlan(rules)
        if plan.expiresSessions { desk.expireAll() }
        let token = sessionToken(in: request)
        if let failure = plan.failure { return .refused(refused(request, failure, plan, now)) }
        let (problems, oddities) = RequestCheck.handshake(request, in: contract)
        if !problems.isEmpty { return .refused(refused(request, 400, problems + oddities, now)) }
        if let token, !takes(token, at: now) {
            return .refused(refused(request, 401, ["the session of the handshake is not valid"], now))
        }
        lastConnection += 1
        var entry = LogEntry(
            number: number, moment: now, method: request.method, target: request.path, status: 101, result: .success,
            name: "connection \(lastConnection)", findings: oddities)
        let client = Fingerprint([client(request, token)])
        if let loss = losses[client] {
            entry.remark = "reconnected after \(LogEntry.seconds(now - loss.moment)) s"
            entry.earlier = loss.entry
            losses[client] = nil
        }
        let interval = contract.events.isEmpty ? nil : settings.eventInterval
        var connection = OpenConnection(request, rules, nextEvent: interval.map { now + $0 })
        connection.token = token
        connections[lastConnection] = connection
        let chosen = contract.connection?.subprotocol?.value
        return .opened(number: lastConnection, subprotocol: chosen, delay: plan.delivery.delay, entry: entry)
    }

    private func refusal(
        ofHandshake request: MockRequest, _ fault: (status: Int, message: String)?, _ subprotocols: [String]
    ) -> (status: Int, message: String)? {
        guard routes.bases.contains(where: { $0 == request.path || $0 + "/" == request.path }) else {
            return (404, "the connection is at `\(routes.usualBase.isEmpty ? "/" : routes.usualBase)`")
        }
        if let fault { return fault }
        if let wanted = contract.connection?.subprotocol?.value, !subprotocols.contains(wanted) {
            return (400, "the handshake does not offer the subprotocol `\(wanted)` (`Sec-WebSocket-Protocol`)")
        }
        let names = FailureNames(contract)
        for rule in handshakeRules(request) {
            guard let problem = names.problem(of: rule) else { continue }
            return (400, "the header `\(Self.failureHeader)`: \(problem.message) (\(problem.help))")
        }
        return nil
    }

    private func refused(_ request: MockRequest, _ status: Int, _ findings: [String], _ now: Duration) -> MockReply {
        let body = JSONNode.object([JSONNode.Member("message", .string(findings.first ?? ""))])
        let headers = [
            ResponseComposer.jsonType, (Self.findingHeader, Self.headerText(findings.joined(separator: "; "))),
        ]
        return MockReply(
            response: MockResponse(
                status: status, headers: headers + challenges(ofHandshake: status), body: body.bytes),
            entry: LogEntry(
                number: number, moment: now, method: request.method, target: request.path, status: status,
                result: .refused, findings: findings))
    }

    /// A 401 says how a client proves who it is (RFC 9110, section 11.6.1).
    private func challenges(ofHandshake status: Int) -> [(name: String, value: String)] {
        status == 401 ? challenges([]).map { ("WWW-Authenticate", $0) } : []
    }

    /// The answer to a handshake for which the dial has chosen a failure.
    private func refused(
        _ request: MockRequest, _ failure: MockFailure, _ plan: FailurePlan, _ now: Duration
    ) -> MockReply {
        var status = 0
        if case .builtIn(let error) = failure { status = MockFailure.status(of: error) }
        let body = JSONNode.object([JSONNode.Member("message", .string(failure.name))])
        var response = MockResponse(status: status, headers: [ResponseComposer.jsonType], body: body.bytes)
        response.headers += challenges(ofHandshake: status)
        if failure == .builtIn(.throttled) { response.headers.append(("Retry-After", "1")) }
        return MockReply(
            response: response, delivery: plan.delivery,
            entry: LogEntry(
                number: number, moment: now, method: request.method, target: request.path, status: status,
                result: status == 0 ? .wire : .failure, name: failure.name))
    }

    /// The failures that a handshake asks for: of all endpoints, or of one as `endpoint=failure`.
    private func handshakeRules(_ request: MockRequest) -> [FailureRule] {
        Self.askedFailures(request).map { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            let isNamed = parts.count == 2 && FailureNames(contract).hasEndpoint(parts[0])
            return FailureRule(endpoint: isNamed ? parts[0] : nil, failure: isNamed ? parts[1] : text)
        }
    }

    // MARK: Sending

    /// What is due on a connection, when something is due next, and what the log says of it.
    package mutating func takeFrames(
        of number: Int, at now: Duration
    ) -> (frames: [MockFrame], next: Duration?, entries: [LogEntry]) {
        var (frames, entries): ([MockFrame], [LogEntry]) = ([], [])
        // A host that was held up for long gets at most so many, and asks again.
        while frames.count < 1_000, var connection = connections[number] {
            if let frame = connection.take(at: now) {
                frames.append(frame)
                connections[number] = connection
            } else if let due = connection.nextEvent, due <= now {
                // A host that was held up does not make up for all of them.
                connection.nextEvent = max(now, due + (settings.eventInterval ?? .seconds(3600)))
                let event = contract.events[connection.events % max(1, contract.events.count)]
                connection.events += 1
                connections[number] = connection
                entries.append(send(event, to: number, at: now))
            } else if let key = connection.nextSubscription(at: now) {
                sendElement(of: key, on: number, at: now)
            } else {
                break
            }
        }
        return (frames, connections[number]?.due, entries)
    }

    /// Sends a frame at a time. A connection with too much that waits is closed.
    mutating func send(_ frame: MockFrame, to number: Int, at due: Duration) {
        let all = connections.waitingBytes + frame.size
        guard frame.size == 0 || all <= OpenConnection.mostWaitingBytesOfAll else {
            let reason =
                "replies of more than \(OpenConnection.mostWaitingBytesOfAll >> 20) MiB wait for all connections"
            connections[number]?.close(because: reason)
            return
        }
        connections[number]?.send(frame, at: due)
    }

    // MARK: Events

    /// Sends an event of the contract on every connection. Returns the numbers of the connections, and what the log says.
    package mutating func sendEvent(named name: String, at now: Duration) -> (numbers: [Int], entries: [LogEntry]) {
        guard let event = contract.events.first(where: { $0.name.value == name }) else { return ([], []) }
        let numbers = connections.numbers
        return (numbers, numbers.map { send(event, to: $0, at: now) })
    }

    private mutating func send(_ event: EventDefinition, to number: Int, at now: Duration) -> LogEntry {
        self.number += 1
        let name = event.name.value
        if let definition = contract.connection {
            let sent = connections[number]?.events ?? 0
            let payload = PayloadMaker(contract: contract, seed: settings.seed).data(of: event, number: sent)
            let text = FrameText(connection: definition).message(event.frame.value, id: nil, payload: payload)
            send(.text(text), to: number, at: now)
        }
        return LogEntry(
            number: self.number, moment: now, method: "#\(number) <-", target: event.frame.value, endpoint: name,
            status: 0, result: .success, reply: "event")
    }

    // MARK: Ending

    /// Takes note of the end of a connection.
    package mutating func ended(_ number: Int, _ end: MockConnectionEnd, at now: Duration) -> LogEntry? {
        guard let connection = connections[number] else { return nil }
        connections[number] = nil
        self.number += 1
        var (reply, findings, isLoss) = ("", [String](), true)
        switch end {
        case .closedByClient(let code):
            reply = "closed by the client" + (code.map { " with \($0)" } ?? "")
            isLoss = false
        case .failed(let code, let reason):
            reply = "closed with \(code)"
            findings = [reason]
        case .lost: reply = "the client has left"
        case .late: reply = "the client was silent, or did not read"
        case .endedByServer: reply = "ended by the server"
        }
        if isLoss {
            let opening = connection.opening
            losses[Fingerprint([client(opening, sessionToken(in: opening))])] = (self.number, now)
        }
        return LogEntry(
            number: self.number, moment: now, method: "#\(number)", target: "connection", status: 0,
            result: findings.isEmpty ? .success : .refused, findings: findings, reply: reply)
    }

    /// Closes every connection: the contract that they were opened for was edited.
    mutating func closeConnections() {
        for number in connections.numbers {
            connections[number]?.subscriptions = [:]
            send(.close(code: 1012, reason: "the contract was edited"), to: number, at: .zero)
        }
    }
}
