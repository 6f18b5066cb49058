/// Carries one command out: does what each step of its state says, and tells the state what came of it. The code is the same for
/// all commands. The typed response is read in one function, `read`, which returns it to the command's caller.
///
/// An object of the one task that carries the command out. Its state as a value would be in the frame of every function on the way
/// several times, and a waiting command would be three times as large.
///
/// For the same reason, many functions are marked `@inline(never)`: an async function that they were inlined into would keep room
/// for all of their temporary values for as long as it waits.
final class CommandRun {
    let call: CommandExecution
    /// The history of the command, and its step.
    var state: CommandState
    /// Which login the command belongs to.
    var membership: CommandEpoch
    /// Its place among the commands that wait.
    let order: WaitingOrder
    /// Set from when a gate has let it go, until it is on its way.
    var turn: GateTurn?
    /// What lets it pass the connectivity gate again (`ConnectivityGate.admit`); nil if it has not passed.
    var networkPass: Int?
    /// Set while it goes first, to find out whether the network is back.
    var probe: Int?
    /// Whether an attempt was made that the connectivity gate was not told about.
    var isSent = false
    /// The session of the last attempt.
    var grant: SessionSnapshot?
    /// Whether the command has waited for the session since it was last sent. The session it got is then used once, regardless
    /// of its stated expiry.
    var isRenewed = false
    /// The request of the attempt that comes next or is under way; nil while the command waits.
    var request: AssembledRequest?
    /// The place at an attempt that equal reads share; nil for an attempt of its own.
    var shared: SharedAttempts.Place?
    /// What it has beside the loop; most commands have nothing.
    var stages: [CommandStage] = []
    /// Redacts stream elements.
    var redactor: ResponseRedactor?
    /// When the current minute of its responses began, and whether they have brought something new in it.
    var minute: (begun: Duration?, hasNews: Bool) = (nil, false)

    @inline(never)
    init(_ call: CommandExecution) {
        self.call = call
        let dispatcher = call.route.dispatcher
        state = CommandState(call.endpoint, begun: dispatcher.environment.time.now)
        membership = call.membership
        order = dispatcher.submit(isRenewal: call.role.isRenewal, call.limits.priority)
        state.summary.localize = dispatcher.settings.localize
        state.summary.frame = endpoint.frame?.kind
        if case .resubmission(let key, _) = call.role {
            state.key = key
            state.mayHaveBeenApplied = true
        }
        state.keepsKey = call.role.isCarried
        if case .carried(let carrier, _) = call.role, let earlier = carrier.earlier {
            state.note(earlier, at: dispatcher.environment.time.now)
        }
        if case .recorded(let recorder, _) = call.role {
            state.note(recorder.earlier, at: dispatcher.environment.time.now)
        }
        stages = makeStages()
    }

    var endpoint: EndpointDescription { call.endpoint }
    var session: Session { call.session }
    var role: CommandRole { call.role }
    var limits: CommandLimits { call.limits }
    var dispatcher: Dispatcher { call.route.dispatcher }
    var environment: DispatcherEnvironment { dispatcher.environment }

    /// What the loop brings.
    enum Arrival {
        /// A response, which the caller reads.
        case response(ReceivedResponse)
        /// A response that was found in another way.
        case found(FoundResponse)
        case ended(Ending)
    }

    /// How a command ends without a response.
    enum Ending: Error {
        indirect case declared(DeclaredName, ErrorMatch)
        case fault(CommandFault)
        indirect case unconfirmed(Receipt)
    }

    /// The loop of every command: it carries the command on until it has a response to read, or has ended.
    ///
    /// It is in the program once. Inlined, each of its generic callers had a copy of 76 to 192 kB.
    @inline(never)
    func next() async -> Arrival {
        while true {
            switch state.step {
            case .begin: begin()
            case .stub: return await respondWithStub()
            // A caller that has its response and asks for more gets the next one.
            case .attempt, .respond: if let received = await attempt() { return .response(received) }
            case .pay(let host, _): pay(host)
            case .pause(let duration, let reason): goOn(unless: await pause(for: duration, reason))
            case .renewSession(let generation): goOn(unless: await renewSession(after: generation))
            case .useStaleResponse(let stored, let basis):
                if let received = useStale(stored, basis) { return .response(received) }
            case .logOutLocally(let refusal): return await logOutLocally(insteadOf: refusal)
            case .confirm(let failure): if let found = await confirm(failure) { return .found(found) }
            case .ask(let failure, let maySendAgain): await ask(failure, maySendAgain: maySendAgain)
            case .end(let failure, let isUnconfirmed, let isSessionLost):
                if isSessionLost { await endLostSession() }
                return .ended(end(failure, isUnconfirmed))
            }
        }
    }

    // MARK: Events

    @inline(never)
    private func begin() {
        let broken = call.check()
        if broken.isEmpty {
            state.handle(.begun(isStubbed: call.server == nil))
        } else {
            state.handle(.refused(FailedAttempt(invalid: broken, endpoint)))
        }
    }

    @inline(never)
    private func pay(_ host: Origin) {
        state.handle(.paid(dispatcher.budget.withdraw(for: host)))
        tellGate()
    }

    /// The stale response that a stage has found. The step exists only with that stage.
    @inline(never)
    private func useStale(_ stored: StoredResponse, _ basis: CacheHit.Basis) -> ReceivedResponse? {
        if let received = askStages({ $0.respond(with: stored, basis) }) { return received }
        fail(timedOut())
        return nil
    }

    /// Tells the state that an attempt or an open response has failed.
    @inline(never)
    func fail(_ failure: FailedAttempt) { decide { .failed(failure, $0) } }

    /// Tells the state what the read that confirms has not found.
    @inline(never)
    func goOn(unconfirmed result: CommandState.Unconfirmed) { decide { .notConfirmed(result, $0) } }

    /// Tells the state how the incident has ended.
    @inline(never)
    func goOn(after outcome: IncidentOutcome) { decide { .answered(outcome, $0) } }

    /// Tells the state that a wait is over.
    ///
    /// - Parameter refusal: why the command doesn't go on as decided.
    @inline(never)
    func goOn(unless refusal: FailedAttempt?) {
        if let refusal { decide { .interrupted(refusal, $0) } } else { state.handle(.resumed) }
    }

    /// Brings an event that needs a decision.
    private func decide(_ event: (CommandFacts) -> CommandState.Event) {
        state.handle(event(facts()))
        tellGate()
    }

    /// Tells the gate what was found out about the network, unless something comes first.
    private func tellGate() {
        switch state.step {
        case .pay: return
        // Others follow a probe once the gate hears of it. The renewal that the probe needs begins first, or they would
        // be sent with the session that has just been refused.
        case .renewSession: return
        default: reportConnectivity()
        }
    }

    /// What bears on a decision beside the command's history.
    private func facts() -> CommandFacts {
        let dispatcher = dispatcher
        let settings = dispatcher.settings
        let home = call.server?.origin
        var facts = CommandFacts(
            limits: limits, retry: settings.retry, maximumRounds: settings.maximumRounds, patience: settings.patience,
            now: environment.time.now, jitter: environment.chance.fraction(), home: home)
        facts.isNetworkWatched = dispatcher.connectivity.isWatching
        facts.isSessionOver = session.isOver(membership)
        facts.isLogout = call.isLogout
        facts.generation = grant?.generation ?? 0
        for stage in stages { stage.add(to: &facts) }
        if role.isOrdinary {
            facts.canReplaceSession =
                endpoint.session != .none && !call.isLogout && !LoginScope.isOpen(for: session)
                && session.isReplaceable(after: facts.generation)
            // The outbox asks once about all commands that it could not deliver.
            facts.mayAsk = !call.isSentByResponder && !role.isRecorded
        }
        if state.confirmation == .possible, endpoint.effect.isUnsafe, call.command is any ConfirmableCommand {
            facts.hasConfirmation = true
            facts.isHostDown = state.host.map { dispatcher.board.isDown($0) } ?? false
        }
        if state.isStaleConnection, let host = state.host {
            facts.isStaleRetryInVain = dispatcher.staleRetries.isOpen(for: host)
        }
        return facts
    }

    // MARK: The end

    /// A session that the server refused, and that could not be replaced, is over.
    private func endLostSession() async {
        guard role.isOrdinary, let grant else { return }
        if call.isLogout {
            // Nothing is left to log out of.
            await session.end(from: call.basis, for: dispatcher)
        } else {
            await session.expire(grant.generation, for: dispatcher)
        }
    }

    /// Ends the session without a request. The response has no payload.
    ///
    /// - Parameter refusal: how the command ends if its response needs a payload.
    private func logOutLocally(insteadOf refusal: FailedAttempt) async -> Arrival {
        guard let value = Self.makeEmptyResponse(call.command) else {
            await session.end(from: call.basis, for: dispatcher)
            return .ended(end(refusal, false))
        }
        payBack()
        return .found(FoundResponse(Reply(value: value, status: 204)))
    }

    /// The response of a success without a payload; nil if the contract requires one.
    private static func makeEmptyResponse<C: Command>(_ command: C) -> (any Sendable)? {
        try? Payload.nothing.scan { CommandReader<C>().load(from: &$0) }.0
    }

    /// Ends the command: with the failure, or as unconfirmed if its effect on the server is unknown.
    @inline(never)
    private func end(_ failure: FailedAttempt, _ isUnconfirmed: Bool) -> Ending {
        payBack()
        endTurn()
        guard isUnconfirmed else { return failure.ending(state.summary) }
        for stage in stages { stage.endUnconfirmed() }
        return .unconfirmed(makeReceipt(failure))
    }

    /// Gives the budget back what was paid for a repetition that is not made.
    func payBack() {
        if let host = state.paidFor { dispatcher.budget.restore(for: host) }
        state.paidFor = nil
    }

    /// Notes a sign that the host works.
    func deposit() {
        if let host = state.host { dispatcher.budget.deposit(for: host) }
    }

    // MARK: Failures between attempts

    @inline(never)
    func timedOut() -> FailedAttempt {
        FailedAttempt(.timedOut, endpoint, mayHaveBeenApplied: state.mayHaveBeenApplied, isPermanent: true)
    }

    /// The failure of a command that has no time left for an attempt. A stream that was lost ends with its loss.
    @inline(never)
    func outOfTime() -> FailedAttempt {
        guard state.isReopening, let loss = state.failing?.current else { return timedOut() }
        return loss.refused()
    }

    @inline(never)
    func cancelled() -> FailedAttempt {
        FailedAttempt(.cancelled, endpoint, mayHaveBeenApplied: state.mayHaveBeenApplied)
    }

    @inline(never)
    func sessionEnded() -> FailedAttempt {
        FailedAttempt(.sessionEnded, endpoint, mayHaveBeenApplied: state.mayHaveBeenApplied)
    }
}

extension FailedAttempt {
    /// The ending for this failure.
    @inline(never)
    func ending(_ summary: AttemptSummary) -> CommandRun.Ending {
        switch cause {
        case .declared(let error, let payload):
            return .declared(error, ErrorMatch(context: context(summary), payload: payload))
        case .builtIn(let kind, _): return .fault(CommandFault(kind, context(summary)))
        }
    }
}
