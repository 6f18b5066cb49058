import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

/// Promise 19: reads that share a request never get what they would not have got from a request of their own.
@Suite(.serialized) struct SharedReadPromiseTests {
    /// Users come one after the other, read, write and give up. The server notes the state of its data when a request arrives, and
    /// responds later. A read that had joined a request from before a write that its caller knows of would show the state before it.
    @Test func noSharedReadIsAnothersOrFromBeforeAWrite() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("19  shared reads show the reader's own data, and every write before", seeds: 60) {
            simulation in
            let desk = SharedDesk(simulation)
            let server = Interception { (request, _) async throws(TransportFault) in try await desk.answer(request) }
            let dispatcher = simulation.makeDispatcher(
                interceptors: [server], settings: DispatcherSettings(maximumRequestsPerHost: 3))
            let bank = Bank(on: dispatcher, session: Session())
            let habits = ReaderHabits(commands: 30, writes: 6, givenUp: 5, pauses: 3, longestPause: 400)
            var finding = PromiseRun.Finding()
            for user in 1...6 {
                await bank.binding.session.begin(SessionTokens(access: "t\(user)", identity: "\(user)"))
                // In calm weather, ten equal reads at once are one request.
                let before = desk.requests
                desk.isCalm = true
                let calm = await simulation.concurrently(10) { _ in await desk.look(as: user, at: bank, calmly: true) }
                desk.isCalm = false
                finding.expect(calm.allSatisfy { $0 == nil }, "\(calm.compactMap { $0 })")
                finding.expect(desk.requests == before + 1, "\(desk.requests - before) requests for ten equal reads")
                await desk.act(as: user, at: bank, habits, &finding)
            }
            return finding
        }
    }
}

/// A server whose reads share their requests.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
private final class SharedDesk: ReaderDesk {
    private struct State: Sendable {
        var chance: SeededGenerator
        var version = 0
        /// The number at the last end of a write that the client knows of.
        var known = 0
        var requests = 0
        var isCalm = false
    }

    let simulation: Simulation
    private let state: LockedState<State>

    init(_ simulation: Simulation) {
        self.simulation = simulation
        let seed = simulation.seed
        state = LockedState { State(chance: SeededGenerator(seed: seed ^ 0x5A4E)) }
    }

    func random(below bound: Int) -> Int { state.withLock { Int.random(in: 0..<bound, using: &$0.chance) } }
    var requests: Int { state.withLock { $0.requests } }
    var isCalm: Bool {
        get { state.withLock { $0.isCalm } }
        set { state.withLock { $0.isCalm = newValue } }
    }
    var chance: SeededGenerator {
        get { state.withLock { $0.chance } }
        set { state.withLock { $0.chance = newValue } }
    }

    func answer(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        let version = state.withLock { state in
            state.requests += 1
            return state.version
        }
        let isWrite = request.method != .get
        await simulation.sleep(for: .milliseconds(1 + random(below: 600)))
        if Task.isCancelled { throw TransportFault(.cancelled, evidence: .sent) }
        if isWrite { state.withLock { $0.version += 1 } }
        if !isCalm {
            switch random(below: 12) {
            case 0: throw TransportFault(.lost, evidence: .sent)
            case 1: return TransportResponse(status: 503)
            default: break
            }
        }
        let user = request.headers["Authorization"].flatMap { Int($0.dropFirst("Bearer t".count)) } ?? 0
        return isWrite ? TransportResponse(status: 204) : .json("\(version * 100 + user)")
    }

    func look(as user: Int, at bank: Bank) async -> String? { await look(as: user, at: bank, calmly: false) }

    /// Reads, and returns what is wrong with the result.
    func look(as user: Int, at bank: Bank, calmly: Bool) async -> String? {
        let timeout = Duration.milliseconds(calmly ? 5_000 : 100 + random(below: 3) * 300)
        let known = state.withLock { $0.known }
        let start = simulation.clock.now
        let reader = bank.with {
            $0.timeout = timeout
            $0.attempts = calmly ? 1 : 1 + random(below: 2)
        }
        switch await reader.result(of: SharedLook()) {
        case .success(let value):
            if value % 100 != user { return "user \(user) got what user \(value % 100) reads" }
            return value / 100 < known ? "state \(value / 100) after a write that led to \(known)" : nil
        case .failure(let failure):
            guard failure.kind == .timedOut else { return calmly ? "\(failure)" : nil }
            let time = start.duration(to: simulation.clock.now)
            return time < timeout ? "over after \(time) of \(timeout)" : nil
        }
    }

    /// Writes. Whatever the result, what is read afterwards is at least as new as the data at this moment.
    func change(at bank: Bank) async -> String? {
        _ = await bank.result(of: SharedChange())
        state.withLock { $0.known = max($0.known, $0.version) }
        return nil
    }
}

private struct SharedLook: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Int
    static let endpoint = EndpointDescription(
        Bank.service, "sharedLook", .get, effect: .read, session: .required, share: true)
    func encode(into request: inout RequestEncoder) { request.path("/shared") }
    static func load(from reader: inout JSONReader) -> Int? { reader.readInt() }
}

private struct SharedChange: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Void
    static let endpoint = EndpointDescription(
        Bank.service, "sharedChange", .put, effect: .idempotent, session: .required, response: .none)
    func encode(into request: inout RequestEncoder) { request.path("/shared") }
}
