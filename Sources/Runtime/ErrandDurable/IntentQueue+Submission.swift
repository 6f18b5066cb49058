import ErrandRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IntentQueue {
    func submit<C: DurableCommand>(_ command: C) async throws(OutboxError) -> UUID {
        let endpoint = C.endpoint
        let owner: String?
        switch await session.owner(of: endpoint.session) {
        case .noSession: owner = nil
        case .user(let name): owner = name
        case .missing: throw .noSession
        }
        guard !state.withLock({ $0.isClosed }) else { throw .store(.closed) }
        guard state.withLock({ $0.count }) < settings.maximumCommands else { throw .full }
        let key = endpoint.effect == .keyed ? JSONText.of(environment.chance.uuid()) : nil
        let bytes = try inputs(of: command, key)
        let now = now
        var intent = KeptIntent(
            number: 0, id: environment.chance.uuid(), service: service, endpoint: endpoint.name,
            fingerprint: C.durability.fingerprint, effect: endpoint.effect, owner: owner, lane: C.durability.lane,
            submitted: now, expires: now.addingTimeInterval(C.durability.lifetime / .seconds(1)), key: key,
            isSealed: seal != nil, progress: IntentProgress(state: .waiting, reason: .submitted, since: now))
        let id = intent.id
        let claims = state.withLock { state in
            state.submitting.insert(id)
            return state.claims
        }
        defer { state.withLock { _ = $0.submitting.remove(id) } }
        do throws(OutboxStoreError) {
            intent.number = try await store.append(intent, inputs: bytes)
        } catch {
            throw .store(error)
        }
        if binding.isStubbed { stubbed.withLock { $0[intent.number] = command } }
        // Another process may have added commands before this one.
        if state.withLock({ $0.claims != claims || $0.last + 1 < intent.number }) { try? await refresh() }
        if state.withLock({ $0.claims == claims && $0.submitting.contains(id) && $0.add(intent) }) {
            watchLifetime(of: intent)
        }
        changes.tell(())
        deliver()
        return intent.id
    }

    /// The inputs of a command for the store.
    private func inputs(of command: some DurableCommand, _ key: String?) throws(OutboxError) -> [UInt8] {
        var check = RequestCheck()
        (command as? any CheckedCommand)?.validate(&check)
        guard check.broken.isEmpty else { throw .invalid(check.broken) }
        let inputs: EncodedInputs
        switch binding.keep(command, key: key) {
        case .success(let written): inputs = written
        case .failure(let problem): throw .invalid(problem.broken)
        }
        guard !inputs.isSensitive || seal != nil else { throw .sensitiveInputs }
        guard let bytes = inputs.keptBytes else {
            throw .invalid([BrokenField(name: "inputs", reason: "have no form in JSON")])
        }
        guard bytes.count <= settings.maximumSize else { throw .tooLarge }
        guard let seal else { return bytes }
        do {
            return try seal.seal(bytes)
        } catch {
            throw .notSealed
        }
    }

    // MARK: What the app decides

    /// A command that the user who is logged in may change; nil if another process sends the commands.
    private func changeable(_ id: UUID) -> KeptIntent? {
        state.withLock { $0.isDelivering && !$0.isClosed } ? visible(id) : nil
    }

    /// A command that the user who is logged in may see.
    func visible(_ id: UUID) -> KeptIntent? {
        state.withLock { $0.intent(id) }.flatMap { isVisible($0) ? $0 : nil }
    }

    func cancel(_ id: UUID) async -> Bool {
        guard let intent = changeable(id), intent.progress.state != .settled else { return false }
        let number = intent.number
        // A command that has been carried out meanwhile is gone, and is not held.
        _ = await hold(number, cancelsRun: true) { _ in true }
        defer { state.withLock { $0.release(number) } }
        guard let left = state.withLock({ $0.intents[number] }) else { return true }
        let mayHaveBeenApplied = left.progress.mayHaveBeenApplied && left.effect.isUnsafe
        let isKept = await settle(
            number, mayHaveBeenApplied ? .unconfirmed : .cancelled, failure: left.progress.failure)
        deliver()
        return isKept
    }

    /// Holds a command as soon as it has no run, so that none begins. A command counts as settled a moment before its run ends.
    ///
    /// - Returns: false if a condition does not hold, or no longer.
    private func hold(_ number: Int, cancelsRun: Bool, _ condition: (QueueState) -> Bool) async -> Bool {
        // A run that has just ended may be followed by the next one.
        while true {
            let (isHeld, run) = state.withLock { state -> (Bool, QueueState.Run?) in
                guard condition(state) else { return (false, nil) }
                if state.hold(number) { return (true, nil) }
                if cancelsRun { state.runs[number]?.isCancelled = true }
                return (false, state.runs[number])
            }
            guard let run else { return isHeld }
            if cancelsRun { run.task?.cancel() }
            if let task = run.task { await task.value } else { await Task.yield() }
        }
    }

    func removeSettled(_ id: UUID) async throws(OutboxStoreError) -> Bool {
        guard let intent = changeable(id), intent.progress.state == .settled else { return false }
        try await remove(intent.number)
        return true
    }

    func retry(_ id: UUID) async -> Bool {
        guard let intent = changeable(id), intent.expires > now,
            type(of: intent) != nil
        else { return false }
        if intent.progress.state == .settled {
            let isForgotten = isKeyForgotten(intent.progress, after: type(of: intent)?.endpoint.keyLifetime)
            guard intent.mayBeRepeated(isKeyKnown: !isForgotten) else { return false }
            // Another call may have done the same meanwhile.
            let isHeld = await hold(intent.number, cancelsRun: false) {
                $0.intents[intent.number]?.progress.state == .settled
            }
            guard isHeld else { return false }
            defer { state.withLock { $0.release(intent.number) } }
            var progress = intent.progress
            progress.state = .waiting
            progress.reason = .submitted
            progress.since = now
            try? await store.update(intent.number, progress, isSynced: false)
            change(intent.number, progress)
            watchLifetime(of: intent)
        }
        endPause(intent.number)
        return true
    }

    func close() async {
        let (isFirst, tasks) = state.withLock { state -> (Bool, [Task<Void, Never>]) in
            defer { state.isClosed = true }
            return (!state.isClosed, state.runs.sorted { $0.key < $1.key }.compactMap(\.value.task))
        }
        guard isFirst else { return }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        // A run whose task isn't noted yet must end before the right to send is given back.
        while state.withLock({ !$0.runs.isEmpty }) { await Task.yield() }
        if state.withLock({ $0.isDelivering }) { await store.release(service) }
        changes.finish()
        finishCompletions()
    }
}

extension KeptIntent {
    /// Whether sending a settled command again does no harm.
    fileprivate func mayBeRepeated(isKeyKnown: Bool) -> Bool {
        switch progress.reason {
        case .obsolete: false
        case .unconfirmed: effect == .keyed && isKeyKnown
        default: true
        }
    }
}
