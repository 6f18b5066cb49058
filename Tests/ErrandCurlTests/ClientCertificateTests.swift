#if os(Linux)
import BankClient
import ErrandCurl
import ErrandRuntime
import ErrandTransport
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import TestCertificates
import Testing

/// Client certificates over libcurl.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: TestAuthority.isAvailable && CurlTransport.isAvailable, "there is no openssl command or no libcurl"))
struct ClientCertificateTests {
    private struct Client: RequestingClient {
        let transport: any Transport

        init(trusting: [TrustedAuthority], presenting: [ClientCertificate], proxies: ProxySettings) throws {
            // The default transport on this system is libcurl.
            transport = try SystemTransport.make(trusting: trusting, presenting: presenting, proxies: proxies)
        }
    }

    /// RFC 8996 deprecates TLS 1.0 and 1.1.
    @Test func versionsBeforeTLS1_2AreRefused() async throws {
        for problem in try await TLSVersionTrial().problems(of: Client.self) { Issue.record("\(problem)") }
    }

    @Test(arguments: ClientCertificateTrial.all) func theTrialIsPassed(_ trial: ClientCertificateTrial) async throws {
        for problem in try await trial.problems(of: Client.self) { Issue.record("\(problem)") }
    }

    @Test func theTransportIsLibcurl() throws { #expect(try SystemTransport.make(presenting: []) is CurlTransport) }

    /// A write that was sent before the server refused the certificate was not carried out, and is sent once more at most.
    @Test(arguments: ["-tls1_2", "-tls1_3"]) func aRefusedWriteIsNotUnconfirmed(_ version: String) async throws {
        let authority = try TestAuthority()
        _ = try authority.makeKey("server", .curve)
        try authority.issue("server")
        let port = try RawServer { _, _ in }.port
        let server = try authority.serve("server", on: port, ["-CAfile", "root.pem", "-Verify", "2", version])
        // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
        defer { if server.isRunning { kill(server.processIdentifier, SIGKILL) } }
        let trusted = try TrustedAuthority(host: "localhost", certificate: authority.certificate)
        let session = Session()
        await session.begin(SessionTokens(access: "token"))
        let bank = Bank(
            .init(url: "https://localhost:\(port)"),
            on: Dispatcher(transport: try CurlTransport(trusting: [trusted], presenting: [], proxies: .none)),
            session: session)
        var context: FailureContext?
        repeat {
            do {
                _ = try await bank.transferFunds(fromAccount: 1, toAccount: 2, amount: 3)
                Issue.record("it was answered")
                return
            } catch {
                context = error.context
            }
        } while context?.name == "unreachable" && server.isRunning
        #expect(context?.name == "insecure" && context?.applied == .never, "\(context as Any)")
        #expect(context?.category == .nonRetryable)
        #expect(try authority.text("server.received").isEmpty)
    }

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
