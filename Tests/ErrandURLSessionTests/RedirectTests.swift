import ErrandRuntime
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
}
