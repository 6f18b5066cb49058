import ContractModel
import Testing

@testable import SwiftEmitter

@Suite struct NamingTests {
    @Test(arguments: [
        ("userID", "userID"), ("user_id", "userId"), ("user-id", "userId"), ("user.id", "userId"), ("a/b c", "aBC"),
        ("ID", "id"), ("URLPath", "urlPath"), ("NOT_FOUND", "notFound"), ("EUR", "eur"), ("Monday", "monday"),
        ("X-Request-ID", "xRequestID"), ("1st", "_1st"), ("+1", "_1"), ("😀", "u1F600"), ("", "u"), ("größe", "größe"),
        ("名前", "名前"), ("a\u{2028}b", "aB"), ("say \"hi\"\\(x)", "sayHiX"), ("*/", "u2Au2F"), ("_", "u5F"),
        ("e\u{301}t\u{e9}", "e\u{301}t\u{e9}"), ("a\u{0}b", "aB"), ("iPhone", "iPhone"), ("default", "default"),
    ])
    func aNameBecomesAnIdentifier(_ name: String, _ identifier: String) {
        let made = SwiftIdentifier.make(from: name, .value)
        #expect(made == identifier)
        #expect(SwiftIdentifier.isValid(made))
    }

    @Test(arguments: [
        ("user", "User"), ("user_account", "UserAccount"), ("URL", "URL"), ("2d", "_2d"), ("😀", "u1F600"),
    ])
    func aTypesNameBeginsWithACapital(_ name: String, _ identifier: String) {
        #expect(SwiftIdentifier.make(from: name, .type) == identifier)
    }

    @Test func keywordsAreEscapedAndLabelsAreNot() {
        #expect(SwiftIdentifier.spelled("default") == "`default`")
        #expect(SwiftIdentifier.label("default") == "default")
        #expect(SwiftIdentifier.label("inout") == "`inout`")
    }

    /// Conflicting names, with the place of the second.
    @Test(arguments: [
        ("types: {user_id: {a: int}, UserID: {a: int}}\nendpoints: {x: {get: /x}}", ["swift-name-collision 4:28"]),
        ("types: {A: {user: int, USER: int}}\nendpoints: {x: {get: /x}}", ["swift-name-collision 4:24"]),
        ("types: {A: {enum: [a-b, a.b]}}\nendpoints: {x: {get: /x}}", ["swift-name-collision 4:25"]),
        ("types: {A: {enum: [\"+1\", \"-1\"]}}\nendpoints: {x: {get: /x}}", ["swift-name-collision 4:26"]),
        ("types: {GetItem: {a: int}}\nendpoints: {getItem: {get: /x}}", ["swift-name-collision 5:13"]),
        ("types: {Failure: {a: int}}\nendpoints: {x: {get: /x}}", ["swift-reserved-word 4:9"]),
        (
            "types: {Server: {a: int}, Common: {a: int}}\nendpoints: {x: {get: /x}}",
            ["swift-reserved-word 4:9", "swift-reserved-word 4:27"]
        ),
        ("types: {Shop: {a: int}}\nendpoints: {x: {get: /x}}", ["swift-reserved-word 4:9"]),
        (
            "types: {JSONReader: {a: int}, Swift: {a: int}}\nendpoints: {x: {get: /x}}",
            ["swift-reserved-word 4:9", "swift-reserved-word 4:31"]
        ),
        ("types: {Type: {a: int}}\nendpoints: {x: {get: /x}}", ["swift-reserved-word 4:9"]),
        (
            "types: {A: {self: int, init: int}}\nendpoints: {x: {get: /x}}",
            ["swift-reserved-word 4:13", "swift-reserved-word 4:24"]
        ),
        ("endpoints: {send: {get: /x}, binding: {get: /y}}", ["swift-reserved-word 4:13", "swift-reserved-word 4:30"]),
        ("endpoints: {getIt: {get: /x, swift: GetIt}}", ["swift-name-invalid 4:37"]),
        ("types: {A: {a: {type: int, swift: \"1 x\"}}}\nendpoints: {x: {get: /x}}", ["swift-name-invalid 4:35"]),
        ("endpoints: {a: {get: \"/x/{page}\", query: {page: int}}}", ["swift-name-collision 4:43"]),
        ("endpoints: {a: {post: /x, query: {body: int}, body: \"[int]\"}}", ["swift-reserved-word 4:35"]),
    ])
    func clashes(_ rest: String, _ findings: [String]) throws {
        #expect(try EmittedContract(EmittedContract.contract(rest + "\n")).findings == findings)
    }

    @Test(arguments: ["bank", "String", "Session", "Foundation", "a b", "1Bank"])
    func servicesThatCannotBeCalledSo(_ service: String) throws {
        let emitted = try EmittedContract(EmittedContract.contract("endpoints: {x: {get: /x}}\n", service: service))
        #expect(!emitted.findings.isEmpty)
        #expect(emitted.files.isEmpty)
    }

    @Test func aCollisionNamesBothPlaces() throws {
        let emitted = try EmittedContract(
            EmittedContract.contract(
                "types:\n  orderItem: {a: int}\n  OrderItem: {a: int}\nendpoints: {x: {get: /x}}\n"))
        let finding = try #require(emitted.diagnostics.first)
        #expect(finding.message.contains("`orderItem`") && finding.message.contains("`OrderItem`"))
        #expect(finding.notes.first?.range?.start.line == 5)
    }

    @Test(arguments: [
        ("types: {A: {shop: {fields: {x: int}}}}\nendpoints: {x: {get: /x}}", ["swift-reserved-word"]),
        ("types: {A: {JSONReader: {fields: {x: int}}}}\nendpoints: {x: {get: /x}}", ["swift-reserved-word"]),
        ("types: {A: {shop: {fields: {x: int}, swift: store}}}\nendpoints: {x: {get: /x}}", []),
        (
            "types: {A: {response: {fields: {x: int}}}, B: {response: {fields: {y: int}}}}\nendpoints: {x: {get: /x}}",
            []
        ),
        ("endpoints: {x: {post: /x, body: {response: {fields: {x: int}}}}}", ["swift-reserved-word"]),
        (
            "endpoints: {x: {post: /x, body: {later: {fields: {x: int}}}, outcomes: {later: {when: {status: 202}, data: {y: int}}}}}",
            ["swift-name-collision"]
        ),
        ("endpoints: {x: {post: /x, body: {a: {fields: {x: int}}}, response: {a: {fields: {x: int}}}}}", []),
        (
            "endpoints: {x: {post: /x, response: {later: {fields: {x: int}}}, outcomes: {later: {when: {status: 202}, data: {y: int}}}}}",
            ["swift-reserved-word"]
        ),
        (
            "endpoints: {x: {post: /x, response: {later: {fields: {x: int}, swift: after}}, outcomes: {later: {when: {status: 202}, data: {y: int}}}}}",
            []
        ),
        (
            "endpoints: {x: {post: /x, response: {later: {fields: {x: int}}}, outcomes: {later: {when: {status: 202}}}}}",
            []
        ),
        (
            "endpoints: {x: {post: /x, response: {completed: {fields: {x: int}}}, outcomes: {later: {when: {status: 202}}}}}",
            ["swift-reserved-word"]
        ),
        ("endpoints: {x: {post: /x, response: {completed: {fields: {x: int}}}}}", []),
        (
            "endpoints: {x: {post: /x, body: {element: {fields: {x: int}}}, response: {n: int}, delivery: stream}}",
            ["swift-reserved-word"]
        ),
        ("endpoints: {x: {post: /x, body: {element: {fields: {x: int}}}, response: {n: int}}}", []),
        ("endpoints: {x: {get: /x, response: {element: {fields: {x: int}}}, delivery: stream}}", []),
    ])
    func theInsideOfAFieldHasANameOfItsOwn(_ rest: String, _ findings: [String]) throws {
        let emitted = try EmittedContract(EmittedContract.contract(rest + "\n"))
        #expect(emitted.diagnostics.map { "\($0.rule)" } == findings)
    }

    /// An event is a type of the client, and a connection needs names that are free in any other contract.
    @Test(arguments: [
        ("events: {notice: {frame: a, data: {x: int}}, Notice: {frame: b}}", ["swift-name-collision"]),
        ("types: {Notice: {x: int}}\nevents: {notice: {frame: a, data: Notice}}", ["swift-name-collision"]),
        ("types: {Notice: {x: int}}\nevents: {notice: {frame: a, data: Notice, swift: News}}", []),
        ("events: {notice: {frame: a, swift: news}}", ["swift-name-invalid"]),
        ("events: {ask: {frame: a}, server: {frame: b}}", ["swift-name-collision", "swift-reserved-word"]),
        ("events: {note: {frame: a, data: {x: int, X: int}}}", ["swift-name-collision"]),
        ("types: {ServerEvent: {x: int}}\nevents: {note: {frame: a, data: ServerEvent}}", ["swift-reserved-word"]),
        ("events: {note: {frame: a, data: {more: {fields: {y: int}}}}}", []),
    ])
    func eventsHaveNames(_ rest: String, _ findings: [String]) throws {
        let emitted = try EmittedContract(
            """
            errand: 1
            service: Shop
            servers: {main: "wss://shop.example"}
            connection: {payload: data}
            endpoints: {ask: {frame: ask, effect: read}}
            \(rest)

            """)
        #expect(emitted.diagnostics.map { "\($0.rule)" } == findings)
    }

    @Test func aContractOverHTTPMayUseTheNamesOfConnections() throws {
        let emitted = try EmittedContract(
            EmittedContract.contract(
                "types: {ServerEvent: {a: int}}\nendpoints: {x: {get: /x, response: ServerEvent}}\n"))
        #expect(emitted.findings.isEmpty)
    }

    /// Inside of a command, `Event` would be found before the service of that name.
    @Test func aServiceHasAnotherNameThanTheElementsOfItsSubscriptions() throws {
        let rest =
            "servers: {main: \"wss://shop.example\"}\nconnection: {payload: data}\nendpoints: {ask: {frame: ask, effect: read, response: {x: int}, delivery: {stream: frames}}}\n"
        #expect(try EmittedContract("errand: 1\nservice: Event\n" + rest).findings == ["swift-reserved-word 2:10"])
        #expect(try EmittedContract("errand: 1\nservice: Shop\n" + rest).findings.isEmpty)
    }

    @Test func typesOfSwiftAreSpelledWithTheirModuleBesideTheirNamesakes() throws {
        let text = try EmittedContract(
            EmittedContract.contract(
                "types: {String: {at: timestamp}, Date: {name: string}}\nendpoints: {x: {get: /x, response: String}, y: {get: /y, response: Date}}\n"
            )
        ).text
        #expect(text.contains("public let at: Foundation.Date"))
        #expect(text.contains("public let name: Swift.String"))
        #expect(text.contains("public import Foundation\n") && !text.contains("FoundationEssentials"))
    }
}
