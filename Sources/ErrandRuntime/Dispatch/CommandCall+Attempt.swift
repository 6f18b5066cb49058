extension CommandCall {
    /// What one attempt came to.
    enum Step {
        case responded(ReplyParts)
        /// It failed, or was not made.
        case failed(FailedAttempt)
    }

    /// Passes the gates and makes one attempt.
    func attempt(
        _ server: ServerAddress, _ progress: CallProgress, into receiver: any ResponseReceiver
    ) async -> Step {
        // What an earlier attempt met says nothing about this one, of which nothing was sent yet.
        progress.account.evidence = .notSent
        if Task.isCancelled { return .failed(cancelled(progress)) }
        let attempts = progress.account.attempts
        let step = await passAndSend(server, progress, into: receiver)
        if case .failed(let failure) = step, progress.probe != nil, !failure.isRefused,
            failure.category == .requiresLogout,
            canRenewSession(failure, progress), progress.renewals < RetryBounds.renewals
        {
            // The commands that follow the probe would be sent with the session that has just been refused.
            session.beginRenewal(self, after: progress.grant?.generation ?? 0)
        }
        reportConnectivity(wasSent: progress.account.attempts > attempts, progress)
        return step
    }

    private func passAndSend(
        _ server: ServerAddress, _ progress: CallProgress, into receiver: any ResponseReceiver
    ) async -> Step {
        while true {
            if let refusal = await passGates(to: server, progress) { return .failed(refusal) }
            var assembled: AssembledRequest
            switch encode(server, progress) {
            case .success(let request): assembled = request
            case .failure(let problem): return .failed(FailedAttempt(invalid: problem.broken, endpoint))
            }
            // A whole URL may lead to another host, which has a budget of its own.
            let host = assembled.foreignOrigin ?? server.origin
            progress.host = host
            let limiter = route.dispatcher.hosts
            if !limiter.enter(host) {
                if let refusal = await passHost(host, progress) { return .failed(refusal) }
                // The session and the network may have changed since the command came to wait.
                guard stillMayGo(server, progress) else {
                    limiter.leave(host)
                    continue
                }
                // What the request says of the time, and the token in it, must be true when it is sent.
                guard case .success(let request) = encode(server, progress) else {
                    limiter.leave(host)
                    return .failed(FailedAttempt(invalid: [], endpoint))
                }
                assembled = request
            }
            defer { limiter.leave(host) }
            return await send(&assembled, to: host, progress, into: receiver)
        }
    }

    /// Whether the gates would let the command through now. Takes the grant that there is.
    private func stillMayGo(_ server: ServerAddress, _ progress: CallProgress) -> Bool {
        guard progress.probe != nil || isOnline(server, progress) else { return false }
        if endpoint.session == .none { return true }
        if role.isRenewal {
            progress.grant = session.currentGrant
            return true
        }
        guard case .granted(let grant)? = session.admitAtOnce(self, progress.membership, isRenewed: progress.isRenewed)
        else {
            return false
        }
        progress.grant = grant
        return true
    }

    private func send(
        _ assembled: inout AssembledRequest, to host: Origin, _ progress: CallProgress,
        into receiver: any ResponseReceiver
    ) async -> Step {
        let limit = timeLimit(progress)
        guard limit > .zero else { return .failed(timedOut(progress)) }
        let start = environment.time.now
        if progress.account.attempts == 0, !role.isConfirmation { route.dispatcher.budget.deposit(for: host) }
        progress.begin(assembled, at: start)
        assembled.request.command = type(of: command)
        if route.dispatcher.isIntercepted { assembled.request.sent = SentRequest() }
        let observed = observation?.attempt(&assembled, to: host)
        let result = await route.dispatcher.attempt(assembled.request, limit: limit)
        progress.spent += environment.time.now - start
        progress.account.noteSent(assembled)
        let step = classify(result, assembled, progress, into: receiver)
        if let observed {
            var error: String?
            if case .failed(let failure) = step { error = failure.name }
            observation?.end(observed, result, error: error, progress.account.evidence)
        }
        return step
    }

    private func encode(
        _ server: ServerAddress, _ progress: CallProgress
    ) -> Result<AssembledRequest, InvalidRequest> {
        let service = endpoint.service
        var encoder = RequestEncoder(
            method: endpoint.method, base: server.base, isSigned: service.signing != nil,
            sensitiveNames: service.sensitive, wallTime: environment.wallTime(), chance: environment.chance)
        command.encode(into: &encoder)
        if let key = progress.key { encoder.header("Idempotency-Key", key.text) }
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
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { encoder.optionalHeader(name, value) }
        let settings = route.dispatcher.settings
        return encoder.finish(
            endpoint,
            RequestLimits(
                timeout: timeLimit(progress), maximumRedirects: settings.maximumRedirects,
                maximumResponseSize: settings.maximumResponseSize, priority: limits.priority))
    }

    private func classify(
        _ result: AttemptResult, _ assembled: AssembledRequest, _ progress: CallProgress,
        into receiver: any ResponseReceiver
    ) -> Step {
        let classification: Classification
        switch result {
        case .success(let response):
            classification = Classifier.classify(
                response, endpoint,
                ResponseRedactor(assembled, maximumBodySize: route.dispatcher.settings.maximumFailureBodySize),
                &progress.account, into: receiver)
            switch classification {
            case .success(let parts), .outcome(let parts): return .responded(parts)
            case .declared, .builtIn:
                progress.account.retryAfter = RetryAfter.pause(
                    response.headers, now: environment.wallTime)
            }
        case .failure(let fault):
            progress.fault = fault.kind
            classification = Classifier.classify(fault: fault, endpoint, &progress.account)
        }
        return .failed(FailedAttempt(classification, endpoint, progress.account))
    }

    /// How long the next attempt may take.
    private func timeLimit(_ progress: CallProgress) -> Duration {
        min(limits.timeout, limits.deadline - progress.spent)
    }
}
