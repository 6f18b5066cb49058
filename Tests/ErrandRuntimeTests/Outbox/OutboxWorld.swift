import ErrandTesting
import Foundation

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
    }

    struct Ledger: Sendable {
        /// How often each text took effect.
        var applied: [String: Int] = [:]
        /// Which users' tokens came with each text.
        var users: [String: Set<String>] = [:]
        /// The texts in the order of their effect.
        var order: [String] = []
        var keys: Set<String> = []
        var requests = 0
    }

    let store = MemoryOutboxStore()
    private let ledger = LockedState<Ledger> { Ledger() }
    private let date = LockedState<Date> { Date(timeIntervalSince1970: 1_000_000) }
    private let fate: @Sendable (String, Int) -> Fate

    /// - Parameter fate: decides about a request by its text and by how many requests there were.
    init(_ fate: @escaping @Sendable (_ text: String, _ number: Int) -> Fate = { _, _ in .arrives }) {
        self.fate = fate
    }

    var seen: Ledger { ledger.withLock { $0 } }

    func pass(_ seconds: Double) { date.withLock { $0 += seconds } }

    /// A new process of the app.
    func launch(
        as user: String? = "ada", _ life: ProcessLife = ProcessLife(), server: String = "https://post.example",
        network: (any PathMonitor)? = nil, responder: (any Responder)? = nil, seal: OutboxSeal? = nil,
        settings: OutboxSettings? = nil
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
            of: office, in: MortalStore(store, life), seal: seal, settings: settings ?? OutboxSettings(pause: pause))
        return App(session: session, outbox: outbox, life: life)
    }

    private func respond(to request: TransportRequest) throws(TransportFault) -> TransportResponse {
        let text = request.headers["X-Text"] ?? request.url.split(separator: "/").last.map(String.init) ?? ""
        let number = ledger.withLock { ledger in
            ledger.requests += 1
            return ledger.requests
        }
        let user = request.headers["Authorization"].map { String($0.dropFirst("Bearer token-".count)) }
        if let user { ledger.withLock { _ = $0.users[text, default: []].insert(user) } }
        if request.method == .get {
            return TransportResponse(status: seen.applied[text] == nil ? 404 : 204)
        }
        let fate = fate(text, number)
        switch fate {
        case .isLost: throw TransportFault(.lost, evidence: .sent)
        case .isRefused(let status): return TransportResponse(status: status)
        case .arrives, .losesResponse: break
        }
        let key = request.headers["Idempotency-Key"]
        ledger.withLock { ledger in
            if let key, !ledger.keys.insert(key).inserted { return }
            ledger.applied[text, default: 0] += 1
            ledger.order.append(text)
        }
        if case .losesResponse = fate { throw TransportFault(.lost, evidence: .sent) }
        return TransportResponse(status: 204)
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
        func wait(until condition: ([OutboxEntry]) -> Bool) async -> Bool {
            for _ in 0..<20_000 {
                if condition(outbox.entries) { return true }
                if life.isOver { return false }
                try? await Task.sleep(for: .microseconds(200))
            }
            return false
        }

        /// Waits until no command can go on without time or a login.
        @discardableResult
        func settle() async -> Bool { await wait { $0.allSatisfy { $0.state == .settled } } }
    }
}

/// A process, which ends after a number of steps.
final class ProcessLife: Sendable {
    private let left: LockedState<Int>

    init(steps: Int = .max) { left = LockedState { steps } }

    var isOver: Bool { left.withLock { $0 <= 0 } }

    func end() { left.withLock { $0 = 0 } }

    /// - Throws: if the process has ended.
    func step() throws(TransportFault) {
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

    init(_ store: any OutboxStore, _ life: ProcessLife) {
        self.store = store
        self.life = life
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
        try step()
        let number = try await store.append(intent, inputs: inputs)
        try step()
        return number
    }

    func intents(of service: String, after number: Int, limit: Int) async throws(OutboxStoreError) -> [KeptIntent] {
        try await store.intents(of: service, after: number, limit: limit)
    }

    func inputs(of number: Int) async throws(OutboxStoreError) -> [UInt8]? { try await store.inputs(of: number) }

    func update(_ number: Int, _ progress: IntentProgress, isSynced: Bool) async throws(OutboxStoreError) {
        try step()
        try await store.update(number, progress, isSynced: isSynced)
        try step()
    }

    func remove(_ number: Int) async throws(OutboxStoreError) {
        try step()
        try await store.remove(number)
        try step()
    }
}
