extension Session {
    /// Lets a command through to be sent, with the session that there is. It waits while one is being
    /// renewed, and starts a login where it needs one and the app can.
    ///
    /// - Parameter patience: how long it may wait; nil for any time.
    func admit(_ call: CommandCall, patience: Duration?) async -> SessionPass {
        await loadOnce()
        return forgiving(await ask(.enter(call), call, patience), call)
    }

    /// The same where nobody has to wait; nil where the command would have to.
    func admitAtOnce(_ call: CommandCall) -> SessionPass? {
        guard isLoaded else { return nil }
        if let pass = answer(.enter(call)) { return forgiving(pass, call) }
        // Nobody logs in to log out, and who asks for a login cannot wait for it.
        if call.isLogout || LoginScope.isOpen(for: self) { return .granted(state.withLock { $0.grant }) }
        return nil
    }

    /// Who can do without a session goes without one.
    private func forgiving(_ pass: SessionPass, _ call: CommandCall) -> SessionPass {
        if case .refused = pass, call.endpoint.session == .optional { return .granted(state.withLock { $0.grant }) }
        return pass
    }

    /// Waits for a better session than that of a generation; starts its renewal if nobody did.
    func renew(_ call: CommandCall, after generation: Int, patience: Duration?) async -> SessionPass {
        await ask(.replace(generation), call, patience)
    }

    /// Begins the renewal that a command is about to wait for, so that from now on nobody is let through with the session
    /// that there is.
    func beginRenewal(_ call: CommandCall, after generation: Int) {
        guard let start = state.withLock({ $0.beginRenewal(after: generation) }) else { return }
        _ = call.environment.start { await self.runRenewal(from: start) }
    }

    private func ask(
        _ question: SessionQuestion, _ call: CommandCall, _ patience: Duration?
    ) async -> SessionPass {
        if let answer = answer(question) { return answer }
        return await call.route.dispatcher.noteWaiting(call, at: .session, "the session is being renewed") {
            await join(question, call, patience)
        }
    }

    /// What the gate says without waiting; nil where there is something to wait for.
    private func answer(_ question: SessionQuestion) -> SessionPass? {
        state.withLock { state in
            var start: SessionBasis?
            return state.pass(question, hasLogin: login != nil, id: 0, waiter: nil, start: &start)
        }
    }

    private func join(
        _ question: SessionQuestion, _ call: CommandCall, _ patience: Duration?
    ) async -> SessionPass {
        guard let patience else { return await join(question, call) }
        guard patience > .zero else { return .refused(nil) }
        let time = call.environment.time
        return await withTaskGroup(of: SessionPass.self) { group in
            group.addTask { await self.join(question, call) }
            group.addTask { await time.sleep(for: patience) ? .refused(nil) : .cancelled }
            let first = await group.next() ?? .cancelled
            group.cancelAll()
            return first
        }
    }

    private func join(_ question: SessionQuestion, _ call: CommandCall) async -> SessionPass {
        while true {
            let pass = await joinOnce(question, call)
            if case .again = pass { continue }
            return pass
        }
    }

    /// Joins those who wait, once more looking first whether there is anything to wait for.
    private func joinOnce(_ question: SessionQuestion, _ call: CommandCall) async -> SessionPass {
        let id = state.withLock { $0.makeWaiterID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (answer, start) = state.withLock { state in
                    var start: SessionBasis?
                    // Looked at under the lock: a cancellation from now on finds the waiter.
                    let answer: SessionPass? = Task.isCancelled
                        ? .cancelled
                        : state.pass(
                            question, hasLogin: login != nil, id: id, waiter: waiter, start: &start)
                    return (answer, start)
                }
                if let answer { waiter.resume(returning: answer) }
                if let start { _ = call.environment.start { await self.runRenewal(from: start) } }
            }
        } onCancel: {
            state.withLock { $0.removeWaiter(id) }?.resume(returning: .cancelled)
        }
    }
}
