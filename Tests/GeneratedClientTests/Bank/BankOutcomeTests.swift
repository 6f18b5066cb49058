import BankClient
import Foundation
import TestServices
import Testing

/// Normal states of the business, which aren't errors.
@Suite(.serialized) struct BankOutcomeTests {
    @Test func needsApproval() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let command = Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 10_000)
        guard case .needsApproval(let data) = try await bank.send(command) else { throw Unexpected("no outcome") }
        #expect(data?.approver == "Grace")
        let reply = try await bank.reply(to: command)
        #expect(reply.code == "900120" && reply.message == "needs approval" && reply.status == 200)
        #expect(await service.bookings.isEmpty)
        await service.end()
    }

    @Test(arguments: [
        #"{"error":{"code":900120,"messages":[]},"data":{"approver":7}}"#,
        #"{"error":{"code":"900120"},"data":null}"#,
        #"{"error":{"code":900120}}"#,
        #"{"data":[],"error":{"code":900120}}"#,
    ])
    func anOutcomeWhoseDataDoesNotFit(body: String) async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.script(.body(body), on: "POST /transfers")
        let response = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 1)
        guard case .needsApproval(nil) = response else { throw Unexpected(response) }
        await service.end()
    }

    @Test func aCardWaitsForThePost() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.setPostIsSlow(true)
        guard case .waitsForPost(let data) = try await bank.orderCard(accountID: 1) else {
            throw Unexpected("no outcome")
        }
        #expect(data?.expectedOn == CalendarDate("2026-04-15"))
        await service.script(.status(202), on: "POST /accounts/*/cards")
        guard case .waitsForPost(nil) = try await bank.orderCard(accountID: 1) else { throw Unexpected("no outcome") }
        await service.end()
    }
}
