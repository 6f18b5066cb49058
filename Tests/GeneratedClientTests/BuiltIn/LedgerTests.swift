import BankClient
import ErrandRuntime
import Foundation
import TestServices
import Testing

/// Many orders at once in bad weather: what each of them says of itself is held against the bank's books.
@Suite(.serialized) struct LedgerTests {
    /// The faults of a server and a line for one request; some carry it out, some do not.
    private static let weather: [ScriptedFault] = [
        .loseAnswer, .cut, .cutBody(after: 5), .status(500), .status(502), .status(503), .throttled(retryAfter: "0"),
        .garbage,
        .otherBody(#"{"data":{"strange":1}}"#), .webPage, .delay(.milliseconds(40)),
        .slowBody(pieces: 5, pause: .milliseconds(3)), .status(418),
    ]

    @Test(arguments: [UInt64.random(in: .min ... .max), 1])
    func whatAKeyedOrderSaysIsTrue(seed: UInt64) async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            await service.script(Self.weather.randomElement(using: &generator) ?? .cut, on: "POST /transfers")
        }
        let results = await withTaskGroup(
            of: (String, Result<Bank.TransferFunds.Response, Bank.TransferFundsFailure>).self
        ) {
            group in
            for number in 0..<60 {
                let order = Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 1, reference: "order \(number)")
                group.addTask { ("order \(number)", await bank.result(of: order)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count == 60)
        let booked = await Dictionary(grouping: service.bookings, by: \.reference).mapValues(\.count)
        for (order, result) in results {
            let count = booked[order] ?? 0
            switch result {
            case .success: #expect(count == 1, "seed \(seed), \(order)")
            case .failure(.unconfirmed(let receipt)):
                #expect(count <= 1 && receipt.context.applied == .maybe, "seed \(seed), \(order)")
            case .failure(.shared(.fault(let fault))) where fault.context.applied == .yes:
                #expect(count == 1 && fault.kind == .malformed, "seed \(seed), \(order): \(fault)")
            case .failure(let failure):
                #expect(count == 0 && failure.context.applied == .never, "seed \(seed), \(order): \(failure)")
                #expect(failure.context.attempts <= 3)
            }
        }
        await service.end()
    }

    @Test(arguments: [UInt64.random(in: .min ... .max), 2])
    func anOrderWithoutAKeyIsCarriedOutOnceAtMost(seed: UInt64) async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        var generator = SeededGenerator(seed: seed)
        var (settled, open) = (0, 0)
        // One after the other: only so can the books tell one card from the next.
        for _ in 0..<40 {
            let before = await service.cardsOrdered
            let fault = Self.weather.randomElement(using: &generator) ?? .cut
            await service.script(fault, on: "POST /accounts/*/cards")
            let result = await bank.result(of: Bank.OrderCard(accountID: 1))
            let ordered = await service.cardsOrdered - before
            switch result {
            case .success:
                settled += 1
                #expect(ordered == 1, "seed \(seed), \(fault)")
            case .failure(.unconfirmed):
                open += 1
                #expect(ordered <= 1, "seed \(seed), \(fault)")
            case .failure(.shared(.fault(let failure))) where failure.context.applied == .yes:
                settled += 1
                #expect(ordered == 1 && failure.kind == .malformed, "seed \(seed), \(fault): \(failure)")
            case .failure(let failure):
                #expect(ordered == 0 && failure.context.applied == .never, "seed \(seed), \(fault): \(failure)")
            }
        }
        #expect(settled > 0 && open > 0, "seed \(seed)")
        await service.end()
    }
}
