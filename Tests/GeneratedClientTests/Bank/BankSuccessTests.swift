import BankClient
import Foundation
import TestServices
import Testing

/// Each endpoint of the bank without faults, with the values that a socket really carries.
@Suite(.serialized) struct BankSuccessTests {
    @Test func logsInAndOut() async throws {
        let service = try await BankService.start()
        let session = Session()
        let bank = Bank(.init(url: service.url), on: .brisk(), session: session)
        let login = try await bank.logIn(user: "ada", password: "lovelace")
        #expect(login.token.hasPrefix("bank-1-"))
        #expect(session.tokens?.access == login.token)
        #expect(login.customer != nil && session.tokens?.identity == login.customer.map { String($0) })
        let request = try #require(await service.requests(on: "POST /sessions").first)
        #expect(request.json == ["user": "ada", "password": "lovelace"])
        #expect(request.header("Accept") == "application/json")
        #expect(request.header("Authorization") == nil)

        try await bank.logOut()
        #expect(session.tokens == nil)
        #expect(
            await service.requests(on: "DELETE /sessions").first?.header("Authorization") == "Bearer \(login.token)")
        await service.end()
    }

    @Test func listsAccounts() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let accounts = try await bank.listAccounts()
        #expect(accounts.map(\.id) == [1, 5, 7, 8])
        #expect(accounts.map(\.owner) == Array(repeating: "Ada Lovelace", count: 4))
        // exact: 80.25 and 25000.1 have no finite binary form, or might get a tail there
        #expect(accounts.map(\.balance) == ["25000.1", "80.25", "300", "0"].map { Decimal(string: $0) })
        #expect(accounts.map(\.status) == [.active, .active, .frozen, .active])
        #expect(accounts.map(\.nickname) == ["Savings", nil, nil, nil])
        #expect(accounts.first?.openedAt == Date(timeIntervalSince1970: 1_556_956_800))

        let frozen = try await bank.listAccounts(status: .frozen, page: 1)
        #expect(frozen.map(\.id) == [7])
        #expect(try await bank.listAccounts(page: 2).isEmpty)
        let queries = await service.requests(on: "GET /accounts").map(\.rawQuery)
        #expect(queries == ["page=1", "status=frozen&page=1", "page=2"])
        await service.end()
    }

    @Test func keepsAStatusThatCameLater() async throws {
        let service = try await BankService.start()
        let bank = Bank(.init(url: service.url), on: .brisk())
        _ = try await bank.logIn(user: "grace", password: "hopper")
        let account = try await bank.getAccount(accountID: 9)
        #expect(account.status == .unrecognized("dormant"))
        #expect(try await bank.listAccounts(status: .unrecognized("dormant")).map(\.id) == [9])
        #expect(try await bank.listAccounts(status: account.status).count == 1)
        await service.end()
    }

    @Test func changesAccounts() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let name = "Ré\u{301}nt \"&\" \\ 🏠\n"
        #expect(try await bank.renameAccount(accountID: 5, nickname: name).nickname == name)
        #expect(try await bank.getAccount(accountID: 5).nickname == name)
        #expect(try await bank.renameAccount(accountID: 5).nickname == nil)
        try await bank.closeAccount(accountID: 8)
        #expect(try await bank.listAccounts().map(\.id) == [1, 5, 7])
        let bodies = await service.requests(on: "PUT /accounts/*/nickname").map(\.json)
        #expect(bodies == [["nickname": .string(name)], [:]])
        await service.end()
    }

    @Test func movesMoney() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let amount = try #require(Decimal(string: "1234.07"))
        let response = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: amount, reference: "rent")
        guard case .completed(let transfer) = response else { throw Unexpected(response) }
        #expect((transfer.fromAccount, transfer.toAccount) == (1, 5))
        #expect(transfer.amount == amount && transfer.confirmation == 232_348_844 && transfer.reference == "rent")
        #expect(transfer.bookedAt == Date(timeIntervalSince1970: 1_772_357_400.25))
        let request = try #require(await service.requests(on: "POST /transfers").first)
        #expect(request.json?["amount"] == .number("1234.07"))
        #expect(await service.balance(of: 5) == Decimal(string: "1314.32"))

        let key = try #require(request.header("Idempotency-Key"))
        #expect(UUID(uuidString: key) != nil)
        #expect(try await bank.findTransfer(key: key).confirmation == transfer.confirmation)

        let before = Date(timeIntervalSince1970: 1_900_000_000.5)
        let since = try #require(CalendarDate("2026-02-28"))
        let booked = try await bank.listTransfers(accountID: 5, since: since, before: before)
        #expect(booked.map(\.amount) == [amount])
        let query = await service.requests(on: "GET /accounts/5/transfers").first?.query ?? []
        #expect(query.map(\.name) == ["since", "before", "page"])
        #expect(query.map(\.value) == ["2026-02-28", "2030-03-17T17:46:40.500Z", "1"])
        await service.end()
    }

    @Test func ordersStandingOrdersAndCards() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let firstOn = try #require(CalendarDate("2028-02-29"))
        let order = try await bank.orderStanding(
            iban: "DE89370400440532013000", amount: 10, every: .quarter, firstOn: firstOn)
        #expect(order.id == UUID(uuidString: "7b1de0a4-3c55-4b8f-9d3e-2f6f3a0c9e11"))
        #expect(order.iban == "DE89370400440532013000" && order.amount == 10)
        #expect(order.firstOn == firstOn && order.lastOn == nil)
        let sent = await service.requests(on: "POST /standing-orders").first?.json
        #expect(
            sent == [
                "iban": "DE89370400440532013000", "amount": 10, "every": "quarter", "firstOn": "2028-02-29",
            ])

        guard case .completed(let card) = try await bank.orderCard(accountID: 1, kind: .credit) else {
            throw Unexpected("no card")
        }
        // beyond what a Double holds
        #expect(card.id == 9_007_199_254_740_993)
        #expect(card.kind == .credit && card.lastDigits == "4711")
        #expect(card.validUntil == CalendarDate(year: 2029, month: 12, day: 31))
        _ = try await bank.orderCard(accountID: 1)
        let kinds = await service.requests(on: "POST /accounts/1/cards").map { $0.json?["kind"] }
        #expect(kinds == ["C", "D"])
        await service.end()
    }

    /// The envelope's members in any order, an absent error, a code as text: all are the same.
    @Test(arguments: [false, true], [false, true])
    func readsTheEnvelopeInEveryShape(errorFirst: Bool, codeAsText: Bool) async throws {
        let service = try await BankService.start()
        var shape = BankService.EnvelopeShape()
        shape.errorFirst = errorFirst
        shape.codeAsText = codeAsText
        shape.omitsNull = codeAsText
        shape.messagesAsList = !codeAsText
        await service.setShape(shape)
        let bank = try await Bank.asAda(service)
        #expect(try await bank.getAccount(accountID: 1).id == 1)
        let failure = try await bank.failure(of: Bank.GetAccount(accountID: 4))
        guard case .noSuchAccount(let context) = failure else { throw Unexpected(failure) }
        #expect(context.code == "900004" && context.serverMessage == "no such account")
        await service.end()
    }
}
