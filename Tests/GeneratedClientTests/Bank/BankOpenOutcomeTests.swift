import BankClient
import Foundation
import TestServices
import Testing

/// The fate of orders whose response is lost, checked in the bank's own books.
@Suite(.serialized) struct BankOpenOutcomeTests {
    private static let transfer = Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 100)

    @Test func aKeyedOrderIsSentAgainWithItsKeyAndBookedOnce() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.script(.loseAnswer, times: 2, on: "POST /transfers")
        guard case .completed(let transfer) = try await bank.send(Self.transfer) else { throw Unexpected("outcome") }
        #expect(transfer.amount == 100)
        #expect(await service.bookings.count == 1)
        #expect(await service.balance(of: 5) == Decimal(string: "180.25"))
        let keys = await service.requests(on: "POST /transfers").map { $0.header("Idempotency-Key") }
        #expect(keys.count >= 2 && Set(keys).count == 1)

        _ = try await bank.send(Self.transfer)
        #expect(await service.bookings.count == 2, "the same command again is another order")
        await service.end()
    }

    /// The contract names the read that finds out, and it is made by itself.
    @Test func aKeyedOrderWithoutAnyAnswerIsSettledByItsRead() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service, on: .withoutReuse())
        await service.script(.loseAnswer, times: 3, on: "POST /transfers")
        guard case .completed(let transfer) = try await bank.send(Self.transfer) else { throw Unexpected("outcome") }
        #expect(transfer.amount == 100)
        #expect(await service.bookings.count == 1)
        let keys = await service.requests(on: "POST /transfers").map { $0.header("Idempotency-Key") }
        // The last of its three attempts is the read.
        #expect(keys.count == 2 && Set(keys).count == 1)
        #expect(await service.requests(on: "GET /transfers/by-key/*").count == 1)
        await service.end()
    }

    @Test func aKeyedOrderOfWhichNothingCanBeFoundOutIsUnconfirmed() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service, on: .withoutReuse())
        await service.script(.loseAnswer, times: 3, on: "POST /transfers")
        await service.script(.status(500), times: 3, on: "GET /transfers/by-key/*")
        let failure = try await bank.failure(of: Self.transfer)
        guard case .unconfirmed(let receipt) = failure else { throw Unexpected(failure) }
        #expect(receipt.cause.name == "connectionLost" && receipt.cause.category == .retryable)
        failure.expect(
            WantedContext("unconfirmed", .nonRetryable, .maybe, status: nil, attempts: 2, evidence: .sent),
            at: service.url + "/transfers")
        await service.clearScript()
        let key = try #require(receipt.idempotencyKey)
        #expect(try await bank.findTransfer(key: key).amount == 100, "the receipt's key settles it")
        #expect(await service.bookings.map(\.key) == [key])
        await service.end()
    }

    @Test func aBodyThatBreaksOffLeavesAKeyedOrderToItsKey() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.script(.cutBody(after: 10), on: "POST /transfers")
        guard case .completed = try await bank.send(Self.transfer) else { throw Unexpected("outcome") }
        #expect(await service.bookings.count == 1)
        await service.end()
    }

    /// A gateway's 502 and 504 show nothing about the order that it passed on.
    @Test(arguments: [502, 504])
    func aGatewayLeavesTheOrderOpen(status: Int) async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.script(.status(status), times: 3, on: "POST /transfers")
        let keyed = try await bank.failure(of: Self.transfer)
        guard case .unconfirmed(let receipt) = keyed else { throw Unexpected(keyed) }
        #expect(receipt.cause.name == "unavailable" && receipt.cause.status == status && receipt.cause.attempts == 3)

        await service.script(.status(status), on: "POST /accounts/*/cards")
        let once = try await bank.failure(of: Bank.OrderCard(accountID: 1))
        guard case .unconfirmed(let card) = once else { throw Unexpected(once) }
        #expect(card.idempotencyKey == nil && card.cause.status == status)
        #expect(await service.requests(on: "POST /accounts/*/cards").count == 1)
        await service.end()
    }

    /// The bank's response is lost on a connection that carried others before. In this case, `URLSession` would repeat a
    /// request by itself.
    @Test func anOrderWithoutAKeyReachesTheBankOnceOnAUsedConnection() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        for _ in 0..<5 {
            _ = try await bank.listAccounts()
            await service.script(.loseAnswer, on: "POST /accounts/*/cards")
            let failure = try await bank.failure(of: Bank.OrderCard(accountID: 1))
            guard case .unconfirmed(let receipt) = failure else { throw Unexpected(failure) }
            #expect(receipt.cause.name == "connectionLost")
        }
        #expect(await service.cardsOrdered == 5)
        #expect(await service.requests(on: "POST /accounts/*/cards").count == 5)
        await service.end()
    }

    /// `once`: sent at most once, even if the response is lost.
    @Test func anOrderWithoutAKeyIsNeverSentAgain() async throws {
        let server = try await FaultServer(otherwise: .closeAfterRequest)
        let session = Session()
        await session.begin(SessionTokens(access: "t"))
        let faults: [(WireFault, String)] = [
            (.closeAfterRequest, "connectionLost"), (.closeMidBody(sent: 5, announced: 100), "connectionLost"),
            (.resetMidBody(sent: 5, announced: 100), "connectionLost"), (.status(500), "serverFault"),
            (.status(502), "unavailable"), (.status(200, body: "{"), "malformed"),
            (.status(200, body: "<!DOCTYPE html><html></html>"), "malformed"),
        ]
        for (index, (fault, cause)) in faults.enumerated() {
            await server.plan(fault)
            let bank = Bank(.init(url: server.url), on: .brisk(), session: session)
            let failure = try await bank.failure(of: Bank.OrderCard(accountID: 1))
            guard case .unconfirmed(let receipt) = failure else { throw Unexpected(failure) }
            #expect(receipt.cause.name == cause && receipt.idempotencyKey == nil)
            #expect(receipt.context.attempts == 1 && failure.context.applied == .maybe)
            #expect(failure.category == .nonRetryable)
            #expect(await server.requests.count == index + 1)
        }
        await server.stop()
    }

    /// The server has said that it was carried out, and the caller is told so.
    @Test func anOrderWithAnUnreadablePayloadWasCarriedOut() async throws {
        let server = try await FaultServer(otherwise: .status(200, body: #"{"data":{"id":"no"}}"#))
        let session = Session()
        await session.begin(SessionTokens(access: "t"))
        let bank = Bank(.init(url: server.url), on: .brisk(), session: session)
        let card = try await bank.fault(of: Bank.OrderCard(accountID: 1))
        card.expect(WantedContext("malformed", .nonRetryable, .yes, status: 200))
        let transfer = try await bank.fault(of: Self.transfer)
        transfer.expect(WantedContext("malformed", .nonRetryable, .yes, status: 200))
        #expect(await server.requests.count == 2)
        await server.stop()
    }

    /// A refusal before any byte was sent isn't an open outcome.
    @Test func whatWasNeverSentIsNotOpen() async throws {
        let port = try RefusingPort()
        let session = Session()
        await session.begin(SessionTokens(access: "t"))
        let bank = Bank(.init(url: port.url), on: .brisk(), session: session)
        let card = try await bank.fault(of: Bank.OrderCard(accountID: 1))
        #expect(card.kind == .unreachable)
        card.expect(WantedContext("unreachable", .retryable, status: nil, attempts: 3, evidence: .notSent))
        let transfer = try await bank.fault(of: Self.transfer)
        #expect(transfer.kind == .unreachable && transfer.context.attempts == 3)
        #expect(transfer.context.applied == .never)
    }

    @Test func aKeyedOrderThatWasCancelledWhileOpen() async throws {
        let server = try await FaultServer(otherwise: .neverAnswer)
        let session = Session()
        await session.begin(SessionTokens(access: "t"))
        let bank = Bank(.init(url: server.url), on: .brisk(), session: session)
        let running = Task { await bank.result(of: Self.transfer) }
        #expect(await server.waitForRequests(1))
        running.cancel()
        guard case .failure(.unconfirmed(let receipt)) = await running.value else {
            throw Unexpected(await running.value)
        }
        #expect(receipt.cause.name == "cancelled")
        #expect(receipt.idempotencyKey == (await server.requests.first?.header("Idempotency-Key")))
        #expect(await server.waitForClientToClose())
        await server.stop()
    }
}
