extension CommandCall {
    /// Notes the attempts that an earlier process has made for the command.
    @inline(never)
    func note(_ earlier: EarlierAttempt, _ progress: CallProgress) {
        progress.attempts = earlier.attempts - 1
        progress.account.attempts = earlier.attempts - 1
        progress.isOpen = earlier.isOpen
        if let key = earlier.key {
            progress.key = IdempotencyKey(key.text, firstUse: environment.time.now - key.age)
        }
    }

    /// Makes one attempt with a carrier that outlasts the process, or continues an attempt of an earlier process. Interceptors see an
    /// attempt only in the process that made it.
    func attempt(
        _ server: ServerAddress, over carrier: any CommandCarrier, _ progress: CallProgress,
        into receiver: any ResponseReceiver
    ) async -> Step {
        let transport: any Transport
        let earlier = carrier.earlier
        if let earlier {
            if session.isOver(progress.membership) {
                carrier.cancel()
                return .failed(abandoned(progress))
            }
            takeUp(earlier, server, progress)
            transport = carrier
        } else {
            if Task.isCancelled { return .failed(cancelled(progress)) }
            if let refusal = await passGates(to: server, progress) { return .failed(refusal) }
            carrier.prepare(
                AttemptFacts(
                    key: progress.key?.text, login: session.login(of: progress.membership),
                    attempts: progress.attempts + 1, isOpen: progress.isOpen))
            transport = route.dispatcher.intercepting(carrier)
        }
        guard timeLimit(progress) > .zero else { return .failed(timedOut(progress)) }
        // The system follows redirects by itself. Those that it leaves are responses.
        progress.request?.request.maximumRedirects = 0
        // The end of the login cancels the attempt, so no other user gets its result.
        let watch = session.watch(progress.membership) { carrier.cancel() }
        let step = await send(over: transport, progress, into: receiver)
        session.unwatch(watch)
        if let earlier, !earlier.mayRepeat { progress.isBodySpent = true }
        if session.isOver(progress.membership) { return .failed(abandoned(progress)) }
        return step
    }

    /// The failure of a command whose login is over, although the server may have carried out the command.
    @inline(never)
    private func abandoned(_ progress: CallProgress) -> FailedAttempt {
        progress.isOpen = progress.isOpen || endpoint.effect.isUnsafe
        return sessionEnded(progress)
    }

    /// Rebuilds the request that an earlier process has sent. The response is compared with it, and failures print it.
    @inline(never)
    private func takeUp(_ earlier: EarlierAttempt, _ server: ServerAddress, _ progress: CallProgress) {
        // The tokens of the earlier request are unknown, so a refusal isn't evidence against the current ones.
        let current = session.currentGrant
        progress.grant = SessionGrant(generation: -1, tokens: current.tokens, epoch: current.epoch)
        progress.host = server.origin
        if earlier.mayRepeat, case .success(let request) = encode(server, progress) {
            progress.request = request
            return
        }
        progress.request = AssembledRequest(
            request: TransportRequest(
                method: endpoint.method, url: earlier.url,
                maximumResponseSize: route.dispatcher.settings.maximumResponseSize,
                endpoint: "\(endpoint.service.name).\(endpoint.name)", streamsResponse: endpoint.stream != nil),
            printedURL: earlier.url, secrets: [progress.grant?.tokens?.access].compactMap { $0 },
            sensitiveNames: endpoint.service.sensitive)
    }
}
