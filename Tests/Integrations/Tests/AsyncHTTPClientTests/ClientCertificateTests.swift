import ErrandAsyncHTTPClient
import ErrandRuntime
import Testing

/// Client certificates over AsyncHTTPClient.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: TestAuthority.isAvailable, "there is no openssl command here"))
struct ClientCertificateTests {
    private struct Client: RequestingClient {
        /// BoringSSL can't write them in DER.
        static let unusableKeys = [TestAuthority.KeyKind.edwards]

        let transport: any Transport

        init(trusting: [TrustedAuthority], presenting: [ClientCertificate], proxies: ProxySettings) throws {
            transport = try AsyncHTTPClientTransport(trusting: trusting, presenting: presenting, proxies: proxies)
        }
    }

    /// RFC 8996 deprecates TLS 1.0 and 1.1.
    @Test func versionsBeforeTLS1_2AreRefused() async throws {
        for problem in try await TLSVersionTrial().problems(of: Client.self) { Issue.record("\(problem)") }
    }

    @Test(arguments: ClientCertificateTrial.all) func theTrialIsPassed(_ trial: ClientCertificateTrial) async throws {
        for problem in try await trial.problems(of: Client.self) { Issue.record("\(problem)") }
    }

    /// An app's own configuration counts. It also shows that the servers of the trial would answer.
    @Test func theConfigurationMayTakeOlderVersions() async throws {
        let trial = try TLSVersionTrial()
        let transport = try AsyncHTTPClientTransport(trusting: [trial.trusted], proxies: .none) {
            $0.tlsConfiguration?.minimumTLSVersion = .tlsv1
        }
        let result = try await trial.response(of: "-tls1_1") { url in
            do throws(TransportFault) {
                return .success(try await transport.send(TransportRequest(method: .get, url: url)))
            } catch {
                return .failure(error)
            }
        }
        #expect(try result.get().status == 200)
    }

    @Test func theTransportShowsNothingOfIt() throws {
        let authority = try TestAuthority()
        _ = try authority.makeKey("client")
        try authority.issue("client")
        let certificate = try ClientCertificate(
            host: "localhost", certificate: authority.text("client.pem"), privateKey: authority.text("client.key"))
        let transport = try AsyncHTTPClientTransport(presenting: [certificate])
        var shown = "\(transport) \(String(reflecting: transport))"
        dump(transport, to: &shown)
        #expect(!shown.contains("PRIVATE") && !shown.contains("NIOSSL"))
    }
}
