import BankClient
import ErrandTesting
import Testing

/// Promise 3: nothing takes effect twice, and what a command says about its effect is true.
@Suite(.serialized) struct EffectPromiseTests {
    static let ambiguous: [FaultPlan.Fault] = [
        .staleConnection, .cutBefore, .cutDuring, .cutAfter, .cutReply, .delayed, .serverError, .badGateway,
        .gatewayTimeout, .garbage, .truncated, .moved,
    ]

    @Test func whatIsOnceTakesEffectAtMostOnce() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("3  `once` takes effect at most once, and tells the truth") { simulation in
            let bank = try await simulation.makeLoggedInBank()
            simulation.server.faults = FaultPlan(
                rate: 0.7, of: Self.ambiguous + [.refused, .refusedStream, .unauthorized, .throttled, .unavailable])
            let results = await simulation.concurrently(100) { await bank.result(of: Bank.OrderCard(accountID: $0)) }
            let done = simulation.server.carriedOut(Bank.OrderCard.self).map(\.url)
            var finding = PromiseRun.Finding(cases: 100)
            finding.expect(Set(done).count == done.count, "ordered twice")
            for (index, result) in results.enumerated() {
                let isDone = done.contains { $0.hasSuffix("/accounts/\(index + 1)/cards") }
                Self.compare(result, isDone, &finding)
            }
            return finding
        }
    }

    @Test func whatIsKeyedTakesEffectAtMostOnce() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("3  `keyed` takes effect at most once, and tells the truth") { simulation in
            let bank = try await simulation.makeLoggedInBank()
            simulation.server.faults = FaultPlan(rate: 0.7)
            let results = await simulation.concurrently(60) {
                await bank.result(of: Bank.TransferFunds(fromAccount: $0, toAccount: 0, amount: 1))
            }
            let done = simulation.server.carriedOut(Bank.TransferFunds.self).map(\.text)
            var finding = PromiseRun.Finding(cases: 60)
            finding.expect(Set(done).count == done.count, "moved twice")
            for (index, result) in results.enumerated() {
                let isDone = done.contains { $0.contains(#""fromAccount":\#(index + 1),"#) }
                Self.compare(result, isDone, &finding)
            }
            return finding
        }
    }

    /// Also behind a gateway that responds with 503 after the delivery, or that delivers a DELETE twice.
    @Test func whatMayBeRepeatedTellsTheTruth() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("12 `idempotent` says never only if nothing was done") { simulation in
            let bank = try await simulation.makeLoggedInBank()
            // A page with status 200 would be a success of a command without a payload.
            simulation.server.faults = FaultPlan(rate: 0.7, of: FaultPlan.Fault.allCases.filter { $0 != .garbage })
            let results = await simulation.concurrently(60) { await bank.result(of: Bank.CloseAccount(accountID: $0)) }
            let done = simulation.server.carriedOut(Bank.CloseAccount.self).map(\.url)
            var finding = PromiseRun.Finding(cases: 60)
            for (index, result) in results.enumerated() {
                Self.compare(result, done.contains { $0.hasSuffix("/accounts/\(index + 1)") }, &finding)
            }
            return finding
        }
    }

    /// A success was carried out, and what says that it was not was not.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private static func compare<Response, Failure: CommandFailure>(
        _ result: Result<Response, Failure>, _ isDone: Bool, _ finding: inout PromiseRun.Finding
    ) {
        switch result {
        case .success: finding.expect(isDone, "a success without effect")
        case .failure(let failure):
            let context = failure.context
            finding.expect(context.applied != .never || !isDone, "\(context.name) is said to have had no effect")
            finding.expect(context.applied != .yes || isDone, "\(context.name) is said to have had an effect")
        }
    }
}
