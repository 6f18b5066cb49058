import ErrandTesting
import ErrandURLSession
import Foundation
import Testing

@Suite(.serialized) struct RedirectTests {
    private let transport = URLSessionTransport()

    private var secret: HTTPHeaders {
        var headers: HTTPHeaders = ["X-Plain": "1"]
        headers.append("Authorization", "Bearer s3cret", isSensitive: true)
        headers.append("X-Token", "s3cret", isSensitive: true)
        return headers
    }

    private func redirecting(_ status: String, to target: @escaping @Sendable () -> String) throws -> RawServer {
        try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.contains(" /end ") {
                    connection.respond("200 OK", "", "end")
                } else {
                    connection.respond(status, "Location: \(target())\r\n")
                }
            }
        }
    }

    @Test func insideTheOriginEverythingGoesAlong() async throws {
        let server = try redirecting("302 Found") { "/end" }
        let response = try await transport.send(
            TransportRequest(method: .get, url: server.url + "/start", headers: secret))
        #expect(response.status == 200)
        #expect(server.requests.last?.contains("Bearer s3cret") == true)
    }

    @Test(arguments: ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
    func outsideItNothingSecretDoes(status: String) async throws {
        let other = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "other") }
        }
        let target = other.url + "/end"
        let server = try redirecting(status) { target }
        let response = try await transport.send(
            TransportRequest(method: .get, url: server.url + "/start", headers: secret))
        #expect(response.body == Array("other".utf8))
        let seen = try #require(other.requests.first)
        #expect(!seen.contains("s3cret"))
        #expect(seen.contains("X-Plain: 1"))
    }

    @Test func aBodyNeverLeavesTheOrigin() async throws {
        let other = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "other") }
        }
        let target = other.url + "/end"
        let server = try redirecting("307 Temporary") { target }
        let response = try await transport.send(
            TransportRequest(method: .post, url: server.url + "/start", body: Array("s3cret".utf8)))
        #expect(response.status == 307)
        #expect(other.requests.isEmpty)
    }

    @Test func otherSchemesAreNotFollowed() async throws {
        let server = try redirecting("302 Found") { "file:///etc/passwd" }
        let response = try await transport.send(
            TransportRequest(method: .get, url: server.url + "/start"))
        #expect(response.status == 302)
    }

    /// The server carried the request out and sent it on to where nobody is.
    @Test(arguments: ["302 Found", "307 Temporary"])
    func aRefusedSecondHopWasSentNevertheless(status: String) async throws {
        var port = 0
        do { port = try RawServer { _, _ in }.port }
        // Its thread closes it.
        try await Task.sleep(for: .milliseconds(50))
        let target = "http://127.0.0.1:\(port)/end"
        let server = try redirecting(status) { target }
        do throws(TransportFault) {
            _ = try await transport.send(TransportRequest(method: .get, url: server.url + "/start"))
            Issue.record("it was answered")
        } catch {
            #expect(error.evidence == .sent)
        }
        #expect(server.requests.count == 1)
    }

    @Test func aCircleEnds() async throws {
        let server = try redirecting("302 Found") { "/again" }
        let response = try await transport.send(
            TransportRequest(method: .get, url: server.url + "/start", maximumRedirects: 3))
        #expect(response.status == 302)
        #expect(server.requests.count == 4)
    }

    @Test func cookiesAreNotKept() async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil {
                connection.respond("200 OK", "Set-Cookie: a=b\r\nCache-Control: max-age=1000\r\n", "x")
            }
        }
        for _ in 0..<2 {
            _ = try await transport.send(TransportRequest(method: .get, url: server.url))
        }
        #expect(server.requests.count == 2)
        #expect(!server.requests.contains { $0.contains("Cookie") })
    }
}
