import AsyncHTTPClient
import ErrandAsyncHTTPClient
import ErrandRuntime
import NIOSSL
import Testing

/// The parts that raw sockets cannot test: TLS, and HTTP/2 over it.
@Suite(.serialized, .enabled(if: ServerCertificate.openssl != nil, "there is no openssl command here"))
struct SecureTests {
    private func transport(trusting server: SecureServer) -> AsyncHTTPClientTransport {
        AsyncHTTPClientTransport { configuration in
            var security = TLSConfiguration.makeClientConfiguration()
            security.trustRoots = .certificates([server.certificate])
            configuration.tlsConfiguration = security
            configuration.dnsOverride = SecureServer.addresses
        }
    }

    @Test func aServerThatNobodyVouchesForGetsNothing() async throws {
        let server = try await SecureServer()
        let request = TransportRequest(method: .post, url: server.url + "/answer", body: [1], isRepeatable: false)
        let met = await AsyncHTTPClientTransport { $0.dnsOverride = SecureServer.addresses }.fault(of: request)
        #expect(met?.kind == .tls && met?.evidence == .notSent, "\(String(describing: met))")
        #expect(server.paths.isEmpty)
        try await server.stop()
    }

    @Test func manyRequestsShareAConnection() async throws {
        let server = try await SecureServer()
        let transport = transport(trusting: server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let request = TransportRequest(
                        method: .post, url: server.url + "/answer/\(number)", body: [1], isRepeatable: false)
                    let response = try await transport.send(request)
                    #expect(
                        response.status == 200 && String(decoding: response.body, as: UTF8.self) == "/answer/\(number)")
                    #expect(
                        response.headers.fields.filter { HTTPHeaders.isEqual($0.name, "x-many") }.map(\.value) == [
                            "one", "two",
                        ])
                }
            }
            try await group.waitForAll()
        }
        #expect(server.paths.count == 50)
        #expect(server.connections == 1)
        try await server.stop()
    }

    /// The end of a stream, or of all of them, is that of an attempt which may have been carried out.
    @Test(arguments: ["/reset", "/close"])
    func aResetStreamWasSent(path: String) async throws {
        let server = try await SecureServer()
        let transport = transport(trusting: server)
        let request = TransportRequest(method: .post, url: server.url + path, body: [1], isRepeatable: false)
        let met = await transport.fault(of: request)
        #expect(met?.kind == .lost && met?.evidence == .sent, "\(String(describing: met))")
        #expect(server.paths == [path])
        // The next one has a connection, or a stream, of its own. The end of the old one may take the client a moment to
        // see: what it meant for that was not sent.
        let next = TransportRequest(method: .post, url: server.url + "/answer", body: [1], isRepeatable: false)
        var later = await transport.fault(of: next)
        for _ in 0..<100 where later?.evidence == .notSent {
            try await Task.sleep(for: .milliseconds(10))
            later = await transport.fault(of: next)
        }
        #expect(later?.kind == nil, "\(String(describing: later))")
        #expect(server.paths == [path, "/answer"])
        try await server.stop()
    }

    @Test func silenceEndsInTime() async throws {
        let server = try await SecureServer()
        let transport = transport(trusting: server)
        // Over a connection that is there, all of the time is for the request.
        #expect(try await transport.send(TransportRequest(method: .get, url: server.url + "/answer")).status == 200)
        let request = TransportRequest(
            method: .post, url: server.url + "/silence", body: [1], timeout: .seconds(1), isRepeatable: false)
        let met = await transport.fault(of: request)
        #expect(met?.kind == .timeout && met?.evidence == .sent, "\(String(describing: met))")
        #expect(server.paths == ["/answer", "/silence"])
        try await server.stop()
    }

    @Test func cancellingEndsOneStream() async throws {
        let server = try await SecureServer()
        let transport = transport(trusting: server)
        let request = TransportRequest(method: .post, url: server.url + "/silence", body: [1], isRepeatable: false)
        let task = Task { await transport.fault(of: request) }
        while server.paths.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        let met = await task.value
        #expect(met?.kind == .cancelled && met?.evidence == .sent, "\(String(describing: met))")
        #expect(try await transport.send(TransportRequest(method: .get, url: server.url + "/answer")).status == 200)
        #expect(server.connections == 1)
        try await server.stop()
    }
}
