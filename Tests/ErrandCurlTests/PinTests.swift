#if os(Linux)
import ErrandCurl
import ErrandRuntime
import ErrandTransportConformance
import Foundation
import TestCertificates
import Testing

/// Pins over libcurl, against servers of `openssl s_server`.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: TestAuthority.isAvailable && CurlTransport.isAvailable, "there is no openssl command or no libcurl"))
struct PinTests {
    /// A server whose certificate an authority has issued.
    private final class Server {
        let authority: TestAuthority
        let name: String
        let port: Int
        private let process: Process

        init(_ authority: TestAuthority, _ name: String = "server", answers: Bool = true) throws {
            self.authority = authority
            self.name = name
            // A port that was free a moment ago.
            port = try RawServer { _, _ in }.port
            process = try authority.serve(name, on: port, answers ? ["-www"] : [])
        }

        // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        var received: String {
            (try? String(contentsOf: authority.folder.appendingPathComponent("\(name).received"), encoding: .utf8))
                ?? ""
        }

        func transport() throws -> CurlTransport {
            try CurlTransport(
                trusting: [TrustedAuthority(host: "localhost", certificate: authority.certificate)], proxies: .none)
        }

        /// The result of a request, once the server listens.
        func outcome(
            _ transport: CurlTransport, _ pins: PublicKeyPins?, timeout: Duration = .seconds(20)
        ) async throws -> Result<TransportResponse, TransportFault> {
            var request = TransportRequest(method: .get, url: "https://localhost:\(port)/", timeout: timeout)
            request.pins = pins
            while true {
                do throws(TransportFault) {
                    return .success(try await transport.send(request))
                } catch {
                    guard error.kind == .refused, process.isRunning else { return .failure(error) }
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
        }

        /// Expects that a server with another key gets nothing.
        func expectOtherKey(_ outcome: Result<TransportResponse, TransportFault>, _ pins: PublicKeyPins) {
            guard case .failure(let fault) = outcome else {
                Issue.record("it was answered")
                return
            }
            #expect(fault.kind == .tls && fault.evidence == .notSent)
            #expect(fault.underlying as? PinError == .otherKey(host: "localhost", wanted: pins.pins), "\(fault)")
            #expect(pins.pins.allSatisfy("\(fault)".contains))
        }
    }

    private static let other = "sha256/" + Data(repeating: 1, count: 32).base64EncodedString()

    @Test func libcurlCanCompare() { #expect(CurlTransport().enforcesPins) }

    @Test(arguments: [TestAuthority.KeyKind.rsa, .curve, .largeCurve])
    func thePinnedKeyIsTrusted(_ kind: TestAuthority.KeyKind) async throws {
        let authority = try TestAuthority()
        let pin = try authority.makeKey("server", kind)
        try authority.issue("server")
        let server = try Server(authority)
        let transport = try server.transport()
        for pins in [[pin], [Self.other, pin], [pin, Self.other]] {
            #expect(try await server.outcome(transport, PublicKeyPins(pins)).get().status == 200)
        }
    }

    @Test func anotherKeyGetsNothing() async throws {
        let authority = try TestAuthority()
        _ = try authority.makeKey("server")
        try authority.issue("server")
        let server = try Server(authority, answers: false)
        let pins = PublicKeyPins([Self.other])
        let transport = try server.transport()
        for _ in 0..<2 { server.expectOtherKey(try await server.outcome(transport, pins), pins) }
        #expect(server.received.isEmpty)
    }

    /// A connection that was made without pins is not used for a request with them.
    @Test func aKeptConnectionIsNotTrustedBlindly() async throws {
        let authority = try TestAuthority()
        let pin = try authority.makeKey("server")
        try authority.issue("server")
        let server = try Server(authority)
        let transport = try server.transport()
        let pins = PublicKeyPins([Self.other])
        for known in [nil, PublicKeyPins([pin])] {
            #expect(try await server.outcome(transport, known).get().status == 200)
            server.expectOtherKey(try await server.outcome(transport, pins), pins)
        }
    }

    /// The server takes its key in reserve, whose pin its apps have had all along.
    @Test func theKeyInReserveIsTrusted() async throws {
        let authority = try TestAuthority()
        let pins = PublicKeyPins([try authority.makeKey("server"), try authority.makeKey("reserve")])
        _ = try authority.makeKey("stranger")
        for name in ["server", "reserve", "stranger"] {
            try authority.issue(name)
            let server = try Server(authority, name)
            let outcome = try await server.outcome(server.transport(), pins)
            if name == "stranger" {
                server.expectOtherKey(outcome, pins)
            } else {
                #expect(try outcome.get().status == 200)
            }
        }
    }

    /// A pin replaces nothing that makes a certificate valid.
    @Test(arguments: ["expired", "self-signed", "unknown authority"])
    func aPinMakesNoCertificateValid(_ fault: String) async throws {
        let authority = try TestAuthority()
        let pins = PublicKeyPins([try authority.makeKey("server")])
        try authority.issue("server", days: fault == "expired" ? -1 : 2, isSelfSigned: fault == "self-signed")
        let server = try Server(authority, answers: false)
        let transport = fault == "unknown authority" ? CurlTransport(proxies: .none) : try server.transport()
        guard case .failure(let met) = try await server.outcome(transport, pins) else {
            Issue.record("it was answered")
            return
        }
        #expect(met.kind == .tls && met.evidence == .notSent && !(met.underlying is PinError), "\(met)")
        #expect(server.received.isEmpty)
    }
}
#endif
