import ContractModel
import Testing

@testable import ReferencePages

/// What pages say of texts, conditions, places and frames, and of what they leave out.
@Suite struct PageFactTests {
    private static let head = """
        errand: 1
        service: Shop
        servers: {main: {url: "https://shop.example/v1", media: "https://media.example"}}
        common: {query: {region: string}, headers: {X-App: {const: web}}}
        envelopes: {standard: {data: data, code: error.code, message: error.text, error: error}}
        defaults: {envelope: standard, timeout: 5s}

        """

    private func files(_ rest: String) throws -> [String: String] {
        try SampleSite.files([SampleSite.contract(text: Self.head + rest)])
    }

    private func curl(_ name: String, of rest: String) throws -> CurlSample.Command {
        let contract = try SampleSite.contract(text: Self.head + rest)
        let endpoint = try #require(contract.endpoints.first { $0.name.value == name })
        return try #require(CurlSample(contract).command(for: endpoint))
    }

    @Test func aFieldHasItsExample() throws {
        let rest = """
            endpoints:
              find:
                get: /books
                query: {title: {type: string, example: Emma}, pin: {type: string?, sensitive: true, example: p-1}}
                response: {pages: {type: int, example: 474}, tags: {type: [string], example: [new, "7"]}}
            """
        let page = ReadPage(try #require(files(rest)["Shop/find.html"])).text
        #expect(page.contains("Example: Emma."))
        #expect(page.contains("Example: 474."))
        #expect(page.contains("Example: [new, \"7\"]."))
        #expect(!page.contains("Example: p-1."))
        #expect(try curl("find", of: rest).text.contains("title=Emma"))
        #expect(page.contains("\"pages\" : 474"))
    }

    private func entry(_ name: String, in page: String) throws -> String {
        let entries = page.components(separatedBy: "<section class=\"entry\"")
        let entry = try #require(entries.first { $0.hasPrefix(" id=\"\(name)\"") }, "\(name)")
        return ReadPage("<section" + entry).text
    }

    @Test(arguments: SampleSite.shipped) func everyErrorHasAText(_ name: String) throws {
        let contract = try SampleSite.contract(name)
        let page = try SampleSite.files([contract])["\(contract.service.value)/errors.html"] ?? ""
        for error in BuiltInError.allCases where page.contains("<section class=\"entry\" id=\"\(error.rawValue)\"") {
            let own = contract.redeclared.first { $0.name.value == error.rawValue }?.message?.value
            #expect(try entry(error.rawValue, in: page).contains(own ?? error.message))
        }
        let count = page.components(separatedBy: "<section class=\"entry\" id=").count
        #expect(page.components(separatedBy: "<dt>Text for people</dt>").count == count)
    }

    @Test func anErrorWithTwoAnswersSaysWhenEachFollows() throws {
        let page = try #require(
            files(
                """
                errors:
                  busy: {category: retryable, when: [{status: 503}, {code: 7}], message: Later.}
                  full: {category: nonRetryable, when: {code: 8}, message: Full.}
                endpoints:
                  order: {post: /orders, effect: once, response: none, errors: [busy, full]}
                  list: {get: /orders, response: none, errors: [busy, full]}
                """)["Shop/errors.html"])
        let busy = try entry("busy", in: page)
        #expect(busy.contains("What the client does (recognized by status 503): "), "\(busy)")
        #expect(busy.contains("What the client does (recognized by code 7): "), "\(busy)")
        // Of a read, all responses have the same consequence.
        #expect(busy.contains("What the client does: "), "\(busy)")
        #expect(try !entry("full", in: page).contains("(recognized by"))
    }

    @Test func pagesSayWhereCodeTextAndDataAre() throws {
        let made = try files(
            """
            errors: {full: {category: nonRetryable, when: {code: 8}, message: Full., data: {left: int}}}
            endpoints: {find: {get: /find, response: {name: string}, errors: [full]}}
            """)
        let places =
            "a failure has error, the code is at error.code, the text for people is at error.text, "
            + "and the data of an error or an outcome is at data."
        let page = ReadPage(made["Shop/find.html"] ?? "").text
        #expect(
            page.contains("It is at data in the body, in the envelope standard.")
                && page.contains("In the body, " + places))
        let errors = ReadPage(made["Shop/errors.html"] ?? "").text
        #expect(errors.contains("In the body of a response with the envelope standard, " + places), "\(errors)")
    }

    @Test func whatIsLeftOutIsCounted() throws {
        let errors = (0..<25).map { "  e\($0): {category: nonRetryable, when: {code: \($0)}, message: No.}\n" }.joined()
        let examples = (0..<24).map { "e\($0): {request: {page: \($0)}}" }.joined(separator: ", ")
        let codes = (0..<500).map { "{code: \(1000 + 2 * $0)}" }.joined(separator: ", ")
        let made = try files(
            """
            errors:
            \(errors)  many: {category: nonRetryable, when: [\(codes)], message: Many.}
            endpoints:
              find:
                get: /find
                query: {page: int}
                response: none
                errors: [\((0..<25).map { "e\($0)" }.joined(separator: ", "))]
                examples: {\(examples)}
              other: {get: /other, response: none, errors: [many]}
            """)
        let page = ReadPage(made["Shop/find.html"] ?? "").text
        #expect(page.contains("The contract has 4 more examples of this endpoint."))
        #expect(page.contains("5 more errors and outcomes have no example here; they are in the decision table above."))
        #expect(!ReadPage(made["Shop/other.html"] ?? "").text.contains("more examples"))
        #expect(try entry("many", in: made["Shop/errors.html"] ?? "").contains("… and 100 more, in the contract"))
    }

    // MARK: Frames and commands

    @Test func aMessageOverAConnectionIsShownWithItsReply() throws {
        let files = try SampleSite.files([SampleSite.contract("presence")])
        let message = ReadPage(files["Presence/sendMessage.html"] ?? "").text
        #expect(message.contains(#""type" : "message.send""#) && message.contains(#""key" : "key-1""#), "\(message)")
        #expect(message.components(separatedBy: #""id" : "1""#).count == 3 && message.contains(#""number" : "#))
        #expect(message.contains("so there is no command for it") && !message.contains("With curl"))
        let follow = ReadPage(files["Presence/follow.html"] ?? "").text
        #expect(
            follow.contains(#""type" : "room.event""#) && follow.contains("Each element is a frame with the same id"))
        let end = ReadPage(files["Presence/logOut.html"] ?? "").text
        #expect(end.contains(#""type" : "logout""#) && end.contains("The server does not reply to it."))
        #expect(!end.contains(#""id""#))
    }

    @Test func aWholeURLHasNoCommand() throws {
        let made = try files("endpoints: {load: {get: \"{url:url}\", response: none}}\n")
        #expect(
            ReadPage(made["Shop/load.html"] ?? "").text.contains(
                "There is no command for curl, because the whole URL is an input."))
    }

    @Test func onlyWordsThatStandForSomethingAreExplained() throws {
        let rest = """
            session: {header: Authorization, format: "Bearer {token}", login: logIn, token: token}
            endpoints:
              logIn:
                post: /s
                body: {name: string}
                response: {token: {type: string, sensitive: true}}
                session: none
                effect: idempotent
              find:
                get: /find
                query: {text: string}
                response: none
                session: none
                examples: {one: {request: {text: "TOKEN, key-1 and CREDENTIAL"}}}
              pay: {post: /pay, response: none, session: required, effect: keyed}
            """
        #expect(try curl("find", of: rest).remarks == [])
        #expect(
            try curl("pay", of: rest).remarks == [
                "`TOKEN` stands for the session's token",
                "`key-1` stands for an idempotency key, of which each new command has another one",
            ])
    }

    @Test func aHeaderWithoutAValueIsSent() throws {
        let command = try curl(
            "find",
            of: """
                endpoints:
                  find: {get: /find, headers: {X-Note: string}, response: none, examples: {one: {request: {X-Note: ""}}}}
                """)
        #expect(command.text.contains("-H 'X-Note;'"), "\(command.text)")
    }

    /// Another origin gets neither common parameters nor the token, so the endpoint's own parameter is there once.
    @Test func anotherOriginGetsNothingOfTheService() throws {
        let command = try curl(
            "picture",
            of: "endpoints: {picture: {get: /p, server: media, query: {region: string}, response: bytes}}\n"
        ).text
        #expect(command.contains("https://media.example/p?region="), "\(command)")
        #expect(command.components(separatedBy: "region=").count == 2 && !command.contains("X-App"), "\(command)")
    }

    // MARK: Size

    /// The promise for a large contract. The benchmark of linting measures its time.
    @Test func aContractWithAThousandEndpointsHasSmallPages() throws {
        var rest = "errors:\n"
        for number in 0..<30 {
            rest += "  error\(number): {category: nonRetryable, when: {code: \(number)}, message: Not allowed.}\n"
        }
        rest += "types:\n"
        for number in 0..<1000 { rest += "  Model\(number): {id: int, name: string, note: string?, tags: [string]}\n" }
        rest += "endpoints:\n"
        for number in 0..<1000 {
            rest += "  operation\(number): {get: \"/things\(number)/{id:int}\", doc: Does the thing., "
            rest += "response: Model\(number), errors: [error\(number % 30), error\((number + 7) % 30)]}\n"
        }
        let made = try files(rest).filter { $0.key.hasSuffix(".html") }
        #expect(made.count > 1000)
        let largest = try #require(made.max { $0.value.utf8.count < $1.value.utf8.count })
        #expect(largest.value.utf8.count <= 300_000, "\(largest.key)")
    }
}
