/// How one step of a renewal went.
enum LoginStep: Sendable {
    case succeeded
    /// The app declined to log in, or there is nothing to renew with.
    case declined
    /// The server refused what was sent.
    case refused(any Error)
    /// No response said anything about the session.
    case failed(any Error)
}

extension Session {
    /// Renews the session, and tells all commands that wait for it. It runs in a task of its own: those that wait
    /// may be cancelled, the others still want it.
    func runRenewal(_ renewal: SessionRenewal) async {
        var failure: (any Error)?
        switch await store.exclusively({ latest in await self.renewSilently(renewal, latest) }) {
        case .succeeded: return finish(renewal, nil)
        case .declined: break
        case .refused(let error): failure = error
        // Without a response, the refresh token may still be valid. A bad connection, or a gateway that responds in the
        // server's place, must not log a user out.
        case .failed(let error): return finish(renewal, error)
        }
        var asks = 0
        while login != nil, asks < maximumAsks, change({ $0.moveRenewal(renewal.id, to: .asking) }) {
            asks += 1
            switch await ask(LoginReason(ask: asks, previousFailure: failure), renewal) {
            case .succeeded, .declined: return await giveUp(renewal, failure)
            case .refused(let error): failure = error
            case .failed(let error): return await giveUp(renewal, error)
            }
        }
        await giveUp(renewal, failure)
    }

    /// Whether the renewal is still wanted.
    private func isWanted(_ renewal: SessionRenewal) -> Bool {
        state.withLock { $0.renewal?.id == renewal.id }
    }

    /// Sends a command that begins a session, on the session's own behalf.
    func send<C: LoginCommand>(
        _ command: C, through route: ServiceRoute, from start: SessionVersion,
        isRefused: @Sendable (any Error) -> Bool = { isRefusal($0) }
    ) async -> LoginStep {
        do throws(C.Failure) {
            try await route.sender.send(command, through: route, in: self, from: start)
            return .succeeded
        } catch {
            return isRefused(error) ? .refused(error) : .failed(error)
        }
    }

    /// Asks the app for a login. Another process that shares the store may log in meanwhile. The user then doesn't need to
    /// answer.
    private func ask(_ reason: LoginReason, _ renewal: SessionRenewal) async -> LoginStep {
        guard let login else { return .declined }
        guard store.isShared, let environment = state.withLock({ $0.routes.environment }) else {
            return await login(self, reason, renewal)
        }
        let watch = environment.startDetached {
            while await environment.time.sleep(for: Self.lookPause), self.isWanted(renewal) {
                await self.store.exclusively { latest in self.take(latest, renewal) }
            }
        }
        defer { watch.cancel() }
        return await login(self, reason, renewal)
    }

    /// How often the store is looked at while the app is being asked.
    private static let lookPause = Duration.seconds(1)

    /// Takes what another process has put into the store.
    private func take(_ latest: KeptSession, _ renewal: SessionRenewal) {
        change { state in
            guard state.renewal?.id == renewal.id else { return }
            switch latest {
            case .tokens(let tokens): _ = state.adopt(tokens, from: renewal.start)
            // Its refresh token may still be valid, but a user who logged out does not want it used.
            case .ended: state.endElsewhere(from: renewal.start)
            case .unknown: break
            }
        }
    }

    /// Renews the session without asking the app: with what another process has got meanwhile, or with
    /// the contract's refresh command.
    private func renewSilently(_ renewal: SessionRenewal, _ latest: KeptSession) async -> LoginStep {
        take(latest, renewal)
        // Another session may have come since it was asked for.
        guard isWanted(renewal) else { return .succeeded }
        let (route, token) = state.withLock { ($0.refreshRoute, $0.tokens?.refresh) }
        guard let route, let token, let type = route.refresh else { return .declined }
        return await refresh(type, token, through: route, from: renewal.start)
    }

    private func refresh<C: RefreshCommand>(
        _ type: C.Type, _ token: String, through route: ServiceRoute, from start: SessionVersion
    ) async -> LoginStep {
        await send(C(refreshToken: token), through: route, from: start) { Self.endsSession($0, C.endpoint.service) }
    }

    /// Ends a session that could not be renewed, unless another process has stored a better one by now. A person may have taken
    /// long to answer, and removing the session from the store removes it for all processes that share the store.
    private func giveUp(_ renewal: SessionRenewal, _ failure: (any Error)?) async {
        guard isWanted(renewal) else { return }
        // A login whose response has no token begins no session. Any other login has begun one.
        if state.withLock({ $0.renewal?.stage == .done }) { return finish(renewal, nil) }
        await store.exclusively { latest in
            self.take(latest, renewal)
            self.change { $0.finishRenewal(renewal.id, failure, isOver: true) }
            await self.persist()
        }
    }

    private func finish(_ renewal: SessionRenewal, _ failure: (any Error)?) {
        change { $0.finishRenewal(renewal.id, failure, isOver: false) }
    }

    /// Whether the response to a renewal ends the session.
    ///
    /// An error of RFC 6749 decides first: only `invalid_grant` is about the refresh token, and the others are about the app. Without
    /// one, a declared error whose category requires a login ends the session, and so do 400, 401 and every declared error that a retry
    /// cannot fix. Any other response may come from a gateway, and shows nothing about the refresh token.
    static func endsSession(_ error: any Error, _ service: ServiceDescription) -> Bool {
        guard let failure = error as? any CommandFailure else { return false }
        let context = failure.context
        guard failure.category != .retryable, context.decodingError == nil else { return false }
        if let error = context.underlying as? TokenEndpointError { return error == .invalidGrant }
        let declared = service.errors.first { $0.name == context.name }
        if declared?.category == .requiresLogout { return true }
        if context.status == 400 || context.status == 401 { return true }
        // Errors that all endpoints share may come from a gateway, such as its 403.
        return declared.map { !$0.isShared } ?? false
    }

    /// Whether the server, or the contract, has refused the credentials.
    static func isRefusal(_ error: any Error) -> Bool {
        (error as? any CommandFailure)?.refusesCredentials ?? false
    }
}
