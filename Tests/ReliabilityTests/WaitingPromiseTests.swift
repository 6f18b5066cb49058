import BankClient
import ErrandRuntime
import ErrandTesting
import TestSeeds
import Testing

/// Each command waits for exactly its own time, regardless of other waiting commands.
@Suite(.serialized) struct WaitingPromiseTests {
    /// Looks something up, and has no more than ten seconds' patience with the network.
    private struct LookUp: Command {
        typealias Service = Bank
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Bank.service, "lookUp", .get, effect: .read, patience: .upTo(.seconds(10)), response: .none)
        func encode(into request: inout RequestEncoder) {}
    }

    @Test func eachAttemptHasItsOwnTime() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("4  each attempt has the time that it was given") { simulation in
            let bank = try await simulation.makeLoggedInBank()
            let limit = Bank.GetAccount.endpoint.timeout
            // Every other one hangs; the others take most of the time that they have.
            let slow = Interception { (request, next) async throws(TransportFault) in
                await simulation.sleep(for: request.url.hasSuffix("1") ? limit * 10 : limit * 3 / 4)
                if Task.isCancelled { throw TransportFault(.cancelled, evidence: .sent) }
                return try await next(request)
            }
            let dispatcher = simulation.makeDispatcher(
                interceptors: [slow], settings: DispatcherSettings(retry: .never))
            let slowBank = Bank(on: dispatcher, session: bank.binding.session)
            let times = await simulation.concurrently(30) { number -> (isDone: Bool, time: Duration) in
                await simulation.sleep(for: .milliseconds(number * 700))
                let start = simulation.clock.now
                let result = await slowBank.result(of: Bank.GetAccount(accountID: number * 10 + number % 2))
                return ((try? result.get()) != nil, start.duration(to: simulation.clock.now))
            }
            var finding = PromiseRun.Finding(cases: 30)
            for (index, end) in times.enumerated() {
                let hangs = index % 2 == 0
                finding.expect(
                    end.isDone == !hangs, "\(hangs ? "one that hangs succeeded" : "one failed") after \(end.time)")
                finding.expect(!hangs || end.time == limit, "ended after \(end.time) instead of \(limit)")
            }
            return finding
        }
    }

    @Test func eachHasItsOwnPatienceWithTheNetwork() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("6  offline each waits for as long as it has patience") { simulation in
            let bank = Bank(on: simulation.dispatcher)
            simulation.network.goAway()
            await simulation.sleep(for: .milliseconds(1))
            let times = await simulation.concurrently(30) { number -> Duration in
                await simulation.sleep(for: .milliseconds(number * 900))
                let start = simulation.clock.now
                guard case .failure(let fault) = await bank.result(of: LookUp()), fault.kind == .offline else {
                    return .zero
                }
                return start.duration(to: simulation.clock.now)
            }
            var finding = PromiseRun.Finding(cases: 30)
            finding.expect(times.allSatisfy { $0 == .seconds(10) }, "waited for \(Set(times.map { "\($0)" }).sorted())")
            return finding
        }
    }

    @Test func aNetworkThatOnlyLooksThereIsTriedNowAndThen() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("6  a network that only looks there is tried now and then") { simulation in
            let end = simulation.clock.now.advanced(by: .seconds(60))
            let attempts = Tally()
            let portal = Interception { (request, next) async throws(TransportFault) in
                await attempts.add()
                await simulation.sleep(for: .milliseconds(100))
                if simulation.clock.now < end { throw TransportFault(.offline, evidence: .notSent) }
                return try await next(request)
            }
            // The network is away for as long as a command without patience of its own waits.
            let bank = Bank(on: simulation.makeDispatcher(interceptors: [portal])).with {
                $0.patience = .upTo(.seconds(300))
            }
            let results = await simulation.concurrently(20) { _ in
                await bank.result(of: Bank.LogIn(user: "ada", password: "lovelace"))
            }
            var finding = PromiseRun.Finding(cases: 20)
            finding.expect(results.allSatisfy { (try? $0.get()) != nil }, "some failed")
            // All of them find out at first, and get through at last. Between, one does after each pause.
            let probes = await attempts.count - 2 * 20
            finding.expect((1...60).contains(probes), "\(probes) probes in a minute")
            return finding
        }
    }
}
