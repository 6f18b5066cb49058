#if os(Linux)
import ErrandCurl
import ErrandRuntime
import ErrandTransport
import ErrandURLSession
import TestCertificates
import Testing

/// Client certificates over libcurl.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: TestAuthority.isAvailable && CurlTransport.isAvailable, "there is no openssl command or no libcurl"))
struct ClientCertificateTests {
    private struct Client: CertifiedClient {
        let transport: any Transport

        init(trusting: [TrustedAuthority], presenting: [ClientCertificate], proxies: ProxySettings) throws {
            // The default transport on this system is libcurl.
            transport = try SystemTransport.make(trusting: trusting, presenting: presenting, proxies: proxies)
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

    @Test func theTransportIsLibcurl() throws { #expect(try SystemTransport.make(presenting: []) is CurlTransport) }

    /// Nothing of the key is shown by the value, by the transport, or by an error.
    @Test func theKeyIsShownNowhere() throws {
        let authority = try TestAuthority()
        _ = try authority.makeKey("client")
        try authority.issue("client")
        let key = try authority.text("client.key")
        let certificate = try ClientCertificate(
            host: "localhost", certificate: authority.text("client.pem"), privateKey: key)
        let transport = try CurlTransport(presenting: [certificate])
        var shown = "\(certificate) \(String(reflecting: certificate)) \(transport) \(String(reflecting: transport))"
        dump(certificate, to: &shown)
        dump(transport, to: &shown)
        dump([certificate], to: &shown)
        #expect(shown.contains("localhost"))
        #expect(!shown.contains("PRIVATE") && !shown.contains("pem"))
        for line in key.split(separator: "\n").dropFirst().dropLast() { #expect(!shown.contains(line)) }
    }

    #if canImport(FoundationNetworking)
    @Test func urlSessionRefusesItOnThisSystem() throws {
        let authority = try TestAuthority()
        _ = try authority.makeKey("client")
        try authority.issue("client")
        let certificate = try ClientCertificate(
            host: "localhost", certificate: authority.text("client.pem"), privateKey: authority.text("client.key"))
        #expect(throws: ClientCertificateError.unsupportedByTransport("URLSessionTransport")) {
            try URLSessionTransport(presenting: [certificate])
        }
        #expect(throws: Never.self) { try URLSessionTransport(presenting: []) }
    }
    #endif
}
#endif
