import AsyncHTTPClient
import ErrandAsyncHTTPClient
import ErrandRuntime
import ErrandTransportConformance
import Foundation
import NIOConcurrencyHelpers
import Testing

/// The transport on a client that another owner has made, and the end of one that is its own.
@Suite(.serialized) struct ClientTests {
    /// The checks that a transport on `HTTPClient.shared` fails, with the reason.
    static let limits = [
        "cancelled-beside-a-process": "that client's connections are open in each process that the program starts",
        "gzip": "that client takes an answer that is 25 times as long as its compressed form for a bomb",
        "old-tls": "that client speaks TLS 1.0, too",
    ]

    /// The shared client follows redirects by itself, with all headers to the same host. Here it does not.
    @Test(arguments: TransportConformance.checks)
    func theSharedClientConforms(_ check: TransportConformance.Check) async {
        let violations = await check.run(on: AsyncHTTPClientTransport(client: .shared))
        if let reason = Self.limits[check.name] {
            withKnownIssue("known limit: \(reason)") { for violation in violations { Issue.record("\(violation)") } }
        } else {
            for violation in violations { Issue.record("\(violation)") }
        }
    }

    @Test func aClientOfItsOwnEndsWithIt() async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "x") }
        }
        for _ in 0..<20 {
            let transport = AsyncHTTPClientTransport()
            #expect(try await transport.send(TransportRequest(method: .get, url: server.url)).status == 200)
        }
    }

    /// Nothing was written by it, and nothing ever will be.
    @Test func aClientThatWasShutDownSendsNothing() async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "x") }
        }
        let client = HTTPClient()
        let transport = AsyncHTTPClientTransport(client: client)
        #expect(try await transport.send(TransportRequest(method: .get, url: server.url)).status == 200)
        try await client.shutdown()
        await #expect { try await transport.send(TransportRequest(method: .get, url: server.url)) } throws: { error in
            (error as? TransportFault)?.evidence == .notSent
        }
        #expect(server.requests.count == 1)
    }

    /// Inside of the origin everything goes along, outside of it nothing that belongs to it, also where the client could
    /// follow by itself.
    @Test(arguments: ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"], [true, false])
    func redirectsAreFollowed(status: String, isShared: Bool) async throws {
        let transport = isShared ? AsyncHTTPClientTransport(client: .shared) : AsyncHTTPClientTransport()
        let other = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "other") }
        }
        let target = other.url + "/end?a=b"
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.contains("/first") { connection.respond(status, "Location: second\r\n") }
                if request.contains("/second") { connection.respond(status, "Location: \(target)\r\n") }
            }
        }
        let parcels = Parcels(server.url, transport).with {
            $0.headers = ["X-Api-Key": "c4nary", "Accept-Language": "de"]
        }
        #expect(try await parcels.send(Parcels.Track()) == Array("other".utf8))
        #expect(server.requests.count == 2 && server.requests.allSatisfy { $0.contains("c4nary") })
        let seen = try #require(other.requests.first)
        #expect(seen.hasPrefix("GET /end?a=b ") && seen.contains("Accept-Language: de") && !seen.contains("c4nary"))
    }

    /// A QUERY stays one with its body, and a 303 names a place that has its result (RFC 10008).
    @Test(arguments: ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"], [true, false])
    func aQueryIsRedirectedAsItsStatusSays(status: String, isShared: Bool) async throws {
        let transport = isShared ? AsyncHTTPClientTransport(client: .shared) : AsyncHTTPClientTransport()
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.contains(" /end ") {
                    connection.respond("200 OK", "", "end")
                } else {
                    connection.respond(status, "Location: /end\r\n")
                }
            }
        }
        #expect(try await Parcels(server.url, transport).send(Parcels.Search()) == Array("end".utf8))
        #expect(server.requests.count == 2 && server.requests.first?.hasPrefix("QUERY /first ") == true)
        let last = try #require(server.requests.last)
        if status.hasPrefix("303") {
            #expect(last.hasPrefix("GET /end ") && last.hasSuffix("\r\n\r\n"), "\(last)")
        } else {
            #expect(last.hasPrefix("QUERY /end ") && last.hasSuffix("a=b"), "\(last)")
        }
    }

    /// What the place says that a redirect leads to is not about the first one.
    @Test(arguments: [401, 404, 425, 429, 503], [true, false])
    func aRedirectedCommandIsSentOnce(answer: Int, isShared: Bool) async throws {
        let transport = isShared ? AsyncHTTPClientTransport(client: .shared) : AsyncHTTPClientTransport()
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.contains(" /end ") {
                    connection.respond("\(answer) Refused", "Retry-After: 0\r\n")
                } else {
                    connection.respond("307 Temporary", "Location: /end\r\n")
                }
            }
        }
        guard case .failure(let fault) = await Parcels(server.url, transport).result(of: Parcels.Post()) else {
            Issue.record("it succeeded")
            return
        }
        #expect(fault.kind == .unconfirmed && fault.context.applied == .maybe)
        #expect(server.requests.count == 2 && server.requests.allSatisfy { $0.hasSuffix("a=b") })
    }

    /// One after the other they share one connection, many at once as many as are allowed: no handshake for each.
    @Test(arguments: [1: 1, 6: 6, 40: 32])
    func connectionsAreKept(atOnce: Int, allowed: Int) async throws {
        let made = NIOLockedValueBox(0)
        let server = try RawServer { connection, number in
            made.withLockedValue { $0 = max($0, number) }
            while connection.readRequest() != nil {
                usleep(1_000)
                connection.respond("200 OK", "", "x")
            }
        }
        let transport = AsyncHTTPClientTransport()
        for _ in 0..<10 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<atOnce {
                    group.addTask {
                        let request = TransportRequest(method: .post, url: server.url, body: [1], isRepeatable: false)
                        let response = try await transport.send(request)
                        #expect(response.status == 200)
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.requests.count == 10 * atOnce)
        #expect((1...allowed).contains(made.withLockedValue { $0 }))
    }

    /// The configuration sets the number of connections. A request that waits for one was not sent.
    @Test func waitingForAConnectionIsNotSent() async throws {
        let hasArrived = NIOLockedValueBox(false)
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            hasArrived.withLockedValue { $0 = true }
            _ = connection.isClosedByClient(within: 10)
        }
        let transport = AsyncHTTPClientTransport { $0.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1 }
        let first = Task {
            try await transport.send(TransportRequest(method: .post, url: server.url, body: [1], isRepeatable: false))
        }
        while !hasArrived.withLockedValue({ $0 }) { try await Task.sleep(for: .milliseconds(2)) }
        let second = TransportRequest(
            method: .post, url: server.url, body: [1], timeout: .milliseconds(200), isRepeatable: false)
        await #expect { try await transport.send(second) } throws: { error in
            (error as? TransportFault)?.evidence == .notSent && (error as? TransportFault)?.kind == .timeout
        }
        first.cancel()
        _ = await first.result
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["http://", "file:///etc/hostname", "http://a b/", "http://user:secret@127.0.0.1/", ""])
    func whatIsNoURLIsNotSent(url: String) async throws {
        await #expect { try await AsyncHTTPClientTransport().send(TransportRequest(method: .get, url: url)) } throws: {
            error in
            (error as? TransportFault)?.evidence == .notSent && (error as? TransportFault)?.kind == .unreadable
        }
    }

    /// A line break in a header would begin another one, or another request.
    @Test(arguments: ["a\r\nX-Smuggled: 1", "a\nb", "a\u{0}b"])
    func headersCannotBeBroken(value: String) async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.respond("200 OK") }
        }
        let request = TransportRequest(method: .get, url: server.url, headers: ["X-Value": value])
        await #expect { try await AsyncHTTPClientTransport().send(request) } throws: { error in
            (error as? TransportFault)?.evidence == .notSent && (error as? TransportFault)?.kind == .unreadable
        }
        #expect(server.requests.isEmpty)
    }
}

private struct Parcels: ServiceClient {
    var binding: ServiceBinding
    static let service = ServiceDescription(name: "Parcels", version: "1")

    init(_ server: String, _ transport: AsyncHTTPClientTransport) {
        binding = ServiceBinding(Self.service, server: server, on: Dispatcher(transport: transport), session: Session())
    }

    struct Track: ErrandRuntime.Command {
        typealias Service = Parcels
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(Parcels.service, "track", .get, effect: .read, response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/first") }
    }

    struct Search: ErrandRuntime.Command {
        typealias Service = Parcels
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(Parcels.service, "search", .query, effect: .read, response: .bytes)
        func encode(into request: inout RequestEncoder) {
            request.path("/first")
            request.beginBody(.form)
            request.field("a", "b")
        }
    }

    struct Post: ErrandRuntime.Command {
        typealias Service = Parcels
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(Parcels.service, "post", .post, effect: .once, response: .bytes)
        func encode(into request: inout RequestEncoder) {
            request.path("/first")
            request.beginBody(.form)
            request.field("a", "b")
        }
    }
}
