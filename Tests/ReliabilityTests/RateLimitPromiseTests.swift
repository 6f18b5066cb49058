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

extension RateLimitPromiseTests {
    /// A service says nothing before it refuses, and then only how long to wait. A refused request may count elsewhere: Django REST
    /// framework adds it to its limit of a day.
    @Test func onlyWhatIsUnderWayIsRefusedByALimitThatNothingAnnounces() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("21  a refusal holds all others", seeds: 60) { simulation in
            let desk = LimitedDesk(simulation, announces: false)
            let server = Interception { (request, _) async throws(TransportFault) in await desk.answer(request) }
            let most = desk.random(in: 1...8)
            let dispatcher = simulation.makeDispatcher(
                interceptors: [server], settings: DispatcherSettings(maximumRequestsPerHost: most))
            let bank = Bank(on: dispatcher, session: Session()).with { $0.deadline = .seconds(10_000) }
            var finding = PromiseRun.Finding()
            finding.cases = desk.random(in: 20...120)
            _ = await simulation.concurrently(finding.cases) { _ in
                await simulation.sleep(for: .milliseconds(desk.random(in: 0...500)))
                return await bank.result(of: LimitedLook())
            }
            // Those under way, and those that took the places of the last that were let through, before the first refusal arrived.
            let refused = desk.refusals.values.max() ?? 0
            finding.expect(
                refused <= 2 * most, "\(refused) refused in one period, with \(most) at a time: \(desk.text)")
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
        var refusals: [Int: Int] = [:]
    }

    let simulation: Simulation
    private let state: LockedState<State>
    private let quota: Int
    private let seconds: Int
    private let start: SimulatedClock.Instant
    private let announces: Bool

    /// - Parameter announces: whether responses say what is left of the limit. Otherwise refusals say how long to wait.
    init(_ simulation: Simulation, announces: Bool = true) {
        self.simulation = simulation
        self.announces = announces
        var chance = SeededGenerator(seed: simulation.seed ^ 0x4C1D)
        quota = .random(in: 2...50, using: &chance)
        seconds = .random(in: 2...60, using: &chance)
        start = simulation.clock.now
        let first = chance
        state = LockedState { State(chance: first) }
    }

    /// How many requests were refused, by periods.
    var refusals: [Int: Int] { state.withLock { $0.refusals } }

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
            if state.count > quota { state.refusals[window, default: 0] += 1 }
            return state.count
        }
        let left = Duration.seconds(seconds * (window + 1)) - time
        let rounded = Int((left / .seconds(1)).rounded(.up))
        await simulation.sleep(for: .milliseconds(random(in: 1...300)))
        let isRefused = count > quota
        let headers: HTTPHeaders =
            announces
            ? ["RateLimit-Remaining": "\(max(0, quota - count))", "RateLimit-Reset": "\(rounded)"]
            : isRefused ? ["Retry-After": "\(rounded)"] : [:]
        return TransportResponse(
            status: isRefused ? 429 : 200, headers: headers, body: Array("1".utf8))
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
