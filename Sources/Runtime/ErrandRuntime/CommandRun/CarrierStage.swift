/// What a command has to do with a carrier, which outlasts the process.
final class CarrierStage: CommandStage {
    let carrier: any CommandCarrier
    /// The attempt under way; nil without any.
    private var attempt: CarriedAttempt?

    /// An attempt that the carrier makes.
    private struct CarriedAttempt {
        let transport: any Transport
        /// The earlier attempt that it continues; nil for a new one.
        let earlier: EarlierAttempt?
        /// The watch for the end of the login.
        let watch: Int?
    }

    init(of run: CommandRun, _ carrier: any CommandCarrier) {
        self.carrier = carrier
        super.init(of: run)
    }

    /// Takes up an attempt.
    ///
    /// - Parameter earlier: the attempt of an earlier process that it continues; nil for a new one.
    func begin(over transport: any Transport, continuing earlier: EarlierAttempt?) {
        let carrier = carrier
        // The end of the login cancels the attempt, so no other user gets its result.
        let watch = run.session.watch(run.membership) { carrier.cancel() }
        attempt = CarriedAttempt(transport: transport, earlier: earlier, watch: watch)
    }

    override func transport(until end: Duration) -> (any Transport)? { attempt?.transport }

    /// Ends the attempt. Returns a failure if the login of the command is over, whatever the attempt has brought.
    override func end() -> FailedAttempt? {
        guard let attempt else { return nil }
        self.attempt = nil
        run.session.unwatch(attempt.watch)
        if let earlier = attempt.earlier, !earlier.mayRepeat { run.state.isBodyConsumed = true }
        return run.session.isOver(run.membership) ? run.outlived() : nil
    }
}

extension CommandRun {
    /// Makes one attempt with a carrier that outlasts the process, or continues an attempt of an earlier process. Interceptors see an
    /// attempt only in the process that made it.
    func attempt(_ server: ServerAddress, _ stage: CarrierStage) async -> ReceivedResponse? {
        let carrier = stage.carrier
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
        stage.begin(over: transport, continuing: earlier)
        return await send()
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
