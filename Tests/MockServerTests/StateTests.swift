import JSONTree
import Testing

@testable import MockServer

/// What the engine remembers: users, keys and things, each told from all others.
@Suite struct StateTests {
    private func client(_ endpoints: String, _ more: String = "", types: String = "Book: {id: string, title: string}")
        throws -> MockClient
    {
        try MockFixture.client(endpoints, types: types, more)
    }

    // MARK: Users

    /// The inputs of two logins, and whether they are of two users.
    static let logins: [(fields: String, one: String, other: String, areTwo: Bool)] = [
        ("mail: {type: string, sensitive: true}", #"{"mail":"a"}"#, #"{"mail":"b"}"#, true),
        (
            "mail: {type: string, sensitive: true}, password: {type: string, sensitive: true}",
            #"{"mail":"a","password":"x"}"#, #"{"mail":"b","password":"x"}"#, true
        ),
        // A new password is no other user.
        (
            "mail: {type: string, sensitive: true}, password: {type: string, sensitive: true}",
            #"{"mail":"a","password":"x"}"#, #"{"mail":"a","password":"y"}"#, false
        ),
        // A device says nothing of the user, and the name does.
        (
            "mail: {type: string, sensitive: true}, device: string", #"{"mail":"a","device":"d"}"#,
            #"{"mail":"b","device":"d"}"#, true
        ),
        // Nothing but a proof.
        ("token: {type: string, sensitive: true}", #"{"token":"a"}"#, #"{"token":"b"}"#, true),
        ("first: string, last: string", #"{"first":"a b","last":"c"}"#, #"{"first":"a","last":"b c"}"#, true),
    ]

    @Test(arguments: logins) func aUserIsWhoTheLoginNames(
        _ login: (fields: String, one: String, other: String, areTwo: Bool)
    ) throws {
        var client = try client(
            """
            logIn: {post: /sessions, body: {\(login.fields)}, response: {token: string, user: "int"}, session: none}
            greet: {get: /greeting, response: {text: string}}
            """,
            "session: {login: logIn, token: token, identity: user, header: Authorization, format: \"Bearer {token}\"}")
        let one = try client.send("POST", "/sessions", login.one).json["user"]
        let other = try client.send("POST", "/sessions", login.other).json["user"]
        #expect(one != nil && (one != other) == login.areTwo, "\(login.one) \(login.other)")
        #expect(try client.send("POST", "/sessions", login.one).json["user"] == one)
    }

    // MARK: Reads

    /// A QUERY reads what the others have made, and changes nothing.
    @Test func aQueryFindsWhatIsThere() throws {
        var client = try client(
            """
            findBooks: {query: /books, body: {text: string}, response: [Book]}
            listBooks: {get: /books, response: [Book]}
            getBook: {get: "/books/{id}", response: Book}
            addBook: {post: /books, body: {title: string}, response: Book, effect: once}
            """)
        let added = try client.send("POST", "/books", #"{"title":"Ulysses"}"#).json
        let before = try client.send("GET", "/books").json
        let ask = #"{"text":"Ulysses"}"#
        let found = try client.send("QUERY", "/books", ask, headers: [("Idempotency-Key", "k")])
        #expect(found.status == 200 && found.json == before, "\(found.json)")
        #expect(found.json.elements?.contains(added) == true)
        #expect(try client.send("QUERY", "/books", ask, headers: [("Idempotency-Key", "k")]).json == before)
        #expect(try client.send("QUERY", "/books", #"{"text":7}"#).status == 400)
        #expect(try client.send("QUERY", "/books/1", ask).status == 405)
        #expect(try client.send("GET", "/books").json == before)
    }

    /// A client that has the list already gets no list, until the list is another one.
    @Test func aCachedListIsConfirmedUntilItChanges() throws {
        var client = try client(
            """
            listBooks: {get: /books, response: [Book], cache: http}
            getBook: {get: "/books/{id}", response: Book}
            addBook: {post: /books, body: {title: string}, response: Book, effect: once}
            tagged: {get: /tagged, response: {type: Book, headers: {etag: {wire: ETag, type: string}}}, cache: http}
            """)
        let first = try client.send("GET", "/books")
        let tag = try #require(first.reply.response.header("ETag"))
        #expect(first.status == 200 && tag.hasPrefix("\"") && first.reply.response.header("Cache-Control") == nil)
        for condition in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            let confirmed = try client.send("GET", "/books", headers: [("if-none-match", condition)])
            #expect(confirmed.status == 304 && confirmed.reply.response.body.size == 0, "\(condition)")
            #expect(confirmed.reply.response.header("ETag") == tag)
            #expect(confirmed.reply.response.header("Content-Type") == nil && confirmed.finding == nil)
            #expect(client.last?.status == 304 && client.last?.result == .success)
        }
        #expect(try client.send("GET", "/books", headers: [("If-None-Match", "\"other\"")]).json == first.json)
        _ = try client.send("POST", "/books", #"{"title":"Ulysses"}"#)
        let changed = try client.send("GET", "/books", headers: [("If-None-Match", tag)])
        #expect(changed.status == 200 && changed.json != first.json)
        #expect(changed.reply.response.header("ETag") != tag)
        // A failure has no tag, nor has an endpoint without a cache, and one that the contract declares confirms nothing.
        let failed = try client.send(
            "GET", "/books", headers: [("If-None-Match", "*"), ("Errand-Mock", "unavailable")])
        #expect(failed.status == 503 && failed.reply.response.header("ETag") == nil)
        #expect(try client.send("GET", "/books/1").reply.response.header("ETag") == nil)
        #expect(try client.send("GET", "/tagged", headers: [("If-None-Match", "*")]).status == 200)
    }

    // MARK: Keys

    private static let pay =
        """
        pay:
          post: "/payments/{account:string}"
          query: {note: string?}
          headers: {Region: string?}
          body: {amount: decimal, to: {type: json}}
          response: {number: int}
          effect: keyed
        """

    /// Attempts with one key: what the second one says otherwise, and whether it is the same request.
    static let attempts: [(target: String, headers: [(String, String)], body: String, isSame: Bool)] = [
        ("/payments/a", [], #" { "to" : { "y" : [1, 2], "x" : null }, "amount":15e-1 } "#, true),
        ("/payments/a", [("User-Agent", "other")], #"{"amount":1.50,"to":{"x":null,"y":[1.0,2]}}"#, true),
        ("/payments/%61", [], #"{"amount":1.5,"to":{"x":null,"y":[1,2]}}"#, true),
        ("/payments/b", [], #"{"amount":1.5,"to":{"x":null,"y":[1,2]}}"#, false),
        ("/payments/a?note=x", [], #"{"amount":1.5,"to":{"x":null,"y":[1,2]}}"#, false),
        ("/payments/a", [("Region", "eu")], #"{"amount":1.5,"to":{"x":null,"y":[1,2]}}"#, false),
        ("/payments/a", [], #"{"amount":1.5,"to":{"x":null,"y":[2,1]}}"#, false),
        ("/payments/a", [], #"{"amount":1.5,"to":{"x":"null","y":[1,2]}}"#, false),
        ("/payments/a", [], #"{"amount":15,"to":{"x":null,"y":[1,2]}}"#, false),
    ]

    @Test(arguments: attempts) func aKeyIsOfWhatARequestAsksFor(
        _ attempt: (target: String, headers: [(String, String)], body: String, isSame: Bool)
    ) throws {
        var client = try client(Self.pay)
        let key = [("Idempotency-Key", "k")]
        let first = try client.send("POST", "/payments/a", #"{"amount":1.5,"to":{"x":null,"y":[1,2]}}"#, headers: key)
        #expect(first.status == 200, "\(first.json)")
        let second = try client.send("POST", attempt.target, attempt.body, headers: key + attempt.headers)
        #expect(second.status == (attempt.isSame ? 200 : 422), "\(attempt): \(second.json)")
        if attempt.isSame { #expect(client.last?.name == "known by its key") }
    }

    /// A session that was renewed between two attempts is no part of what they ask for.
    @Test func aKeyIsNotOfWhatEveryRequestHasAnew() throws {
        var client = try client(
            """
            logIn: {post: /sessions, body: {user: string}, response: {token: string}, session: none}
            pay: {post: /payments, body: {amount: int}, response: {number: int}, effect: keyed}
            """, "session: {login: logIn, token: token, parameter: sid}")
        func token() throws -> String {
            try client.send("POST", "/sessions", #"{"user":"a"}"#).json["token"]?.scalarText ?? ""
        }
        let key = [("Idempotency-Key", "k")]
        for token in [try token(), try token()] {
            let body = "{\"amount\":1,\"sid\":\"\(token)\"}"
            #expect(try client.send("POST", "/payments", body, headers: key).status == 200)
        }
        #expect(client.last?.name == "known by its key")
    }

    @Test(arguments: [
        ("1", "1.0"), ("1500", "1.5E3"), ("0", "-0.00e7"), ("-0.5", "-5e-1"), ("100", "1e+2"),
    ])
    func numbersHaveOneForm(_ one: String, _ other: String) {
        #expect(JSONNode.number(one).normalized == JSONNode.number(other).normalized)
        #expect(JSONNode.number(one).normalized != JSONNode.number(one + "1").normalized)
    }

    @Test(arguments: [(nil, 200, 404), ("completed", 200, 404), ("needsApproval", 404, 200)])
    func aConfirmationFindsOneEnd(_ found: String?, _ afterSuccess: Int, _ afterOutcome: Int) throws {
        var client = try client(
            """
            pay:
              post: /payments
              body: {amount: decimal}
              response: Payment
              effect: keyed
              outcomes: {needsApproval: {when: {status: 202}, data: Payment}}
              confirm: {endpoint: findPayment, with: {key: idempotencyKey}\(found.map { ", found: \($0)" } ?? "")}
            findPayment: {get: "/payments/by-key/{key}", response: Payment}
            """, types: "Payment: {number: int}")
        func pay(_ headers: [(String, String)]) throws -> Int {
            try client.send("POST", "/payments", #"{"amount":9.5}"#, headers: headers).status
        }
        #expect(try pay([("Idempotency-Key", "k1")]) == 200)
        #expect(try pay([("Idempotency-Key", "k2"), ("Errand-Mock", "needsApproval")]) == 202)
        #expect(try client.send("GET", "/payments/by-key/k1").status == afterSuccess)
        #expect(try client.send("GET", "/payments/by-key/k2").status == afterOutcome)
        #expect(try client.send("GET", "/payments/by-key/k3").status == 404)
    }

    // MARK: Things

    private static let books =
        """
        listBooks: {get: /books, response: [Book]}
        getBook: {get: "/books/{id:string}", response: Book}
        addBook: {post: /books, body: {id: string, title: string}, response: Book, status: 201}
        removeBook: {delete: "/books/{id:string}"}
        """

    /// `é` as one letter, and as a letter with an accent.
    @Test func idsAreTheSameOnlyWithTheSameBytes() throws {
        var client = try client(Self.books)
        let (one, other) = ("caf\u{E9}", "cafe\u{301}")
        for (id, title) in [(one, "one"), (other, "other")] {
            #expect(try client.send("POST", "/books", "{\"id\":\"\(id)\",\"title\":\"\(title)\"}").status == 201)
        }
        #expect(try client.send("GET", "/books/caf%C3%A9").json["title"] == .string("one"))
        #expect(try client.send("GET", "/books/cafe%CC%81").json["title"] == .string("other"))
        #expect(try client.send("DELETE", "/books/caf%C3%A9").status == 204)
        #expect(try client.send("GET", "/books/cafe%CC%81").json["title"] == .string("other"))
        #expect(try client.send("GET", "/books/caf%C3%A9").status == 404)
    }

    /// A deletion and a creation that were carried out before, and only these.
    @Test func whatWasDoneAlreadyIsSaid() throws {
        var client = try client(
            """
            addBook: {post: /books, body: {id: string, title: string}, response: "Book?", status: 201, effect: idempotent, errors: [exists]}
            getBook: {get: "/books/{id:string}", response: Book}
            removeBook: {delete: "/books/{id:string}", response: none, errors: [gone]}
            """,
            """
            errors:
              exists: {category: nonRetryable, when: {status: 409}, settles: success}
              gone: {category: nonRetryable, when: {status: 410}, settles: success}
            """)
        #expect(try client.send("POST", "/books", #"{"id":"a","title":"one"}"#).status == 201)
        #expect(try client.send("POST", "/books", #"{"id":"a","title":"one"}"#).status == 409)
        #expect(try client.send("POST", "/books", #"{"id":"b","title":"two"}"#).status == 201)
        #expect(try client.send("DELETE", "/books/a").status == 204)
        #expect(try client.send("DELETE", "/books/a").status == 410)
        #expect(try client.send("GET", "/books/a").status == 404)
    }

    // MARK: Keys as libraries have them

    private static let orders =
        "order: {post: /orders, body: {n: int}, response: {id: int}, effect: keyed, errors: [again]}"

    /// django-idempotency-key: 409 with the body of the success.
    @Test func aSuccessMayBeRepeatedAsAnError() throws {
        var client = try client(
            Self.orders, "errors: {again: {category: nonRetryable, when: {status: 409}, settles: {success: payload}}}")
        let key = [("Idempotency-Key", "k")]
        let first = try client.send("POST", "/orders", #"{"n":1}"#, headers: key)
        let second = try client.send("POST", "/orders", #"{"n":1}"#, headers: key)
        #expect(first.status < 300 && second.status == 409 && first.json == second.json)
        #expect(second.reply.entry.name == "again")
    }

    /// Several libraries store a failure of the handler for the key.
    @Test func aFailureMayBeStoredForTheKey() throws {
        var client = try client(
            Self.orders, "errors: {again: {category: nonRetryable, when: {status: 409}, settles: {success: payload}}}")
        func send(_ key: String, _ failures: String = "") throws -> MockClient.Answer {
            try client.send(
                "POST", "/orders", #"{"n":1}"#, headers: [("Idempotency-Key", key), ("Errand-Mock", failures)])
        }
        for failures in ["throttled, stored", "stored, throttled"] {
            #expect(try send(failures, failures).status == 429)
            let again = try send(failures)
            #expect(again.status == 429 && again.reply.response.header("Idempotent-Replayed") == "true")
            #expect(try send(failures + " 2", "throttled").status == 429)
            #expect(try send(failures + " 2").status < 300)
        }
        #expect(try send("k", "stored").status < 300, "without a failure, there is nothing to store")
    }

    /// The server carries out a request for as long as its response takes.
    @Test func aSecondRequestWhileTheFirstRunsIsRefused() throws {
        var client = try client(
            Self.orders, "errors: {again: {category: nonRetryable, when: {status: 410}, settles: {success: payload}}}")
        func send(_ failures: String = "", at seconds: Int) throws -> MockClient.Answer {
            client.now = .seconds(seconds)
            return try client.send(
                "POST", "/orders", #"{"n":1}"#, headers: [("Idempotency-Key", "k"), ("Errand-Mock", failures)])
        }
        #expect(try send("slow=5s", at: 1).status < 300)
        let second = try send(at: 3)
        #expect(second.status == 409 && second.reply.entry.name == "first attempt under way")
        #expect(try send(at: 7).status == 410)
    }

    /// A slash with an accent is one character, and a slash inside an id all the same.
    @Test func anIdWithASlashIsOneSegment() {
        let (place, id) = ("/books", "a/\u{301}b")
        #expect(!ResourceStore.path(of: id, in: place).dropFirst(place.utf8.count + 1).utf8.contains(0x2F))
        #expect(ResourceStore.path(of: "a/b", in: place) != ResourceStore.path(of: "a%2Fb", in: place))
    }

    /// The shelf of a shelf's book is changed, and the book of a shelf.
    @Test func aChangeIsOfTheNearestThing() throws {
        for _ in 0..<20 {
            let model = ResourceModel(
                try MockFixture.contract(
                    text: """
                        errand: 1
                        service: Shop
                        servers: {local: "http://127.0.0.1:8080"}
                        types: {Part: {id: string, title: string}}
                        endpoints:
                          getOuter: {get: "/parts/{id:string}", response: Part}
                          getMiddle: {get: "/parts/{outer:string}/parts/{id:string}", response: Part}
                          getInner: {get: "/parts/{outer:string}/parts/{middle:string}/parts/{id:string}", response: Part}
                          rename: {put: "/parts/{outer:string}/parts/{middle:string}/parts/{id:string}/title", body: {title: string}, response: Part}
                          renameMiddle: {put: "/parts/{outer:string}/parts/{id:string}/title", body: {title: string}, response: Part}
                        """))
            #expect(model.places[3]?.role == .change && model.places[4]?.role == .change)
            #expect(model.places[3]?.resource == model.places[2]?.resource)
            #expect(model.places[4]?.resource == model.places[1]?.resource)
        }
    }

    // MARK: HTTP

    /// RFC 9110, section 9.3.2.
    @Test func aHeadIsAGetWithoutItsBody() throws {
        var client = try client(Self.books)
        let get = try client.send("GET", "/books/7").reply.response
        let head = try client.send("HEAD", "/books/7").reply.response
        #expect(
            head.status == 200 && head.body.bytes == get.body.bytes, "the host leaves the body out, and says its length"
        )
        #expect(try client.send("HEAD", "/nothing").status == 404)
        let wrong = try client.send("POST", "/books/7").reply.response
        #expect(wrong.status == 405 && wrong.header("Allow") == "GET, HEAD, DELETE")
    }

    /// RFC 9110, section 11.6.1.
    @Test(arguments: [
        (
            "session: {login: logIn, token: token, header: Authorization, format: \"Bearer {token}\"}",
            "Bearer realm=\"Shop\""
        ),
        ("credentials: {key: {header: X-Key}}\ndefaults: {credentials: key}", "ApiKey realm=\"Shop\""),
        ("credentials: {user: basic}\ndefaults: {credentials: user}", "Basic realm=\"Shop\""),
    ])
    func a401SaysHowToLogIn(_ more: String, _ challenge: String) throws {
        var client = try client(
            """
            logIn: {post: /sessions, body: {user: string}, response: {token: string}}
            greet: {get: /greeting, response: {text: string}}
            """, more)
        let response = try client.send("GET", "/greeting", headers: [("Errand-Mock", "unauthenticated")]).reply.response
        #expect(response.status == 401 && response.header("WWW-Authenticate") == challenge, "\(response.headers)")
    }

    /// The whole body would be the name of a field, which findings print.
    @Test func aFindingHasNoSecretOfABodyOfAnotherKind() throws {
        var client = try client(
            """
            logIn: {post: /sessions, body: {encoding: form, fields: {user: string, password: {type: string, sensitive: true}}}, response: {token: string}}
            """)
        let answer = try client.send("POST", "/sessions", #" {"user":"ada","password":"lovelace"}"#)
        #expect(answer.status == 400 && client.last?.findings.contains { $0.contains("looks like JSON") } == true)
        #expect(client.last?.findings.contains { $0.contains("lovelace") } == false, "\(client.last?.findings ?? [])")
    }

    @Test func theTokenIsInABodyOfItsOwn() throws {
        var client = try client(
            """
            logIn: {post: /sessions, body: {user: string}, response: {token: string}, session: none}
            follow: {put: "/hosts/{id:int}/follower", response: none}
            """, "session: {login: logIn, token: token, parameter: token}")
        let token = try client.send("POST", "/sessions", #"{"user":"a"}"#).json["token"]?.scalarText ?? ""
        #expect(try client.send("PUT", "/hosts/1/follower", #"{"token":"\#(token)"}"#).status < 300)
        #expect(try client.send("PUT", "/hosts/1/follower", #"{"token":"x"}"#).status == 401)
        #expect(try client.send("PUT", "/hosts/1/follower").status == 401)
    }

    @Test func aFindingHasNoSensitiveValue() throws {
        var client = try client(
            """
            pay:
              post: /payments
              query: {card: {type: string, sensitive: true, length: 16}}
              headers: {X-Secret: {type: int, sensitive: true}}
              body: {iban: {type: string, sensitive: true, length: 15..34}, sum: int}
              response: none
              effect: idempotent
            """)
        let answer = try client.send(
            "POST", "/payments?card=hunter2", #"{"iban":"hunter3","sum":"many"}"#,
            headers: [("X-Secret", "hunter4")])
        #expect(answer.status == 400)
        let findings = client.last?.findings ?? []
        for place in ["query.card", "headers.X-Secret", "body.iban", "body.sum"] {
            #expect(findings.contains { $0.contains("`\(place)`") }, "\(findings)")
        }
        #expect(!findings.contains { $0.contains("hunter") }, "\(findings)")
    }

    /// RFC 9110, sections 5.3 and 11.1.
    @Test func headersHaveSeveralSpellings() throws {
        var client = try client(
            """
            logIn: {post: /sessions, body: {user: string}, response: {token: string}, session: none}
            greet: {get: /greeting, response: {text: string}}
            """, "session: {login: logIn, token: token, header: Authorization, format: \"Bearer {token}\"}")
        let login = try client.send("POST", "/sessions", #"{"user":"a"}"#)
        let token = login.json["token"]?.scalarText ?? ""
        for scheme in ["Bearer", "bearer", "BEARER"] {
            #expect(
                try client.send("GET", "/greeting", headers: [("Authorization", "\(scheme) \(token)")]).status == 200)
        }
        let several = [("Errand-Mock", "slow=1s"), ("errand-mock", "serverFault")]
        let answer = try client.send("GET", "/greeting", headers: several)
        #expect(answer.status == 500 && answer.reply.delivery.delay == .seconds(1))
        // The body is read, and the header is wrong.
        let typed = client.engine.respond(
            to: MockRequest(
                method: "POST", path: "/sessions", headers: [("Content-Type", "text/plain; charset=utf-8")],
                body: Array(#"{"user":"a"}"#.utf8)), at: .zero)
        #expect(typed.response.status == 200)
        #expect(typed.entry.findings.count == 1 && typed.entry.findings[0].contains("`Content-Type` is `text/plain;"))
        var engine = client.engine
        let json = engine.respond(
            to: MockRequest(
                method: "POST", path: "/sessions", headers: [("Content-Type", "application/vnd.shop+json")],
                body: Array(#"{"user":"a"}"#.utf8)), at: .zero)
        #expect(json.entry.findings == [])
    }

    @Test(arguments: [("/b%C3%BCcher", 200), ("/b%c3%bccher", 200), ("/%62%C3%BCcher", 200), ("/bu%CC%88cher", 404)])
    func aPathHasSeveralSpellings(_ path: String, _ status: Int) throws {
        var client = try client("list: {get: /bücher, response: {count: int}}")
        #expect(try client.send("GET", path).status == status)
    }
}
