import ErrandRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps the durable commands of one service, and sends them when they may go.
///
/// Each run of a command is a command of its own, in the login that its user has then. Between runs, only the store and `QueueState`
/// know the command.
final class IntentQueue: Sendable {
    let binding: ServiceBinding
    let store: any OutboxStore
    let seal: OutboxSeal?
    let settings: OutboxSettings
    /// Tells responders that something could not be delivered.
    let report: @Sendable () async -> Void
    private let types: [String: any DurableCommand.Type]
    let state = LockedState<QueueState> { QueueState() }
    let changes = EventFollowers<Void>(limit: 1)
    /// One object per command type, an `EventFollowers<OutboxCompletion<C>>`.
    private let followers = LockedState<[ObjectIdentifier: any Sendable]> { [:] }
    /// Ends the streams of `followers`; nil when they have ended.
    private let ends = LockedState<[@Sendable () -> Void]?> { [] }
    /// The commands of a client with stubs, which take commands as values.
    let stubbed = LockedState<[Int: any DurableCommand]> { [:] }

    init(
        _ binding: ServiceBinding, _ types: [any DurableCommand.Type], _ store: any OutboxStore, seal: OutboxSeal?,
        _ settings: OutboxSettings, report: @escaping @Sendable () async -> Void
    ) {
        var binding = binding
        // Only its lifetime bounds how long a durable command waits.
        binding.options.patience = .forever
        self.binding = binding
        self.store = store
        self.seal = seal
        self.settings = settings
        self.report = report
        self.types = Dictionary(types.map { ($0.endpoint.name, $0) }) { first, _ in first }
    }

    /// The commands of another server are those of another service, because its users may have the same names.
    var service: String {
        let name = binding.serviceName
        return binding.host.map { "\(name) at \($0)" } ?? name
    }
    var session: Session { binding.session }
    var environment: DispatcherEnvironment { binding.dispatcher.environment }
    var now: Date { environment.wallTime() }

    /// How many commands are read from the store at once.
    private static let page = 1_000

    // MARK: The store

    /// Reads the commands that the store has and this process doesn't know, and sends those that may go.
    func refresh() async throws(OutboxStoreError) {
        await session.loadOnce()
        if !state.withLock({ $0.isDelivering || $0.isClosed }), try await store.claim(service), !beginDelivering() {
            await store.release(service)
        }
        while true {
            let (number, claims) = state.withLock { ($0.last, $0.claims) }
            let found = try await store.intents(of: service, after: number, limit: Self.page)
            for intent in found { await takeUp(intent, claims) }
            if state.withLock({ $0.claims != claims }) { continue }
            if found.count < Self.page { break }
        }
        deliver()
    }

    /// Begins to send. What is known until now may be outdated, because another process has sent the commands.
    ///
    /// - Returns: false if the outbox was closed meanwhile.
    private func beginDelivering() -> Bool {
        let dropped = state.withLock { state -> [Int]? in
            if state.isClosed { return nil }
            let lifetimes = state.lifetimes.values.sorted()
            let (claims, submitting) = (state.claims, state.submitting)
            state = QueueState()
            state.claims = claims + 1
            state.submitting = submitting
            state.isDelivering = true
            return lifetimes
        }
        guard let dropped else { return false }
        for id in dropped { binding.dispatcher.timeLimits.drop(id) }
        return true
    }

    /// Takes up a command that an earlier process, or another one, has kept.
    ///
    /// - Parameter claims: how often the right to send had been claimed before the command was read.
    private func takeUp(_ kept: KeptIntent, _ claims: Int) async {
        var intent = kept
        let isDelivering = state.withLock { $0.isDelivering }
        if intent.progress.state == .sending, isDelivering {
            // The process has ended during an attempt.
            intent.progress.mayHaveBeenApplied = true
            intent.progress.state = .waiting
        }
        guard state.withLock({ $0.claims == claims && $0.add(intent) }) else { return }
        if intent.progress.state != .settled {
            if isDelivering, type(of: intent) == nil {
                await settle(intent.number, .obsolete, failure: intent.progress.failure)
            } else {
                watchLifetime(of: intent)
            }
        }
        changes.tell(())
    }

    /// Ends the lifetime of a command when it is over.
    func watchLifetime(of intent: KeptIntent) {
        let left = intent.expires.timeIntervalSince(now)
        // The time may be far away, and a duration of more than some thousand years overflows.
        let moment = environment.time.now + .seconds(min(max(0, left), 1e10))
        let id = binding.dispatcher.timeLimits.set(at: moment) { [weak self] in
            guard let self else { return }
            _ = environment.startDetached { await self.endLifetime(intent.number) }
        }
        state.withLock { $0.lifetimes[intent.number] = id }
    }

    private func endLifetime(_ number: Int) async {
        let found = state.withLock { $0.isDelivering && !$0.isClosed ? $0.intents[number] : nil }
        guard let intent = found, intent.progress.state != .settled else { return }
        // The clock that measures time limits may stop while the device sleeps, and the date may have been changed.
        guard intent.expires <= now else { return watchLifetime(of: intent) }
        let isRunning = state.withLock { state in
            state.runs[number]?.isExpired = true
            // An attempt that is under way ends by itself. A run that waits at a gate would wait on.
            if state.runs[number]?.isNoted == false { state.runs[number]?.task?.cancel() }
            return state.runs[number] != nil
        }
        if isRunning { return }
        await expire(number)
        deliver()
    }

    /// Ends a command whose lifetime is over.
    func expire(_ number: Int) async {
        guard let intent = state.withLock({ $0.intents[number] }) else { return }
        await settle(
            number, intent.progress.mayHaveBeenApplied && intent.effect.isUnsafe ? .unconfirmed : .expired,
            failure: intent.progress.failure)
    }

    /// Ends a command without a success.
    ///
    /// - Returns: false if the store doesn't know it. The next process then comes to an end of its own, which differs if the app has
    ///   canceled the command.
    @discardableResult
    func settle(_ number: Int, _ reason: OutboxEntry.Reason, failure: String?) async -> Bool {
        let old = state.withLock { $0.intents[number]?.progress }
        guard let old, old.state != .settled else { return true }
        let progress = IntentProgress(
            state: .settled, reason: reason, since: now, failures: old.failures,
            mayHaveBeenApplied: old.mayHaveBeenApplied || reason == .unconfirmed,
            keyUsed: old.keyUsed, failure: failure)
        let isKept = (try? await store.update(number, progress, isSynced: false)) != nil
        change(number, progress)
        if reason != .cancelled { reportUndelivered(number) }
        return isKept
    }

    func change(_ number: Int, _ progress: IntentProgress) {
        let dropped = state.withLock { state -> [Int] in
            state.change(number, progress)
            let pause = state.pauses.removeValue(forKey: number)
            let lifetime = progress.state == .settled ? state.lifetimes.removeValue(forKey: number) : nil
            return [pause, lifetime].compactMap { $0 }
        }
        for id in dropped { binding.dispatcher.timeLimits.drop(id) }
        changes.tell(())
    }

    /// Removes a command that was delivered, or that the app doesn't want to see any more.
    func remove(_ number: Int) async throws(OutboxStoreError) {
        try await store.remove(number)
        forget(number)
    }

    func forget(_ number: Int) {
        let dropped = state.withLock { state -> [Int] in
            state.remove(number)
            return [state.pauses.removeValue(forKey: number), state.lifetimes.removeValue(forKey: number)]
                .compactMap { $0 }
        }
        for id in dropped { binding.dispatcher.timeLimits.drop(id) }
        stubbed.withLock { $0[number] = nil }
        changes.tell(())
    }

    /// How long ago a command's key was first used at most; nil if it was not.
    func keyAge(_ progress: IntentProgress) -> Duration? {
        guard let used = progress.keyUsed else { return nil }
        // A date that was set back farther may still be after the first use, but not after the last change.
        return [used, progress.since].map { environment.age(since: $0.timeIntervalSince1970) }.max()
    }

    /// Whether the server may have forgotten the key of a command.
    func isKeyForgotten(_ progress: IntentProgress, after lifetime: Duration?) -> Bool {
        guard let lifetime, let age = keyAge(progress) else { return false }
        return age >= lifetime
    }

    /// Notes that an attempt of a command is about to be sent.
    func noteAttempt(_ number: Int) async throws(OutboxStoreError) {
        let (found, isNoted) = state.withLock { state in
            (state.isClosed ? nil : state.intents[number], state.runs[number]?.isNoted ?? false)
        }
        guard var intent = found else { throw .closed }
        let now = now
        // Also an attempt after the first one isn't sent when the lifetime is over.
        guard intent.expires > now else { throw .closed }
        if isNoted { return }
        intent.progress.state = .sending
        intent.progress.since = now
        intent.progress.nextAttempt = nil
        if intent.key != nil, intent.progress.keyUsed == nil { intent.progress.keyUsed = now }
        // Without the note, a later process could repeat the effect. A key prevents that while the server remembers it, and the others
        // may be repeated.
        let keyLifetime = type(of: intent)?.endpoint.keyLifetime
        let end = intent.expires + DispatcherEnvironment.setback
        let keyMayEnd = keyLifetime.map { now.addingTimeInterval($0 / .seconds(1)) < end } ?? false
        try await store.update(number, intent.progress, isSynced: intent.effect == .once || keyMayEnd)
        state.withLock { $0.runs[number]?.isNoted = true }
        change(number, intent.progress)
    }

    /// Tells responders once that something could not be delivered, until they have decided.
    private func reportUndelivered(_ number: Int) {
        guard state.withLock({ $0.intents[number] }).map(isVisible) ?? false else { return }
        let isFirst = state.withLock { state in
            defer { state.isReporting = true }
            return !state.isReporting
        }
        guard isFirst else { return }
        _ = environment.startDetached { [weak self] in
            await self?.report()
            self?.state.withLock { $0.isReporting = false }
        }
    }

    /// Whether the user who is logged in may see a command.
    func isVisible(_ intent: KeptIntent) -> Bool { session.membership(ofOwner: intent.owner) != nil }

    /// The command's type; nil if this version of the app doesn't have it, or requires other inputs.
    func type(of intent: KeptIntent) -> (any DurableCommand.Type)? {
        types[intent.endpoint].flatMap {
            InputForm($0.durability.fingerprint).takes(InputForm(intent.fingerprint)) ? $0 : nil
        }
    }

    // MARK: Followers

    func completions<C: DurableCommand>(of type: C.Type) -> AsyncStream<OutboxCompletion<C>> {
        let found = followers.withLock { followers -> EventFollowers<OutboxCompletion<C>> in
            if let known = followers[ObjectIdentifier(type)] as? EventFollowers<OutboxCompletion<C>> { return known }
            // The store no longer has a command that was delivered, so no result may be dropped.
            let made = EventFollowers<OutboxCompletion<C>>(limit: .max)
            followers[ObjectIdentifier(type)] = made
            let isOpen = ends.withLock { ends in
                ends?.append { made.finish() }
                return ends != nil
            }
            if !isOpen { made.finish() }
            return made
        }
        return found.stream()
    }

    /// Ends all streams of results.
    func finishCompletions() {
        let all = ends.withLock { ends in
            defer { ends = nil }
            return ends
        }
        for end in all ?? [] { end() }
    }

    func tell<C: DurableCommand>(_ completion: OutboxCompletion<C>) {
        let found = followers.withLock { $0[ObjectIdentifier(C.self)] as? EventFollowers<OutboxCompletion<C>> }
        found?.tell(completion)
    }
}
