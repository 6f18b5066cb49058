import BankClient
import Foundation
import TestSeeds
import TestServices
import Testing

/// Each error that the bank's contract declares, at each endpoint that lists it.
@Suite(.serialized) struct BankErrorTests {
    @Test func wrongPassword() async throws {
        let service = try await BankService.start()
        let session = Session()
        let bank = Bank(.init(url: service.url), on: .brisk(), session: session)
        let failure = try await bank.failure(of: Bank.LogIn(user: "ada", password: "hunter22"))
        guard case .wrongPassword(let context) = failure else { throw Unexpected(failure) }
        failure.expect(
            WantedContext("wrongPassword", .nonRetryable, status: 401, code: "900001", says: "wrong password"),
            at: service.url + "/sessions")
        #expect(context.message == "The name or the password is wrong.")
        #expect((context.service, context.endpoint, context.method) == ("Bank", "logIn", .post))
        #expect(session.tokens == nil)
        await service.end()
    }

    @Test func insufficientFundsWithItsData() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        do throws(Bank.TransferFundsFailure) {
            _ = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 900_000)
            Issue.record("that much money is not there")
        } catch {
            guard case .insufficientFunds(let details) = error else { throw Unexpected(error) }
            #expect(details.data?.fromAccount == 1 && details.data?.amount == 900_000)
            #expect(details.message == "There is not enough money in this account.")
            error.expect(
                WantedContext("insufficientFunds", .nonRetryable, status: 422, code: "900005", says: "short of money"),
                at: service.url + "/transfers")
        }
        #expect(await service.bookings.isEmpty)
        await service.end()
    }

    @Test func dataThatDoesNotFitKeepsTheError() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let bodies = [
            #"{"error":{"code":900005,"messages":["short"]},"data":{"fromAccount":"one","amount":1}}"#,
            #"{"error":{"code":900005,"messages":["short"]},"data":null}"#,
            #"{"error":{"code":900005,"messages":["short"]}}"#,
            #"{"data":[1,2],"error":{"code":"900005","messages":"short"}}"#,
        ]
        for body in bodies {
            await service.script(.body(body, status: 422), on: "POST /transfers")
            let failure = try await bank.failure(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 1))
            guard case .insufficientFunds(let details) = failure else { throw Unexpected(failure) }
            #expect(details.data == nil)
            failure.expect(
                WantedContext("insufficientFunds", .nonRetryable, status: 422, code: "900005", says: "short"))
        }
        await service.end()
    }

    @Test func accountFrozen() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let wanted = WantedContext("accountFrozen", .nonRetryable, status: 422, code: "900006", says: "frozen")
        let transfer = try await bank.failure(of: Bank.TransferFunds(fromAccount: 7, toAccount: 5, amount: 1))
        guard case .accountFrozen(let first) = transfer else { throw Unexpected(transfer) }
        let card = try await bank.failure(of: Bank.OrderCard(accountID: 7))
        guard case .accountFrozen(let second) = card else { throw Unexpected(card) }
        for data in [first.data, second.data] {
            #expect(data?.account == 7 && data?.since == CalendarDate("2026-01-31"))
        }
        transfer.expect(wanted, at: service.url + "/transfers")
        card.expect(wanted, at: service.url + "/accounts/7/cards")
        #expect(await service.cardsOrdered == 0)
        await service.end()
    }

    @Test func noSuchAccountEverywhere() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let wanted = WantedContext("noSuchAccount", .nonRetryable, status: 404, code: "900004", says: "no such account")
        let get = try await bank.failure(of: Bank.GetAccount(accountID: 4))
        if case .noSuchAccount = get {} else { throw Unexpected(get) }
        get.expect(wanted, at: service.url + "/accounts/4")
        let rename = try await bank.failure(of: Bank.RenameAccount(accountID: 4, nickname: "x"))
        if case .noSuchAccount = rename {} else { throw Unexpected(rename) }
        rename.expect(wanted, at: service.url + "/accounts/4/nickname")
        let close = try await bank.failure(of: Bank.CloseAccount(accountID: 4))
        if case .noSuchAccount = close {} else { throw Unexpected(close) }
        // A gateway may have delivered it twice.
        close.expect(
            WantedContext(
                "noSuchAccount", .nonRetryable, .maybe, status: 404, code: "900004", says: "no such account"),
            at: service.url + "/accounts/4")
        let list = try await bank.failure(of: Bank.ListTransfers(accountID: 4))
        if case .noSuchAccount = list {} else { throw Unexpected(list) }
        list.expect(wanted, at: service.url + "/accounts/4/transfers?page=1")
        let card = try await bank.failure(of: Bank.OrderCard(accountID: 4))
        if case .noSuchAccount = card {} else { throw Unexpected(card) }
        card.expect(wanted)
        let transfer = try await bank.failure(of: Bank.TransferFunds(fromAccount: 1, toAccount: 4, amount: 1))
        if case .noSuchAccount = transfer {} else { throw Unexpected(transfer) }
        transfer.expect(
            WantedContext("noSuchAccount", .nonRetryable, status: 422, code: "900004", says: "no such account"))
        await service.end()
    }

    @Test func accountNotEmptyAndNoSuchTransfer() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let close = try await bank.failure(of: Bank.CloseAccount(accountID: 1))
        if case .accountNotEmpty = close {} else { throw Unexpected(close) }
        close.expect(WantedContext("accountNotEmpty", .nonRetryable, status: 409, code: "900008", says: "not empty"))
        let find = try await bank.failure(of: Bank.FindTransfer(key: "a/b ?#%ü"))
        if case .noSuchTransfer = find {} else { throw Unexpected(find) }
        find.expect(
            WantedContext("noSuchTransfer", .nonRetryable, status: 404, code: "900040", says: "no such transfer"),
            at: service.url + "/transfers/by-key/a%2Fb%20%3F%23%25%C3%BC")
        await service.end()
    }

    @Test func aRowWithTwoKeysWantsBoth() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        // the code of accountNotEmpty with another status matches no row
        await service.fail(code: 900_008, status: 422, on: "DELETE /accounts/*")
        let failure = try await bank.fault(of: Bank.CloseAccount(accountID: 8))
        #expect(failure.kind == .rejected)
        failure.expect(WantedContext("rejected", .nonRetryable, status: 422, code: "900008", says: "scripted"))
        // an envelope that fails with an undeclared code, though the status is 200
        await service.fail(code: 777, on: "GET /accounts/*")
        let unknown = try await bank.fault(of: Bank.GetAccount(accountID: 1))
        #expect(unknown.kind == .rejected && unknown.context.message == "scripted")
        unknown.expect(WantedContext("rejected", .nonRetryable, status: 200, code: "777", says: "scripted"))
        await service.end()
    }

    /// By its status and by its code, and sent again in between: nothing was done.
    @Test func serviceUnavailableIsRetriedThenTold() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.script(.status(503), on: "GET /accounts")
        await service.fail(code: 900_099, on: "GET /accounts")
        #expect(try await bank.listAccounts().count == 4)
        #expect(await service.requests(on: "GET /accounts").count == 3)

        await service.fail(code: 900_099, times: 3, on: "POST /transfers")
        let transfer = try await bank.failure(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 1))
        if case .shared(.serviceUnavailable) = transfer {} else { throw Unexpected(transfer) }
        transfer.expect(
            WantedContext("serviceUnavailable", .retryable, status: 200, code: "900099", says: "scripted", attempts: 3))
        // `once`, but the bank says that nothing was done: it may be sent again
        await service.fail(code: 900_099, times: 2, on: "POST /accounts/*/cards")
        _ = try await bank.orderCard(accountID: 1)
        #expect(await service.cardsOrdered == 1)
        await service.end()
    }

    /// A proxy may have passed the request on before it sent 503.
    @Test func a503LeavesAnOrderOpen() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.script(.status(503), on: "POST /accounts/*/cards")
        let failure = try await bank.failure(of: Bank.OrderCard(accountID: 1))
        guard case .unconfirmed(let receipt) = failure else { throw Unexpected(failure) }
        #expect(receipt.cause.name == "serviceUnavailable" && receipt.context.applied == .maybe)
        #expect(await service.requests(on: "POST /accounts/*/cards").count == 1)
        await service.end()
    }

    @Test func customerBarredEndsTheSessionWithoutALogin() async throws {
        let service = try await BankService.start()
        let asked = Tally()
        let session = Session {
            await asked.add()
            return Bank.LogIn(user: "mallory", password: "letmein")
        }
        let bank = Bank(.init(url: service.url), on: .brisk(), session: session)
        let failure = try await bank.failure(of: Bank.ListAccounts())
        guard case .customerBarred(let context) = failure else { throw Unexpected(failure) }
        failure.expect(WantedContext("customerBarred", .requiresLogout, status: 401, code: "900003", says: "barred"))
        #expect(context.message == "Your access has been closed. Please call the bank.")
        #expect(await asked.count == 1 && session.tokens == nil)
        await service.end()
    }
}
