import Foundation
import TestServices
import Testing

@Suite struct BankServiceTests {
    @Test func aDayAtTheBank() async throws {
        let bank = try await BankService.start()
        var client = RawClient(base: bank.url)
        #expect(try await client.send("GET", "/accounts?page=1").status == 401)
        let wrong = try await client.json("POST", "/sessions", ["user": "ada", "password": "x"])
        #expect(wrong.status == 401 && wrong.json?["error"]?["code"]?.integer == 900_001)
        client.headers["Authorization"] = try await "Bearer " + logIn(client)

        let accounts = try await client.send("GET", "/accounts?page=1&status=active")
        #expect(accounts.json?["data"]?.elements?.compactMap { $0["id"]?.integer } == [1, 5, 8])
        #expect(accounts.json?["data"]?.elements?.first?["balance"]?.numberText == "25000.1")

        let transfer: WireJSON = ["fromAccount": 1, "toAccount": 5, "amount": .number("500.00")]
        let first = try await client.json("POST", "/transfers", ["Idempotency-Key": "k1"], transfer)
        let second = try await client.json("POST", "/transfers", ["Idempotency-Key": "k1"], transfer)
        #expect(first.status == 200 && first.body == second.body)
        #expect(await bank.bookings.count == 1)
        #expect(await bank.balance(of: 5) == Decimal(string: "580.25"))
        #expect(try await client.send("GET", "/transfers/by-key/k1").json?["data"]?["confirmation"] == 232_348_844)
        #expect(try await client.send("GET", "/transfers/by-key/k2").status == 404)

        let short = try await client.json(
            "POST", "/transfers", ["Idempotency-Key": "k2"],
            ["fromAccount": 1, "toAccount": 5, "amount": 900_000])
        #expect(short.json?["error"]?["code"] == 900_005 && short.json?["data"]?["amount"] == 900_000)
        let large = try await client.json(
            "POST", "/transfers", ["Idempotency-Key": "k3"],
            ["fromAccount": 1, "toAccount": 5, "amount": 10_000])
        #expect(large.status == 200 && large.json?["data"]?["approver"] == "Grace")

        #expect(try await client.json("PUT", "/accounts/5/nickname", ["nickname": "Rent"]).status == 200)
        #expect(try await client.send("DELETE", "/accounts/5").status == 409)
        #expect(try await client.send("DELETE", "/accounts/8").status == 204)
        #expect(try await client.json("POST", "/accounts/1/cards", ["kind": "D"]).status == 201)
        #expect(try await client.send("GET", "/accounts/1/transfers?page=1").json?["data"]?.elements?.count == 1)
        let order: WireJSON = [
            "iban": "DE89370400440532013000", "amount": 10, "every": "week", "firstOn": "2026-05-01",
        ]
        #expect(try await client.json("POST", "/standing-orders", ["Idempotency-Key": "k4"], order).status == 201)
        #expect(await bank.violations == [])

        await bank.expireSessions()
        #expect(try await client.send("GET", "/accounts?page=1").status == 401)
        await bank.stop()
    }

    @Test func breachesAreNoted() async throws {
        let bank = try await BankService.start()
        var client = RawClient(base: bank.url)
        client.headers["Authorization"] = try await "Bearer " + logIn(client)
        let transfer: WireJSON = ["fromAccount": 1, "toAccount": 5, "amount": 1]
        #expect(try await client.json("POST", "/transfers", transfer).status == 400)
        _ = try await client.json("POST", "/transfers", ["Idempotency-Key": "k"], transfer)
        let misused = try await client.json(
            "POST", "/transfers", ["Idempotency-Key": "k"],
            [
                "fromAccount": 1, "toAccount": 5, "amount": 2,
            ])
        #expect(misused.status == 400)
        #expect(
            await bank.violations == [
                "POST /transfers: no idempotency key", "POST /transfers: one key for two commands",
            ])
        await bank.stop()
    }

    @Test func envelopesComeInManyShapes() async throws {
        let bank = try await BankService.start()
        var shape = BankService.EnvelopeShape()
        shape.codeAsText = true
        shape.errorFirst = true
        shape.messagesAsList = false
        await bank.setShape(shape)
        let answer = try await RawClient(base: bank.url).send("GET", "/accounts?page=1")
        #expect(answer.json == ["error": ["code": "900000", "messages": "no session"], "data": nil])
        await bank.stop()
    }

    private func logIn(_ client: RawClient) async throws -> String {
        let answer = try await client.json("POST", "/sessions", ["user": "ada", "password": "lovelace"])
        return try #require(answer.json?["data"]?["token"]?.text)
    }
}

extension RawClient {
    func json(_ method: String, _ path: String, _ body: WireJSON) async throws -> Answer {
        try await json(method, path, [:], body)
    }
}
