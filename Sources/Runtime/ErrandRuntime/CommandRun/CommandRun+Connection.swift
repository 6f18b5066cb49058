/// Sends the attempts of one command over a connection.
struct ConnectionTransport: Transport {
    let connection: PersistentConnection
    let facts: FrameFacts
    /// Its handshake was compared with them.
    var enforcesPins: Bool { true }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        try await connection.send(request, facts)
    }
}

extension CommandRun {
    /// Finds the connection of the next attempt. Returns a failure if there is none.
    @inline(never)
    func findConnection() -> FailedAttempt? {
        if case .attachment(let handle) = role {
            connection = handle as? PersistentConnection
            return nil
        }
        switch call.route.connection(session, membership) {
        case .success(let connection):
            self.connection = connection
            return nil
        case .failure(let problem): return FailedAttempt(invalid: problem.broken, endpoint)
        }
    }

    /// Whether the command may go without waiting for its connection to be opened again.
    ///
    /// - Parameter isInTurn: whether it has waited at the gate already, so that those who wait there do not go before it.
    func isConnected(isInTurn: Bool) -> Bool {
        role.isAttachment || connection?.isAdmitting(isInTurn: isInTurn) ?? true
    }

    /// Waits for the connection to be opened again. Nil if the command may go. The deadline, or the patience of a lost stream,
    /// covers this.
    func passConnection() async -> FailedAttempt? {
        guard let connection else { return nil }
        var ticket: Int?
        let result: WaitResult<ConnectionPass> = await wait(
            at: .connection, "the connection to \(connection.origin) was lost", limit: timeLeft,
            join: { ticket = connection.join(order, isRepetition: state.paysForConnection, $0) },
            leave: { _ in if let ticket { connection.leave(ticket) } })
        switch result {
        case .granted(.passed(let turn)):
            self.turn = turn ?? self.turn
            return nil
        case .granted(.refused(let fault)):
            let failure = state.note(fault)
            // It was others' opening that the budget did not pay for.
            return state.isReopening ? failure : failure.refused()
        case .timeOver: return outOfTime()
        case .cancelled: return cancelled()
        case .sessionEnded: return sessionEnded()
        }
    }

    /// What sends the next attempt over the connection; nil over HTTP.
    ///
    /// - Parameter end: when the time of the attempt is over.
    @inline(never)
    func frameTransport(until end: Duration) -> (any Transport)? {
        guard let connection, let frame = endpoint.frame else { return nil }
        let abandoned = abandoned ?? AbandonedFrames()
        self.abandoned = abandoned
        login = isPresentation ? LoginAttempt(over: connection) : nil
        let hasToken = endpoint.session != .none && !call.isLogin && grant?.tokens != nil
        // The attempt counts already.
        let facts = FrameFacts(
            endpoint: endpoint, frame: frame, grant: hasToken ? grant?.generation : nil,
            hasFailedBefore: state.summary.attempts > 1, isRepetition: state.paysForConnection, end: end,
            login: login?.reply,
            abandoned: abandoned)
        return dispatcher.intercepting(ConnectionTransport(connection: connection, facts: facts))
    }

    /// The generation of the session that the server has heard of, so that a refusal is of that one: a connection may have presented an
    /// older token in its handshake than the command has.
    var refusableGeneration: Int {
        let granted = grant?.generation ?? 0
        guard let connection, let presented = connection.core.withLock({ $0.presented }) else { return granted }
        return min(granted, presented)
    }

    /// The places of requests beside which the next attempt is made, if it needs one.
    var frameLimiter: ConcurrencyLimiter? {
        // What waits for the presentation has its places.
        guard let connection, let frame = endpoint.frame, !role.isAttachment else { return nil }
        return connection.places(for: frame.replies)
    }

    /// Notes that a login over a connection has ended, whose token the session has now if it was a success.
    ///
    /// - Parameter access: its token; nil if it has failed.
    func finishLogin(_ access: String?) {
        login?.end(access)
        login = nil
    }

    /// Whether its success authenticates the connection that it travels over. New tokens of a connection that isn't authenticated
    /// don't authenticate it.
    var isPresentation: Bool { call.isLogin && !(call.command is any RefreshCommand) }

    /// Hands a reply that comes after all to `completions(of:)`, if the command may have been carried out.
    @inline(never)
    func awaitLateReply() {
        guard let connection, endpoint.effect.isUnsafe, dispatcher.completions.areFollowed,
            let correlations = abandoned?.correlations, !correlations.isEmpty
        else { return }
        connection.awaitLate(correlations, makeLateReader(call.command))
    }

    private func makeLateReader<C: Command>(
        _ command: C
    ) -> @Sendable (TransportResponse) -> Void {
        let (endpoint, summary, dispatcher, secrets) = (endpoint, state.summary, dispatcher, lateSecrets)
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
