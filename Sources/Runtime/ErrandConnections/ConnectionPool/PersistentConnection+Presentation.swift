import ErrandRuntime

// The session's token on a connection: its presentation, and the request for another one.

extension PersistentConnection {
    func runPresentation(on link: ConnectionLink) async {
        // It may have ended before its turn came.
        guard core.withLock({ $0.link === link }) else { return }
        let (session, route) = core.withLock { ($0.session, $0.route) }
        let grant = grant
        guard let session, let route, let token = grant?.tokens?.access else { return refusePresentation(link, nil) }
        guard let attach = service.attach else {
            if core.withLock({ $0.refusedToken }) == token { return refusePresentation(link, nil) }
            // The token belongs into the handshake of another connection.
            return handle(.networkChanged)
        }
        guard let command = attach(token) as? any Command else {
            core.withLock { $0.refusedToken = token }
            return refusePresentation(link, nil)
        }
        let end = await present(command, through: route, in: session)
        // Another presentation has taken its place.
        if Task.isCancelled { return }
        switch end {
        case .accepted:
            core.withLock { $0.noteAccepted(grant) }
            handle(.presented(link.number))
        case .refused(let fault, let isSessionLost):
            step { core, _ in
                core.refusedToken = token
                // Who follows once a command has failed for this reason waits for another word of the server.
                if !isSessionLost { core.endChannels() }
            }
            refusePresentation(link, fault)
            if isSessionLost { askForToken() }
        case .failed(let kind): self.end(link, .fault(kind))
        }
    }

    private func present<C: Command>(
        _ command: C, through route: ServiceRoute, in session: Session
    ) async -> PresentationEnd {
        do throws(C.Failure) {
            try await route.sender.present(command, on: self, through: route, in: session)
            return .accepted
        } catch {
            let context = error.context
            let isReply = context.evidence == .responded
            guard isReply, error.category != .retryable else {
                return .failed((context.underlying as? TransportFault)?.kind ?? .lost)
            }
            let declared = C.endpoint.service.errors.first { $0.name == context.name }?.declaredName
            let end = ConnectionEnd(
                isLoss: false,
                builtIn: BuiltInError(rawValue: context.name)
                    ?? (error.category == .requiresLogout ? .unauthenticated : .rejected), declared: declared)
            return .refused(
                TransportFault(.authentication, evidence: .notSent, end, underlying: context.underlying),
                isSessionLost: error.category == .requiresLogout)
        }
    }

    /// How far apart the questions of followers are that do not count as a row.
    private static let rowEnd = Duration.seconds(60)

    /// Asks for another session for the followers of events, as a command does whose token was refused. Commands ask for themselves.
    func askForToken() {
        guard let grant, let tokens = grant.tokens, let epoch else { return }
        let now = environment.time.now
        // The server may say nothing against a token but its age.
        let isOld = tokens.expiry.map { $0 <= environment.wallTime() } ?? false
        let question = core.withLock { core -> (session: Session, dispatcher: Dispatcher, isFirst: Bool)? in
            guard core.followers > 0, core.refusedToken == tokens.access, core.asked?.generation != grant.generation,
                let session = core.session, let dispatcher = core.route?.dispatcher
            else { return nil }
            if isOld, let asked = core.asked, now - asked.moment >= Self.rowEnd { core.renewals = 0 }
            core.renewals += 1
            core.asked = (generation: grant.generation, moment: now)
            return (session, dispatcher, core.renewals == 1)
        }
        guard let (session, dispatcher, isFirst) = question else { return }
        let task = environment.startDetached {
            // A server that refuses the next token too would refuse all of them.
            guard isFirst else { return await session.expire(grant.generation, for: dispatcher) }
            let place = SessionWaiter.Place()
            session.replace(after: grant.generation, .epoch(epoch), for: dispatcher, place)
            guard case .granted(let admission) = await place.value(ifCancelled: .cancelled) else {
                // The last follower has left, and with it the reason for a login form.
                return session.leave(place)
            }
            switch admission.pass {
            // What follows the session presents its next token.
            case .granted, .ended: break
            case .refused: await session.expire(grant.generation, for: dispatcher)
            case .unrenewed: self.noteUnrenewed()
            }
        }
        let isUnwanted = core.withLock { core in
            core.asking = task
            return core.followers == 0
        }
        if isUnwanted { task.cancel() }
    }

    /// Nothing is known about the session. The next connection presents the token again, after its pause.
    private func noteUnrenewed() {
        let number = core.withLock { core -> Int? in
            (core.refusedToken, core.renewals) = (nil, 0)
            core.asked = nil
            return core.followers > 0 ? core.link?.number : nil
        }
        if let number { handle(.unrenewed(number)) }
    }
}

/// How the presentation of a token has ended.
private enum PresentationEnd {
    case accepted
    /// The server does not take the token: the fault of what waits for it, and whether another token may help.
    case refused(TransportFault, isSessionLost: Bool)
    /// No reply said anything about the token.
    case failed(TransportFault.Kind)
}
