import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// A network that goes and comes as the test says.
final class TestPathMonitor: PathMonitor {
    private let path: LockedState<NetworkPath>
    private let followers = EventFollowers<NetworkPath>(limit: 1)

    init(_ path: NetworkPath) { self.path = LockedState { path } }

    var current: NetworkPath { path.withLock { $0 } }
    func paths() -> AsyncStream<NetworkPath> { followers.stream { [path] in path.withLock { $0 } } }

    func become(_ new: NetworkPath) {
        path.withLock { $0 = new }
        followers.tell(new)
    }
}

extension Dispatcher {
    /// Waits until so many commands wait.
    func waits(for count: Int) async {
        await until { waiting.count == count }
    }
}

extension WaitingOrder {
    /// The order of an ordinary command, by the number of its submission.
    static func submitted(_ number: Int) -> WaitingOrder { WaitingOrder(urgency: 2, number: number) }
}

/// A clock on which each sleep takes at least 10 ms, and time passes by sleeping alone.
private final class CoarseClock: Clock, Sendable {
    private let offset = LockedState<Duration> { .zero }
    var now: InstantClock.Instant { InstantClock.Instant(offset: offset.withLock { $0 }) }
    var minimumResolution: Duration { .milliseconds(10) }

    func sleep(until deadline: InstantClock.Instant, tolerance: Duration?) async throws {
        offset.withLock { $0 = max(deadline.offset, $0 + .milliseconds(10)) }
    }
}

@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct ConnectivityTests {
    static let wiFi = NetworkPath(isSatisfied: true, kind: .wiFi)
    static let cellular = NetworkPath(isSatisfied: true, kind: .cellular, isExpensive: true)

    private func bank(
        _ transport: ScriptedTransport, _ monitor: TestPathMonitor, session: Session = .begun,
        server: Bank.Server = .production
    ) -> Bank {
        let environment = DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 3))
        return Bank(
            server, on: Dispatcher(transport: transport, network: monitor, environment: environment),
            session: session)
    }

    /// Starts commands one after the other, each once the one before waits.
    private func start(_ count: Int, on bank: Bank) async -> [Task<[Bank.Account], any Error>] {
        var tasks: [Task<[Bank.Account], any Error>] = []
        for number in 0..<count {
            tasks.append(Task { try await bank.listAccounts(page: number + 1) })
            await bank.binding.dispatcher.waits(for: number + 1)
        }
        return tasks
    }

    /// On a busy machine, a sleep of microseconds takes milliseconds. A hundred thousand such sleeps would outlast the
    /// patience of the commands.
    @Test func slowSleepsDoNotDelayTheReturn() async throws {
        let clock = CoarseClock()
        let monitor = TestPathMonitor(.unsatisfied)
        let gate = ConnectivityGate(monitor, DispatcherEnvironment(clock: clock, generator: SeededGenerator(seed: 3)))
        let waiters = (0..<1_000).map { _ in ConnectivityGate.Waiter() }
        for (number, waiter) in waiters.enumerated() { #expect(gate.join(.any, .submitted(number), waiter) != nil) }
        monitor.become(Self.wiFi)
        for (number, waiter) in waiters.enumerated() {
            guard case .granted(let pass) = await waiter.value(ifCancelled: .cancelled) else {
                Issue.record("a waiter did not pass")
                return
            }
            if case .probe(let id) = pass { gate.finish(probe: id, .reached) } else { #expect(number > 0) }
        }
        #expect(clock.now.offset <= .milliseconds(520))
    }

    @Test func nothingIsSentOfflineAndOneGoesFirstOnReturn() async throws {
        let monitor = TestPathMonitor(.unsatisfied)
        let first = Meeting()
        let transport = ScriptedTransport.scripted { _, number in
            if number == 1 { await first.hold() }
            return .json(200, noAccounts)
        }
        let bank = bank(transport, monitor)
        let tasks = await start(20, on: bank)
        #expect(
            bank.binding.dispatcher.waiting.allSatisfy { $0.place == .connectivity && $0.endpoint == "listAccounts" })
        #expect(transport.requests.isEmpty)
        monitor.become(Self.wiFi)
        await first.met()
        await bank.binding.dispatcher.waits(for: 19)
        for _ in 0..<100 { await Task.yield() }
        #expect(transport.requests.count == 1)
        first.release()
        for task in tasks { _ = try await task.value }
        let pages = transport.requests.map {
            URLComponents(string: $0.url)?.queryItems?.first { $0.name == "page" }?.value
        }
        #expect(pages == (1...20).map { "\($0)" })
        #expect(bank.binding.dispatcher.waiting.isEmpty)
    }

    /// The path says that there is a network, and nothing gets through: one probe at a time finds that out.
    @Test func aPathThatOnlyLooksSatisfiedCostsOneProbeAfterEachPause() async throws {
        let monitor = TestPathMonitor(.unsatisfied)
        let transport = ScriptedTransport.scripted { _, number throws(TransportFault) in
            if number <= 5 { throw TransportFault(.offline, evidence: .notSent) }
            return .json(200, noAccounts)
        }
        let bank = bank(transport, monitor)
        let tasks = await start(10, on: bank)
        monitor.become(Self.wiFi)
        for task in tasks { _ = try await task.value }
        #expect(transport.requests.count == 15)
    }

    /// The transport notices before the system does.
    @Test func aLossThatOnlyTheTransportNoticesHoldsTheOthersToo() async throws {
        let monitor = TestPathMonitor(Self.wiFi)
        let transport = ScriptedTransport.scripted { _, number throws(TransportFault) in
            if number == 1 { throw TransportFault(.offline, evidence: .notSent) }
            return .json(200, noAccounts)
        }
        _ = try await bank(transport, monitor).listAccounts()
        #expect(transport.requests.count == 2)
    }

    @Test func aCancelledCommandLeavesAndAnotherBecomesTheProbe() async throws {
        let monitor = TestPathMonitor(.unsatisfied)
        let first = Meeting()
        let transport = ScriptedTransport.scripted { _, number throws(TransportFault) in
            if number == 1 {
                await first.hold()
                throw TransportFault(.cancelled, evidence: .notSent)
            }
            return .json(200, noAccounts)
        }
        let bank = bank(transport, monitor)
        var tasks = await start(4, on: bank)
        let second = tasks.remove(at: 1)
        second.cancel()
        #expect((try? await second.value) == nil)
        await bank.binding.dispatcher.waits(for: 3)
        monitor.become(Self.wiFi)
        await first.met()
        tasks[0].cancel()
        first.release()
        #expect((try? await tasks.removeFirst().value) == nil)
        for task in tasks { _ = try await task.value }
        #expect(transport.requests.count == 3)
    }

    @Test func anUnmeteredCommandWaitsForSuchANetwork() {
        var state = ConnectivityState(path: Self.cellular)
        func isOpen(_ use: NetworkUse) -> Bool { state.admit(for: use, isRenewal: false, passed: nil) != nil }
        #expect(isOpen(.any) && !isOpen(.unmetered))
        let waiter = ConnectivityGate.Waiter()
        #expect(state.join(waiter, .unmetered, .submitted(1)).1.isEmpty)
        let metered = NetworkPath(isSatisfied: true, kind: .cellular, isExpensive: true, isConstrained: true)
        #expect(state.update(metered).isEmpty && isOpen(.any))
        guard case .drain(1)? = state.update(Self.wiFi).first, case .wake(let next, _, _)? = state.allow(2).first
        else {
            Issue.record("it does not go")
            return
        }
        #expect(next === waiter && !isOpen(.unmetered))
    }

    /// The most urgent go first, among equals those that were submitted first, whenever they came to wait and whatever network
    /// they want. One goes after the other.
    @Test func waitersGoInTheOrderOfTheirSubmission() {
        var state = ConnectivityState(path: .unsatisfied)
        let places: [(number: Int, urgency: Int, use: NetworkUse)] = [
            (2, 2, .any), (3, 2, .unmetered), (1, 2, .any), (4, 2, .any), (5, 2, .any), (6, 1, .any), (7, 3, .any),
        ]
        let waiters = places.map { _ in ConnectivityGate.Waiter() }
        var tickets: [ConnectivityState.Ticket] = []
        for (waiter, place) in zip(waiters, places) {
            let order = WaitingOrder(urgency: place.urgency, number: place.number)
            tickets.append(state.join(waiter, place.use, order).0)
        }
        state.leave(tickets[3])
        guard case .probe(let probe, let id)? = state.update(Self.wiFi).first else {
            Issue.record("no probe")
            return
        }
        #expect(probe === waiters[5])
        guard case .drain(5)? = state.finish(probe: id, .reached).first else {
            Issue.record("no waiter follows")
            return
        }
        var steps = state.allow(4)
        for index in [2, 0, 1, 4] {
            guard case .wake(let next, let turn, let closings)? = steps.first else {
                Issue.record("number \(places[index].number) does not go")
                return
            }
            #expect(next === waiters[index])
            #expect(state.allow(0).isEmpty && state.endTurn(turn + 1).isEmpty, "two at a time")
            // It has its pass for as long as the network is there. Others wait behind those that have waited.
            #expect(state.admit(for: .any, isRenewal: false, passed: closings) != nil)
            #expect(state.admit(for: .any, isRenewal: false, passed: nil) == nil)
            steps = state.endTurn(turn)
        }
        #expect(steps.isEmpty)
        _ = state.noteLoss()
        #expect(state.admit(for: .any, isRenewal: false, passed: 1) == nil)
    }

    /// A probe that was cancelled before it was woken finds nothing out. The next waiter goes in its place.
    @Test func aProbeThatHasLeftIsReplaced() async {
        let monitor = TestPathMonitor(.unsatisfied)
        let gate = ConnectivityGate(monitor, DispatcherEnvironment())
        let left = ConnectivityGate.Waiter()
        let next = ConnectivityGate.Waiter()
        _ = gate.join(.any, .submitted(1), left)
        _ = gate.join(.any, .submitted(2), next)
        left.end(.cancelled)
        monitor.become(Self.wiFi)
        guard case .granted(.probe) = await next.value(ifCancelled: .cancelled) else {
            Issue.record("it isn't a probe")
            return
        }
    }

    @Test func thisMachineNeedsNoNetwork() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, noAccounts) }
        _ = try await bank(transport, TestPathMonitor(.unsatisfied), server: .local()).listAccounts()
    }

    /// The session has ended meanwhile: the login goes first, once, and then all commands.
    @Test func theLoginGoesFirst() async throws {
        let monitor = TestPathMonitor(.unsatisfied)
        let transport = ScriptedTransport.scripted { request, _ in
            if request.url.hasSuffix("/sessions") { return .json(200, #"{"data":{"token":"new"}}"#) }
            return request.headers["Authorization"] == "Bearer new" ? .json(200, noAccounts) : .json(401, "")
        }
        let session = Session { Bank.LogIn(user: "ada", password: "secret") }
        await session.begin(SessionTokens(access: "old"))
        let bank = bank(transport, monitor, session: session)
        let tasks = await start(10, on: bank)
        monitor.become(Self.wiFi)
        for task in tasks { _ = try await task.value }
        let paths = transport.paths
        #expect(paths.prefix(2) == ["GET /v1/accounts", "POST /v1/sessions"])
        #expect(paths.filter { $0 == "POST /v1/sessions" }.count == 1)
        #expect(paths.count == 12)
    }

    /// A refused probe starts the renewal before it lets the others go, so that none of them is sent with the dead token.
    @Test func whatFollowsAProbeFindsItsRenewal() async throws {
        // The others run on other threads, so one round may miss that they have been let go too early.
        for _ in 0..<20 {
            let monitor = TestPathMonitor(.unsatisfied)
            let refusals = LockedState { 0 }
            let transport = ScriptedTransport.scripted { request, _ in
                if request.url.hasSuffix("/sessions") { return .json(200, #"{"data":{"token":"new"}}"#) }
                if request.headers["Authorization"] == "Bearer new" { return .json(200, noAccounts) }
                refusals.withLock { $0 += 1 }
                return .json(401, "")
            }
            let session = Session { Bank.LogIn(user: "ada", password: "secret") }
            let environment = DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 3))
            await session.begin(SessionTokens(access: "old"))
            let bank = Bank(
                on: Dispatcher(transport: transport, network: monitor, environment: environment), session: session)
            let tasks = (0..<100).map { _ in Task { try await bank.listAccounts() } }
            await bank.binding.dispatcher.waits(for: tasks.count)
            monitor.become(Self.wiFi)
            for task in tasks { _ = try await task.value }
            #expect(refusals.withLock { $0 } == 1)
        }
    }
}

extension ConnectivityTests {
    /// The first in the line needs a login, and the user takes their time over the form: commands that need none go on.
    @Test func aProbeThatWaitsForTheUserHoldsNoCommandUp() async throws {
        let monitor = TestPathMonitor(.unsatisfied)
        let form = Meeting()
        let transport = ScriptedTransport.scripted { request, _ in
            request.url.hasSuffix("/sessions") ? .json(200, #"{"data":{"token":"new"}}"#) : .json(200, noAccounts)
        }
        let session = Session {
            await form.hold()
            return Bank.LogIn(user: "ada", password: "secret")
        }
        let environment = DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 3))
        let dispatcher = Dispatcher(transport: transport, network: monitor, environment: environment)
        let list = Task { try await Bank(on: dispatcher, session: session).listAccounts() }
        await dispatcher.waits(for: 1)
        let order = Task { try await Shop(on: dispatcher).send(Shop.PlaceOrder()) }
        await dispatcher.waits(for: 2)
        monitor.become(Self.wiFi)
        await form.met()
        try await order.value
        #expect(transport.paths == ["POST /orders"])
        form.release()
        _ = try await list.value
        #expect(transport.paths == ["POST /orders", "POST /v1/sessions", "GET /v1/accounts"])
    }
}

/// The tables of Linux, as they are on real machines.
#if !canImport(Network)
@Suite struct RoutingTableTests {
    private func path(_ routes: String, newer: String = "", wireless: String? = nil) throws -> NetworkPath {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("routes-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("net"), withIntermediateDirectories: true)
        if let wireless {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("\(wireless)/wireless"), withIntermediateDirectories: true)
        }
        let header = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
        try Data((header + routes).utf8).write(to: folder.appendingPathComponent("net/route"))
        try Data(newer.utf8).write(to: folder.appendingPathComponent("net/ipv6_route"))
        return RoutingTable(processes: folder.path + "/net", interfaces: folder.path).path()
    }

    @Test func tellsWhetherThereIsAWayOut() throws {
        let wired = "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
        #expect(try path(wired) == NetworkPath(isSatisfied: true, kind: .wired))
        #expect(
            try path("wlan0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n", wireless: "wlan0").kind
                == .wiFi)
        #expect(try path("wwan0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n").kind == .cellular)
        #expect(try path("") == .unsatisfied)
        // Only itself, only a route that is down, only one that refuses.
        #expect(try path("lo\t0000007F\t00000000\t0001\t0\t0\t0\t000000FF\t0\t0\t0\n") == .unsatisfied)
        #expect(try path("eth0\t00000000\t010200C0\t0002\t0\t0\t0\t00000000\t0\t0\t0\n") == .unsatisfied)
        #expect(try path("eth0\t00000000\t010200C0\t0203\t0\t0\t0\t00000000\t0\t0\t0\n") == .unsatisfied)
        // A server that talks to its neighbors only.
        #expect(try path("eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n").isSatisfied)
        let zero = String(repeating: "0", count: 32)
        #expect(
            try path(
                "",
                newer:
                    "\(zero) 00 \(zero) 00 fd000000000000000000000000000001 00000400 00000002 00000000 00000003     eth0\n"
            ).isSatisfied)
        #expect(
            try path(
                "",
                newer:
                    "fe800000000000000000000000000000 40 \(zero) 00 \(zero) 00000100 00000002 00000000 00000001     eth0\n"
            ) == .unsatisfied)
        #expect(RoutingTable(processes: "/nowhere").path().isSatisfied)
    }

    @Test func theSystemsMonitorTellsAtOnce() async {
        for await path in SystemPathMonitor.shared.paths() {
            #expect(path == SystemPathMonitor.shared.current)
            break
        }
    }
}
#endif
