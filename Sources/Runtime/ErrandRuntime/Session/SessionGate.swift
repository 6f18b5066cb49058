extension Session {
    /// To which epoch a command belongs that is submitted now.
    func membership(of use: SessionUse, isLogout: Bool = false) -> CommandEpoch {
        if use == .none { return .none }
        return state.withLock { state in
            // Without a user, it goes without a session. A logout needs no login first. An expired session still has its user,
            // because the next login may be another user's.
            if state.isLoaded, state.epoch == nil, use == .optional || isLogout { return .none }
            return .epoch(state.epochToJoin)
        }
    }

    /// Whether the login that a command belongs to is still to come.
    func isToCome(_ membership: CommandEpoch) -> Bool { state.withLock { $0.isToCome(membership) } }

    /// Lets a command through that need not wait; nil if it has to.
    ///
    /// - Parameters:
    ///   - isRenewed: whether it has waited for a renewal already, and has not been sent since.
    ///   - isInTurn: whether it goes in its turn, which must not overtake commands that have waited here.
    @inline(never)
    func admitAtOnce(
        _ call: some SessionCommand, _ membership: CommandEpoch, isRenewed: Bool = false, isInTurn: Bool = false
    ) -> SessionPass? {
        let question = question(.enter, of: call, membership, isRenewed: isRenewed)
        return state.withLock { state in
            guard case .pass(let pass) = state.answer(to: question) else { return nil }
            if isInTurn, membership != .none, state.released.isBusy, case .granted = pass { return nil }
            return pass
        }
    }

    /// Waits for the session; it starts a login or a renewal if one is needed.
    func enter(
        _ call: some SessionCommand, _ membership: CommandEpoch, _ order: WaitingOrder,
        _ waiter: SessionWaiter.Place, isRenewed: Bool = false
    ) {
        join(question(.enter, of: call, membership, isRenewed: isRenewed), call, order, waiter)
    }

    /// Waits for a better session than that of a generation; its renewal is started if none is under way.
    func replace(
        _ call: some SessionCommand, after generation: Int, _ membership: CommandEpoch, _ order: WaitingOrder,
        _ waiter: SessionWaiter.Place
    ) {
        join(question(.replace(generation), of: call, membership, isRenewed: false), call, order, waiter)
    }

    /// The same, for what sends no command and still needs the session.
    package func replace(
        after generation: Int, _ membership: CommandEpoch, for dispatcher: Dispatcher, _ waiter: SessionWaiter.Place
    ) {
        let (environment, order) = (dispatcher.environment, dispatcher.submit(isRenewal: false, .normal))
        let question = SessionQuestion(
            aim: .replace(generation), membership: membership, use: .required, waitsForNobody: false,
            isSentByResponder: false, isRenewed: false, wallTime: environment.wallTime)
        change { $0.wait(waiter, question, order, environment.startDetached) }
        load(environment.startDetached)
    }

    package func leave(_ waiter: SessionWaiter.Place) {
        change { $0.leave(waiter) }
    }

    /// Starts the renewal that a command asks for. All commands share it, so it inherits neither the command's priority nor its
    /// task-local values. It does run within the same login closures and responders, because commands of the app's login
    /// closure must not wait for those.
    private func starter(for call: some SessionCommand) -> DispatcherEnvironment.TaskStarter {
        let start = ResponderScope.inheriting(LoginScope.inheriting(call.environment.startDetached))
        guard call.isSentByResponder, !ResponderScope.isOpen else { return start }
        return { work in start { await ResponderScope.run { await work() } } }
    }

    private func join(
        _ question: SessionQuestion, _ call: some SessionCommand, _ order: WaitingOrder, _ waiter: SessionWaiter.Place
    ) {
        let start = starter(for: call)
        change { $0.wait(waiter, question, order, start) }
        load(start)
    }

    private func question(
        _ aim: SessionQuestion.Aim, of call: some SessionCommand, _ membership: CommandEpoch, isRenewed: Bool
    ) -> SessionQuestion {
        // A logout needs no login first, and a login closure that sends a command cannot wait for its own login.
        let waitsForNobody = call.isLogout || call.isLogin || LoginScope.isOpen(for: self)
        return SessionQuestion(
            aim: aim, membership: membership, use: call.endpoint.session, waitsForNobody: waitsForNobody,
            isSentByResponder: call.isSentByResponder, isRenewed: isRenewed, wallTime: call.environment.wallTime)
    }

    // MARK: The epoch

    /// Whether a command may not be sent any more, since the session that it belongs to is over.
    @inline(never)
    func isOver(_ membership: CommandEpoch) -> Bool { state.withLock { $0.isOver(membership) } }

    /// Calls `ended` once when the epoch is over, which may be at once.
    ///
    /// - Returns: nil if there is nothing to watch.
    package func watch(_ membership: CommandEpoch, _ ended: @escaping @Sendable () -> Void) -> Int? {
        guard case .epoch(let number) = membership else { return nil }
        if let id = state.withLock({ $0.watch(number, ended) }) { return id }
        ended()
        return nil
    }

    func unwatch(_ id: Int?) {
        if let id { state.withLock { $0.unwatch(id) } }
    }

    // MARK: Logins of the app

    /// The app logs in: until that has come to something, no command is sent without a token, or asks for another login.
    @inline(never)
    func noteLogin(started call: some SessionCommand) {
        guard call.role.isOrdinary, !(call.command is any RefreshCommand) else { return }
        change { $0.logins.insert(ObjectIdentifier(call)) }
    }

    @inline(never)
    func noteLogin(ended call: some SessionCommand) {
        change { if $0.logins.remove(ObjectIdentifier(call)) != nil { $0.review() } }
    }

    /// The session as it is, for a command that is started now.
    func basis(continuing continuation: LoginContinuation?) -> SessionVersion {
        var basis = basis
        basis.continuedEpoch = continuedEpoch(continuation)
        return basis
    }

    /// The login that a login continues that is started now: the one that the surrounding login closure was asked for, or that of
    /// the incident whose client sends it. Nil for any other login, which may be another user's.
    func continuedEpoch(_ continuation: LoginContinuation? = nil) -> Int? {
        if let epoch = LoginScope.epoch(for: self) { return epoch }
        guard let continuation, continuation.login.session === identity, continuation.isOpen() else { return nil }
        return continuation.login.epoch
    }
}
