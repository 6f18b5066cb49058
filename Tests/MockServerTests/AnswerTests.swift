import Testing

@testable import MockServer

/// Responses that fit the request, the contract, and what clients have done before.
@Suite struct AnswerTests {
    private func client(_ endpoints: String, types: String = "Book: {id: int, title: string}", _ more: String = "")
        throws -> MockClient
    {
        try MockFixture.client(endpoints, types: types, more)
    }

    // MARK: Reads

    @Test func aReadAnswersWithWhatItWasAskedFor() throws {
        var client = try client(
            """
            find: {get: "/shelves/{shelf:string}/books", query: {page: int = 1, size: int?, word: string?}, response: {shelf: string, page: int, word: string, count: int}}
            order: {get: "/orders/{orderID:uuid}", response: {id: uuid, total: decimal}}
            page: {get: "/chapters/{number:int}", response: {number: "int"}}
            """)
        let found = try client.send("GET", "/shelves/blue/books?page=7&word=whale").json
        #expect(found["shelf"] == .string("blue") && found["page"] == .number("7"), "\(found)")
        #expect(found["word"] == .string("whale"))
        let identity = "6f1c9a52-0d3e-4a77-9b55-2f0c8e1d7a10"
        #expect(try client.send("GET", "/orders/\(identity)").json["id"] == .string(identity))
        #expect(try client.send("GET", "/chapters/12").json["number"] == .number("12"))
    }

    /// `007` would be another spelling of 7, and no JSON in the response.
    @Test(arguments: ["007", "+7", "08", "-0x1", "7.", ".5"])
    func aNumberHasOneSpelling(_ text: String) throws {
        var client = try client(
            """
            page: {get: "/chapters/{number:int}", query: {price: double?}, response: {number: "int", price: double?}}
            """)
        #expect(try client.send("GET", "/chapters/\(text)").status == 400)
        #expect(try client.send("GET", "/chapters/7?price=\(text.replacing("+", with: "%2B"))").status == 400)
        #expect(try client.send("GET", "/chapters/-7?price=-0.5e3").status == 200)
    }

    /// A value that the response cannot have is not taken from the request.
    @Test func anEchoKeepsTheConstraintsOfTheResponse() throws {
        var client = try client(
            "find: {get: /books, query: {size: int = 10}, response: {size: {type: int, range: 1..5}}}")
        let size = try client.send("GET", "/books?size=99").json["size"]?.scalarText.flatMap { Int($0) } ?? 0
        #expect((1...5).contains(size))
    }

    /// A case that the contract does not know, and null for a default, are only in requests.
    @Test func aResponseHasNoValueThatOnlyRequestsHave() throws {
        var client = try client(
            """
            set:
              put: /settings
              body: {mood: Mood, level: Level?, tags: {type: [string], default: []}}
              response: {mood: Mood, level: Level?, tags: [string]}
            """, types: "Mood: {enum: [happy, calm]}, Level: {enum: {low: 1, high: 2}}")
        let answer = try client.send("PUT", "/settings", #"{"mood":"new","tags":null}"#)
        #expect(answer.status == 200 && answer.finding?.contains("`new`") == true)
        #expect(["happy", "calm"].contains(answer.json["mood"]?.scalarText ?? ""), "\(answer.json)")
        #expect(answer.json["tags"]?.elements != nil)
        // A case of another kind is wrong, also if the contract may get new cases.
        #expect(try client.send("PUT", "/settings", #"{"mood":"calm","level":7}"#).status == 200)
        #expect(try client.send("PUT", "/settings", #"{"mood":"calm","level":"seven"}"#).status == 400)
    }

    @Test func aWholeNumberMayHaveAZeroFraction() throws {
        var client = try client("set: {put: /count, body: {count: int}, response: {count: int}}", types: "")
        let answer = try client.send("PUT", "/count", #"{"count":7.0}"#)
        #expect(answer.status == 200 && answer.json["count"]?.scalarText.flatMap { Int($0) } != nil, "\(answer.json)")
        #expect(try client.send("PUT", "/count", #"{"count":7.5}"#).status == 400)
    }

    /// Common parameters in a JSON body are JSON values.
    @Test func commonParametersOfABodyHaveTheirKind() throws {
        var client = try client(
            "set: {put: /settings, body: {text: string}, response: {text: string}}", types: "",
            "common: {parameters: {device: string}}")
        #expect(try client.send("PUT", "/settings", #"{"text":"a","device":"b"}"#).status == 200)
        let wrong = try client.send("PUT", "/settings", #"{"text":"a","device":false}"#)
        #expect(wrong.status == 400 && wrong.finding?.contains("body.device") == true, "\(wrong.json)")
    }

    // MARK: Things

    @Test func aChangeAnswersWithTheThingThatItChanged() throws {
        var client = try client(
            """
            getBook: {get: "/books/{id:int}", response: Book}
            change: {patch: "/books/{id:int}", body: {id: int?, title: string?}, response: Book}
            retitle: {patch: "/titles/{bookID:int}", body: {title: string}, response: {id: int, title: string}}
            replace: {put: "/books/{id:int}", body: {title: string}, response: {id: int, changed: bool}}
            """)
        let changed = try client.send("PATCH", "/books/5", #"{"id":7,"title":"Dune"}"#).json
        #expect(changed["id"] == .number("5") && changed["title"] == .string("Dune"), "\(changed)")
        #expect(try client.send("GET", "/books/5").json == changed)
        let retitled = try client.send("PATCH", "/titles/9", #"{"title":"Emma"}"#).json
        #expect(retitled["id"] == .number("9") && retitled["title"] == .string("Emma"), "\(retitled)")
        // The response has its own type.
        let replaced = try client.send("PUT", "/books/5", #"{"title":"Ulysses"}"#).json
        #expect(replaced["id"] == .number("5") && replaced["changed"] != nil && replaced["title"] == nil)
        #expect(try client.send("GET", "/books/5").json["title"] == .string("Ulysses"))
    }

    @Test func whatIsInsideARemovedThingIsGoneToo() throws {
        var client = try client(
            """
            listBooks: {get: /books, response: [Book]}
            getBook: {get: "/books/{id:int}", response: Book}
            removeBook: {delete: "/books/{id:int}", response: Book}
            listPages: {get: "/books/{id:int}/pages", response: [Page]}
            getPage: {get: "/books/{id:int}/pages/{page:int}", response: Page}
            count: {get: "/books/{id:int}/count", response: {count: int}}
            """, types: "Book: {id: int, title: string}, Page: {id: int, text: string}")
        #expect(try client.send("GET", "/books/2/pages/1").status == 200)
        #expect(try client.send("DELETE", "/books/2").json["id"] == .number("2"))
        for path in ["/books/2", "/books/2/pages", "/books/%32/pages/1", "/books/2/count"] {
            #expect(try client.send("GET", path).status == 404, "\(path)")
        }
        for path in ["/books/3/pages", "/books/3/pages/1", "/books/3/count"] {
            #expect(try client.send("GET", path).status == 200, "\(path)")
        }
    }

    // MARK: Examples

    private static let example = "[{id: 41, title: Emma}, {id: 42, title: Dune}]"

    @Test func aListIsItsExample() throws {
        var client = try client(
            """
            listBooks: {get: /books, response: [Book], examples: {two: {response: \(Self.example)}}}
            getBook: {get: "/books/{id:int}", response: Book}
            addBook: {post: /books, body: {title: string}, response: Book, status: 201, effect: once}
            """)
        let books = try client.send("GET", "/books").json
        #expect(books.elements?.compactMap { $0["id"]?.scalarText } == ["41", "42"], "\(books)")
        #expect(try client.send("GET", "/books/42").json["title"] == .string("Dune"))
        #expect(try client.send("POST", "/books", #"{"title":"Ulysses"}"#).status == 201)
        #expect(try client.send("GET", "/books").json.elements?.count == 3)
    }

    @Test func theRequestOfAnExampleGetsTheListOfTheExample() throws {
        var client = try client(
            """
            listBooks:
              get: /books
              query: {word: string?}
              response: [Book]
              examples:
                none: {request: {word: nothing}, response: []}
                two: {request: {word: novel}, response: \(Self.example)}
            getBook: {get: "/books/{id:int}", response: Book}
            removeBook: {delete: "/books/{id:int}"}
            """)
        #expect(try client.send("GET", "/books?word=nothing").json == .array([]))
        #expect(try client.send("GET", "/books?word=novel").json.elements?.count == 2)
        #expect(try client.send("GET", "/books").json.elements?.count == MockEngine.usualItems)
        // What a client changes is certain, and an example is not.
        #expect(try client.send("DELETE", "/books/41").status == 204)
        let left = try client.send("GET", "/books?word=novel").json.elements ?? []
        #expect(!left.contains { $0["id"] == .number("41") } && left.contains { $0["id"] == .number("42") })
    }

    // MARK: Confirmation

    @Test func aConfirmationHasTheTypeOfTheRead() throws {
        var client = try client(
            """
            pay:
              post: /payments
              body: {amount: decimal}
              response: Payment
              effect: keyed
              outcomes: {needsApproval: {when: {status: 202}, data: {approver: string}}}
              confirm: {endpoint: findPayment, with: {key: idempotencyKey}}
            findPayment: {get: "/payments/by-key/{key}", response: Payment}
            """, types: "Payment: {number: int, amount: decimal}")
        let key = [("Idempotency-Key", "k1")]
        let paid = try client.send("POST", "/payments", #"{"amount":9.5}"#, headers: key)
        #expect(try client.send("GET", "/payments/by-key/k1").json == paid.json)
        let waiting = try client.send(
            "POST", "/payments", #"{"amount":9.5}"#,
            headers: [("Idempotency-Key", "k2"), ("Errand-Mock", "needsApproval")])
        #expect(waiting.status == 202 && waiting.json["approver"] != nil)
        // The payment waits, so the read does not find it completed.
        #expect(try client.send("GET", "/payments/by-key/k2").status == 404)
        // The command again is the outcome again, also in the log.
        _ = try client.send("POST", "/payments", #"{"amount":9.5}"#, headers: [("Idempotency-Key", "k2")])
        #expect(client.last?.result == .outcome)
    }

    // MARK: Failures

    @Test func blanksInTheHeaderChangeNothing() throws {
        var client = try client("greet: {get: /greeting, response: {text: string}}")
        for text in ["slow=1s", " slow = 1s ", "slow\t=1s , trickle = 50"] {
            let reply = try client.send("GET", "/greeting", headers: [("Errand-Mock", text)]).reply
            #expect(reply.delivery.delay == .seconds(1), "\(text): \(reply.delivery)")
        }
        #expect(client.last?.status == 200)
    }

    @Test func aFailureOfTheContractsStatusIsInItsEnvelope() throws {
        var bank = MockClient(try MockFixture.engine("bank"))
        try bank.logIn()
        let answer = try bank.send("GET", "/v1/accounts", headers: [("Errand-Mock", "unauthenticated")])
        #expect(answer.status == 401 && answer.json["error"] != nil && answer.json["message"] == nil, "\(answer.json)")
        let composer = ResponseComposer(bank.engine.contract.endpoints[2], in: bank.engine.contract)
        #expect(composer.row(status: answer.status, answer.json)?.verdict.name == "sessionExpired")
    }

    /// Failures that a header or a text recognizes are played with them.
    @Test func aFailureHasItsHeaderAndItsText() throws {
        var client = try client(
            "greet: {get: /greeting, response: {text: string}, errors: [usedUp, away]}",
            """
            errors:
              usedUp: {category: retryable, when: {status: 403, header: {X-Left: "0"}}}
              away: {category: retryable, when: {status: 503, text: "*connection failure"}}
            """)
        let usedUp = try client.send("GET", "/greeting", headers: [("Errand-Mock", "usedUp")])
        #expect(usedUp.status == 403 && usedUp.reply.response.header("x-left") == "0")
        let away = try client.send("GET", "/greeting", headers: [("Errand-Mock", "away")]).reply.response
        #expect(away.status == 503 && away.header("Content-Type") == "text/plain")
        #expect(String(decoding: away.body.bytes, as: UTF8.self) == "connection failure")
    }

    @Test func aFailureWithoutAnEnvelopeSaysWhatItIs() throws {
        var client = try client(
            """
            greet: {get: /greeting, query: {count: int?}, response: {text: string}, envelope: none}
            meet: {get: /meeting, query: {count: int?}, response: {text: string}, envelope: none, errors: [closed]}
            """, types: "",
            """
            envelopes: {standard: {data: data, message: message}}
            errors: {closed: {category: nonRetryable, when: {status: 409}, message: It is closed.}}
            defaults: {envelope: standard}
            """)
        #expect(try client.send("GET", "/greeting?count=x").json["message"]?.scalarText?.contains("count") == true)
        for failure in ["unavailable", "serverFault", "rejected", "unauthenticated", "throttled"] {
            let answer = try client.send("GET", "/greeting", headers: [("Errand-Mock", failure)])
            #expect(answer.json["message"]?.scalarText?.isEmpty == false, "\(failure): \(answer.json)")
        }
        let closed = try client.send("GET", "/meeting", headers: [("Errand-Mock", "closed")])
        #expect(closed.status == 409 && closed.json["message"] == .string("It is closed."))
    }

    @Test func theMessageShowsTheDataThatComesWithIt() throws {
        var client = try client(
            "visit: {get: /visit, response: {text: string}, errors: [closed]}", types: "",
            """
            envelopes: {standard: {data: data, message: message}}
            errors:
              closed: {category: nonRetryable, when: {status: 409}, data: {until: date}, message: "Closed until {until}."}
            defaults: {envelope: standard}
            """)
        let closed = try client.send("GET", "/visit", headers: [("Errand-Mock", "closed")])
        let until = try #require(closed.json["data"]?["until"]?.scalarText)
        #expect(closed.status == 409 && closed.json["message"] == .string("Closed until \(until)."))
    }

    @Test func aWrongMethodIsToldTheRightOnes() throws {
        var client = try client(
            """
            getBook: {get: "/books/{id:int}", response: Book}
            removeBook: {delete: "/books/{id:int}"}
            """)
        let answer = try client.send("POST", "/books/1", "{}")
        #expect(answer.status == 405 && answer.reply.response.header("Allow") == "GET, HEAD, DELETE")
    }

    // MARK: Edits and the log

    @Test func anEditTakesTheSeedAndKeepsWhatThePageHasChanged() throws {
        let contract = try MockFixture.contract("bank")
        var client = MockClient(try MockFixture.engine("bank"))
        try client.logIn()
        let before = try client.send("GET", "/v1/accounts/77").json
        client.engine.settings.latency = .seconds(1) ... .seconds(1)
        client.engine.settings.switches["logIn"] = "wrongPassword"
        var edited = MockSettings()
        edited.seed = 9
        client.engine.replace(contract, edited)
        #expect(client.engine.settings.latency.lowerBound == .seconds(1), "the edit did not change the latency")
        #expect(client.engine.settings.switches["logIn"] == "wrongPassword")
        let after = try client.send("GET", "/v1/accounts/77").json
        #expect(after["data"]?["id"] == .number("77") && after != before, "the seed is another one")
        edited.latency = .milliseconds(5) ... .milliseconds(5)
        client.engine.replace(contract, edited)
        #expect(client.engine.settings.latency.lowerBound == .milliseconds(5))
    }

    @Test func theLogSaysWhichRequestWasSentAgain() throws {
        var client = try client("greet: {get: /greeting, response: {text: string}}")
        _ = try client.send("GET", "/greeting", headers: [("Errand-Mock", "unavailable")])
        let first = try #require(client.last)
        _ = try client.send("GET", "/greeting")
        #expect(client.last?.earlier == first.number && client.last?.remark == "sent again after 0.0 s")
        _ = try client.send("GET", "/greeting")
        #expect(client.last?.earlier == nil)
    }

    /// A list in a path is one segment with commas, and each of its values is checked.
    @Test func aListInAPathIsChecked() throws {
        var client = try client(#"findUsers: {get: "/users/{ids:[int]}", response: {count: int}}"#)
        #expect(try client.send("GET", "/users/1,2,3").reply.response.status == 200)
        #expect(try client.send("GET", "/users/7").reply.response.status == 200)
        #expect(try client.send("GET", "/users/1,x").reply.response.status == 400)
    }
}
