/// How one step of a renewal went.
enum LoginStep: Sendable {
    case succeeded
    /// Nobody wants to log in.
    case declined
    case failed(any Error)
}

extension Session {
    /// Renews the session, and tells all who wait for it. It runs in a task of its own: those who wait
    /// may be cancelled, the others still want it.
    func runRenewal(of generation: Int) async {
        var failure: (any Error)?
        if let route = state.withLock({ $0.refreshRoute }), let type = route.refresh,
            let token = tokens?.refresh
        {
            switch await refresh(type, token, through: route) {
            case .succeeded: return await finishRenewal(of: generation, failure: nil, isOver: false)
            case .declined: break
            case .failed(let error):
                // Without an answer, the refresh token may still be good: nobody is logged out by a
                // bad connection.
                if !Self.isRefusal(error) {
                    return await finishRenewal(of: generation, failure: error, isOver: false)
                }
                failure = error
            }
        }
        for _ in 0..<maximumAsks {
            guard let login else { break }
            switch await login(self) {
            case .succeeded, .declined:
                return await finishRenewal(of: generation, failure: failure, isOver: true)
            case .failed(let error):
                failure = error
                if !Self.isRefusal(error) {
                    return await finishRenewal(of: generation, failure: error, isOver: true)
                }
            }
        }
        await finishRenewal(of: generation, failure: failure, isOver: true)
    }

    /// Sends a login command of the app.
    func send<C: LoginCommand>(_ command: C, through route: ServiceRoute) async -> LoginStep {
        let binding = ServiceBinding(route: route, session: self)
        switch await binding.perform(command, as: .renewal) {
        case .success: return .succeeded
        case .failure(let failure): return .failed(failure)
        }
    }

    private func refresh<C: RefreshCommand>(
        _ type: C.Type, _ token: String, through route: ServiceRoute
    ) async -> LoginStep {
        let step = await send(C(refreshToken: token), through: route)
        if case .succeeded = step, let kept = state.withLock({ $0.keep(refresh: token) }) {
            await store.save(kept)
        }
        return step
    }

    private func finishRenewal(of generation: Int, failure: (any Error)?, isOver: Bool) async {
        let (waiters, pass, isEnded) = state.withLock {
            $0.finishRenewal(of: generation, failure: failure, isOver: isOver)
        }
        if isEnded { await store.save(nil) }
        for waiter in waiters { waiter.resume(returning: pass) }
    }

    /// Whether the server looked at the credentials and refused them.
    private static func isRefusal(_ error: any Error) -> Bool {
        guard let failure = error as? any CommandFailure else { return false }
        let context = failure.context
        guard let status = context.status, status < 500 else { return false }
        return context.category != .retryable && context.malformation == nil
    }
}
