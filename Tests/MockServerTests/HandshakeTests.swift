import ContractModel
import JSONTree
import Testing

@testable import MockServer

/// What the handshake of a connection has to have, besides what WebSocket says.
@Suite struct HandshakeTests {
    private static func contract(_ session: String) -> String {
        """
        errand: 1
        service: Lobby
        servers: {production: "wss://lobby.example/v1"}
        connection: {payload: data, failure: error}
        session: {login: logIn, \(session), token: token}
        common:
          headers: {X-Platform: {const: ios}}
          parameters:
            locale: {type: string, length: 1..5}
        defaults: {timeout: 10s, deadline: 60s}
        endpoints:
          logIn:
            frame: login
            body: {name: string, password: {type: string, sensitive: true}}
            response: {token: {type: string, sensitive: true}}
            session: none
            effect: idempotent
          findGuest: {frame: guest.find, body: {name: string}, response: {name: string}, effect: read}
        """
    }

    private func engine(_ session: String = "parameter: auth") throws -> MockEngine {
        MockEngine(try MockFixture.contract(text: Self.contract(session)))
    }

    private func open(
        _ engine: inout MockEngine, _ query: String, _ headers: [(String, String)] = [("X-Platform", "ios")]
    ) -> MockHandshake {
        let request = MockRequest(
            method: "GET", path: engine.basePath, query: query, headers: headers.map { ($0.0, $0.1) })
        return engine.open(request, at: .zero)
    }

    private func refusal(_ handshake: MockHandshake) -> MockReply? {
        if case .refused(let reply) = handshake { reply } else { nil }
    }

    @Test func commonParametersAreChecked() throws {
        var engine = try engine()
        #expect(refusal(open(&engine, "locale=de")) == nil)
        for (query, headers, finding) in [
            ("", [("X-Platform", "ios")], "`query.locale` is missing"),
            ("locale=deutsch", [("X-Platform", "ios")], "`query.locale`"),
            ("locale=de", [], "`headers.X-Platform` is missing"),
            ("locale=de", [("X-Platform", "tv")], "`headers.X-Platform` must be `ios`, and is `tv`"),
        ] {
            let reply = try #require(refusal(open(&engine, query, headers)), "\(query) \(headers)")
            #expect(reply.response.status == 400)
            #expect(reply.entry.findings.contains { $0.contains(finding) }, "\(reply.entry.findings)")
            #expect(reply.response.header(MockEngine.findingHeader)?.contains(finding) == true)
        }
        guard case .opened(_, _, _, let entry) = open(&engine, "locale=de&color=red") else {
            throw MockFixture.Broken(description: "an unknown parameter is only a finding")
        }
        #expect(entry.findings == ["`query.color` is not in the contract"])
    }

    @Test(arguments: ["parameter: auth", "header: Authorization, format: \"Bearer {token}\""])
    func theSessionOfAHandshakeIsChecked(_ session: String) throws {
        var engine = try engine(session)
        let isHeader = session.hasPrefix("header")
        func open(_ token: String) -> MockHandshake {
            isHeader
                ? self.open(&engine, "locale=de", [("X-Platform", "ios"), ("Authorization", "Bearer \(token)")])
                : self.open(&engine, "locale=de&auth=\(token)")
        }
        let reply = try #require(refusal(open("stranger")))
        #expect(reply.response.status == 401)
        // RFC 9110, section 11.6.1.
        #expect(reply.response.header("WWW-Authenticate")?.hasSuffix(" realm=\"Lobby\"") == true)
        #expect(!reply.entry.text.contains("stranger"))
        let token = engine.issueAccess(user: 1)
        guard case .opened(let number, _, _, _) = open(token) else {
            throw MockFixture.Broken(description: "the token is refused")
        }
        let find = MockMessage.text(Array(#"{"type": "guest.find", "id": "1", "data": {"name": "Ada"}}"#.utf8))
        let entry = engine.receive(find, on: number, at: .zero)
        #expect(entry?.result == .success)
    }

    /// Two users of one program are two clients.
    @Test(arguments: ["parameter: auth", "header: Authorization, format: \"Bearer {token}\""])
    func onlyTheSameUserReconnects(_ session: String) throws {
        var engine = try engine(session)
        let tokens = (1...2).map { user in
            engine.issueAccess(user: user)
        }
        func open(_ token: String) throws -> (number: Int, remark: String?) {
            let handshake =
                session.hasPrefix("header")
                ? self.open(&engine, "locale=de", [("X-Platform", "ios"), ("Authorization", "Bearer \(token)")])
                : self.open(&engine, "locale=de&auth=\(token)")
            guard case .opened(let number, _, _, let entry) = handshake else {
                throw MockFixture.Broken(description: "the token is refused")
            }
            return (number, entry.remark)
        }
        let first = try open(tokens[0])
        _ = engine.ended(first.number, .lost, at: .zero)
        #expect(try open(tokens[1]).remark == nil)
        #expect(try open(tokens[0]).remark?.hasPrefix("reconnected after") == true)
    }

    @Test func aRefusalOfTheDialSaysHowToProveWhoOneIs() throws {
        var engine = try engine()
        engine.settings.switches["handshake"] = "unauthenticated"
        #expect(refusal(open(&engine, "locale=de"))?.response.header("WWW-Authenticate") != nil)
    }

    @Test func allLinesOfTheHeaderAreRead() throws {
        var engine = try engine()
        let headers = [
            ("X-Platform", "ios"), ("Errand-Mock", "findGuest = close=4001"), ("errand-mock", "logIn=hang"),
        ]
        guard case .opened(let number, _, _, _) = open(&engine, "locale=de", headers) else {
            throw MockFixture.Broken(description: "the handshake is refused")
        }
        let logIn = #"{"type": "login", "id": "1", "data": {"name": "ada", "password": "x"}}"#
        let entry = engine.receive(.text(Array(logIn.utf8)), on: number, at: .zero)
        let frames = engine.takeFrames(of: number, at: .zero).frames
        #expect(entry?.name == "hang" && frames == [])
        // The server has carried it out, so that the connection has the session.
        let find = MockMessage.text(Array(#"{"type": "guest.find", "id": "2", "data": {"name": "Ada"}}"#.utf8))
        let found = engine.receive(find, on: number, at: .zero)
        #expect(found?.name == "close=4001")
        #expect(engine.connections[number]?.token != nil)
    }

    /// `slow = 2s` is `slow=2s`, in a header, in a rule and on the page.
    @Test func blanksHaveNoMeaning() throws {
        let names = FailureNames(try MockFixture.contract("presence"))
        for (endpoint, failure) in [("follow", " slow = 2s"), ("follow", "close =4001 "), ("handshake", "slow = 2s")] {
            #expect(names.problem(of: FailureRule(endpoint: endpoint, failure: failure)) == nil, "\(failure)")
        }
    }
}
