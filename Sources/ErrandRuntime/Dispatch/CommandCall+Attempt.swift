extension CommandCall {
    /// The result of one attempt.
    enum Step {
        indirect case responded(ReplyParts)
        /// It failed, or was not made.
        case failed(FailedAttempt)
    }

    /// Passes the gates and makes one attempt.
    func attempt(
        _ server: ServerAddress, _ progress: CallProgress, into receiver: any ResponseReceiver
    ) async -> Step {
        // The evidence of an earlier attempt doesn't apply to this attempt, which has sent nothing yet.
        progress.account.evidence = .notSent
        progress.isStaleConnection = false
        if case .carried(let carrier, _) = role {
            return await attempt(server, over: carrier, progress, into: receiver)
        }
        if Task.isCancelled { return .failed(cancelled(progress)) }
        if let refusal = await passGates(to: server, progress) { return .failed(refusal) }
        let step = await send(progress, into: receiver)
        leaveHost(after: step, progress, receiver)
        return step
    }

    /// Releases the place at the host. A response that is still arriving keeps its place, because its connection is in use.
    @inline(never)
    private func leaveHost(after step: Step, _ progress: CallProgress, _ receiver: any ResponseReceiver) {
        if endpoint.stream != nil, case .responded = step, let host = progress.host, let opened = receiver.opened {
            opened.hold(HostPlace(host, route.dispatcher.hosts))
        } else {
            leaveHost(progress)
        }
    }

    /// Makes the request of the next attempt. Returns a failure if the command can't be sent as it is.
    @inline(never)
    func prepare(_ server: ServerAddress, _ progress: CallProgress) -> FailedAttempt? {
        switch encode(server, progress) {
        case .success(let request):
            // A whole URL may lead to another host, which has a budget of its own.
            progress.host = request.foreignOrigin ?? server.origin
            progress.request = request
            return nil
        case .failure(let problem): return FailedAttempt(invalid: problem.broken, endpoint)
        }
    }

    /// Sends the request and classifies the response.
    ///
    /// - Parameter transport: sends it in place of the dispatcher's transport.
    @inline(never)
    func send(
        over transport: (any Transport)? = nil, _ progress: CallProgress, into receiver: any ResponseReceiver
    ) async -> Step {
        let limit = timeLimit(progress)
        guard limit > .zero, let host = progress.host, let assembled = progress.request else {
            return .failed(timedOut(progress))
        }
        let start = environment.time.now
        let observed = begin(assembled, to: host, at: start, progress)
        let result = await route.dispatcher.attempt(assembled.request, over: transport, limit: limit) { [endpoint] in
            endpoint.isStreamed(by: $0)
        }
        return finish(result, assembled, observed, since: start, progress, into: receiver)
    }

    @inline(never)
    private func begin(
        _ assembled: AssembledRequest, to host: Origin, at start: Duration, _ progress: CallProgress
    ) -> Observation.BegunAttempt? {
        if progress.account.attempts == 0, !role.isConfirmation { route.dispatcher.budget.deposit(for: host) }
        progress.begin(assembled, at: start)
        assembled.request.command = type(of: command)
        assembled.request.needsNewConnection = progress.isTransparentRetry
        if route.dispatcher.isIntercepted { assembled.request.sent = SentRequest() }
        return observation?.attempt(assembled, to: host, isTransparentRetry: progress.isTransparentRetry)
    }

    @inline(never)
    private func finish(
        _ result: AttemptResult, _ assembled: AssembledRequest, _ observed: Observation.BegunAttempt?,
        since start: Duration, _ progress: CallProgress, into receiver: any ResponseReceiver
    ) -> Step {
        progress.request = nil
        progress.spent += environment.time.now - start
        progress.account.noteSent(assembled)
        // A file that has changed has other bytes than the command was made with.
        let isChanged = if case .failure(let fault) = result { fault.builtIn == .bodyChanged } else { false }
        progress.isBodySpent = isChanged || assembled.request.streamedBody?.isSpent ?? false
        let step = classify(result, assembled, progress, into: receiver)
        if let observed {
            var error: String?
            if case .failed(let failure) = step { error = failure.name }
            observation?.end(observed, assembled, result, error: error, progress.account.evidence)
        }
        return step
    }

    func encode(
        _ server: ServerAddress, _ progress: CallProgress
    ) -> Result<AssembledRequest, InvalidRequest> {
        let service = endpoint.service
        var encoder = RequestEncoder(
            method: endpoint.method, base: server.base, isSigned: service.signing != nil,
            sensitiveNames: service.sensitive, wallTime: environment.wallTime(), chance: environment.chance)
        command.encode(into: &encoder)
        if case .page(_, let link?) = role { encoder.follow(link) }
        if endpoint.effect == .keyed, progress.key == nil {
            progress.key = IdempotencyKey(JSONText.of(environment.chance.uuid()))
        }
        if let key = progress.key { encoder.add(key.text, at: endpoint.key) }
        if encoder.isAtHome {
            if let common = route.common { common(&encoder) }
            if let placement = service.session, let token = progress.grant?.tokens?.access {
                encoder.add(token, at: placement)
            }
            if let rule = service.signing {
                guard let key = route.signingKey else {
                    let broken = BrokenField(name: "signing", reason: "must have a key")
                    return .failure(InvalidRequest(broken: [broken]))
                }
                encoder.sign(rule, key: key)
            }
        }
        // The checksum is about the bytes themselves. A download asks for them without a coding anyway.
        if endpoint.checksum != nil, endpoint.response == .bytes { encoder.header("Accept-Encoding", "identity") }
        if let id = progress.lastEventID { encoder.header("Last-Event-ID", id) }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            // The caller wrote them for the command, and not for the read that confirms it.
            if role.isConfirmation, encoder.hasHeader(name) { continue }
            encoder.optionalHeader(name, value)
        }
        let settings = route.dispatcher.settings
        return encoder.finish(
            endpoint,
            RequestLimits(
                timeout: timeLimit(progress), maximumRedirects: endpoint.redirects ?? settings.maximumRedirects,
                maximumResponseSize: settings.maximumResponseSize, priority: limits.priority),
            home: server.origin)
    }

    private func classify(
        _ result: AttemptResult, _ assembled: AssembledRequest, _ progress: CallProgress,
        into receiver: any ResponseReceiver
    ) -> Step {
        let classification: Classification
        switch result {
        case .success(let response):
            progress.account.isRedirected =
                response.redirectedTo != nil || assembled.request.sent?.isRedirected ?? false
            let redactor = ResponseRedactor(
                assembled, maximumBodySize: route.dispatcher.settings.maximumFailureBodySize)
            classification = Classifier.classify(response, endpoint, redactor, &progress.account, into: receiver)
            if endpoint.stream != nil { progress.redactor = redactor }
            switch classification {
            case .success(let parts), .outcome(let parts):
                guard role.isPage, let problem = examine(response, assembled, progress, receiver) else {
                    return .responded(parts)
                }
                progress.account.underlying = problem
                // The page itself was read.
                progress.account.saysCarriedOut = true
                return .failed(FailedAttempt(.builtIn(.malformed, nil), endpoint, progress.account))
            case .declared, .builtIn:
                progress.account.retryAfter = RequestedPause.duration(
                    status: response.status, response.headers, endpoint.service.rateLimit, now: environment.wallTime)
            }
        case .failure(let fault):
            progress.fault = fault.kind
            progress.account.isRedirected = fault.isRedirected || assembled.request.sent?.isRedirected ?? false
            progress.isStaleConnection = fault.isStaleConnection
            classification = Classifier.classify(fault: fault, endpoint, &progress.account)
        }
        return .failed(FailedAttempt(classification, endpoint, progress.account))
    }

    /// The problem that prevents the use of a page, although the page can be read.
    @inline(never)
    private func examine(
        _ response: TransportResponse, _ assembled: AssembledRequest, _ progress: CallProgress,
        _ receiver: any ResponseReceiver
    ) -> PageProblem? {
        (receiver as? any PageReceiver)?.examine(
            response, from: response.redirectedTo ?? assembled.request.url, progress.membership)
    }

    /// How long the next attempt may take.
    func timeLimit(_ progress: CallProgress) -> Duration {
        let timeout = limits.timeout(isConstrained: !route.dispatcher.network.current.isUnmetered)
        return min(timeout, limits.deadline - progress.spent)
    }
}
