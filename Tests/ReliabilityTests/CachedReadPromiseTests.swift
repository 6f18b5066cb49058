import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

/// Promise 22: a cache never shows what it must not.
@Suite(.serialized) struct CachedReadPromiseTests {
    /// Users come one after the other, read, write, give up and lose the network. The server notes the state of its data when a request
    /// arrives, and responds later. Each response says for how long it may be used, and its reader looks whether it still may be.
    @Test func noCachedReadIsAnothersOrFromBeforeAWriteOrTooOld() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check(
            "22  cached reads are the reader's own, no older than allowed, and show every write", seeds: 60
        ) {
            simulation in
            let desk = CachedDesk(simulation)
            let server = Interception { (request, _) async throws(TransportFault) in try await desk.answer(request) }
            let dispatcher = simulation.makeDispatcher(
                interceptors: [server], settings: DispatcherSettings(maximumRequestsPerHost: 3))
            let bank = Bank(on: dispatcher, session: Session())
            let habits = ReaderHabits(commands: 40, writes: 8, givenUp: 8, pauses: 2, longestPause: 2_000)
            var finding = PromiseRun.Finding()
            for user in 1...6 {
                await bank.binding.session.begin(SessionTokens(access: "t\(user)", identity: "\(user)"))
                await desk.act(as: user, at: bank, habits, &finding)
                if user.isMultiple(of: 2) { await bank.binding.session.end() }
            }
            finding.expect(desk.hits > 0, "the cache was never used")
            return finding
        }
    }
}

/// A server whose responses may be used again for a while.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
private final class CachedDesk: ReaderDesk {
    /// How long a response may be used at most, in seconds: fresh, and after errors.
    private static let (lifetime, stale) = (3, 4)

    private struct State: Sendable {
        var chance: SeededGenerator
        var version = 0
        /// The number at the last end of a write that the client knows of.
        var known = 0
        var hits = 0
    }

    let simulation: Simulation
    private let state: LockedState<State>

    init(_ simulation: Simulation) {
        self.simulation = simulation
        let seed = simulation.seed
        state = LockedState { State(chance: SeededGenerator(seed: seed ^ 0xCAC4E)) }
    }

    func random(below bound: Int) -> Int { state.withLock { Int.random(in: 0..<bound, using: &$0.chance) } }
    var hits: Int { state.withLock { $0.hits } }
    var chance: SeededGenerator {
        get { state.withLock { $0.chance } }
        set { state.withLock { $0.chance = newValue } }
    }

    func answer(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        let version = state.withLock { $0.version }
        let isWrite = request.method != .get
        await simulation.sleep(for: .milliseconds(1 + random(below: 600)))
        if Task.isCancelled { throw TransportFault(.cancelled, evidence: .sent) }
        if isWrite { state.withLock { $0.version += 1 } }
        switch random(below: 10) {
        case 0: throw TransportFault(.lost, evidence: .sent)
        case 1: return TransportResponse(status: 503)
        case 2: throw TransportFault(.offline, evidence: .notSent)
        default: break
        }
        if isWrite { return TransportResponse(status: 204) }
        let user = request.headers["Authorization"].flatMap { Int($0.dropFirst("Bearer t".count)) } ?? 0
        let tag = "\"\(version)-\(user)\""
        let headers: HTTPHeaders = [
            "Cache-Control": "max-age=\(Self.lifetime), stale-if-error=\(Self.stale), stale-while-revalidate=1",
            "ETag": tag,
        ]
        if request.headers["If-None-Match"] == tag { return TransportResponse(status: 304, headers: headers) }
        return TransportResponse(status: 200, headers: headers, body: Array("\(version * 100 + user)".utf8))
    }

    /// Reads, and returns what is wrong with the result.
    func look(as user: Int, at bank: Bank) async -> String? {
        let known = state.withLock { $0.known }
        let reader = bank.with { $0.attempts = 1 + random(below: 2) }
        do throws(CommandFault) {
            let reply = try await reader.reply(to: CachedLook())
            if reply.cached != nil { state.withLock { $0.hits += 1 } }
            if reply.value % 100 != user { return "user \(user) got what user \(reply.value % 100) reads" }
            // The data of this reader's user: a write of any user raises the number.
            if reply.value / 100 < known { return "state \(reply.value / 100) after a write that led to \(known)" }
            guard let cached = reply.cached else { return nil }
            let limit =
                switch cached.basis {
                case .fresh, .validated: Self.lifetime
                case .whileRevalidating: Self.lifetime + 1
                case .ifError, .offline: Self.lifetime + Self.stale
                }
            return cached.age <= .seconds(limit) ? nil : "\(cached) is too old"
        } catch {
            return nil
        }
    }

    /// Writes. What is read after a success is at least as new as the data at this moment.
    func change(at bank: Bank) async -> String? {
        // One that was not sent, or whose outcome is not known, promises nothing.
        guard case .success = await bank.result(of: CachedChange()) else { return nil }
        state.withLock { $0.known = max($0.known, $0.version) }
        return nil
    }
}

private struct CachedLook: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Int
    static let endpoint = EndpointDescription(
        Bank.service, "cachedLook", .get, effect: .read, session: .required, cache: CacheRule(offline: .seconds(4)))
    func encode(into request: inout RequestEncoder) { request.path("/cached") }
    static func load(from reader: inout JSONReader) -> Int? { reader.readInt() }
}

private struct CachedChange: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Void
    static let endpoint = EndpointDescription(
        Bank.service, "cachedChange", .post, effect: .idempotent, session: .required, response: .none,
        clears: ["cachedLook"])
    func encode(into request: inout RequestEncoder) { request.path("/changes") }
}
