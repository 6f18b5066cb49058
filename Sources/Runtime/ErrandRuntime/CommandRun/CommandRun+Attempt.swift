/// A response as it arrived, which the caller reads into a value of its type (`CommandRun.read`).
final class ReceivedResponse {
    let response: TransportResponse
    let request: AssembledRequest
    let redactor: ResponseRedactor
    /// Nil without observers.
    let observed: Observation.BegunAttempt?
    /// The response of the server that has confirmed this one of the cache; nil for any other.
    let confirmation: Confirmation?
    /// Whether it comes from the cache, and no attempt was made.
    let isFromCache: Bool

    init(
        _ response: TransportResponse, to request: AssembledRequest, _ redactor: ResponseRedactor,
        _ observed: Observation.BegunAttempt?, confirmation: Confirmation? = nil, isFromCache: Bool = false
    ) {
        self.response = response
        self.request = request
        self.redactor = redactor
        self.observed = observed
        self.confirmation = confirmation
        self.isFromCache = isFromCache
    }

    /// A 304 (RFC 9110 section 15.4.5). An object, because every response has room for one.
    final class Confirmation {
        let response: TransportResponse
        init(_ response: TransportResponse) { self.response = response }
    }

    /// The response as the server has sent it, for observers.
    var sent: TransportResponse { confirmation?.response ?? response }

    /// The URL that it comes from.
    var url: String { response.redirectedTo ?? request.request.url }
}

extension CommandRun {
    /// Passes the gates and makes one attempt.
    ///
    /// - Returns: nil if it failed or was not made, which the state knows then.
    func attempt() async -> ReceivedResponse? {
        state.noteAttempt()
        guard let server = call.server else {
            fail(FailedAttempt(invalid: [CommandExecution.brokenServer(endpoint.service)], endpoint))
            return nil
        }
        if let carried = stages.first as? CarrierStage { return await attempt(server, carried) }
        if Task.isCancelled { return abandon(cancelled()) }
        if let received = askStages({ $0.begin(to: server) }) { return received }
        if let refusal = await passGates(to: server) { return abandon(refusal) }
        if case .recorded(let recorder, _) = role { return await send(recordedBy: recorder) }
        return await send()
    }

    /// Notes why an attempt is not made. Others follow in its turn.
    @inline(never)
    func abandon(_ refusal: FailedAttempt) -> ReceivedResponse? {
        endTurn()
        fail(refusal)
        return nil
    }

    /// Makes the request of the next attempt. Returns a failure if the command can't be sent as it is.
    @inline(never)
    func prepare(_ server: ServerAddress) -> FailedAttempt? {
        switch encode(server) {
        case .success(let request):
            // A whole URL may lead to another host, which has a budget of its own.
            state.host = request.foreignOrigin ?? server.origin
            if let pins = server.pins, request.foreignOrigin == nil, endpoint.frame == nil,
                pins.apply(at: environment.wallTime())
            {
                request.request.pins = pins
            }
            self.request = request
            return nil
        case .failure(let problem): return FailedAttempt(invalid: problem.broken, endpoint)
        }
    }

    /// Sends the request, or shares that of an equal read.
    @inline(never)
    func send() async -> ReceivedResponse? {
        if let received = askStages({ $0.respondInstead() }) { return received }
        if endpoint.isShared { return await sendShared() }
        return await sendAlone()
    }

    /// Sends the request.
    @inline(__always)
    func sendAlone() async -> ReceivedResponse? {
        let limit = timeLimit
        guard limit > .zero, let host = state.host, let assembled = request else {
            settle(outOfTime())
            return nil
        }
        let start = environment.time.now
        let observed = begin(assembled, to: host, at: start)
        let result = await dispatcher.attempt(
            assembled.request, over: transport(until: start + limit), limit: limit, turn: turn
        ) { [endpoint = call.endpoint] in
            endpoint.isStreamed(by: $0)
        }
        return finish(result, assembled, observed, since: start)
    }

    @inline(never)
    func begin(
        _ assembled: AssembledRequest, to host: Origin, at start: Duration, isShared: Bool = false
    ) -> Observation.BegunAttempt? {
        isRenewed = false
        isSent = true
        state.noteSent(assembled, at: start)
        if !isShared { for stage in stages { stage.amend(assembled) } }
        assembled.request.command = type(of: call.command)
        assembled.request.needsNewConnection = state.isTransparentRetry || state.isStaleRetry
        if dispatcher.isIntercepted { assembled.request.sent = SentRequest() }
        return call.observation?.attempt(
            assembled, to: host, isTransparentRetry: state.isTransparentRetry, isShared: isShared)
    }

    /// Notes what the transport has brought. A fault is a failure at once; a response is read first.
    @inline(never)
    func finish(
        _ result: AttemptResult, _ assembled: AssembledRequest, _ observed: Observation.BegunAttempt?,
        since start: Duration
    ) -> ReceivedResponse? {
        request = nil
        state.spent += environment.time.now - start
        state.summary.noteSent(assembled)
        // A file that has changed has other bytes than the command was made with.
        let isChanged = if case .failure(let fault) = result { fault.builtIn == .bodyChanged } else { false }
        state.isBodyConsumed = isChanged || assembled.request.streamedBody?.isBodyConsumed ?? false
        let followed = assembled.request.sent?.followed ?? .none
        switch result {
        case .success(let response):
            state.summary.followed = max(followed, response.followed)
            state.summary.underlying = response.trailingSlash ?? refusal(response, assembled)
            state.isConnectionLost = response.frame == .handshake
            if response.isReusedConnection, !state.summary.isRedirected, let host = state.host {
                dispatcher.staleRetries.close(for: host)
            }
            noteRateLimit(response)
            if endpoint.effect != .read { invalidate(response, assembled) }
            let redactor = ResponseRedactor(
                assembled, maximumBodySize: dispatcher.settings.maximumFailureBodySize)
            if endpoint.stream != nil { self.redactor = redactor }
            var received: ReceivedResponse? = ReceivedResponse(response, to: assembled, redactor, observed)
            for stage in stages { received = received.flatMap(stage.take) }
            return received
        case .failure(let fault):
            state.summary.followed = max(followed, fault.isRedirected ? .open : .none)
            state.isStaleConnection = fault.isStaleConnection
            if endpoint.effect != .read { invalidate(after: fault, assembled) }
            noteNoResponse()
            let failure = state.note(fault)
            observe(result, assembled, observed, failure)
            settle(isCutShort(by: fault) ? outOfTime() : failure)
            return nil
        }
    }

    /// The refusal of a gateway that the contract names, if the response is one. That of another place proves nothing about this one,
    /// and neither does that to a background transfer, which the system may have sent before without a word.
    private func refusal(_ response: TransportResponse, _ assembled: AssembledRequest) -> GatewayRefusal? {
        guard let server = call.server, let gateways = server.gateways, assembled.foreignOrigin == nil,
            !state.summary.isRedirected, !role.isCarried
        else { return nil }
        let (request, sent) = (assembled.request, assembled.request.sent)
        // Interceptors may send it elsewhere, or with another method.
        if let line = sent?.line, line.method != request.method || Origin(line.url) != server.origin { return nil }
        let headers = sent?.headers ?? request.headers
        return gateways.refusal(
            status: response.status, of: request.method.rawValue,
            hasBody: request.body?.isEmpty == false || request.streamedBody.map { $0.length != 0 } ?? false,
            hasKey: GatewayRepeat.keyHeaders.contains { headers[$0] != nil }
        ) { $0.matches(response) }
    }

    /// Whether the patience of a lost stream has ended the attempt, and not the attempt's own timeout.
    private func isCutShort(by fault: TransportFault) -> Bool {
        guard state.isReopening, fault.kind == .timeout, let timeLeft else { return false }
        return timeLeft <= .zero
    }

    /// Tells observers how an attempt has ended.
    @inline(never)
    func observe(
        _ result: AttemptResult, _ assembled: AssembledRequest, _ observed: Observation.BegunAttempt?,
        _ failure: FailedAttempt?
    ) {
        guard let observed else { return }
        call.observation?.end(observed, assembled, result, error: failure?.name, state.summary.evidence)
    }

    /// What sends the request; nil for the dispatcher's transport.
    @inline(never)
    private func transport(until end: Duration) -> (any Transport)? { askStages { $0.transport(until: end) } }

    /// Ends the stages' parts of an attempt. Returns a failure that comes before whatever the attempt has brought.
    @inline(never)
    func endAttempt() -> FailedAttempt? { askStages { $0.end() } }

    /// Gives back what the attempt had, and tells the state how it failed.
    @inline(never)
    func settle(_ failed: FailedAttempt) {
        let failure = endAttempt() ?? failed
        leaveHost()
        endTurn()
        if failure.settles(by: state.summary) {
            deposit()
        } else if state.isStaleRetry, !failure.isCancelled, let host = state.host {
            dispatcher.staleRetries.open(for: host)
        }
        fail(failure)
    }

    /// How long the next attempt may take.
    var timeLimit: Duration {
        let timeout = limits.timeout(isConstrained: !dispatcher.network.current.isUnmetered)
        return min(timeout, timeLeft ?? timeout)
    }

    func encode(_ server: ServerAddress) -> Result<AssembledRequest, InvalidRequest> {
        let service = endpoint.service
        var encoder = RequestEncoder(
            method: endpoint.method, base: server.base,
            isSigned: service.signing != nil && endpoint.server?.sendsSignature ?? true,
            sensitiveNames: service.sensitive, wallTime: environment.wallTime(), chance: environment.chance)
        if let position = state.position, let command = call.command as? any ResumableCommand {
            command.resuming(after: position).encode(into: &encoder)
        } else {
            call.command.encode(into: &encoder)
        }
        if case .page(_, let link?) = role { encoder.follow(link, keepsSecrets: endpoint.takesLinksHome) }
        if endpoint.effect == .keyed, state.key == nil {
            state.key = IdempotencyKey(JSONText.of(environment.chance.uuid()))
        }
        if let key = state.key { encoder.add(key.text, at: endpoint.key) }
        // A frame has no headers and no URL of its own: the handshake has what is common to all commands.
        if endpoint.frame == nil, encoder.isAtHome {
            let role = endpoint.server
            if role?.sendsCommon ?? true, let common = call.route.common { common(&encoder) }
            if role?.sendsSession ?? true, let placement = service.session, let token = grant?.tokens?.access {
                encoder.add(token, at: placement)
            }
            guard let credentials = call.route.credentials(of: endpoint) else {
                return .failure(InvalidRequest(broken: [CommandExecution.missingCredentials(endpoint)]))
            }
            for credential in credentials { encoder.add(credential) }
            if role?.sendsSignature ?? true, let rule = service.signing {
                guard let key = call.route.signingKey else {
                    let broken = BrokenField(name: "signing", reason: "must have a key")
                    return .failure(InvalidRequest(broken: [broken]))
                }
                encoder.sign(rule, key: key)
            }
        }
        // The checksum is about the bytes themselves. A download asks for them without a coding anyway.
        if endpoint.checksum != nil, endpoint.response == .bytes { encoder.header("Accept-Encoding", "identity") }
        if let id = state.lastEventID { encoder.header("Last-Event-ID", id) }
        for (name, value) in call.headers.sorted(by: { $0.key < $1.key }) {
            // The caller wrote them for the command, and not for the read that confirms it.
            if role.isConfirmation, encoder.hasHeader(name) { continue }
            encoder.optionalHeader(name, value)
        }
        if endpoint.prefersIdentity, !encoder.hasHeader("Accept-Encoding") {
            encoder.header("Accept-Encoding", "identity")
        }
        let settings = dispatcher.settings
        return encoder.finish(
            endpoint,
            RequestLimits(
                timeout: timeLimit, maximumRedirects: endpoint.redirects ?? settings.maximumRedirects,
                maximumResponseSize: settings.maximumResponseSize, priority: limits.priority),
            home: server.origin)
    }
}

extension EndpointDescription {
    /// Whether the response had better come without a coding. Many servers that compress hold the elements of a stream back until it ends,
    /// and respond to HEAD with a length that is that of nothing.
    fileprivate var prefersIdentity: Bool { frame == nil && (stream != nil || method == .head) }

    /// Whether links to its pages are taken to the service's own origin.
    fileprivate var takesLinksHome: Bool {
        if case .link(_, .own)? = pagination?.style { true } else { false }
    }
}
