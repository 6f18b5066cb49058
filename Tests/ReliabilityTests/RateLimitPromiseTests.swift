import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

/// Promise 21: commands that hear of a rate limit in time are not refused by it, and none waits for nothing.
@Suite(.serialized) struct RateLimitPromiseTests {
    /// A service counts requests in windows that begin at fixed times, and refuses those that are too many. Its responses come late
    /// and out of order. After the first response, the clients know what is left.
    @Test func noCommandIsRefusedByALimitThatItsClientHasHeardOf() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("21  announced rate limits refuse no command", seeds: 60) { simulation in
            let desk = LimitedDesk(simulation)
            let server = Interception { (request, _) async throws(TransportFault) in await desk.answer(request) }
            let most = desk.random(in: 1...40)
            let dispatcher = simulation.makeDispatcher(
                interceptors: [server], settings: DispatcherSettings(maximumRequestsPerHost: most))
            let bank = Bank(on: dispatcher, session: Session()).with {
                $0.deadline = .seconds(10_000)
                $0.attempts = 1
            }
            var finding = PromiseRun.Finding()
            _ = await bank.result(of: LimitedLook())
            let start = simulation.clock.now
            let count = desk.random(in: 1...120)
            let failures = await simulation.concurrently(count) { _ in
                await simulation.sleep(for: .milliseconds(desk.random(in: 0...500)))
                if case .failure(let failure) = await bank.result(of: LimitedLook()) { return "\(failure)" }
                return nil
            }.compactMap { $0 }
            finding.cases = count
            finding.expect(failures.isEmpty, "\(failures.count) of \(count) refused by \(desk.text): \(failures[0])")
            let time = start.duration(to: simulation.clock.now)
            finding.expect(
                time <= desk.longest(for: count, atOnce: most), "\(count) requests take \(time) with \(desk.text)")
            return finding
        }
    }
}

/// A service with a limit.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
private final class LimitedDesk: Sendable {
    private struct State: Sendable {
        var chance: SeededGenerator
        /// The number of the current window, and its requests.
        var window = 0
        var count = 0
    }

    let simulation: Simulation
    private let state: LockedState<State>
    private let quota: Int
    private let seconds: Int
    private let start: SimulatedClock.Instant

    init(_ simulation: Simulation) {
        self.simulation = simulation
        var chance = SeededGenerator(seed: simulation.seed ^ 0x4C1D)
        quota = .random(in: 2...50, using: &chance)
        seconds = .random(in: 2...60, using: &chance)
        start = simulation.clock.now
        let first = chance
        state = LockedState { State(chance: first) }
    }

    var text: String { "\(quota) requests in \(seconds) s" }

    func random(in range: ClosedRange<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.chance) } }

    /// How long this many requests may take. One that is under way when a window begins is counted in the one or in the other, and a
    /// window whose first response was late allows fewer. Without any limit, each takes up to twice the longest pause.
    ///
    /// - Parameter most: how many are under way at once.
    func longest(for count: Int, atOnce most: Int) -> Duration {
        .seconds(seconds * (2 + 2 * (count / quota)) + 2) + Self.longestPause * (2 * (count / most))
    }

    private static let longestPause = Duration.milliseconds(300)

    func answer(_ request: TransportRequest) async -> TransportResponse {
        await simulation.sleep(for: .milliseconds(random(in: 1...300)))
        let time = start.duration(to: simulation.clock.now)
        let window = Int(time / .seconds(seconds))
        let count = state.withLock { state in
            if window != state.window { (state.window, state.count) = (window, 0) }
            state.count += 1
            return state.count
        }
        let left = Duration.seconds(seconds * (window + 1)) - time
        let rounded = Int((left / .seconds(1)).rounded(.up))
        await simulation.sleep(for: .milliseconds(random(in: 1...300)))
        let headers: HTTPHeaders = [
            "RateLimit-Remaining": "\(max(0, quota - count))", "RateLimit-Reset": "\(rounded)",
        ]
        return TransportResponse(
            status: count > quota ? 429 : 200, headers: headers, body: Array("1".utf8))
    }
}

private struct LimitedLook: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Int
    static let endpoint = EndpointDescription(Bank.service, "limitedLook", .get, effect: .read, session: .none)
    func encode(into request: inout RequestEncoder) { request.path("/limited") }
    static func load(from reader: inout JSONReader) -> Int? { reader.readInt() }
}
