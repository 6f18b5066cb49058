import ContractModel
import Diagnostics
import Testing

/// Contracts whose endpoints travel as frames over one connection.
@Suite struct ConnectionTests {
    private static let head = "errand: 1\nservice: Sample\n"

    private static func resolved(_ text: String) throws -> ResolvedContract {
        let result = resolve(head + text)
        return try #require(result.contract, "\(listing(result.diagnostics))")
    }

    @Test func theSampleIsReadWhole() throws {
        let result = ContractResolver(provider: CheckoutSource()).resolve(path: "contracts/presence.contract.yaml")
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        let connection = try #require(contract.connection)
        #expect(connection.kindMember == "type" && connection.correlationMember == "id")
        #expect(connection.payload?.value == "data" && connection.failure?.value == "error")
        #expect(connection.ping?.value == .after(every: 20_000, timeout: 45_000))
        #expect(connection.unused?.value == .after(300_000))
        #expect(contract.session?.placement == .attached)
        #expect(contract.session?.attach == "attachSession" && contract.session?.attachInput == "token")
        #expect(contract.events.map(\.name.value) == ["notice", "statusChanged"])
        let follow = try #require(contract.endpoints.first { $0.name.value == "follow" })
        let frame = try #require(follow.frame)
        #expect(frame.kind.value == "room.follow" && connection.reply(to: frame) == "room.event")
        let stream = try #require(follow.definition.stream)
        #expect(stream.format == .frames && stream.end == "room.closed" && stream.cancel?.value == "room.unfollow")
        #expect(stream.position?.value == "seq" && stream.resume?.value == "since")
        let close = follow.table.rows.first { !$0.condition.close.isEmpty }
        #expect(close?.verdict.name == "maintenance")
        #expect(follow.table.rows.first?.verdict.name == "maintenance", "a close code precedes all others")
    }

    @Test func whatAContractLeavesOutHasAUsualValue() throws {
        let contract = try Self.resolved(
            """
            connection: {}
            endpoints:
              ask: {frame: ask, response: {text: string}, effect: read}
              watch: {frame: watch, response: {text: string}, effect: read, delivery: stream}
            """)
        let connection = try #require(contract.connection)
        #expect(connection.kindMember == "type" && connection.correlationMember == "id")
        #expect(!connection.hasNumericCorrelation && connection.payload == nil)
        let ask = try #require(contract.endpoints[0].frame)
        #expect(connection.reply(to: ask) == "ask")
        #expect(contract.endpoints[1].definition.stream?.format == .frames)
        #expect(contract.endpoints[1].concise.stream == nil)
    }

    @Test func theKindOfAReplyFollowsFromTheRequestOrIsNamed() throws {
        let contract = try Self.resolved(
            """
            connection: {reply: "{frame}.reply", correlation: {member: seq, as: int}}
            endpoints:
              ask: {frame: ask, response: {text: string}, effect: read}
              get: {frame: {name: get, reply: got}, response: {text: string}, effect: read}
            """)
        let connection = try #require(contract.connection)
        #expect(contract.endpoints.compactMap(\.frame).map { connection.reply(to: $0) } == ["ask.reply", "got"])
        #expect(connection.hasNumericCorrelation && connection.correlationMember == "seq")
    }

    @Test(arguments: [
        ContractFixture(
            "http-key-at-frame", saying: "`query` is not valid with `frame`",
            part: "  ask: {frame: ask, effect: read, «query»: {of: int}}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "http-key-at-frame", saying: "the payload of a frame is JSON",
            part: "  ask: {frame: ask, effect: read, body: «{encoding: form, fields: {of: int}}»}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "http-key-at-frame", saying: "`stream: events` is about a response of HTTP",
            part:
                "  ask: {frame: ask, effect: read, response: {text: string}, delivery: «{stream: events}»}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "frame-key-at-request", saying: "`stream: frames` is only valid in a contract with a `connection`",
            part: "  ask: {get: /ask, response: {text: string}, delivery: «{stream: frames}»}\n"),
        ContractFixture(
            "frame-key-at-request", saying: "HTTP has no close codes",
            part: "errors:\n  gone: {category: retryable, when: {close: [«1012», 1013]}}\n"),
        ContractFixture(
            "frame-key-at-request", saying: "`attach` is only valid",
            part:
                "  attach: {post: /attach, body: {token: {type: string, sensitive: true}}, effect: idempotent, session: none}\nsession: {attach: «attach»}\n"
        ),
        ContractFixture(
            "server-of-other-protocol", saying: "has a URL of HTTP",
            part: "  ask: {frame: ask, effect: read}\nconnection: {}\nservers: {«main»: \"https://a.example\"}\n"
        ).withoutPing,
        ContractFixture(
            "frame-name-repeated", saying: "would be both a reply to `ask` and the event `news`",
            part: "  ask: {frame: ask, effect: read}\nevents:\n  news: {frame: «ask»}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "frame-member-clash", saying: "`kind` and `correlation` are the same member, `id`",
            part: "  ask: {frame: ask, effect: read}\nconnection: {kind: «id»}\n"
        ).withoutPing,
        ContractFixture(
            "frame-member-clash", saying: "`id` has the id of a frame, and is a field of the payload too",
            part: "  ask: {frame: ask, response: {«id»: int}, effect: read}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "frame-member-clash", saying: "`id` has the id of a frame, and is a member of `Row` too",
            part:
                "  ask: {frame: ask, response: «Row», effect: read}\ntypes:\n  Row: {id: int}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "frame-member-clash", saying: "`type` has the kind of a frame, and is a member of `Post` too",
            part:
                "  ask: {frame: ask, body: «Post», effect: read}\ntypes:\n  Post: {union: {by: type, cases: {text: Words}}}\n  Words: {words: string}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "frame-member-clash", saying: "`id` has the id of a frame, and is a member of `Post` too",
            part:
                "  ask: {frame: ask, effect: read}\nevents:\n  news: {frame: news, data: «Post»}\ntypes:\n  Post: {union: {by: is, cases: {text: Words}}}\n  Words: {id: string}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "frame-member-clash", saying: "`id` has the id of a frame, and is a member of `Either` too",
            part:
                "  ask: {frame: ask, response: «Either», effect: read}\ntypes:\n  Either: {union: {keys: {id: One, other: Two}}}\n  One: {id: int}\n  Two: {other: int}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "frame-member-clash", saying: "`id` has the id of a frame, and is a field of the payload too",
            part:
                "  ask: {frame: ask, effect: read, errors: [gone]}\nerrors:\n  gone: {category: nonRetryable, when: {body: {state: gone}}, data: {«id»: int}}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "frame-member-clash", saying: "`id` has the id of a frame, and is a field of the payload too",
            part:
                "  ask: {frame: ask, effect: read, outcomes: {later: {when: {body: {state: later}}, data: {«id»: int}}}}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "frame-member-clash", saying: "`Open` has `additionalProperties`",
            part:
                "  ask: {frame: ask, response: «Open», effect: read}\ntypes:\n  Open: {fields: {x: int}, additionalProperties: int}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "frame-member-clash", saying: "`id` has the id of a frame, and is a part of the envelope `e` too",
            part:
                "  ask: {frame: ask, response: {x: int}, effect: read, envelope: e}\nenvelopes:\n  e: {data: «id»}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "frame-payload-not-object", saying: "the data of `news` is `[string]`",
            part:
                "  ask: {frame: ask, effect: read}\nevents:\n  news: {frame: news, data: «[string]»}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "reply-without-delivery", saying: "the error `gone`, which a reply says",
            part:
                "  ask: {frame: ask, effect: idempotent, delivery: none, errors: [«gone»]}\nerrors:\n  gone: {category: nonRetryable, when: {body: {state: gone}}}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "reply-without-delivery", saying: "nothing that it could read — write `effect: idempotent`",
            part: "  ask: {frame: ask, effect: «read», delivery: none}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "unknown-path", saying: "field of an element called",
            part:
                "  ask: {frame: ask, body: {since: int?}, response: {seq: int}, effect: read, delivery: {stream: frames, position: «sek», resume: since}}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "unknown-input", saying: "input of `ask` called",
            part:
                "  ask: {frame: ask, body: {since: int?}, response: {seq: int}, effect: read, delivery: {stream: frames, position: seq, resume: «sinse»}}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "position-mismatch", saying: "is a `string?`",
            part:
                "  ask: {frame: ask, body: {since: string?}, response: {seq: int}, effect: read, delivery: {stream: frames, position: seq, resume: «since»}}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "invalid-value", saying: "is not a code of a closed connection",
            part: "errors:\n  gone: {category: retryable, when: {close: «700»}}\n"),
        ContractFixture(
            "close-code-reserved", saying: "servers send 1000 to 1003",
            part: "errors:\n  gone: {category: retryable, when: {close: «1000..1015»}}\n"),
        ContractFixture(
            "error-matchers-overlap", saying: "a connection closed with 4010 matches both",
            part:
                "  ask: {frame: ask, effect: read, errors: [one, two]}\nerrors:\n  one: {category: retryable, when: {close: 4000..4010}}\n  two: {category: nonRetryable, when: «{close: [4010, 4100]}»}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "session-without-reply", saying: "presents the token, so it needs one reply",
            part:
                "  logIn: {frame: login, response: {token: string}, session: none, effect: idempotent}\n  attach: {frame: attach, body: {token: {type: string, sensitive: true}}, session: none, effect: idempotent, delivery: «none»}\nsession: {login: logIn, attach: attach, token: token}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "login-requires-session", saying: "it presents the session's token",
            part:
                "  logIn: {frame: login, response: {token: string}, session: none, effect: idempotent}\n  attach: {frame: attach, body: {token: {type: string, sensitive: true}}, session: «required», effect: idempotent}\nsession: {login: logIn, attach: attach, token: token}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "invalid-placeholder", saying: "knows no placeholder `{name}`, only `{frame}`",
            part: "  ask: {frame: ask, effect: read}\nconnection: {reply: «\"{name}.ok\"»}\n"
        ).withoutPing,
        ContractFixture(
            "invalid-placeholder", saying: "a brace that belongs to no placeholder",
            part: "  ask: {frame: ask, effect: read}\nconnection: {reply: «\"{frame}.{ok\"»}\n"
        ).withoutPing,
        ContractFixture(
            "invalid-placeholder", saying: "nothing fills `{name}` — write the kind itself, or write `{frame}`",
            part: "  ask: {frame: {name: ask, reply: «\"{name}.ok\"»}, effect: read}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "invalid-placeholder", saying: "nothing fills `{frame}` — write the kind itself, or write `{frame}`",
            part: "  ask: {frame: {name: ask, reply: «\"{frame}.ok\"»}, effect: read}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "invalid-placeholder", saying: "nothing fills `{room:int}` — write the kind itself, and what differs",
            part: "  ask: {frame: «\"room.{room:int}\"», effect: read}\nconnection: {}\n"
        ).withoutPing,
        ContractFixture(
            "reconnect-base-above-cap", saying: "is 60s, which is longer than its `cap`, 10s",
            part: "  ask: {frame: ask, effect: read}\nconnection: {reconnect: {base: «1m», cap: 10s}}\n"
        ).withoutPing,
        ContractFixture(
            "reconnect-base-above-cap", saying: "is 60s, which is longer than its `cap`, 30s without the key",
            part: "  ask: {frame: ask, effect: read}\nconnection: {reconnect: {base: «1m»}}\n"
        ).withoutPing,
        ContractFixture(
            "reconnect-base-above-cap", saying: "is 1s without the key, which is longer than its `cap`, 500ms",
            part: "  ask: {frame: ask, effect: read}\nconnection: {reconnect: {cap: «500ms»}}\n"
        ).withoutPing,
        ContractFixture(
            "durable-not-possible", saying: "an outbox keeps a command as its request of HTTP",
            part: "  ask: {frame: ask, effect: idempotent, «durable»: true}\nconnection: {}\n"
        ).withoutPing,
    ])
    func isFound(_ fixture: ContractFixture) { expectIsFound(fixture) }

    @Test func bracesThatAreNoPlaceholderAreAPartOfAKind() {
        let text = """
            errand: 1
            service: Sample
            connection: {}
            endpoints:
              ask: {frame: "a{}", effect: read}
              tell: {frame: "{b", effect: once, delivery: none}
            """
        #expect(!resolve(text).diagnostics.contains { $0.rule == "invalid-placeholder" })
    }

    /// The fix of a misspelled placeholder is the text in quotes, without which YAML reads a mapping.
    @Test func aMisspelledPlaceholderHasAFix() throws {
        let text = """
            errand: 1
            service: Sample
            connection: {reply: "{name}.ok"}
            endpoints:
              ask: {frame: ask, effect: read}
            """
        let finding = try #require(resolve(text).diagnostics.first)
        #expect(finding.fix?.edits.map(\.replacement) == ["\"{frame}.ok\""], "\(finding)")
    }

    /// A logout can be sent without a reply, and a code of a closed connection is not one of the transport's failures.
    @Test func whatIsAllowedHasNoFinding() throws {
        let contract = try Self.resolved(
            """
            connection: {payload: data}
            session: {login: logIn, attach: attach, logout: logOut, token: token}
            errors:
              closed: {category: retryable, when: [{close: 1001}, {transport: lost}]}
            endpoints:
              logIn: {frame: login, response: {token: string}, session: none, effect: idempotent}
              attach: {frame: attach, body: {token: {type: string, sensitive: true}}, session: none, effect: idempotent}
              logOut: {frame: logout, delivery: none, effect: idempotent, errors: [closed]}
              list: {frame: list, response: [int], effect: read}
              follow:
                frame: follow
                body: {after: string?}
                response: {place: string}
                effect: read
                delivery: {stream: frames, position: place, resume: after, reopen: always}
            """)
        #expect(contract.session?.logout == "logOut")
        #expect(contract.endpoints[2].delivery == .none)
    }
}

extension ContractFixture {
    /// The fixture without the endpoint of HTTP that ``init(_:saying:part:)`` puts first.
    fileprivate var withoutPing: ContractFixture {
        let ping = "  ping:\n    get: /ping\n    response: none\n"
        var fixture = self
        guard let range = text.firstRange(of: ping) else { return self }
        fixture.text.removeSubrange(range)
        let count = ping.utf8.count
        fixture.marked = marked.map { ($0.lowerBound - count)..<($0.upperBound - count) }
        return fixture
    }

}
