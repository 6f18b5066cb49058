import ErrandAsyncHTTPClient
import ErrandRuntime
import Testing

/// Client certificates over AsyncHTTPClient.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: TestAuthority.isAvailable, "there is no openssl command here"))
struct ClientCertificateTests {
    private struct Client: CertifiedClient {
        /// BoringSSL can't write them in DER.
        static let unusableKeys = [TestAuthority.KeyKind.edwards]

        let transport: AsyncHTTPClientTransport

        init(trusting: [TrustedAuthority], presenting: [ClientCertificate], proxies: ProxySettings) throws {
            transport = try AsyncHTTPClientTransport(trusting: trusting, presenting: presenting, proxies: proxies)
        }

        func respond(
            to url: String, _ pins: PublicKeyPins?, body: [UInt8]?
        ) async -> Result<TransportResponse, TransportFault> {
            var request = TransportRequest(
                method: body == nil ? .get : .post, url: url, body: body, timeout: .seconds(20))
            request.pins = pins
            do throws(TransportFault) {
                return .success(try await transport.send(request))
            } catch {
                return .failure(error)
            }
        }
    }

    @Test(arguments: ClientCertificateTrial.all) func theTrialIsPassed(_ trial: ClientCertificateTrial) async throws {
        for problem in try await trial.problems(of: Client.self) { Issue.record("\(problem)") }
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
