import ErrandTesting
import Foundation

@testable import ErrandDurable
@testable import ErrandRuntime

/// A device with a store that outlasts processes, a server that remembers, and one process of the app after another.
final class OutboxWorld: Sendable {
    /// The name under which the outbox of the tests keeps its commands.
    static let service = "PostOffice at https://post.example"

    /// A command that waits, without inputs.
    static func intent(_ number: Int, lane: String?) -> KeptIntent {
        let now = Date(timeIntervalSince1970: 1_000_000)
        return KeptIntent(
            number: number, id: UUID(), service: service, endpoint: "sendLetter", fingerprint: "1", effect: .keyed,
            owner: nil, lane: lane, submitted: now, expires: now + 60, key: nil, isSealed: false,
            progress: IntentProgress(state: .waiting, reason: .submitted, since: now))
    }

    /// What happens to a request.
    enum Fate: Sendable {
        case arrives
        /// It never reaches the server.
        case isLost
        /// The server carries it out, and the response is lost.
        case losesResponse
        case isRefused(Int)
        /// Something else responds, or nothing, and the server doesn't hear of it.
        case ends(@Sendable (TransportRequest) throws(TransportFault) -> TransportResponse)
    }

    struct Ledger: Sendable {
        /// How often each text took effect.
        var applied: [String: Int] = [:]
        /// Which users' tokens came with each text.
        var users: [String: Set<String>] = [:]
        /// The texts in the order of their effect.
        var order: [String] = []
        /// When each key was first used.
        var keys: [String: Double] = [:]
        var requests = 0
    }

    let store = MemoryOutboxStore()
    /// Whether the store has lost commands, and not told it.
    let isLost = LockedState { false }
    private let ledger = LockedState<Ledger> { Ledger() }
    private let date = LockedState<Date> { Date(timeIntervalSince1970: 1_000_000) }
    /// The seconds that have passed, whatever the device's date says.
    private let passed = LockedState { 0.0 }
    /// How long the server remembers a key, in seconds.
    static let keyMemory = 3_600.0
    private let fate: @Sendable (String, Int) -> Fate
    /// Whether the device's disk is full now.
    private let isFull: @Sendable () -> Bool

    /// - Parameter fate: decides about a request by its text and by how many requests there were.
    init(
        _ fate: @escaping @Sendable (_ text: String, _ number: Int) -> Fate = { _, _ in .arrives },
        isFull: @escaping @Sendable () -> Bool = { false }
    ) {
        self.isFull = isFull
        self.fate = fate
    }

    var seen: Ledger { ledger.withLock { $0 } }

    func pass(_ seconds: Double) {
        passed.withLock { $0 += seconds }
        date.withLock { $0 += seconds }
    }

    /// Sets the device's date.
    func correct(_ seconds: Double) { date.withLock { $0 += seconds } }

    /// A new process of the app.
    func launch(
        as user: String? = "ada", _ life: ProcessLife = ProcessLife(), server: String = "https://post.example",
        network: (any PathMonitor)? = nil, responder: (any Responder)? = nil, seal: OutboxSeal? = nil,
        settings: OutboxSettings? = nil, isOlder: Bool = false
    ) async throws -> App {
        let session = Session()
        if let user { await session.begin(SessionTokens(access: "token-\(user)", identity: user)) }
        let environment = DispatcherEnvironment(wallTime: { self.date.withLock { $0 } })
        let rule = RetryRule(attempts: 2, base: .microseconds(10), cap: .microseconds(20))
        let dispatcher = Dispatcher(
            transport: ScriptedTransport { request, _ throws(TransportFault) in
                try life.step()
                let response = try self.respond(to: request)
                try life.step()
                return response
            }, network: network ?? SystemPathMonitor.shared, responder: responder,
            settings: DispatcherSettings(retry: rule, maximumRequestsPerHost: 2),
            environment: environment)
        let office = PostOffice(
            binding: ServiceBinding(
                PostOffice.service, server: server, on: dispatcher, session: session))
        let pause = RetryRule(attempts: .max, base: .microseconds(50), cap: .microseconds(200))
        let outbox = try await Outbox(
            of: office, in: MortalStore(store, life, isLost, isFull, isOlder: isOlder), seal: seal,
            settings: settings ?? OutboxSettings(pause: pause))
        return App(session: session, outbox: outbox, life: life)
    }

    /// A new process, with a command that an earlier version of the app has kept.
    func launch(keeping kept: (intent: KeptIntent, inputs: EncodedInputs)) async throws -> App {
        _ = await store.append(kept.intent, inputs: kept.inputs.keptBytes ?? [])
        return try await launch()
    }

    private func respond(to request: TransportRequest) throws(TransportFault) -> TransportResponse {
        let text = request.headers["X-Text"] ?? request.url.split(separator: "/").last.map(String.init) ?? ""
        let number = ledger.withLock { ledger in
            ledger.requests += 1
            return ledger.requests
        }
        let user = request.headers["Authorization"].map { String($0.dropFirst("Bearer token-".count)) }
        if let user { ledger.withLock { _ = $0.users[text, default: []].insert(user) } }
        if request.method == .get, !request.url.contains("/look") {
            return TransportResponse(status: seen.applied[text] == nil ? 404 : 204)
        }
        let fate = fate(text, number)
        switch fate {
        case .isLost: throw TransportFault(.lost, evidence: .sent)
        case .isRefused(let status): return TransportResponse(status: status)
        case .ends(let end): return try end(request)
        case .arrives, .losesResponse: break
        }
        let key = request.headers["Idempotency-Key"]
        let now = passed.withLock { $0 }
        ledger.withLock { ledger in
            if let key {
                if let first = ledger.keys[key], now - first < Self.keyMemory { return }
                ledger.keys[key] = now
            }
            ledger.applied[text, default: 0] += 1
            ledger.order.append(text)
        }
        if case .losesResponse = fate { throw TransportFault(.lost, evidence: .sent) }
        return request.url.hasSuffix("/sign")
            ? TransportResponse(status: 200, body: Array(#"{"number":1}"#.utf8)) : TransportResponse(status: 204)
    }

    /// One process of the app.
    struct App: Sendable {
        let session: Session
        let outbox: Outbox<PostOffice>
        let life: ProcessLife

        func logIn(_ user: String) async {
            await session.begin(SessionTokens(access: "token-\(user)", identity: user))
        }

        /// Waits until a condition holds, or the process has ended. False if it never does.
        func wait(polls: Int = 20_000, until condition: ([OutboxEntry]) -> Bool) async -> Bool {
            for _ in 0..<polls {
                if condition(outbox.entries) { return true }
                if life.isOver { return false }
                try? await Task.sleep(for: .microseconds(200))
            }
            return false
        }

        /// Waits until no command can go on without time or a login.
        @discardableResult
        func settle(polls: Int = 20_000) async -> Bool {
            await wait(polls: polls) { $0.allSatisfy { $0.state == .settled } }
        }
    }
}

/// A process, which ends after a number of steps.
final class ProcessLife: Sendable {
    private let left: LockedState<Int>
    private let atEachStep: @Sendable () -> Void

    init(steps: Int = .max, atEachStep: @escaping @Sendable () -> Void = {}) {
        left = LockedState { steps }
        self.atEachStep = atEachStep
    }

    var isOver: Bool { left.withLock { $0 <= 0 } }

    func end() { left.withLock { $0 = 0 } }

    /// - Throws: if the process has ended.
    func step() throws(TransportFault) {
        atEachStep()
        let isOver = left.withLock { left in
            if left > 0 { left -= 1 }
            return left <= 0
        }
        if isOver { throw TransportFault(.cancelled, evidence: .sent) }
    }
}

/// A store that can't be reached any more when the process has ended. The process may end before or after each change.
struct MortalStore: OutboxStore {
    private let store: any OutboxStore
    private let life: ProcessLife
    private let isLost: LockedState<Bool>
    private let isFull: @Sendable () -> Bool
    private let isOlder: Bool

    /// - Parameters:
    ///   - isLost: whether it has lost commands.
    ///   - isFull: whether the disk is full now.
    ///   - isOlder: whether the app is the version before, in which `sign` had no optional input.
    init(
        _ store: any OutboxStore, _ life: ProcessLife, _ isLost: LockedState<Bool>,
        _ isFull: @escaping @Sendable () -> Bool, isOlder: Bool
    ) {
        self.isLost = isLost
        self.store = store
        self.life = life
        self.isFull = isFull
        self.isOlder = isOlder
    }

    private func write() throws(OutboxStoreError) {
        try step()
        if isFull() { throw .storageFull }
    }

    private func step() throws(OutboxStoreError) {
        do throws(TransportFault) {
            try life.step()
        } catch {
            throw .closed
        }
    }

    func claim(_ service: String) async throws(OutboxStoreError) -> Bool { try await store.claim(service) }

    // The system takes the right from a process that has ended.
    func release(_ service: String) async { await store.release(service) }

    func append(_ intent: KeptIntent, inputs: [UInt8]) async throws(OutboxStoreError) -> Int {
        try write()
        let intent = isOlder && intent.endpoint == "sign" ? intent.inForm("1") : intent
        let number = try await store.append(intent, inputs: inputs)
        try step()
        return number
    }

    func intents(of service: String, after number: Int, limit: Int) async throws(OutboxStoreError) -> [KeptIntent] {
        try await store.intents(of: service, after: number, limit: limit)
    }

    func inputs(of number: Int) async throws(OutboxStoreError) -> [UInt8]? { try await store.inputs(of: number) }

    func update(_ number: Int, _ progress: IntentProgress, isSynced: Bool) async throws(OutboxStoreError) {
        try write()
        try await store.update(number, progress, isSynced: isSynced)
        try step()
    }

    func remove(_ number: Int) async throws(OutboxStoreError) {
        try write()
        try await store.remove(number)
        try step()
    }

    func reportLoss(_ tell: @Sendable () async -> Void) async throws(OutboxStoreError) {
        guard isLost.withLock({ $0 }) else { return }
        await tell()
        isLost.withLock { $0 = false }
    }
}

extension KeptIntent {
    fileprivate func inForm(_ fingerprint: String) -> KeptIntent {
        KeptIntent(
            number: number, id: id, service: service, endpoint: endpoint, fingerprint: fingerprint, effect: effect,
            owner: owner, lane: lane, submitted: submitted, expires: expires, key: key, isSealed: isSealed,
            progress: progress)
    }
}
