import ErrandTesting
import Testing

@testable import ErrandRuntime

/// Commands with a whole URL can go to any number of hosts.
@Suite struct RetryBudgetTests {
    private func host(_ number: Int) throws -> Origin { try #require(Origin("https://h\(number).example")) }

    @Test func manyHostsTakeBoundedMemory() throws {
        let budget = RetryTokens(RetryBudget())
        for number in 0..<5_000 { #expect(budget.withdraw(for: try host(number))) }
        #expect(budget.hosts <= 1_024)
    }

    @Test func aHostInDebtIsNotForgotten() throws {
        let budget = RetryTokens(RetryBudget())
        let poor = try host(-1)
        while budget.withdraw(for: poor) {}
        for number in 0..<5_000 { _ = budget.withdraw(for: try host(number)) }
        #expect(!budget.withdraw(for: poor))
    }

    @Test func amongEqualsTheLastUsedStay() throws {
        let budget = RetryTokens(RetryBudget())
        for number in 0..<5_000 {
            let host = try host(number)
            while budget.withdraw(for: host) {}
        }
        #expect(!budget.withdraw(for: try host(4_999)))
        #expect(budget.hosts <= 1_024)
    }

    // MARK: What gives tokens, and what takes them

    private static let home = Origin("https://home.example")!

    /// A relay whose server answers as the test says.
    private func relay(
        _ budget: RetryBudget, _ status: @escaping @Sendable () -> Int
    ) -> (relay: Relay, transport: ScriptedTransport, tokens: RetryTokens) {
        let transport = ScriptedTransport { _, _ in TransportResponse(status: status(), body: [7]) }
        let dispatcher = Dispatcher(
            transport: transport, settings: DispatcherSettings(retryBudget: budget),
            environment: DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7)))
        var relay = Relay(transport)
        relay.binding = ServiceBinding(
            Relay.service, server: "https://home.example/v1", on: dispatcher, session: Session())
        return (relay, transport, dispatcher.budget)
    }

    /// Commands that fail give nothing, however many they are. After an outage, ten successes pay for one retry.
    @Test func onlySuccessesGiveTokens() async {
        let status = LockedState { 503 }
        let (relay, transport, tokens) = relay(RetryBudget()) { status.withLock { $0 } }
        for _ in 0..<100 { _ = await relay.result(of: Relay.Find()) }
        #expect(transport.requests.count == 110)
        #expect(tokens.balance(of: Self.home) == 0)
        status.withLock { $0 = 200 }
        for _ in 0..<9 { _ = await relay.result(of: Relay.Read()) }
        #expect(abs(tokens.balance(of: Self.home) - 0.9) < 0.000_1)
        status.withLock { $0 = 503 }
        _ = await relay.result(of: Relay.Find())
        #expect(transport.requests.count == 120)
        status.withLock { $0 = 200 }
        _ = await relay.result(of: Relay.Read())
        status.withLock { $0 = 503 }
        for _ in 0..<10 { _ = await relay.result(of: Relay.Find()) }
        #expect(transport.requests.count == 132)
    }

    /// A final error that the endpoint itself lists shows a host that works. What a gateway may answer shows nothing.
    @Test(arguments: [(409, true), (404, false), (401, false), (500, false)])
    func anErrorOfTheEndpointIsAnAnswer(_ status: Int, _ isGiven: Bool) async {
        let (relay, _, tokens) = relay(RetryBudget()) { status }
        while tokens.withdraw(for: Self.home) {}
        _ = await relay.result(of: Relay.Once())
        #expect(tokens.balance(of: Self.home) == (isGiven ? 0.1 : 0), "\(status)")
    }

    @Test func anAppChoosesItsBudget() async {
        for (budget, sends) in [
            (RetryBudget(maximumTokens: 0), 30), (RetryBudget(maximumTokens: 25), 55), (.unlimited, 90),
        ] {
            let (relay, transport, _) = relay(budget) { 503 }
            for _ in 0..<30 { _ = await relay.result(of: Relay.Find()) }
            #expect(transport.requests.count == sends, "\(budget)")
        }
        let (relay, _, tokens) = relay(RetryBudget(maximumTokens: 2, tokenRatio: 0.5)) { 200 }
        while tokens.withdraw(for: Self.home) {}
        for balance in [0.5, 1, 1.5, 2, 2] {
            _ = await relay.result(of: Relay.Read())
            #expect(tokens.balance(of: Self.home) == balance)
        }
    }

    @Test func unreasonableBudgetsAreBounded() {
        #expect(RetryBudget(maximumTokens: .max).maximumTokens == 1_000)
        #expect(RetryBudget(maximumTokens: -1).maximumTokens == 0)
        #expect(RetryBudget(tokenRatio: .nan).tokenRatio == 0)
        #expect(RetryBudget(tokenRatio: -.infinity).tokenRatio == 0)
        #expect(RetryBudget(maximumTokens: 5, tokenRatio: .infinity).tokenRatio == 5)
    }
}
