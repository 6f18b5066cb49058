import ErrandRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IntentQueue {
    /// Sends the commands that may go.
    func deliver() {
        let isAllowed = isLoggedIn
        while let intent = state.withLock({ $0.takeNext(atMost: settings.maximumRequests, isAllowed) }) {
            // The outbox may be released meanwhile. What is under way ends, and the store has the rest.
            let task = environment.startDetached { await self.carryOut(intent) }
            state.withLock { $0.runs[intent.number]?.task = task }
        }
    }

    /// Lets the commands go whose users have logged in.
    func noteLogin() {
        let isAllowed = isLoggedIn
        let pauses = state.withLock { state -> [Int] in
            state.wake(isAllowed)
            return state.numbersWithoutLogin.compactMap { number in
                defer { state.makeReady(number) }
                return state.pauses.removeValue(forKey: number)
            }
        }
        for id in pauses { binding.dispatcher.timeLimits.drop(id) }
        changes.tell(())
        deliver()
    }

    var isLoggedIn: @Sendable (String?) -> Bool { { [session] in session.hasTokens(ofOwner: $0) } }

    /// Carries a command out, as far as it goes in one run.
    private func carryOut(_ intent: KeptIntent) async {
        await run(intent)
        if state.withLock({ $0.runs[intent.number]?.isExpired ?? false }) { await expire(intent.number) }
        state.withLock { state in
            state.runs[intent.number] = nil
            // A command whose login has ended during the run goes on as soon as its user is logged in.
            if state.pauses[intent.number] == nil { state.makeReady(intent.number) }
        }
        deliver()
    }

    private func run(_ intent: KeptIntent) async {
        if intent.expires <= now { return await expire(intent.number) }
        guard let type = type(of: intent) else {
            await settle(intent.number, .obsolete, failure: nil)
            return
        }
        guard let membership = session.membership(ofOwner: intent.owner) else { return }
        if let command = stubbed.withLock({ $0[intent.number] }) {
            return await run(command, intent)
        }
        do throws(OutboxStoreError) {
            guard let inputs = try await inputs(of: intent) else {
                await settle(intent.number, .unreadable, failure: nil)
                return
            }
            await run(type, inputs, intent, of: membership)
        } catch {
            await wait(
                intent.number, .failedForNow, mayHaveBeenApplied: false, failure: error.description, atLeast: .zero)
        }
    }

    private func run<C: DurableCommand>(
        _ type: C.Type, _ inputs: EncodedInputs, _ intent: KeptIntent, of membership: CommandEpoch
    ) async {
        let recorder = IntentRecorder(intent, self)
        let result: Result<Reply<C.Response>, C.Failure>
        do throws(C.Failure) {
            result = .success(try await binding.perform(type, with: inputs, notedBy: recorder, of: membership))
        } catch {
            result = .failure(error)
        }
        await finish(type, result, intent)
    }

    private func run<C: DurableCommand>(_ command: C, _ intent: KeptIntent) async {
        let result: Result<Reply<C.Response>, C.Failure>
        do throws(C.Failure) {
            result = .success(try await binding.perform(command))
        } catch {
            result = .failure(error)
        }
        await finish(C.self, result, intent)
    }

    /// Notes how a run has ended.
    private func finish<C: DurableCommand>(
        _ type: C.Type, _ result: Result<Reply<C.Response>, C.Failure>, _ intent: KeptIntent
    ) async {
        let number = intent.number
        let completion = OutboxCompletion<C>(id: intent.id, result: result)
        guard case .failure(let failure) = result else { return await deliver(completion, number) }
        let (progress, run, isClosed) = state.withLock {
            ($0.intents[number]?.progress, $0.runs[number], $0.isClosed)
        }
        let isCancelled = run?.isCancelled ?? false
        // A later process continues.
        guard let progress, !isClosed || isCancelled else { return }
        let context = failure.context
        let step = afterRun(
            IntentEnd(
                effect: C.endpoint.effect, name: context.name, category: context.category, applied: context.applied,
                isRefusal: context.isRefusal,
                isKeyExpired: isKeyForgotten(progress, after: C.endpoint.keyLifetime),
                mayConfirm: type is any ConfirmableCommand.Type && progress.failures < Self.mostQuestions,
                isCancelled: isCancelled, isExpired: run?.isExpired ?? false, isLoggedIn: isLoggedIn(intent.owner)))
        switch step {
        case .deliver: await deliver(completion, number)
        case .settle(let reason):
            tell(completion)
            await settle(number, reason, failure: context.description)
        case .wait(let reason, let mayHaveBeenApplied, let pauses):
            await wait(
                number, reason, mayHaveBeenApplied: mayHaveBeenApplied, failure: context.description,
                atLeast: pauses ? context.retryAfter ?? .zero : nil)
        }
    }

    /// Takes a command out that was carried out.
    private func deliver(_ completion: OutboxCompletion<some DurableCommand>, _ number: Int) async {
        tell(completion)
        // If it can't be removed, a later process sends it once more where that does no harm.
        try? await store.remove(number)
        forget(number)
    }

    /// How often the read that confirms a command is asked, with pauses in between.
    private static let mostQuestions = 8

    // MARK: Waiting

    /// Lets a command wait before it is sent again.
    ///
    /// - Parameter minimum: how long it waits at least; nil if it goes as soon as its user is logged in.
    private func wait(
        _ number: Int, _ reason: OutboxEntry.Reason, mayHaveBeenApplied: Bool, failure: String,
        atLeast minimum: Duration?
    ) async {
        guard var progress = state.withLock({ $0.intents[number]?.progress }) else { return }
        progress.state = .waiting
        progress.reason = reason
        progress.since = now
        progress.nextAttempt = nil
        progress.mayHaveBeenApplied = progress.mayHaveBeenApplied || mayHaveBeenApplied
        progress.failure = failure
        var length: Duration?
        if let minimum {
            progress.failures += 1
            let pause = settings.pause.pause(after: progress.failures, jitter: environment.chance.fraction())
            // A server must not stop the outbox for longer than its longest pause.
            let bounded = max(pause, min(minimum, settings.pause.cap))
            progress.nextAttempt = now.addingTimeInterval(bounded / .seconds(1))
            length = bounded
        }
        try? await store.update(number, progress, isSynced: false)
        change(number, progress)
        guard let length else { return }
        // The pause may be over before its time limit has a number.
        state.withLock { $0.pauses[number] = QueueState.unnumbered }
        let id = binding.dispatcher.timeLimits.set(at: environment.time.now + length) { [weak self] in
            guard let self else { return }
            _ = environment.startDetached { self.endPause(number) }
        }
        state.withLock { if $0.pauses[number] != nil { $0.pauses[number] = id } }
    }

    /// Sends a command that has paused.
    func endPause(_ number: Int) {
        let id = state.withLock { state in
            defer { state.makeReady(number) }
            return state.pauses.removeValue(forKey: number)
        }
        if let id { binding.dispatcher.timeLimits.drop(id) }
        deliver()
    }

    // MARK: Inputs

    /// The inputs of a command; nil if they are damaged, or can't be unsealed.
    func inputs(of intent: KeptIntent) async throws(OutboxStoreError) -> EncodedInputs? {
        guard var bytes = try await store.inputs(of: intent.number) else { return nil }
        if intent.isSealed {
            guard let opened = try? seal?.open(bytes) else { return nil }
            bytes = opened
        }
        return EncodedInputs(kept: bytes)
    }
}
