extension SessionState {
    /// The gate's reply without waiting.
    ///
    /// Architecture invariant: only a command that can do without a session goes without a token.
    func answer(to question: SessionQuestion) -> SessionAnswer {
        if isOver(question.membership) { return .pass(.ended) }
        if question.membership == .none {
            // It belongs to no login, so no token is its own.
            if question.use == .required { return .pass(.refused(nil)) }
            return .pass(.granted(SessionSnapshot(generation: basis.generation, tokens: nil, epoch: nil)))
        }
        if !isLoaded { return .wait }
        switch question.aim {
        case .enter: return answerToNewcomer(question)
        case .replace(let generation):
            if renewal != nil { return .wait }
            if basis.generation > generation {
                if tokens != nil { return .pass(.granted(grant)) }
                return logins.isEmpty || question.isSentByResponder ? .pass(.refused(lastFailure)) : .wait
            }
            if !logins.isEmpty { return question.isSentByResponder ? .pass(.refused(nil)) : .wait }
            // Even where nothing can be done about them, another process may have put better ones into the store.
            return hasLogin || isShared || tokens != nil ? .renew : .pass(.refused(nil))
        }
    }

    private func answerToNewcomer(_ question: SessionQuestion) -> SessionAnswer {
        guard let tokens else { return answerWithoutTokens(question) }
        if question.waitsForNobody { return .pass(.granted(grant)) }
        if renewal != nil { return .wait }
        if question.isRenewed || tokens.expiry.map({ $0 > question.wallTime() }) ?? true {
            return .pass(.granted(grant))
        }
        // A login is under way, so no second one is asked for.
        if !logins.isEmpty { return question.isSentByResponder ? .pass(.granted(grant)) : .wait }
        return hasLogin || refreshRoute != nil ? .renew : .pass(.granted(grant))
    }

    private func answerWithoutTokens(_ question: SessionQuestion) -> SessionAnswer {
        if question.use == .optional { return .pass(.granted(grant)) }
        if question.waitsForNobody { return .pass(.refused(nil)) }
        if renewal != nil { return .wait }
        if !logins.isEmpty { return question.isSentByResponder ? .pass(.refused(nil)) : .wait }
        // Another process may have logged the user in.
        return hasLogin || isShared ? .renew : .pass(.refused(nil))
    }

    /// Whether a later session than that of this generation may exist.
    func isReplaceable(after generation: Int) -> Bool {
        renewal != nil || basis.generation > generation || hasLogin || isShared || tokens != nil || !logins.isEmpty
    }

    // MARK: Waiting

    mutating func wait(
        _ place: SessionWaiter.Place, _ question: SessionQuestion, _ order: WaitingOrder,
        _ start: @escaping DispatcherEnvironment.TaskStarter
    ) {
        lastID += 1
        let waiter = SessionWaiter(place: place, question: question, start: start, order: order, number: lastID)
        switch answer(to: question) {
        case .pass(let pass): return end(waiter, pass)
        case .wait: break
        case .renew: startRenewal(start)
        }
        waiters[ObjectIdentifier(place)] = waiter
    }

    mutating func leave(_ place: SessionWaiter.Place) {
        guard waiters.removeValue(forKey: ObjectIdentifier(place)) != nil else { return }
        // No command waits for the login form any more.
        if waiters.isEmpty, renewal?.stage == .asking { dissolveRenewal() }
        tellPhase()
    }

    /// Checks every waiter again: some may go on, and some may need a renewal that was not started yet.
    ///
    /// - Parameter isRenewed: whether there are new tokens, which are used regardless of their stated expiry.
    mutating func review(isRenewed: Bool = false) {
        if isLoaded {
            news.loaded += loading
            loading = []
            for waiter in waitersInOrder {
                var question = waiter.question
                if isRenewed { question.isRenewed = true }
                switch answer(to: question) {
                case .pass(let pass): end(waiter, pass)
                case .wait: break
                case .renew: startRenewal(waiter.start)
                }
            }
        }
        tellPhase()
    }

    /// Ends the waiting of all commands that wait for what has failed.
    mutating func endWaits(_ pass: (SessionWaiter) -> SessionPass) {
        for waiter in waitersInOrder { end(waiter, isOver(waiter.question.membership) ? .ended : pass(waiter)) }
    }

    mutating func refuseAll(with failure: (any Error)?) {
        endWaits { _ in .refused(failure) }
    }

    private mutating func end(_ waiter: SessionWaiter, _ pass: SessionPass) {
        waiters[ObjectIdentifier(waiter.place)] = nil
        let pass = forgiving(pass, waiter.question)
        guard case .granted = pass else { return news.refusals.append((waiter.place, pass)) }
        released.insert((waiter.place, pass), waiter.order)
        news.isReleasing = true
    }

    /// A command that can do without a session goes without one.
    private func forgiving(_ pass: SessionPass, _ question: SessionQuestion) -> SessionPass {
        guard question.use == .optional, case .enter = question.aim else { return pass }
        switch pass {
        case .refused, .unrenewed: return .granted(grant)
        case .granted, .ended: return pass
        }
    }

    private var waitersInOrder: [SessionWaiter] {
        waiters.values.sorted { ($0.order, $0.number) < ($1.order, $1.number) }
    }

    // MARK: Renewing

    /// Notes that the session has to be renewed, and what starts the task.
    mutating func startRenewal(_ starter: @escaping DispatcherEnvironment.TaskStarter) {
        guard renewal == nil else { return }
        lastID += 1
        var start = basis
        start.continuedEpoch = epoch?.number
        let renewal = SessionRenewal(id: lastID, start: start)
        self.renewal = renewal
        news.renewal = (renewal, starter)
        tellPhase()
    }

    /// The app is asked for a login from now on, or what it gave is sent. False where that is of no use any more: the app is
    /// not asked for a login that no command waits for.
    mutating func moveRenewal(_ id: Int, to stage: SessionRenewal.Stage) -> Bool {
        guard renewal?.id == id, stage != .asking || !waiters.isEmpty else { return false }
        renewal?.stage = stage
        return true
    }

    /// Another session has come, or no command waits for one: the login closure is cancelled.
    mutating func dissolveRenewal() {
        if let task = renewal?.task { news.cancelled.append(task) }
        renewal = nil
    }
}
