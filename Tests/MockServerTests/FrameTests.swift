import ContractModel
import JSONTree
import Testing

@testable import MockServer

/// The engine plays a contract with frames: the shipped one, and the two other forms of a frame.
@Suite struct FrameTests {
    private func client(
        _ contract: ResolvedContract? = nil, headers: [(String, String)] = [],
        _ change: (inout MockSettings) -> Void = { _ in }
    ) throws -> FrameClient {
        var settings = MockSettings()
        settings.eventInterval = nil
        change(&settings)
        let contract = try contract ?? MockFixture.contract("presence")
        return try FrameClient(MockEngine(contract, settings), headers)
    }

    private func loggedIn(
        headers: [(String, String)] = [], _ change: (inout MockSettings) -> Void = { _ in }
    ) throws -> FrameClient {
        var client = try client(headers: headers, change)
        try client.logIn()
        return client
    }

    // MARK: Sessions

    @Test func aLoginGivesItsConnectionASession() throws {
        var client = try client()
        let early = try client.send("info.query", #"{"of": 7}"#)
        #expect(early["type"] == .string("error") && early["data"]?["code"] == .string("session_expired"))
        #expect(client.entry?.findings.first?.contains("carries no session") == true)
        let reply = try client.send("login", #"{"user": "ada", "password": "x"}"#)
        #expect(reply["type"] == .string("login") && reply["id"] == .string("2"))
        #expect(reply["data"]?["user"] != nil)
        let info = try client.send("info.query", #"{"of": 7}"#)
        #expect(info["type"] == .string("info.query") && info["data"]?["name"] != nil)
        #expect(client.entry?.text == "0.0  #1 -> info.query  queryInfo  reply  (sent again after 0.0 s)")
    }

    @Test func anotherConnectionPresentsTheToken() throws {
        var client = try loggedIn()
        let token = try #require(client.token)
        try client.reconnect()
        #expect(try client.send("attach", #"{"token": "x"}"#)["data"]?["code"] == .string("session_expired"))
        let attached = try client.send("attach", #"{"token": "\#(token)"}"#)
        #expect(attached["type"] == .string("attach") && attached["data"] == nil)
        #expect(try client.send("info.query", #"{"of": 7}"#)["type"] == .string("info.query"))
        client.engine.expireSessions()
        #expect(try client.send("info.query", #"{"of": 7}"#)["data"]?["code"] == .string("session_expired"))
    }

    @Test func aLogoutHasNoReplyAndEndsTheSession() throws {
        var client = try loggedIn()
        let token = try #require(client.token)
        #expect(try client.frames("logout", nil).isEmpty)
        #expect(client.entry?.reply == "no reply")
        #expect(try client.send("attach", #"{"token": "\#(token)"}"#)["type"] == .string("error"))
    }

    // MARK: Replies

    @Test func aKeyIsHonored() throws {
        var client = try loggedIn()
        let body = #"{"room": 1, "text": "Hi", "key": "k"}"#
        let first = try client.send("message.send", body)
        #expect(first["data"]?["text"] == .string("Hi") && first["data"]?["room"] == .number(1))
        client.now += .milliseconds(400)
        let second = try client.send("message.send", body)
        #expect(second["data"] == first["data"])
        #expect(client.entry?.text.hasSuffix("known by its key  (sent again with the same key after 0.4 s)") == true)
        let other = try client.send("message.send", #"{"room": 2, "text": "Hi", "key": "k"}"#)
        #expect(other["type"] == .string("error"))
        #expect(client.entry?.findings == ["the idempotency key was used for another request"])
    }

    @Test func aReplyMayHaveAnotherKind() throws {
        var client = try client()
        let rooms = try client.send("room.list", nil)
        #expect(rooms["type"] == .string("room.all") && rooms["data"]?.elements?.isEmpty == false)
    }

    @Test func theSameSeedGivesTheSameFrames() throws {
        func frames(_ seed: UInt64) throws -> [JSONNode] {
            var client = try loggedIn { $0.seed = seed }
            return try [client.send("info.query", #"{"of": 7}"#), client.send("poke", #"{"user": 7}"#)]
        }
        #expect(try frames(3) == frames(3))
        #expect(try frames(3) != frames(4))
    }

    @Test func idsAndPayloadsHaveTheFormOfTheContract() throws {
        let contract = try MockFixture.contract(
            text: """
                errand: 1
                service: Plain
                servers: {production: "wss://plain.example"}
                connection: {kind: op, correlation: {member: n, as: int}, reply: "{frame}.done", failure: oops}
                envelopes: {standard: {code: code, message: message}}
                errors: {full: {category: nonRetryable, when: {code: full}, message: Full.}}
                defaults: {envelope: standard}
                endpoints:
                  join: {frame: join, body: {room: int}, response: {seat: int, room: int}, effect: read, errors: [full]}
                """)
        var client = try client(contract, headers: [("Errand-Mock", "slow=0s")])
        let reply = try client.raw(#"{"op": "join", "n": 5, "room": 3}"#)
        #expect(reply.first?["op"] == .string("join.done") && reply.first?["n"] == .number(5))
        #expect(reply.first?["room"] == .number(3) && reply.first?["seat"] != nil)
        let refused = try client.raw(#"{"op": "join", "n": 6}"#)
        #expect(refused.first?["op"] == .string("oops") && refused.first?["message"] != nil, "\(refused)")
        _ = try client.raw(#"{"op": "join", "n": "5", "room": 3}"#)
        #expect(client.entry?.findings == ["`n` must be a number, and is a string"])
    }

    // MARK: Wrong frames

    @Test func aWrongFrameIsRefusedWithAFinding() throws {
        let table: [(text: String, finding: String)] = [
            (#"{"type": "info.query", "id": "9", "data": {}}"#, "`body.of` is missing"),
            (#"{"type": "info.query", "id": "9", "data": {"of": "x"}}"#, "`body.of` must be an integer"),
            (#"{"type": "info.query", "id": "9"}"#, "`body.of` is missing"),
            (#"{"type": "message.send", "id": "9", "data": {"room": 1, "text": "Hi"}}"#, "`body.key` is missing"),
            (#"{"type": "status.set", "id": "9", "data": {"status": "online", "text": ""}}"#, "`body.text`"),
            (#"{"type": "dance", "id": "9"}"#, "the contract has no frame `dance`"),
        ]
        for (text, finding) in table {
            var client = try loggedIn()
            let reply = try client.raw(text)
            #expect(reply.count == 1 && reply.first?["type"] == .string("error"), "\(text): \(reply)")
            #expect(reply.first?["id"] == .string("9"), "\(text)")
            #expect(client.entry?.result == .refused, "\(text)")
            #expect(client.entry?.findings.first?.hasPrefix(finding) == true, "\(client.entry?.findings ?? [])")
            // The connection goes on.
            #expect(try client.send("info.query", #"{"of": 7}"#)["type"] == .string("info.query"), "\(text)")
        }
    }

    @Test func whatIsNoFrameEndsTheConnection() throws {
        let table: [(MockMessage, UInt16)] = [
            (.text(Array("hello".utf8)), 1007), (.text(Array("[1]".utf8)), 1007), (.text(Array("{}".utf8)), 1007),
            (.text(Array(#"{"type": 1}"#.utf8)), 1007), (.binary(count: 3), 1003),
        ]
        for (message, code) in table {
            var client = try client()
            let frames = client.receive(message)
            guard case .close(let sent, let reason)? = frames.first else {
                Issue.record("\(message): \(frames)")
                continue
            }
            #expect(sent == code && !reason.isEmpty, "\(message)")
            // Nothing more is said.
            #expect(client.receive(message).isEmpty, "\(message)")
        }
    }

    // MARK: Subscriptions

    private static let elements = ["1", "2", "3", "4", "5"]

    @Test func aSubscriptionHasElementsAndAnEnd() throws {
        var client = try loggedIn()
        let frames = try client.all("room.follow", #"{"room": 1}"#)
        #expect(frames.compactMap { $0["data"]?["seq"]?.scalarText } == Self.elements)
        #expect(frames.dropLast().allSatisfy { $0["type"] == .string("room.event") && $0["id"] == frames[0]["id"] })
        #expect(frames.last?["type"] == .string("room.closed"))
    }

    @Test func aSubscriptionGoesOnAfterACut() throws {
        var client = try loggedIn {
            $0.rules = [FailureRule(endpoint: "follow", failure: "cut-inside", times: 1)]
        }
        let token = try #require(client.token)
        let before = try client.all("room.follow", #"{"room": 1}"#).compactMap { $0["data"]?["seq"]?.scalarText }
        #expect(before == ["1", "2"] && client.last == .cut)
        try client.reconnect(after: .lost, pause: .milliseconds(500))
        #expect(client.opening?.remark == "reconnected after 0.5 s" && client.opening?.earlier != nil)
        _ = try client.send("attach", #"{"token": "\#(token)"}"#)
        let after = try client.all("room.follow", #"{"room": 1, "since": 2}"#)
        #expect(after.compactMap { $0["data"]?["seq"]?.scalarText } == ["3", "4", "5"])
        #expect(client.entry?.remark == "resumed from 2" && client.entry?.earlier != nil)
        let none = try client.all("room.follow", #"{"room": 1, "since": 99999999999999999}"#)
        #expect(none.map { $0["type"] } == [.string("room.closed")])
    }

    @Test func aSubscriptionIsCanceled() throws {
        var client = try loggedIn { $0.eventInterval = .seconds(10) }
        #expect(try client.frames("typing.watch", #"{"room": 1}"#).count == 1)
        #expect(try client.raw(#"{"type": "typing.unwatch", "id": "2"}"#).isEmpty)
        #expect(client.entry?.reply == "canceled" && client.entry?.findings.isEmpty == true)
        client.now += .seconds(5)
        #expect(client.due().isEmpty)
        _ = try client.raw(#"{"type": "typing.unwatch", "id": "2"}"#)
        #expect(client.entry?.findings == ["the frame cancels a subscription that is not open"])
    }

    @Test func eventsComeAtAnIntervalAndOnDemand() throws {
        var client = try client { $0.eventInterval = .seconds(10) }
        #expect(client.due().isEmpty)
        client.now += .seconds(10)
        #expect(client.jsonDue().map { $0["type"] } == [.string("notice")])
        client.now += .seconds(10)
        let changed = client.jsonDue()
        #expect(changed.map { $0["type"] } == [.string("status.changed")] && changed.first?["id"] == nil)
        let (numbers, entries) = client.engine.sendEvent(named: "notice", at: client.now)
        #expect(numbers == [1] && entries.map(\.text) == ["20.0  #1 <- notice  notice  event"])
        #expect(client.jsonDue().first?["data"]?["text"] != nil)
        #expect(client.engine.sendEvent(named: "dance", at: client.now).numbers.isEmpty)
    }
}
