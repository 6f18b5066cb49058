/// Sends the attempts of one command over a connection.
struct ConnectionTransport: Transport {
    let connection: any CommandConnection
    let facts: FrameFacts
    /// Its handshake was compared with them.
    var enforcesPins: Bool { true }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        try await connection.send(request, facts)
    }
}

/// What a command has to do with the connection that it travels over.
final class ConnectionStage: CommandStage {
    /// The connection that the next attempt, or the last one, travels over; nil before the first.
    private var connection: (any CommandConnection)?
    /// The requests whose replies were not waited for.
    private let abandoned = AbandonedFrames()
    /// What must not be printed of a reply that comes after all.
    private var lateSecrets: [String] = []
    /// The last attempt of a login, until the session has its token.
    private var login: LoginAttempt?

    override func begin(to server: ServerAddress) -> ReceivedResponse? {
        endLogin(nil)
        return nil
    }

    /// Finds the connection of the next attempt. Returns a failure if there is none.
    override func prepare() -> FailedAttempt? {
        if case .attachment(let handle) = run.role {
            connection = handle as? any CommandConnection
            return nil
        }
        switch run.call.route.connection(run.session, run.membership) {
        case .success(let connection):
            self.connection = connection
            return nil
        case .failure(let problem): return FailedAttempt(invalid: problem.broken, run.endpoint)
        }
    }

    /// Whether the command may go without waiting for its connection to be opened again.
    override func isOpen(isInTurn: Bool) -> Bool {
        run.role.isAttachment || connection?.isAdmitting(isInTurn: isInTurn) ?? true
    }

    /// Waits for the connection to be opened again. The deadline, or the patience of a lost stream, covers this.
    override func pass() async -> FailedAttempt? {
        guard let connection else { return nil }
        let run = run
        var ticket: Int?
        let result: WaitResult<ConnectionPass> = await run.wait(
            at: .connection, "the connection to \(connection.origin) was lost", limit: run.timeLeft,
            join: { ticket = connection.join(run.order, isRepetition: run.state.paysForConnection, $0) },
            leave: { _ in if let ticket { connection.leave(ticket) } })
        return finish(result)
    }

    @inline(never)
    private func finish(_ result: WaitResult<ConnectionPass>) -> FailedAttempt? {
        switch result {
        case .granted(.passed(let turn)):
            run.turn = turn ?? run.turn
            return nil
        case .granted(.refused(let fault)):
            let failure = run.state.note(fault)
            // It was others' opening that the budget did not pay for.
            return run.state.isReopening ? failure : failure.refused()
        case .timeOver: return run.outOfTime()
        case .cancelled: return run.cancelled()
        case .sessionEnded: return run.sessionEnded()
        }
    }

    /// The places of requests beside which the next attempt is made, if it needs one.
    override var limiter: ConcurrencyLimiter? {
        // What waits for the presentation has its places.
        guard let connection, let frame = run.endpoint.frame, !run.role.isAttachment else { return nil }
        return connection.places(for: frame.replies)
    }

    override func transport(until end: Duration) -> (any Transport)? {
        let (endpoint, grant) = (run.endpoint, run.grant)
        guard let connection, let frame = endpoint.frame else { return nil }
        login = isPresentation ? LoginAttempt(over: connection) : nil
        if endpoint.effect.isUnsafe { lateSecrets = run.request?.secrets ?? [] }
        let hasToken = endpoint.session != .none && !run.call.isLogin && grant?.tokens != nil
        // The attempt counts already.
        let facts = FrameFacts(
            endpoint: endpoint, frame: frame, grant: hasToken ? grant?.generation : nil,
            hasFailedBefore: run.state.summary.attempts > 1, isRepetition: run.state.paysForConnection, end: end,
            login: login?.reply,
            abandoned: abandoned)
        return run.dispatcher.intercepting(ConnectionTransport(connection: connection, facts: facts))
    }

    /// A refusal is of the generation of the session that the server has heard of: a connection may have presented an older token in its
    /// handshake than the command has.
    override func add(to facts: inout CommandFacts) {
        guard let presented = connection?.presented else { return }
        facts.generation = min(facts.generation, presented)
    }

    override func endLogin(_ access: String?) {
        login?.end(access)
        login = nil
    }

    /// Whether its success authenticates the connection that it travels over. New tokens of a connection that isn't authenticated
    /// don't authenticate it.
    private var isPresentation: Bool { run.call.isLogin && !(run.call.command is any RefreshCommand) }

    /// Hands a reply that comes after all to `completions(of:)`, if the command may have been carried out.
    override func endUnconfirmed() {
        let correlations = abandoned.correlations
        guard let connection, run.endpoint.effect.isUnsafe, run.dispatcher.completions.areFollowed,
            !correlations.isEmpty
        else { return }
        connection.awaitLate(correlations, makeLateReader(run.call.command))
    }

    private func makeLateReader<C: Command>(
        _ command: C
    ) -> @Sendable (TransportResponse) -> Void {
        let (endpoint, summary, dispatcher, secrets) = (run.endpoint, run.state.summary, run.dispatcher, lateSecrets)
        return { [weak dispatcher] response in
            guard let dispatcher else { return }
            var summary = summary
            let request = AssembledRequest(
                request: TransportRequest(method: .post, url: ""), printedURL: "", secrets: secrets,
                sensitiveNames: endpoint.service.sensitive)
            let redactor = ResponseRedactor(request, maximumBodySize: dispatcher.settings.maximumFailureBodySize)
            do throws(ClassifiedError) {
                let reply = try Classifier.read(response, endpoint, redactor, &summary, with: CommandReader<C>())
                dispatcher.completions.tell(command, .success(reply))
            } catch {
                let ending = FailedAttempt(error, endpoint, summary).ending(summary)
                if case .unconfirmed = ending { return }
                dispatcher.completions.tell(command, .failure(C.Failure(ending)))
            }
        }
    }
}
