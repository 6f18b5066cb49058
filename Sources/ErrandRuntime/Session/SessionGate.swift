extension Session {
    /// Which login a command belongs to that is submitted now.
    func membership(of use: SessionUse) -> SessionMembership { use == .none ? .none : .undecided }

    /// Whether the login is over.
    func isOver(_ membership: SessionMembership) -> Bool { false }

    /// Has `ended` called when the login is over. Nil where there is nothing to watch.
    func watch(_ membership: SessionMembership, _ ended: @escaping @Sendable () -> Void) -> Int? { nil }

    func unwatch(_ id: Int?) {}

    /// The app's own login command is under way.
    func noteLogin(started call: CommandCall) {}
    func noteLogin(ended call: CommandCall) {}

    /// The session as it is, without waiting for a renewal.
    var currentGrant: SessionGrant { state.withLock { $0.grant } }

    /// Ends the wait when the store has been read.
    func load(_ call: CommandCall, _ waiter: GateWaiter<SessionPass>) {
        _ = call.environment.start {
            await self.loadOnce()
            waiter.end(.granted(.again))
        }
    }

    /// Lets a command through that need not wait; nil where it has to.
    func admitAtOnce(_ call: CommandCall, _ membership: SessionMembership) -> SessionPass? {
        guard isLoaded else { return nil }
        if let pass = answer(.enter(call)) { return forgiving(pass, call) }
        // A logout needs no login first, and a command from inside a login closure cannot wait for it.
        if call.isLogout || LoginScope.isOpen(for: self) { return .granted(currentGrant) }
        return nil
    }

    /// An optional command goes without a session where there is none.
    private func forgiving(_ pass: SessionPass, _ call: CommandCall) -> SessionPass {
        if case .refused = pass, call.endpoint.session == .optional { return .granted(currentGrant) }
        return pass
    }

    /// Ends the wait of a command that wants to be sent when it may; starts a renewal where it needs one.
    func enter(_ call: CommandCall, _ membership: SessionMembership, _ waiter: GateWaiter<SessionPass>) {
        join(.enter(call), call, waiter)
    }

    /// Ends the wait when there is a better session than that of a generation; starts its renewal if nothing else did.
    func replace(
        _ call: CommandCall, after generation: Int, _ membership: SessionMembership, _ waiter: GateWaiter<SessionPass>
    ) {
        join(.replace(generation), call, waiter)
    }

    /// Takes a waiter out that does not want a session any more.
    func leave(_ waiter: GateWaiter<SessionPass>) {
        state.withLock { $0.removeWaiter(waiter) }
    }

    /// Begins the renewal that a command is about to wait for, so that from now on nothing is let through with the session
    /// that there is.
    func beginRenewal(_ call: CommandCall, after generation: Int) {
        guard let start = state.withLock({ $0.beginRenewal(after: generation) }) else { return }
        _ = call.environment.start { await self.runRenewal(from: start) }
    }

    /// What the gate says without waiting; nil where there is something to wait for.
    private func answer(_ question: SessionQuestion) -> SessionPass? {
        state.withLock { state in
            var start: SessionBasis?
            return state.pass(question, hasLogin: login != nil, waiter: nil, start: &start)
        }
    }

    private func join(_ question: SessionQuestion, _ call: CommandCall, _ waiter: GateWaiter<SessionPass>) {
        let (pass, start) = state.withLock { state in
            var start: SessionBasis?
            let pass = state.pass(question, hasLogin: login != nil, waiter: waiter, start: &start)
            return (pass, start)
        }
        if let pass { waiter.end(.granted(forgiving(pass, call))) }
        if let start { _ = call.environment.start { await self.runRenewal(from: start) } }
    }
}

/// Which login of its session a command belongs to.
enum SessionMembership: Sendable, Hashable {
    /// None: the endpoint knows no session, or the session itself sends the command.
    case none
    /// The command was submitted while nobody was logged in, and joins the first login.
    case undecided
    /// The login of this epoch.
    case epoch(Int)
}
