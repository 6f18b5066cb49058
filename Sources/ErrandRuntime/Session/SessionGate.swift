extension Session {
    /// Lets a command through to be sent, with the session that there is. It waits while one is being
    /// renewed, and starts a login where it needs one and the app can.
    func admit(_ call: CommandCall) async -> SessionPass {
        await loadOnce()
        let question = SessionQuestion.enter(use(of: call), now: call.surroundings.wallTime)
        let pass = await ask(question, call)
        if case .refused = pass, call.endpoint.session == .optional { return .granted(await current()) }
        return pass
    }

    /// Waits for a better session than that of a generation; starts its renewal if nobody did.
    func renew(_ call: CommandCall, after generation: Int) async -> SessionPass {
        await ask(.replace(generation), call)
    }

    /// Nobody logs in to log out.
    private func use(of call: CommandCall) -> SessionUse {
        guard call.endpoint.session == .required, tokens == nil else { return call.endpoint.session }
        return call.command is any LogoutCommand ? .optional : .required
    }

    private func ask(_ question: SessionQuestion, _ call: CommandCall) async -> SessionPass {
        var isStarting = false
        let answer = state.withLock { state in
            state.pass(question, hasLogin: login != nil, id: 0, waiter: nil, isStarting: &isStarting)
        }
        if let answer { return answer }
        guard let patience = call.endpoint.patience else { return await join(question, call) }
        let time = call.surroundings.time
        return await withTaskGroup(of: SessionPass.self) { group in
            group.addTask { await self.join(question, call) }
            group.addTask { await time.sleep(for: patience) ? .refused(nil) : .cancelled }
            let first = await group.next() ?? .cancelled
            group.cancelAll()
            return first
        }
    }

    /// Joins those who wait, once more looking first whether there is anything to wait for.
    private func join(_ question: SessionQuestion, _ call: CommandCall) async -> SessionPass {
        let id = state.withLock { $0.makeWaiterID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                var isStarting = false
                let answer = state.withLock { state in
                    // Looked at under the lock: a cancellation from now on finds the waiter.
                    Task.isCancelled
                        ? .cancelled
                        : state.pass(
                            question, hasLogin: login != nil, id: id, waiter: waiter,
                            isStarting: &isStarting)
                }
                if let answer { waiter.resume(returning: answer) }
                if isStarting { startRenewal(call.surroundings) }
            }
        } onCancel: {
            state.withLock { $0.removeWaiter(id) }?.resume(returning: .cancelled)
        }
    }

    private func startRenewal(_ surroundings: DispatcherSurroundings) {
        let generation = state.withLock { $0.generation }
        surroundings.start { await self.runRenewal(of: generation) }
    }
}
