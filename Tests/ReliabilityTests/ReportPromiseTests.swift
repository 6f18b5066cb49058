import BankClient
import ErrandRuntime
import ErrandTesting
import TestSeeds
import Testing

/// A failure reports the request that the server has received, and not the intended one.
@Suite(.serialized) struct ReportPromiseTests {
    @Test func aFailureNamesTheRequestThatWasSent() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("   a failure names the request that was sent") { simulation in
            let count = Tally()
            // Each attempt goes to another mirror of the bank.
            let mirrors = Interception { (request, next) async throws(TransportFault) in
                await count.add()
                var request = request
                let mirror = "//mirror\(await count.count).bank.example"
                request.url = request.url.replacing("//api.bank.example", with: mirror)
                simulation.note(request.url)
                return try await next(request)
            }
            let bank = try await simulation.makeLoggedInBank(on: simulation.makeDispatcher(interceptors: [mirrors]))
            simulation.server.faults = FaultPlan(
                rate: 1, of: [.unavailable, .throttled, .refused, .cutAfter, .serverError])
            let results = await simulation.concurrently(40) { await bank.result(of: Bank.GetAccount(accountID: $0)) }
            var finding = PromiseRun.Finding(cases: 40)
            for (index, result) in results.enumerated() {
                guard case .failure(let failure) = result else { continue }
                let sent =
                    simulation.log.last { $0.contains("//mirror") && $0.hasSuffix("/accounts/\(index + 1)") } ?? "?"
                finding.expect(sent.hasSuffix(" \(failure.context.url)"), "\(failure.context.url) instead of \(sent)")
            }
            finding.expect(results.contains { (try? $0.get()) == nil }, "none failed")
            return finding
        }
    }
}
