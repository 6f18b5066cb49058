import ErrandAsyncHTTPClient
import ErrandRuntime
import Testing

/// A server with a certificate authority of its own is trusted only if the client trusts that authority for its host.
@Suite(.serialized, .enabled(if: ServerCertificate.openssl != nil, "there is no openssl command here"))
struct AuthorityTests {
    private func transport(_ host: String, trusts server: SecureServer) throws -> AsyncHTTPClientTransport {
        let certificate = try server.certificate.toDERBytes()
        return try AsyncHTTPClientTransport(trusting: [TrustedAuthority(host: host, certificate: certificate)]) {
            $0.dnsOverride = SecureServer.addresses
        }
    }

    private func request(_ server: SecureServer) -> TransportRequest {
        TransportRequest(method: .post, url: server.url + "/answer", body: [1], isRepeatable: false)
    }

    @Test func itsHostIsTrusted() async throws {
        let server = try await SecureServer()
        #expect(try await transport("LocalHost", trusts: server).send(request(server)).status == 200)
        try await server.stop()
    }

    @Test func anotherHostIsNot() async throws {
        let server = try await SecureServer()
        let met = try await transport("dev.local", trusts: server).fault(of: request(server))
        #expect(met?.kind == .tls && met?.evidence == .notSent, "\(String(describing: met))")
        #expect(server.paths.isEmpty)
        try await server.stop()
    }

    /// The host is trusted by its own authority, not by any.
    @Test func anotherAuthorityIsNot() async throws {
        let (server, other) = (try await SecureServer(), try await SecureServer())
        let met = try await transport("localhost", trusts: other).fault(of: request(server))
        #expect(met?.kind == .tls && met?.evidence == .notSent, "\(String(describing: met))")
        #expect(server.paths.isEmpty)
        try await server.stop()
        try await other.stop()
    }

    @Test func whatIsNoCertificateIsATypedError() throws {
        let authority = try TrustedAuthority(host: "localhost", certificate: [0x30, 0x03, 0x02, 0x01, 0x05])
        #expect(throws: TrustedAuthorityError.unreadableCertificate(host: "localhost")) {
            try AsyncHTTPClientTransport(trusting: [authority])
        }
    }
}
