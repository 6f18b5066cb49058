/// How one step of a renewal went.
enum LoginStep: Sendable {
    case succeeded
    /// Nobody wants to log in, or there is nothing to renew with.
    case declined
    case failed(any Error)
}

extension Session {
    /// Renews the session, and tells all who wait for it. It runs in a task of its own: those who wait
    /// may be cancelled, the others still want it.
    func runRenewal(from start: SessionBasis) async {
        // Another session may have come since it was asked for.
        guard isCurrent(start) else { return await finishRenewal(from: start, nil) }
        var failure: (any Error)?
        switch await store.exclusively({ latest in await self.renewSilently(from: start, latest) }) {
        case .succeeded: return await finishRenewal(from: start, nil)
        case .declined: break
        case .failed(let error):
            // Without an answer, the refresh token may still be good: nobody is logged out by a bad
            // connection.
            if !Self.isRefusal(error) { return await finishRenewal(from: start, error) }
            failure = error
        }
        var asks = 0
        while let login, asks < maximumAsks, isCurrent(start) {
            asks += 1
            switch await login(self, LoginReason(ask: asks, previousFailure: failure), start) {
            case .succeeded, .declined: return await giveUp(start, failure)
            case .failed(let error):
                failure = error
                if !Self.isRefusal(error) { return await giveUp(start, error) }
            }
        }
        await giveUp(start, failure)
    }

    /// Whether the session is still the one that somebody started from.
    func isCurrent(_ start: SessionBasis) -> Bool {
        state.withLock { $0.basis.generation == start.generation }
    }

    /// Sends a command that begins a session, on the session's own behalf.
    func send<C: LoginCommand>(
        _ command: C, through route: ServiceRoute, from start: SessionBasis
    ) async -> LoginStep {
        let binding = ServiceBinding(route: route, session: self)
        do throws(C.Failure) {
            _ = try await binding.perform(command, as: .renewal(start))
            return .succeeded
        } catch {
            return .failed(error)
        }
    }

    /// Renews the session without asking anybody: with what another process has got meanwhile, or with
    /// the contract's refresh command.
    private func renewSilently(from start: SessionBasis, _ latest: KeptSession) async -> LoginStep {
        switch latest {
        case .tokens(let tokens): if state.withLock({ $0.adopt(tokens, from: start) }) { return .succeeded }
        // Its refresh token may still be good. Whoever logged out does not want it used.
        case .ended: return .declined
        case .unknown: break
        }
        let (route, token) = state.withLock { ($0.refreshRoute, $0.tokens?.refresh) }
        guard let route, let token, let type = route.refresh else { return .declined }
        return await refresh(type, token, through: route, from: start)
    }

    private func refresh<C: RefreshCommand>(
        _ type: C.Type, _ token: String, through route: ServiceRoute, from start: SessionBasis
    ) async -> LoginStep {
        await send(C(refreshToken: token), through: route, from: start)
    }

    /// Ends what could not be renewed, unless another process has got a better one by now: a person may have taken
    /// long to answer, and what is removed from the store is gone for all who share it.
    private func giveUp(_ start: SessionBasis, _ failure: (any Error)?) async {
        guard isCurrent(start) else { return await finishRenewal(from: start, failure) }
        await store.exclusively { latest in
            if case .tokens(let tokens) = latest { _ = self.state.withLock { $0.adopt(tokens, from: start) } }
            await self.finishRenewal(from: start, failure, isOver: true)
        }
    }

    private func finishRenewal(
        from start: SessionBasis, _ failure: (any Error)?, isOver: Bool = false
    ) async {
        let told = state.withLock { $0.finishRenewal(from: start, failure: failure, isOver: isOver) }
        await persist()
        for (waiter, pass) in told { waiter.end(.granted(pass)) }
    }

    /// Whether somebody looked at the credentials and refused them: the server, or the contract, whose
    /// constraints a password of three letters may break.
    static func isRefusal(_ error: any Error) -> Bool {
        guard let failure = error as? any CommandFailure else { return false }
        let context = failure.context
        if context.name == CommandFault.Kind.invalidRequest.rawValue { return true }
        guard let status = context.status, status < 500 else { return false }
        return context.category != .retryable && context.malformation == nil
    }
}
