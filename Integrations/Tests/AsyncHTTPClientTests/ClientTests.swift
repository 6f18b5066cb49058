import AsyncHTTPClient
import ErrandAsyncHTTPClient
import ErrandRuntime
import ErrandTesting
import Testing

/// The transport on a client that is somebody else's, and the end of one that is its own.
@Suite(.serialized) struct ClientTests {
    /// What a transport on `HTTPClient.shared` fails, with the reason.
    static let limits = ["gzip": "that client takes an answer that is 25 times as long as its compressed form for a bomb"]

    /// The shared client follows redirects by itself, with all headers to the same host. Here it does not.
    @Test(arguments: TransportConformance.checks)
    func theSharedClientConforms(_ check: TransportConformance.Check) async {
        let violations = await check.run(on: AsyncHTTPClientTransport(client: .shared))
        if let reason = Self.limits[check.name] {
            withKnownIssue("\(reason)") { for violation in violations { Issue.record("\(violation)") } }
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

    /// All of them are on a loop of their own; requests to one origin come from one.
    @Test func connectionsAreKept() async throws {
        let server = try RawServer { connection, number in
            while connection.readRequest() != nil { connection.respond("200 OK", "", "\(number)") }
        }
        let transport = AsyncHTTPClientTransport()
        for _ in 0..<10 {
            let response = try await transport.send(
                TransportRequest(method: .post, url: server.url, body: [1], isRepeatable: false))
            #expect(String(decoding: response.body, as: UTF8.self) == "1")
        }
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
