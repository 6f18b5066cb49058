import ContractModel
import Diagnostics
import JSONTree
import Testing

@testable import RecordedTraffic

/// What is found in single entries.
@Suite struct JudgmentTests {
    private static let item =
        #"{"id":1,"name":"a","price":"1.50","kind":"book","tags":["x"],"labels":{"k7f3a9":"v"},"parts":[{"size":9}]}"#
    private static let base = "https://shop.example/v1"

    struct Case: CustomTestStringConvertible, Sendable {
        let entry: String
        let found: [String]
        var testDescription: String { String(entry.prefix(200)) }

        init(_ entry: String, _ found: String...) {
            self.entry = entry
            self.found = found
        }
    }

    private static func get(_ path: String, _ status: Int, _ body: String?, _ more: String = "") -> String {
        Recordings.entry("GET", base + path, status, body, more)
    }

    private static func buy(
        _ status: Int, _ body: String?, sent: String? = #"{"count":1}"#, query: String = ""
    ) -> String {
        Recordings.entry("POST", base + "/items/7/purchases\(query)", status, body, sent: sent)
    }

    static let cases: [Case] = [
        // Successes, with everything that a client tolerates by the contract.
        Case(get("/items/1", 200, item)),
        Case(get("/items?limit=3", 200, "[\(item),\(item)]")),
        Case(get("/items/1/picture", 200, "no JSON")),
        Case(Recordings.entry("DELETE", base + "/items/1", 204)),
        Case(buy(200, #"{"receipt":"r"}"#)),
        Case(buy(409, #"{"left":0}"#)),
        Case(buy(202, #"{"place":2}"#)),
        Case(buy(503, "<html>busy</html>")),
        Case(buy(429, nil)),
        // Responses without a meaning of their own.
        Case(
            buy(418, nil),
            "error undeclared-response: `buyItem` responds with HTTP 418, which the contract does not declare: clients take it for `rejected` (in `entries[0]`)"
        ),
        Case(
            buy(500, nil),
            "note undeclared-response: `buyItem` responds with HTTP 500, which the contract does not declare: clients take it for `serverFault` (in `entries[0]`)"
        ),
        // Payloads that cannot be read.
        Case(
            get("/items/1", 200, item.replacing(#""id":1"#, with: #""id":"one""#)),
            "error undecodable-payload: clients cannot read a success of `getItem`: `body.id` must be an integer (`int`), and is a string (in `entries[0]`)"
        ),
        Case(
            get("/items", 200, "[\(item.replacing(#""name":"a","#, with: ""))]"),
            "error undecodable-payload: clients cannot read a success of `listItems`: `body[].name` is missing (in `entries[0]`)"
        ),
        Case(
            get("/items/1", 200, item.replacing(#""1.50""#, with: #""dear""#)),
            "error undecodable-payload: clients cannot read a success of `getItem`: `body.price` must be a number (`decimal`), and is another text (in `entries[0]`)"
        ),
        Case(
            get("/items/1", 200, item.replacing(#"{"k7f3a9":"v"}"#, with: #"{"k7f3a9":5}"#)),
            "error undecodable-payload: clients cannot read a success of `getItem`: `body.labels.*` must be a `string`, and is a number (in `entries[0]`)"
        ),
        Case(
            get("/items/1", 200, #"{"id":"#),
            "error undecodable-payload: clients cannot read a success of `getItem`: the body is not JSON: a value is missing (in `entries[0]`)"
        ),
        Case(
            get("/items/1", 200, ""),
            "error undecodable-payload: clients cannot read a success of `getItem`: `body` is missing (in `entries[0]`)"
        ),
        Case(
            buy(409, #"{"left":"none"}"#),
            "warning undecodable-payload: clients read `soldOut` of `buyItem` without its data: `body.left` must be an integer (`int`), and is a string (in `entries[0]`)"
        ),
        // What is read all the same.
        Case(
            get("/items/1", 200, item.replacing(#""book""#, with: #""record""#)),
            "note tolerated-value: clients read a success of `getItem` although it is not what the contract says: `body.kind` must be one of `book`, `toy`, and is another text (in `entries[0]`)"
        ),
        Case(
            get("/items/1", 200, item.replacing(#"["x"]"#, with: "7")),
            "note tolerated-value: clients read a success of `getItem` although it is not what the contract says: `body.tags` must be a list, and is a number (in `entries[0]`)"
        ),
        Case(
            get("/items/1", 200, item.replacing(#"{"size":9}"#, with: #"{"size":"big"},{"size":1}"#)),
            "note tolerated-value: clients read a success of `getItem` although it is not what the contract says: `body.parts[].size` must be an integer (`int`), and is a string (in `entries[0]`)"
        ),
        // Members that the contract does not have.
        Case(
            get(
                "/items/1", 200,
                item.replacing(#"{"size":9}"#, with: #"{"size":9,"madeIn":"x"},{"size":1,"madeIn":"y"}"#)),
            "note undeclared-member: a success of `getItem` has `body.parts[].madeIn`, which the contract does not declare (in `entries[0]`)"
        ),
        Case(
            get("/items/1", 200, item.replacing(#""id":1"#, with: #""id":1,"4929123456789012":true"#)),
            "note undeclared-member: a success of `getItem` has `body.…`, which the contract does not declare (in `entries[0]`)"
        ),
        // Requests.
        Case(
            buy(200, #"{"receipt":"r"}"#, sent: #"{"count":"many"}"#),
            "error unfit-request: a request of `buyItem` does not fit the contract, and the server accepts it: `body.count` must be an integer (`int`), and is a string (in `entries[0]`)"
        ),
        Case(
            buy(403, nil, sent: "{}"),
            "note unfit-request: a request of `buyItem` does not fit the contract, and the server refuses it: `body.count` is missing (in `entries[0]`)"
        ),
        Case(
            get("/items?limit=99", 200, "[]"),
            "error unfit-request: a request of `listItems` does not fit the contract, and the server accepts it: `query.limit` is outside `range: 1..50` (in `entries[0]`)"
        ),
        Case(
            get("/items?page=2", 200, "[]"),
            "note undeclared-member: a request of `listItems` has `query.page`, which the contract does not declare (in `entries[0]`)"
        ),
        Case(
            get("/orders/a81f0c33/lines", 200, "[]"),
            "warning undeclared-request: Shop has no endpoint for `GET /v1/…/…/…` (in `entries[0]`)"
        ),
        Case(
            Recordings.entry("PUT", base + "/items/1", 200),
            "warning undeclared-request: Shop has no endpoint for `PUT /v1/items/…` (in `entries[0]`)"),
        Case(
            get("/items/7/ada/purchases", 200, "[]"),
            "warning undeclared-request: Shop has no endpoint for `GET /v1/items/…/…/purchases` (in `entries[0]`)"
        ),
        Case(get("/logo.png", 200, "", #","_resourceType":"image""#)),
    ]

    @Test(arguments: cases) func anEntryHasTheseFindings(_ item: Case) throws {
        // With a good entry beside it, the service counts as recorded.
        let text = Recordings.har([item.entry, Self.get("/items/1", 200, Self.item)])
        let report = Recordings.judge(text, by: [try Recordings.contract(Recordings.shop)])
        #expect(report.lines == item.found)
        #expect(report.counts.entries == 2)
    }

    /// Of an envelope, the code decides, and the payload is inside.
    @Test func envelopesAreOpened() throws {
        let bank = try Recordings.shipped("bank")
        func entry(_ status: Int, _ body: String) -> String {
            Recordings.entry(
                "GET", "https://api.bank.example/v1/accounts/7", status, body, answered: ["Cache-Control": "max-age=0"])
        }
        let account =
            #"{"id":7,"owner":"Ada","balance":1.5,"status":"active","openedAt":"2026-11-21T08:00:00Z","color":"red"}"#
        let report = Recordings.judge(
            Recordings.har([
                entry(200, #"{"data":\#(account),"trace":"abc"}"#),
                entry(200, #"{"error":{"code":900004,"messages":["No."]}}"#),
                entry(200, #"{"error":{"code":911911}}"#),
                entry(400, #"{"error":{"code":"4929 1234 5678 9012"}}"#),
                entry(200, #"{"data":{"id":7}}"#),
                entry(401, #"{"error":{"code":900003}}"#),
            ]), by: [bank])
        #expect(
            report.lines.map { $0.prefix { $0 != "(" } } == [
                "note undeclared-member: a success of `getAccount` has `body.data.color`, which the contract does not declare ",
                "note undeclared-member: a success of `getAccount` has `body.trace`, which the contract does not declare ",
                "error undeclared-response: `getAccount` responds with HTTP 200 and the code `911911`, which the contract does not declare: clients take it for `rejected` ",
                "error undeclared-response: `getAccount` responds with HTTP 400 and a code, which the contract does not declare: clients take it for `rejected` ",
                "error undecodable-payload: clients cannot read a success of `getAccount`: `body.data.owner` is missing ",
                "error undecodable-payload: clients cannot read a success of `getAccount`: `body.data.balance` is missing ",
                "error undecodable-payload: clients cannot read a success of `getAccount`: `body.data.status` is missing ",
                "error undecodable-payload: clients cannot read a success of `getAccount`: `body.data.openedAt` is missing ",
            ])
        let seen = report.services.first?.endpoints.first { $0.name == "getAccount" }
        #expect(
            seen?.meanings == ["success": 2, "noSuchAccount": 1, "rejected": 2, "customerBarred": 1],
            "\(report.services)")
    }

    /// The same in many entries is one finding with their number.
    @Test func whatManyEntriesHaveIsOneFinding() throws {
        let entries = (0..<30).map {
            Self.get("/items/\($0)", 200, Self.item.replacing(#""id":1"#, with: #""id":1,"x":\#($0)"#))
        }
        let report = Recordings.judge(Recordings.har(entries), by: [try Recordings.contract(Recordings.shop)])
        #expect(
            report.lines == [
                "note undeclared-member: a success of `getItem` has `body.x`, which the contract does not declare (in 30 entries, the first is `entries[0]`)"
            ])
        let finding = try #require(report.findings.first { $0.isOf(.undeclaredMember) })
        #expect(finding.file == "shop.contract.yaml", "the place is that of the endpoint in the contract")
        #expect(finding.notes.first?.range?.file == "a.har")
    }

    /// A map that the contract does not have is one finding, and none of its keys is printed.
    @Test func manyUndeclaredMembersAreAMap() throws {
        let members = (0..<40).map { #""user\#($0 % 7)name\#($0)":1"# }.joined(separator: ",")
        let report = Recordings.judge(
            Recordings.har([Self.get("/items/1", 200, Self.item.replacing(#""id":1"#, with: #""id":1,\#(members)"#))]),
            by: [try Recordings.contract(Recordings.shop)])
        #expect(
            report.lines == [
                "note undeclared-member: a success of `getItem` has `body.*`, which the contract does not declare (in `entries[0]`)"
            ])
    }

    @Test func whatIsNotInTheRecordingIsRemarked() throws {
        let report = Recordings.judge(
            Recordings.har([Self.buy(409, #"{"left":0}"#), Self.get("/items/1", 200, Self.item)]),
            by: [try Recordings.contract(Recordings.shop)])
        // `lost` is a failure of the transport, and `barred` one of an endpoint that is in the recording.
        #expect(
            report.findings.map(\.message) == [
                "`listItems` is declared and is not in the recording",
                "the outcome `waiting` of `buyItem` is declared and is not in the recording",
                "`getPicture` is declared and is not in the recording",
                "`removeItem` is declared and is not in the recording",
                "the error `barred` is declared and is not in the recording",
            ])
        #expect(report.findings.allSatisfy { $0.severity == .note && $0.isOf(.unseenDeclaration) })
    }

    /// Unions are open, so what is no case is kept. What has no tag at all cannot be read.
    @Test func unknownCasesOfUnionsAreTolerated() throws {
        let contract = try Recordings.contract(
            """
            errand: 1
            service: Shop
            servers: {main: https://shop.example}
            types:
              Event: {union: {by: kind, cases: {opened: Opened, closed: Closed}}}
              Opened: {at: int}
              Closed: {at: int}
              Method: {union: {keys: {number: Card, iban: Account}}}
              Card: {number: string}
              Account: {iban: string}
              Payer: {union: {kinds: {string: string, object: Card}}}
              Size: {enum: [small, large]}
              Level: {enum: {low: 1, high: 2}}
            endpoints:
              read:
                get: /a
                response: {event: Event?, method: Method?, payer: Payer?, size: Size?, level: Level?}
            """)
        func judge(_ body: String) -> [String] {
            Recordings.judge(
                Recordings.har([Recordings.entry("GET", "https://shop.example/a", 200, body)]), by: [contract]
            ).lines.map { line -> String in
                let kind = line.prefix { $0 != ":" }
                let rest = line.split(separator: ": `body", maxSplits: 1).last ?? ""
                return "\(kind):\(rest.prefix { $0 != "(" })"
            }
        }
        let tolerated = "note tolerated-value:"
        let unreadable = "error undecodable-payload:"
        let cases: [(body: String, found: [String])] = [
            (#"{"event":{"kind":"opened","at":1},"method":{"iban":"x"},"payer":"p","size":"large","level":2}"#, []),
            (#"{"event":{"kind":"moved","to":1}}"#, ["\(tolerated).event.kind` names no case of the union "]),
            (#"{"event":{"at":1}}"#, ["\(unreadable).event.kind` is missing "]),
            (#"{"event":{"kind":7}}"#, ["\(unreadable).event.kind` must be a text, and is a number "]),
            (#"{"event":{"kind":"opened"}}"#, ["\(unreadable).event.at` is missing "]),
            (#"{"method":{"phone":1}}"#, ["\(tolerated).method` must have exactly one of `number`, `iban` "]),
            (
                #"{"method":{"number":"1","iban":"x"}}"#,
                ["\(tolerated).method` must have exactly one of `number`, `iban` "]
            ),
            (#"{"method":"x"}"#, ["\(unreadable).method` must be an object, and is a string "]),
            (#"{"payer":true}"#, ["\(tolerated).payer` cannot be a Boolean "]),
            (#"{"payer":{}}"#, ["\(unreadable).payer.number` is missing "]),
            // A client does not convert the values of enums.
            (#"{"size":7}"#, ["\(unreadable).size` must be one of `small`, `large`, and is a number "]),
            (#"{"level":"2"}"#, ["\(unreadable).level` must be one of `1`, `2`, and is a string "]),
            (#"{"level":3}"#, ["\(tolerated).level` must be one of `1`, `2`, and is another value "]),
        ]
        for (body, found) in cases { #expect(judge(body) == found, "\(body)") }
    }

    /// Of the endpoints with one path, that counts whose server, constants and required inputs the request has.
    @Test func endpointsWithOnePathAreTold() throws {
        let contract = try Recordings.contract(
            """
            errand: 1
            service: Shop
            servers:
              main: {url: "https://shop.example", auth: "https://auth.example"}
            endpoints:
              getUser: {get: "/users/{id}", response: {name: string}}
              getMe: {get: /users/me, server: auth, response: {email: string}}
              login: {post: /sessions, effect: once, body: {password: string}, response: {token: string}}
              enter: {post: /sessions, effect: once, body: {code: string}, response: {ticket: string}}
              list: {get: /items, query: {view: string = all}, response: {all: int}}
              listShort: {get: /items, query: {view: string = short}, response: {short: int}}
              getSome: {get: "/items/{ids:[int]}", response: {some: int}}
            """)
        func entry(_ method: String, _ url: String, _ body: String, sent: String? = nil) -> String {
            Recordings.entry(method, url, 200, body, sent: sent)
        }
        let report = Recordings.judge(
            Recordings.har([
                entry("GET", "https://shop.example/users/me", #"{"name":"a"}"#),
                entry("GET", "https://auth.example/users/me", #"{"email":"a"}"#),
                entry("POST", "https://shop.example/sessions", #"{"ticket":"a"}"#, sent: #"{"code":"a"}"#),
                entry("POST", "https://shop.example/sessions", #"{"token":"a"}"#, sent: #"{"password":"a"}"#),
                entry("GET", "https://shop.example/items?view=short", #"{"short":1}"#),
                entry("GET", "https://shop.example/items?view=all", #"{"all":1}"#),
                entry("GET", "https://shop.example/items/1,2,3", #"{"some":1}"#),
            ]), by: [contract])
        #expect(report.lines.isEmpty)
        #expect(
            report.services.first?.endpoints.map(\.name) == [
                "getUser", "getMe", "login", "enter", "list", "listShort", "getSome",
            ])
        let wrong = Recordings.judge(
            Recordings.har([
                entry("GET", "https://shop.example/items/1,x", #"{"some":1}"#),
                entry("GET", "https://auth.example/users/7", #"{"name":"a"}"#),
                entry("POST", "https://shop.example/sessions", #"{"token":"a"}"#, sent: #"{"password":7}"#),
            ]), by: [contract]
        ).lines
        #expect(
            wrong.map { $0.prefix { $0 != "(" } } == [
                "error unfit-request: a request of `getSome` does not fit the contract, and the server accepts it: `path.ids` must be an integer ",
                "warning undeclared-request: Shop has no endpoint for `GET /users/…` ",
                "error unfit-request: a request of `login` does not fit the contract, and the server accepts it: `body.password` must be a `string`, and is a number ",
            ])
    }
}
