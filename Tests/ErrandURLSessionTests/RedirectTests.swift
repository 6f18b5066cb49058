import ErrandRuntime
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import Testing

/// Redirects of commands that go over `URLSession`.
@Suite(.serialized) struct RedirectTests {
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
        let parcels = await Parcels(server.url).with { $0.headers = ["X-Api-Key": "k3y"] }
        #expect(try await parcels.send(Parcels.Track()) == Array("end".utf8))
        let last = try #require(server.requests.last)
        #expect(last.contains("Bearer s3cret") && last.contains("k3y") && last.contains("X-Plain: 1"))
    }

    @Test(arguments: ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
    func outsideItNothingSecretDoes(status: String) async throws {
        let other = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "other") }
        }
        let target = other.url + "/end"
        let server = try redirecting(status) { target }
        let parcels = await Parcels(server.url).with { $0.headers = ["X-Api-Key": "k3y", "Accept-Language": "de"] }
        #expect(try await parcels.send(Parcels.Track()) == Array("other".utf8))
        let seen = try #require(other.requests.first)
        #expect(!seen.contains("s3cret") && !seen.contains("k3y") && !seen.contains("X-Plain"))
        #expect(seen.contains("Accept-Language: de"))
    }

    /// A body goes along inside of the origin, and what the other place says leaves the command open.
    @Test(arguments: ["307 Temporary", "308 Permanent"])
    func aCommandWithABodyIsSentOnce(status: String) async throws {
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.contains(" /end ") {
                    connection.respond("429 Too Many Requests", "Retry-After: 0\r\n")
                } else {
                    connection.respond(status, "Location: /end\r\n")
                }
            }
        }
        guard case .failure(let fault) = await Parcels(server.url).result(of: Parcels.Post()) else {
            Issue.record("it succeeded")
            return
        }
        #expect(fault.kind == .unconfirmed && fault.context.applied == .maybe)
        #expect(server.requests.count == 2 && server.requests.allSatisfy { $0.hasSuffix("a=b") })
    }
}

private struct Parcels: ServiceClient {
    var binding: ServiceBinding
    static let service = ServiceDescription(
        name: "Parcels", version: "1", session: SessionPlacement(header: "Authorization", prefix: "Bearer "))

    init(_ server: String) async {
        let session = Session()
        await session.begin(SessionTokens(access: "s3cret"))
        binding = ServiceBinding(
            Self.service, server: server, on: Dispatcher(transport: URLSessionTransport()), session: session)
    }

    struct Track: ErrandRuntime.Command {
        typealias Service = Parcels
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Parcels.service, "track", .get, effect: .read, session: .optional, response: .bytes)
        func encode(into request: inout RequestEncoder) {
            request.path("/parcel")
            request.header("X-Plain", "1")
        }
    }

    struct Post: ErrandRuntime.Command {
        typealias Service = Parcels
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Parcels.service, "post", .post, effect: .once, session: .optional, response: .bytes)
        func encode(into request: inout RequestEncoder) {
            request.path("/parcel")
            request.beginBody(.form)
            request.field("a", "b")
        }
    }
}
