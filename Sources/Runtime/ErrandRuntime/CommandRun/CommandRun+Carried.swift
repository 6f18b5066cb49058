/// An attempt that a carrier makes, which outlasts the process.
struct CarriedAttempt {
    let transport: any Transport
    /// The earlier attempt that it continues; nil for a new one.
    let earlier: EarlierAttempt?
    /// The watch for the end of the login.
    let watch: Int?
}

extension CommandRun {
    /// Makes one attempt with a carrier that outlasts the process, or continues an attempt of an earlier process. Interceptors see an
    /// attempt only in the process that made it.
    func attempt(_ server: ServerAddress, over carrier: any CommandCarrier) async -> ReceivedResponse? {
        guard endpoint.frame == nil else {
            let broken = BrokenField(
                name: "connection", reason: "does not outlast the app, so send the command with `send`")
            return abandon(FailedAttempt(invalid: [broken], endpoint))
        }
        let transport: any Transport
        let earlier = carrier.earlier
        if let earlier {
            if session.isOver(membership) {
                carrier.cancel()
                return abandon(outlived())
            }
            takeUp(earlier, server)
            transport = carrier
        } else {
            if Task.isCancelled { return abandon(cancelled()) }
            if let refusal = await passGates(to: server) { return abandon(refusal) }
            carrier.prepare(
                AttemptFacts(
                    key: state.key?.text, login: session.login(of: membership), attempts: state.attempts + 1,
                    mayHaveBeenApplied: state.mayHaveBeenApplied))
            transport = dispatcher.intercepting(carrier)
        }
        guard timeLimit > .zero else { return abandon(timedOut()) }
        // The system follows redirects by itself. Those that it leaves are responses.
        request?.request.maximumRedirects = 0
        // The end of the login cancels the attempt, so no other user gets its result.
        let watch = session.watch(membership) { carrier.cancel() }
        carriage = CarriedAttempt(transport: transport, earlier: earlier, watch: watch)
        return await send()
    }

    /// Ends an attempt that a carrier has made.
    ///
    /// - Returns: the failure if the login of the command is over, whatever the attempt has brought.
    @inline(never)
    func endCarriage() -> FailedAttempt? {
        guard let carriage else { return nil }
        self.carriage = nil
        session.unwatch(carriage.watch)
        if let earlier = carriage.earlier, !earlier.mayRepeat { state.isBodyConsumed = true }
        return session.isOver(membership) ? outlived() : nil
    }

    /// The failure of a command whose login is over, although the server may have carried out the command.
    @inline(never)
    func outlived() -> FailedAttempt {
        state.mayHaveBeenApplied = state.mayHaveBeenApplied || endpoint.effect.isUnsafe
        return sessionEnded()
    }

    /// Rebuilds the request that an earlier process has sent. The response is compared with it, and failures print it.
    @inline(never)
    private func takeUp(_ earlier: EarlierAttempt, _ server: ServerAddress) {
        // The tokens of the earlier request are unknown, so a refusal isn't evidence against the current ones.
        let current = session.currentGrant
        grant = SessionSnapshot(generation: -1, tokens: current.tokens, epoch: current.epoch)
        state.host = server.origin
        if earlier.mayRepeat, case .success(let request) = encode(server) {
            self.request = request
            return
        }
        request = AssembledRequest(
            request: TransportRequest(
                method: endpoint.method, url: earlier.url,
                maximumResponseSize: dispatcher.settings.maximumResponseSize,
                endpoint: "\(endpoint.service.name).\(endpoint.name)", streamsResponse: endpoint.stream != nil),
            printedURL: earlier.url,
            secrets: [grant?.tokens?.access].compactMap { $0 } + call.route.credentials.values.flatMap(\.secrets),
            sensitiveNames: endpoint.service.sensitive)
    }
}
