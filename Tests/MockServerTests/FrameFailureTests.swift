import ContractModel
import JSONTree
import Testing

@testable import MockServer

/// Each failure on the dial, at the frames of the shipped contract and at its handshake.
@Suite struct FrameFailureTests {
    private func client(
        _ headers: [(String, String)] = [], _ change: (inout MockSettings) -> Void = { _ in }
    ) throws -> FrameClient {
        var client = try FrameClient(
            MockFixture.engine("presence") {
                $0.eventInterval = nil
                change(&$0)
            }, headers)
        try client.logIn()
        return client
    }

    private static let send = #"{"room": 1, "text": "Hi", "key": "k"}"#

    /// What a failure of `message.send` makes of the reply.
    private func played(_ failure: String) throws -> (frames: [MockFrame], entry: LogEntry?) {
        var client = try client([("Errand-Mock", "sendMessage=\(failure)")])
        let frames = client.receive(.text(Array(#"{"type": "message.send", "id": "7", "data": \#(Self.send)}"#.utf8)))
        return (frames, client.entry)
    }

    @Test func everyDeclaredFailureIsPlayed() throws {
        let contract = try MockFixture.contract("presence")
        let names = FailureNames(contract)
        for endpoint in contract.endpoints where endpoint.delivery != .none {
            for name in names.declared(at: endpoint) where names.failure(name, at: endpoint) != nil {
                var client = try FrameClient(
                    MockFixture.engine("presence") {
                        $0.rules = [FailureRule(endpoint: endpoint.name.value, failure: name)]
                    })
                let kind = endpoint.frame?.kind.value ?? ""
                let frames = client.receive(.text(Array(#"{"type": "\#(kind)", "id": "7"}"#.utf8)))
                guard let frame = frames.first, frames.count == 1 else {
                    Issue.record("\(endpoint.name.value) \(name): \(frames)")
                    continue
                }
                #expect(client.entry?.name == name, "\(endpoint.name.value)")
                #expect(verdict(of: frame, endpoint, contract)?.name == name, "\(endpoint.name.value): \(frame)")
            }
        }
    }

    /// What a client takes a frame for.
    private func verdict(
        of frame: MockFrame, _ endpoint: ResolvedEndpoint, _ contract: ResolvedContract
    ) -> Verdict? {
        switch frame {
        case .close(let code, _): return endpoint.table.table.row(close: CloseCode(rawValue: code))?.verdict
        case .text(let text, _):
            let json = JSONNode.parsed(text)
            #expect(json?["type"] == .string("error") && json?["id"] == .string("7"))
            return json?["data"].flatMap { ResponseComposer(endpoint, in: contract).row(status: 200, $0)?.verdict }
        case .half, .cut: return nil
        }
    }

    @Test func builtInErrorsAreFramesOrCloseCodes() throws {
        let table: [(name: String, code: UInt16?)] = [
            // 1012 and 1013 are the contract's own.
            ("unavailable", 1014), ("serverFault", 1011), ("unauthenticated", 3000), ("rejected", nil),
        ]
        for (name, code) in table {
            let (frames, entry) = try played(name)
            #expect(entry?.name == name && entry?.result == .failure, "\(name)")
            switch (frames.first, code) {
            case (.close(let sent, _)?, let code?): #expect(sent == code, "\(name)")
            case (.text(let text, _)?, nil): #expect(JSONNode.parsed(text)?["type"] == .string("error"), "\(name)")
            default: Issue.record("\(name): \(frames)")
            }
        }
        guard case .text(let odd, _)? = try played("malformed").frames.first else {
            throw MockFixture.Broken(description: "")
        }
        #expect(JSONNode.parsed(odd)?["type"] == .string("errand.malformed"))
    }

    @Test func theWireFailsAsTheDialSays() throws {
        #expect(try played("cut-before").frames == [.cut])
        #expect(try played("cut-after").frames == [.cut])
        #expect(try played("hang").frames.isEmpty)
        #expect(try played("close=4001").frames == [.close(code: 4001, reason: "close=4001")])
        #expect(try played("close=4001").entry?.text.hasSuffix("sendMessage  closed with 4001  close=4001") == true)
        guard case .half(let text)? = try played("cut-inside").frames.first else {
            throw MockFixture.Broken(description: "cut-inside")
        }
        #expect(JSONNode.parsed(text)?["type"] == .string("message.send"))
        let twice = try played("twice").frames
        #expect(twice.count == 2 && twice[0] == twice[1])
        guard case .text(let unknown, _)? = try played("unknown-id").frames.first,
            case .text(let noJSON, _)? = try played("not-json").frames.first
        else { throw MockFixture.Broken(description: "unknown-id") }
        #expect(JSONNode.parsed(unknown)?["id"] == .string("unknown"))
        #expect(JSONNode.parsed(noJSON) == nil)
        guard case .text(_, let bytesPerSecond)? = try played("trickle=10").frames.first else {
            throw MockFixture.Broken(description: "trickle")
        }
        #expect(bytesPerSecond == 10)
    }

    /// What was cut before it was carried out has no effect, and what was cut after it has one.
    @Test func aCutDecidesWhetherTheCommandTookEffect() throws {
        for (failure, isKnown) in [("cut-before", false), ("cut-after", true), ("hang", true)] {
            var client = try client { $0.rules = [FailureRule(endpoint: "sendMessage", failure: failure, times: 1)] }
            let token = try #require(client.token)
            _ = try client.frames("message.send", Self.send)
            try client.reconnect(after: .lost)
            _ = try client.send("attach", #"{"token": "\#(token)"}"#)
            _ = try client.send("message.send", Self.send)
            #expect((client.entry?.name == "known by its key") == isKnown, "\(failure)")
        }
    }

    @Test func aSlowReplyIsOvertaken() throws {
        var client = try client { $0.rules = [FailureRule(endpoint: "queryInfo", failure: "slow=2s", times: 1)] }
        #expect(try client.frames("info.query", #"{"of": 1}"#).isEmpty)
        #expect(try client.send("info.query", #"{"of": 2}"#)["data"]?["user"] != nil)
        client.now += .seconds(2)
        #expect(client.jsonDue().map { $0["id"] } == [.string("2")])
    }

    @Test func expiredSessionsFailAsTheContractSays() throws {
        var client = try client { $0.rules = [FailureRule(endpoint: nil, failure: "expired", times: 1, after: 1)] }
        let info = try client.send("info.query", #"{"of": 1}"#)
        #expect(info["data"]?["code"] == .string("session_expired"))
    }

    // MARK: Handshakes

    private func handshake(
        _ headers: [(String, String)] = [], path: String? = nil, subprotocols: [String] = ["presence.v1"],
        _ change: (inout MockSettings) -> Void = { _ in }
    ) throws -> MockHandshake {
        var engine = try MockFixture.engine("presence", change)
        return engine.open(
            MockRequest(method: "GET", path: path ?? engine.basePath, headers: headers.map { ($0.0, $0.1) }),
            subprotocols: subprotocols, at: .zero)
    }

    private func status(_ handshake: MockHandshake) -> Int? {
        if case .refused(let reply) = handshake { reply.response.status } else { nil }
    }

    @Test func wrongHandshakesAreRefused() throws {
        #expect(try status(handshake()) == nil)
        #expect(try status(handshake(path: "/")) == 404)
        #expect(try status(handshake(path: "/v1/")) == nil)
        #expect(try status(handshake(subprotocols: [])) == 400)
        #expect(try status(handshake(subprotocols: ["chat", "presence.v1"])) == nil)
        #expect(try status(handshake([("Errand-Mock", "roomFul")])) == 400)
        #expect(try status(handshake([("Errand-Mock", "sendMessage=noSuchUser")])) == 400)
        guard case .refused(let reply) = try handshake([("Errand-Mock", "sendMessage=noSuchUser")]) else { return }
        #expect(reply.entry.findings.first?.contains("`sendMessage` has no failure `noSuchUser`") == true)
    }

    @Test func theDialRefusesHandshakes() throws {
        let table = [
            ("unavailable", 503), ("throttled", 429), ("unauthenticated", 401), ("serverFault", 500),
            ("requestTimeout", 408), ("rejected", 400),
        ]
        for (name, status) in table {
            let rule = FailureRule(endpoint: "handshake", failure: name, times: 1)
            #expect(try self.status(handshake { $0.rules = [rule] }) == status, "\(name)")
            #expect(try self.status(handshake { $0.switches["handshake"] = name }) == status, "\(name)")
            #expect(try self.status(handshake([("Errand-Mock", "handshake=\(name)")])) == status, "\(name)")
        }
        guard case .refused(let reply) = try handshake([("Errand-Mock", "handshake=hang")]) else {
            throw MockFixture.Broken(description: "the handshake is answered")
        }
        #expect(reply.delivery.hangs)
        // A failure of all endpoints is none of the handshake.
        #expect(try status(handshake { $0.rules = [FailureRule(endpoint: nil, failure: "unavailable")] }) == nil)
        let names = FailureNames(try MockFixture.contract("presence"))
        #expect(names.problem(of: FailureRule(endpoint: "handshake", failure: "roomFull")) != nil)
        #expect(names.problem(of: FailureRule(endpoint: "handshake", failure: "slow=1s")) == nil)
        let http = FailureNames(try MockFixture.contract("bank"))
        #expect(http.problem(of: FailureRule(endpoint: "handshake", failure: "unavailable")) != nil)
        #expect(http.problem(of: FailureRule(endpoint: "transferFunds", failure: "twice")) != nil)
    }

    // MARK: Bounds

    @Test func whatWaitsIsBounded() throws {
        var client = try client { $0.rules = [FailureRule(endpoint: "queryInfo", failure: "slow=1h")] }
        var closed: MockFrame?
        for number in 0..<2_000 where closed == nil {
            closed =
                client.receive(
                    .text(Array(#"{"type": "info.query", "id": "\#(number)", "data": {"of": 1}}"#.utf8))
                ).last
        }
        #expect(closed == .close(code: 1008, reason: "more than 1024 replies wait"))
        var other = try self.client()
        closed = nil
        for number in 0..<100 where closed == nil {
            let frames = other.receive(
                .text(Array(#"{"type": "typing.watch", "id": "\#(number)", "data": {"room": 1}}"#.utf8)))
            if case .close? = frames.last { closed = frames.last }
        }
        #expect(closed == .close(code: 1008, reason: "more than 64 subscriptions"))
    }

    /// Large replies are another reason than many.
    @Test func theReasonOfACloseIsTheOneThatHolds() throws {
        let request = MockRequest(method: "GET", path: "/")
        var connection = OpenConnection(request, [], nextEvent: nil)
        let frame = MockFrame.text([UInt8](repeating: 0x20, count: OpenConnection.mostWaitingBytes / 2 + 1))
        for _ in 0..<2 { connection.send(frame, at: .seconds(1)) }
        let close = connection.take(at: .zero)
        #expect(close == .close(code: 1008, reason: "replies of more than 1024 KiB wait"))
        // All connections together have a bound, too.
        var engine = try MockFixture.engine("presence") { $0.eventInterval = nil }
        let half = MockFrame.text([UInt8](repeating: 0x20, count: OpenConnection.mostWaitingBytes / 2))
        let count = OpenConnection.mostWaitingBytesOfAll / half.size
        for number in 1...(count + 1) {
            engine.connections[number] = OpenConnection(request, [], nextEvent: nil)
            engine.send(half, to: number, at: .seconds(1))
        }
        let (kept, closed) = (
            engine.takeFrames(of: count, at: .zero).frames, engine.takeFrames(of: count + 1, at: .zero).frames
        )
        #expect(kept == [])
        let reason = "replies of more than 64 MiB wait for all connections"
        #expect(closed == [.close(code: 1008, reason: reason)])
    }

    /// With few elements left, the connection is cut before the last one. That one is not cut, and the log does not say so.
    @Test func aSubscriptionNearItsEndIsCut() throws {
        let table = [(after: 0, places: [1, 2]), (2, [3, 4]), (3, [4])]
        for (after, places) in table {
            var client = try client([("Errand-Mock", "follow=cut-inside")])
            let frames = try client.all("room.follow", #"{"room": 1, "since": \#(after)}"#)
            #expect(frames.compactMap { $0["data"]?["seq"]?.scalarText } == places.map { "\($0)" }, "\(frames)")
            #expect(client.last == .cut, "after \(after)")
        }
        var client = try client([("Errand-Mock", "follow=cut-inside")])
        let frames = try client.all("room.follow", #"{"room": 1, "since": 4}"#)
        #expect(frames.map { $0["type"] } == [.string("room.event"), .string("room.closed")])
        #expect(client.entry?.reply == "elements", "\(client.entry?.text ?? "")")
    }

    @Test func anEditedScenarioKeepsConnections() throws {
        var client = try client()
        client.engine.replace(nil, client.engine.settings)
        let frames = client.due()
        #expect(frames == [])
        #expect(try client.send("info.query", #"{"of": 1}"#)["data"]?["user"] != nil)
    }

    @Test func anEditedContractClosesItsConnections() throws {
        var client = try client()
        client.engine.replace(client.engine.contract, client.engine.settings)
        #expect(client.due() == [.close(code: 1012, reason: "the contract was edited")])
    }
}
