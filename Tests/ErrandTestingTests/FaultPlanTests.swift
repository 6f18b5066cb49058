import BankClient
import Testing

@testable import ErrandTesting

/// Faults at every point, and what clients may rely on all the same.
@Suite struct FaultPlanTests {
    /// `orderCard` is `once`: the server knows no key for it.
    @Test(arguments: FaultPlan.Fault.allCases)
    func nothingHappensTwiceUnderAnyFault(_ fault: FaultPlan.Fault) async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run(seeds: 20) { simulation in
            let server = simulation.server
            let bank = Bank(
                on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
            _ = try await bank.logIn(user: "ada", password: "lovelace")
            server.faults = FaultPlan([fault: 0.5])
            let done = await withTaskGroup(of: [Bool].self) { group in
                for account in 1...10 {
                    group.addTask {
                        let card = await bank.result(of: Bank.OrderCard(accountID: account))
                        let transfer = await bank.result(
                            of: Bank.TransferFunds(fromAccount: account, toAccount: 0, amount: 1))
                        return [(try? card.get()) != nil, (try? transfer.get()) != nil]
                    }
                }
                return await group.reduce([0, 0]) { [$0[0] + ($1[0] ? 1 : 0), $0[1] + ($1[1] ? 1 : 0)] }
            }
            let cards = server.carriedOut(Bank.OrderCard.self)
            let transfers = server.carriedOut(Bank.TransferFunds.self)
            #expect(Set(cards.map(\.url)).count == cards.count, "\(fault) \(simulation)")
            #expect(Set(transfers.map(\.text)).count == transfers.count, "\(fault) \(simulation)")
            #expect(cards.count >= done[0] && transfers.count >= done[1], "\(fault) \(simulation)")
        }
    }

    /// Each fault is met, and is told as what it is.
    @Test func everyFaultHappens() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let wanted: [FaultPlan.Fault: String] = [
            .refused: "refused, notSent", .refusedStream: "lost, unprocessed", .staleConnection: "lost, sent",
            .cutBefore: "lost, sent", .cutDuring: "lost, sent", .cutAfter: "lost, sent",
            .cutReply: "lost, sent", .unauthorized: "← 401", .throttled: "← 429", .serverError: "← 500",
            .badGateway: "← 502", .unavailable: "← 503", .gatewayTimeout: "← 504", .garbage: "← 200",
            .truncated: "← 200", .delayed: "← 200", .duplicated: "known by its key", .networkLoss: "offline, notSent",
            .moved: "← 30",
        ]
        for fault in FaultPlan.Fault.allCases {
            let log = try Simulation.run(seed: 4) { simulation in
                let bank = Bank(on: simulation.dispatcher)
                _ = try await bank.logIn(user: "ada", password: "lovelace")
                simulation.server.faults = FaultPlan([fault: 1])
                let task = simulation.task { try? await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 500) }
                await simulation.sleep(for: .seconds(1))
                simulation.server.faults = .none
                _ = await task.value
                return simulation.log
            }
            let text = try #require(wanted[fault])
            #expect(log.contains { $0.contains(text) }, "\(fault): \(log)")
        }
    }

    @Test func ratesAreKept() {
        let plan = FaultPlan(rate: 0.32)
        let met = (0..<1_000).filter { plan.fault(at: Double($0) / 1_000) != nil }.count
        #expect(abs(met - 320) < 5)
        #expect(FaultPlan.none.fault(at: 0) == nil)
        #expect(FaultPlan([.throttled: 1]).fault(at: 0.999) == .throttled)
    }
}
