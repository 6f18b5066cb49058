import ErrandTesting
import Testing

@testable import ErrandRuntime

/// Where a QUERY goes after a redirect (RFC 10008), and that a lost one is sent again.
@Suite(.overSocketsToo, .timeLimit(.minutes(2))) struct QueryRedirectTests {
    private static func redirect(_ status: Int, to url: String) -> TransportResponse {
        .json(status, "", ["Location": url])
    }

    @Test(arguments: [301, 302, 307, 308]) func itIsTheSameRequestAtTheOtherPlace(status: Int) async throws {
        let transport = ScriptedTransport.scripted { _, number in
            number == 1 ? Self.redirect(status, to: "/v2/search") : .json(200, "found")
        }
        #expect(try await Relay(transport).send(Relay.Search()) == Array("found".utf8))
        let requests = transport.requests
        #expect(requests.map(\.method) == [.query, .query])
        #expect(requests.map(\.url) == ["https://home.example/v1/search", "https://home.example/v2/search"])
        #expect(requests.allSatisfy { $0.body == Array("a=b".utf8) && $0.headers["Content-Type"] != nil })
    }

    /// The place of a 303 has the result of the QUERY.
    @Test func aGetReadsTheResultThatA303Names() async throws {
        let transport = ScriptedTransport.scripted { _, number in
            switch number {
            case 1: Self.redirect(303, to: "/v1/results/7")
            case 2: Self.redirect(302, to: "/v1/results/8")
            default: .json(200, "found")
            }
        }
        let session = Session()
        await session.begin(SessionTokens(access: "token-canary"))
        #expect(try await Relay(transport, session: session).send(Relay.Search()) == Array("found".utf8))
        let requests = transport.requests
        #expect(requests.map(\.method) == [.query, .get, .get])
        #expect(requests.last?.url == "https://home.example/v1/results/8")
        for request in requests.dropFirst() {
            #expect(request.body == nil && request.headers["Content-Type"] == nil, "\(request.headers)")
            #expect(request.headers["X-Plain"] == "plain-canary" && request.headers["Authorization"] != nil)
        }
    }

    /// The body may hold a secret. A GET that a 303 asks for has none, and takes only headers that say nothing of the caller.
    @Test func itsBodyDoesNotLeaveTheOrigin() async throws {
        for status in [301, 302, 307, 308] {
            let transport = ScriptedTransport.scripted { _, _ in Self.redirect(status, to: "https://other.example/") }
            _ = await Relay(transport).result(of: Relay.Search())
            #expect(transport.requests.count == 1, "\(status)")
        }
        let transport = ScriptedTransport.scripted { _, number in
            number == 1 ? Self.redirect(303, to: "https://other.example/results") : .json(200, "found")
        }
        #expect(try await Relay(transport).send(Relay.Search()) == Array("found".utf8))
        let last = try #require(transport.requests.last)
        #expect(last.method == .get && last.body == nil && last.headers["X-Plain"] == nil)
    }

    @Test func aLostOneIsSentAgain() async throws {
        let transport = ScriptedTransport.scripted { _, number throws(TransportFault) in
            if number == 1 { throw TransportFault(.lost, evidence: .sent) }
            return .json(200, "found")
        }
        #expect(try await Relay(transport).send(Relay.Search()) == Array("found".utf8))
        #expect(transport.requests.map(\.method) == [.query, .query])
    }
}
