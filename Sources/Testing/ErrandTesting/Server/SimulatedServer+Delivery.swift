public import ErrandRuntime

/// The path between client and server, and all faults on it. The reported evidence of a failure is always true: `notSent` only
/// if nothing can have reached the server.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension SimulatedServer {
    public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        let drawn = drawFault()
        let fault = isScripted(request) ? nil : drawn
        if let type = request.command { noteConfirmation(type) }
        events.note("\(request.endpoint) →" + (fault.map { " " + $0.rawValue } ?? ""))
        do throws(TransportFault) {
            var response = try await deliver(request.inJSON, fault).inXML(for: request)
            response.isReusedConnection = !request.needsNewConnection
            events.note("\(request.endpoint) ← \(response.status)")
            return response
        } catch {
            events.note("\(request.endpoint) ✗ \(error.kind.rawValue), \(error.evidence.rawValue)")
            throw error
        }
    }

    private func deliver(
        _ request: TransportRequest, _ fault: FaultPlan.Fault?
    ) async throws(TransportFault) -> TransportResponse {
        if fault == .networkLoss { loseNetwork() }
        guard isOnline else { throw TransportFault(.offline, evidence: .notSent) }
        try await travel(evidence: .notSent)
        guard isOnline else { throw TransportFault(.offline, evidence: .notSent) }
        if fault == .refused || isDown { throw TransportFault(.refused, evidence: .notSent) }

        if request.url.hasSuffix(Self.elsewhere) { return try await refuseElsewhere() }
        if let turn = takeTurn(request) { return try await play(turn, request) }

        // From here on, the server may get it.
        let isRead = flip()
        do throws(TransportFault) {
            try await travel(evidence: .sent)
        } catch {
            // To the client, this may be the end of its time as well.
            if isRead, mayBeCarriedOut(request, .timeout) { _ = handle(request, receive(request)) }
            throw error
        }
        guard isOnline else { throw TransportFault(.lost, evidence: .sent) }
        switch fault {
        case .refusedStream:
            _ = receive(request)
            throw TransportFault(.lost, evidence: .unprocessed)
        case .staleConnection where !request.needsNewConnection:
            if isRead, mayBeCarriedOut(request, .lost) { _ = handle(request, receive(request)) }
            throw TransportFault(.lost, evidence: .sent, isStaleConnection: true)
        case .cutBefore: throw TransportFault(.lost, evidence: .sent)
        case .cutDuring, .cutAfter:
            if fault == .cutAfter || isRead, mayBeCarriedOut(request, .lost) { _ = handle(request, receive(request)) }
            throw TransportFault(.lost, evidence: .sent)
        case .cutReply where !mayBeCarriedOut(request, .lost): throw TransportFault(.lost, evidence: .sent)
        default: break
        }

        // If the contract takes a timeout for a refusal, the server is slow to begin as well as slow to respond.
        let isSlowToAnswer = mayBeCarriedOut(request, .timeout)
        if fault == .delayed, !isSlowToAnswer { try await dawdle() }
        let response = arrive(request, fault, isRead: isRead)
        if fault == .delayed, isSlowToAnswer { try await dawdle() }
        try await travel(evidence: .sent)
        let isCut = fault == .cutReply || (!isOnline && mayBeCarriedOut(request, .lost))
        if isCut { throw TransportFault(.lost, evidence: .sent) }
        return response
    }

    /// The response of the server, or of a device between client and server.
    private func arrive(
        _ request: TransportRequest, _ fault: FaultPlan.Fault?, isRead: Bool
    ) -> TransportResponse {
        let entry = receive(request)
        switch fault {
        case .unauthorized:
            forgetSession(of: request)
        case .duplicated where request.isRepeatable:
            // The first response is the one that gets lost. A server that does not know keys shows it here.
            _ = handle(request, entry)
            return handle(request, receive(request))
        case .throttled:
            return Self.throttled(seconds: 1 + Int(draw() * 5), spelling: Int(draw() * 5))
        case .unavailable: return answer(503, to: request, entry, isRead: isRead)
        case .serverError: return answer(500, to: request, entry, isRead: isRead)
        case .badGateway: return answer(502, to: request, entry, isRead: isRead)
        case .gatewayTimeout: return answer(504, to: request, entry, isRead: isRead)
        case .moved:
            var response = answer(draw() < 0.5 ? 307 : 308, to: request, entry, isRead: isRead)
            response.headers.append(
                "Location", request.url + (request.url.contains("?") ? "&" : "?") + Self.elsewhere)
            return response
        case .garbage:
            return .hotelPage
        case .truncated:
            var response = handle(request, entry)
            response.body.removeLast(response.body.count / 2)
            return response
        default: break
        }
        return handle(request, entry)
    }

    /// The end of the URLs to which `moved` redirects.
    private static let elsewhere = "elsewhere=1"

    /// The response of the place that `moved` redirects to.
    private func refuseElsewhere() async throws(TransportFault) -> TransportResponse {
        try await travel(evidence: .sent)
        let statuses = [401, 425, 429, 503]
        let index = Int(draw() * Double(statuses.count + 1))
        guard index < statuses.count else { throw TransportFault(.lost, evidence: .sent) }
        return .wordless(statuses[index])
    }

    /// A 429 in one of the spellings that services have for the end of a limit.
    static func throttled(seconds: Int, spelling: Int) -> TransportResponse {
        let headers: HTTPHeaders =
            switch spelling {
            case 0: ["RateLimit": "\"default\";r=0;t=\(seconds)"]
            case 1: ["RateLimit": "limit=10, remaining=0, reset=\(seconds)"]
            case 2: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "\(seconds)"]
            case 3: ["retry-after-ms": "\(seconds * 1_000)"]
            default: ["Retry-After": "\(seconds)"]
            }
        return TransportResponse(status: 429, headers: headers)
    }

    /// A status without words, after which the request may have been carried out all the same. Not where the contract
    /// says that it means the opposite.
    private func answer(
        _ status: Int, to request: TransportRequest, _ entry: LedgerEntry, isRead: Bool
    ) -> TransportResponse {
        let response = TransportResponse.wordless(status)
        // Asked what it makes of the response, a client would be right with any answer.
        let isProof = request.command.map { Classifier.declaredApplied(in: response, $0.endpoint) == .never } ?? false
        if isRead, !isProof { _ = handle(request, entry) }
        return response
    }

    // MARK: The contract's rules

    func mayBeCarriedOut(_ request: TransportRequest, _ response: TransportResponse) -> Bool {
        guard let endpoint = request.command?.endpoint, let row = Classifier.row(for: response, endpoint) else {
            return true
        }
        return row.applied(status: response.status, to: endpoint.request) != .never
    }

    private func mayBeCarriedOut(_ request: TransportRequest, _ fault: TransportFault.Kind) -> Bool {
        request.command.map { !$0.endpoint.proves(Classifier.row(for: fault, $0.endpoint)) } ?? true
    }

    // MARK: Steps

    var isOnline: Bool { network.current.isSatisfied }

    /// A random number, at least 0 and below 1.
    func draw() -> Double { state.withLock { $0.chance.fraction() } }
    private func flip() -> Bool { draw() < 0.5 }

    /// The fault that the next request or opening meets.
    func drawFault() -> FaultPlan.Fault? { state.withLock { $0.faults.fault(at: $0.chance.fraction()) } }

    /// How long something takes to the server, or from there.
    func drawTravel() -> Duration {
        let range = latency
        return range.lowerBound + (range.upperBound - range.lowerBound) * draw()
    }

    func travel(evidence: Evidence) async throws(TransportFault) {
        try await pause(for: drawTravel(), evidence: evidence)
    }

    private func dawdle() async throws(TransportFault) {
        try await pause(for: .seconds(60) * draw(), evidence: .sent)
    }

    func pause(for duration: Duration, evidence: Evidence) async throws(TransportFault) {
        do {
            try await time.sleep(until: time.now + duration)
        } catch {
            throw TransportFault(.cancelled, evidence: evidence)
        }
    }

    /// Forgets the session that a request carries.
    func forgetSession(of request: TransportRequest) {
        state.withLock { state in
            if let token = state.desk.accessToken(in: request) { state.desk.revoke(token) }
        }
    }

    func loseNetwork() {
        guard isOnline else { return }
        let pause = Duration.seconds(30) * draw()
        events.note("the network goes")
        network.goAway()
        time.start { [time, events, network] in
            try? await time.sleep(until: time.now + pause)
            events.note("the network is back")
            network.comeBack()
        }
    }
}

extension EndpointDescription {
    /// Whether a client concludes from a row about a transport or a closed connection that its command was not carried out.
    func proves(_ row: DecisionRow?) -> Bool { row?.applied(status: nil, to: request) == .never }
}

extension SeededGenerator {
    /// At least 0 and below 1.
    fileprivate mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}
