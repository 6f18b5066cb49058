import Testing

@testable import MockServer

/// The bank's contract, played: sessions, things that come and go, keys and examples.
@Suite struct BankTests {
    private func client(_ change: (inout MockSettings) -> Void = { _ in }) throws -> MockClient {
        var client = MockClient(try MockFixture.engine("bank", change))
        try client.logIn()
        return client
    }

    private static let transfer = #"{"fromAccount":1,"toAccount":5,"amount":20.00}"#

    // MARK: Sessions

    @Test func aRequestWithoutASessionGetsTheContractsError() throws {
        var client = MockClient(try MockFixture.engine("bank"))
        let answer = try client.send("GET", "/v1/accounts")
        #expect(answer.status == 401 && client.last?.name == "sessionExpired")
        #expect(answer.finding?.contains("carries no session") == true)
        try client.logIn()
        #expect(try client.send("GET", "/v1/accounts").status == 200)
    }

    @Test func sessionsEnd() throws {
        var client = try client { $0.sessionLifetime = .seconds(60) }
        #expect(try client.send("GET", "/v1/accounts").status == 200)
        client.now += .seconds(61)
        #expect(try client.send("GET", "/v1/accounts").status == 401)
        try client.logIn()
        client.engine.expireSessions()
        #expect(try client.send("GET", "/v1/accounts").status == 401)
        try client.logIn()
        #expect(try client.send("DELETE", "/v1/sessions").status == 204)
        #expect(try client.send("GET", "/v1/accounts").status == 401)
    }

    @Test func aUserKeepsTheIdentityOfTheLogin() throws {
        var client = MockClient(try MockFixture.engine("bank"))
        func customer(_ user: String) throws -> String? {
            try client.send("POST", "/v1/sessions", "{\"user\":\"\(user)\",\"password\":\"x\"}").json["data"]?[
                "customer"]?
                .scalarText
        }
        let ada = try customer("ada")
        let grace = try customer("grace")
        #expect(ada != nil && ada != grace)
        #expect(try customer("ada") == ada)
    }

    @Test func aSessionIsRenewedOnce() throws {
        var client = MockClient(try MockFixture.engine("auth"))
        let form = "&client_id=a&nonce=6f1c9a52-0d3e-4a77-9b55-2f0c8e1d7a10&sent_at=2026-11-21T08%3A00%3A00Z"
        let first = try client.send("POST", "/sessions", "user=ada&password=x" + form).json
        let refresh = try #require(first["refreshToken"]?.scalarText)
        #expect(first["expiresIn"] == .number(3600))
        // The identity is a claim of the token.
        #expect(first["token"]?.scalarText?.split(separator: ".").count == 3)
        let second = try client.send("POST", "/sessions/renewal", "refreshToken=\(refresh)" + form)
        #expect(second.status == 200 && second.json["token"] != first["token"])
        let third = try client.send("POST", "/sessions/renewal", "refreshToken=\(refresh)" + form)
        #expect(client.last?.name == "grantRevoked", "\(third.json)")
    }

    // MARK: Things

    @Test func whatAListContainsCanBeReadAndChangedAndRemoved() throws {
        var client = try client()
        let accounts = try #require(try client.send("GET", "/v1/accounts").json["data"]?.elements)
        #expect(accounts.count == MockEngine.usualItems)
        // The contract's example comes first.
        #expect(accounts[0]["owner"] == .string("Ada Lovelace"))
        for account in accounts {
            let number = try #require(account["id"]?.scalarText)
            #expect(try client.send("GET", "/v1/accounts/\(number)").json["data"] == account)
        }
        let renamed = try client.send("PUT", "/v1/accounts/1/nickname", #"{"nickname":"Holidays"}"#)
        #expect(renamed.json["data"]?["nickname"] == .string("Holidays"))
        #expect(try client.send("GET", "/v1/accounts").json["data"]?.elements?[0]["nickname"] == .string("Holidays"))
        #expect(try client.send("DELETE", "/v1/accounts/1").status == 204)
        #expect(try client.send("GET", "/v1/accounts").json["data"]?.elements?.count == accounts.count - 1)
        let gone = try client.send("GET", "/v1/accounts/1")
        #expect(client.last?.name == "noSuchAccount" && gone.status == 404, "\(gone.json)")
        #expect(try client.send("DELETE", "/v1/accounts/1").reply.entry.name == "accountClosed")
    }

    @Test func whatIsCreatedIsInTheList() throws {
        let contract = try MockFixture.contract(
            text: """
                errand: 1
                service: Shop
                servers: {local: http://127.0.0.1:8080}
                types: {Book: {id: int, title: string, price: decimal}}
                endpoints:
                  listBooks: {get: /books, response: [Book]}
                  addBook: {post: /books, body: {title: string, price: decimal}, response: Book, status: 201, effect: keyed}
                  getBook: {get: "/books/{id:int}", response: Book}
                  removeBook: {delete: "/books/{id:int}"}
                """)
        var client = MockClient(MockEngine(contract))
        let made = try client.send(
            "POST", "/books", #"{"title":"Dune","price":9.5}"#, headers: [("Idempotency-Key", "a")])
        #expect(made.status == 201 && made.json["title"] == .string("Dune") && made.json["price"] == .number("9.5"))
        let number = try #require(made.json["id"]?.scalarText)
        #expect(try client.send("GET", "/books").json.elements?.contains(made.json) == true)
        #expect(try client.send("GET", "/books/\(number)").json == made.json)
        #expect(try client.send("DELETE", "/books/\(number)").status == 204)
        #expect(try client.send("GET", "/books").json.elements?.contains(made.json) == false)
        #expect(try client.send("GET", "/books/\(number)").status == 404)
        // An item that no client made or removed is there as soon as a client asks for it, and stays the same.
        let other = try client.send("GET", "/books/4711")
        #expect(other.status == 200 && other.json["id"] == .number("4711"))
        #expect(try client.send("GET", "/books/4711").json == other.json)
    }

    // MARK: Keys

    @Test func aKeyGetsItsResponseAgain() throws {
        var client = try client()
        let key = [("Idempotency-Key", "k1")]
        let first = try client.send("POST", "/v1/transfers", Self.transfer, headers: key)
        #expect(first.status == 200)
        client.now += .milliseconds(390)
        let second = try client.send("POST", "/v1/transfers", Self.transfer, headers: key)
        #expect(second.reply.response.body.bytes == first.reply.response.body.bytes)
        #expect(client.last?.remark == "sent again with the same key after 0.4 s")
        let other = try client.send(
            "POST", "/v1/transfers", #"{"fromAccount":1,"toAccount":5,"amount":21.00}"#, headers: key)
        #expect(other.status == 422 && other.finding?.contains("another request") == true)
        client.now += .seconds(25 * 3600)
        try client.logIn()
        #expect(
            try client.send("POST", "/v1/transfers", #"{"fromAccount":1,"toAccount":5,"amount":21.00}"#, headers: key)
                .status == 200, "the contract's key lives for a day")
    }

    @Test func aFailureDoesNotSettleAKey() throws {
        var client = try client {
            $0.rules = [FailureRule(endpoint: "transferFunds", failure: "unavailable", times: 1)]
        }
        let key = [("Idempotency-Key", "k1")]
        #expect(try client.send("POST", "/v1/transfers", Self.transfer, headers: key).status == 502)
        #expect(try client.send("POST", "/v1/transfers", Self.transfer, headers: key).status == 200)
    }

    @Test func theConfirmationTellsWhetherItWasDone() throws {
        var client = try client()
        #expect(try client.send("GET", "/v1/transfers/by-key/k1").reply.entry.name == "noSuchTransfer")
        let cut = try client.send(
            "POST", "/v1/transfers", Self.transfer, headers: [("Idempotency-Key", "k1"), ("Errand-Mock", "cut-after")])
        #expect(cut.reply.delivery.cut == .beforeResponse && cut.reply.entry.result == .wire)
        let found = try client.send("GET", "/v1/transfers/by-key/k1")
        #expect(found.status == 200 && found.json["data"] == cut.json["data"])
        let lost = try client.send(
            "POST", "/v1/transfers", Self.transfer,
            headers: [("Idempotency-Key", "k3"), ("Errand-Mock", "unavailable-after")])
        #expect(lost.status == 503 && lost.reply.delivery.cut == .never)
        #expect(lost.reply.entry.name == "unavailable-after" && lost.reply.entry.status == 503)
        #expect(try client.send("GET", "/v1/transfers/by-key/k3").status == 200)
        let before = try client.send(
            "POST", "/v1/transfers", Self.transfer, headers: [("Idempotency-Key", "k2"), ("Errand-Mock", "cut-before")])
        #expect(before.reply.delivery.cut == .beforeResponse)
        #expect(try client.send("GET", "/v1/transfers/by-key/k2").reply.entry.name == "noSuchTransfer")
    }

    // MARK: Examples and mistakes

    @Test func anExampleIsPlayed() throws {
        var client = try client()
        func send(_ amount: String, _ key: String) throws -> MockClient.Answer {
            try client.send(
                "POST", "/v1/transfers", #"{"fromAccount":1,"toAccount":5,"amount":\#(amount)}"#,
                headers: [("Idempotency-Key", key)])
        }
        let enough = try send("500", "a")
        #expect(enough.json["data"]?["confirmation"] == .number("232348844"))
        #expect(enough.json["data"]?["bookedAt"]?.scalarText?.hasPrefix("2026-") == true, "optional members are there")
        let short = try send("900000", "b")
        #expect(short.reply.entry.name == "insufficientFunds" && short.json["data"]?["amount"] == .number("900000.00"))
        let large = try send("10000.0", "c")
        #expect(large.reply.entry.result == .outcome && large.json["data"]?["approver"] == .string("Grace"))
    }

    @Test(arguments: [
        ("GET", "/v1/accounts/abc", "", "`path.accountID` must be an integer"),
        ("GET", "/v1/accounts?page=x", "", "`query.page` must be an integer"),
        ("GET", "/v1/accounts?status=deleted&page=1&page=2", "", "`query.page` is there 2 times"),
        ("POST", "/v1/transfers", "{}", "`headers.Idempotency-Key` is missing"),
        ("POST", "/v1/accounts/1/cards", #"{"kind":7}"#, "`body.kind` must be one of `D`, `C`"),
        ("PUT", "/v1/accounts/1/nickname", #"{"nickname":""}"#, "`body.nickname`"),
        ("PUT", "/v1/accounts/1/nickname", "[", "the body is not JSON"),
        ("PUT", "/v1/accounts/1/nickname", "[]", "`body` must be an object, and is a list"),
    ])
    func aRequestThatBreaksTheContractIsRefused(_ method: String, _ target: String, _ body: String, _ finding: String)
        throws
    {
        var client = try client()
        let answer = try client.send(method, target, body.isEmpty ? nil : body)
        if finding.contains("kind") {
            // An open enum takes any word, so the client may send one that the contract does not know.
            #expect(answer.finding?.contains(finding) == true, "\(answer.reply.entry.findings)")
            return
        }
        #expect(answer.status == 400 && answer.reply.entry.result == .refused, "\(answer.reply.entry.text)")
        #expect(answer.reply.entry.findings.contains { $0.contains(finding) }, "\(answer.reply.entry.findings)")
        #expect(answer.finding != nil)
        let composer = ResponseComposer(client.engine.contract.endpoints[0], in: client.engine.contract)
        #expect(composer.row(status: answer.status, answer.json) == nil)
    }

    @Test func everyMistakeOfABodyIsNamed() throws {
        var client = try client()
        let answer = try client.send(
            "POST", "/v1/standing-orders", #"{"iban":"no","amount":0,"every":"day","lastOn":"soon","extra":1}"#,
            headers: [("Idempotency-Key", "a")])
        let findings = answer.reply.entry.findings
        for part in ["body.iban", "body.amount", "body.every", "body.firstOn", "body.lastOn", "body.extra"] {
            #expect(findings.contains { $0.contains("`\(part)`") }, "\(part): \(findings)")
        }
    }

    @Test(arguments: [
        ("GET", "/accounts", 404, "`/v1`"), ("GET", "/v1/accounts/", 404, "no endpoint"),
        ("PATCH", "/v1/accounts", 405, "GET"), ("GET", "/v1/../../etc/passwd", 404, "no endpoint"),
        ("GET", "/v1/accounts/%2e%2e%2f%2e%2e", 400, "path.accountID"), ("GET", "/v1/accounts/%zz", 404, "no endpoint"),
        ("GET", "/", 404, "no endpoint"),
    ])
    func pathsThatNoEndpointHas(_ method: String, _ path: String, _ status: Int, _ words: String) throws {
        var client = try client()
        let answer = try client.send(method, path)
        #expect(answer.status == status, "\(path): \(answer.status)")
        #expect(answer.finding?.contains(words) == true, "\(answer.finding ?? "")")
    }

    /// What a client sends cannot change a terminal or begin another header.
    @Test func theLogHasNoControlCharactersAndNoSecrets() throws {
        var client = MockClient(try MockFixture.engine("live"))
        let answer = try client.send("GET", "/app/rooms\u{1B}[2J?token=geheim&platform=ios")
        #expect(!answer.reply.entry.text.contains("\u{1B}"))
        let listed = try client.send("GET", "/app/rooms?token=geheim&platform=ios")
        #expect(!listed.reply.entry.text.contains("geheim") && listed.reply.entry.text.contains("token=…"))
    }
}
