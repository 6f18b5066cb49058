import AsyncHTTPClient
import ErrandAsyncHTTPClient
import ErrandRuntime
import ErrandTransportConformance
import Foundation
import Testing

/// Pins over AsyncHTTPClient: over HTTP/2 against a server of NIO, and over HTTP/1.1 against `openssl s_server`.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: TestAuthority.isAvailable, "there is no openssl command here"))
struct PinTests {
    private static let other = "sha256/" + Data(repeating: 1, count: 32).base64EncodedString()

    private static func server(_ authority: TestAuthority, _ name: String = "server") async throws -> SecureServer {
        try await SecureServer(
            authority.folder.appendingPathComponent("\(name).pem").path,
            key: authority.folder.appendingPathComponent("\(name).key").path)
    }

    private static func transport(_ authority: TestAuthority) throws -> AsyncHTTPClientTransport {
        try AsyncHTTPClientTransport(
            trusting: [TrustedAuthority(host: "localhost", certificate: authority.certificate)], proxies: .none
        ) {
            $0.dnsOverride = SecureServer.addresses
        }
    }

    private static func request(_ url: String, _ pins: PublicKeyPins?) -> TransportRequest {
        var request = TransportRequest(method: .post, url: url + "/answer", body: [1], timeout: .seconds(20))
        request.pins = pins
        return request
    }

    private static func expectOtherKey(_ fault: TransportFault?, _ pins: PublicKeyPins) {
        #expect(fault?.kind == .tls && fault?.evidence == .notSent, "\(fault as Any)")
        #expect(fault?.underlying as? PinError == .otherKey(host: "localhost", wanted: pins.pins))
    }

    @Test(arguments: TestAuthority.KeyKind.allCases.filter { $0 != .edwards })
    func thePinnedKeyIsTrusted(_ kind: TestAuthority.KeyKind) async throws {
        let authority = try TestAuthority()
        let pins = PublicKeyPins([Self.other, try authority.makeKey("server", kind)])
        try authority.issue("server")
        let server = try await Self.server(authority)
        let transport = try Self.transport(authority)
        for _ in 0..<3 { #expect(try await transport.send(Self.request(server.url, pins)).status == 200) }
        #expect(server.connections == 1)
        try await server.stop()
    }

    /// Twenty requests at once meet the same connection that is refused, and none hangs. A connection without pins is not used for them.
    @Test func anotherKeyGetsNothing() async throws {
        let authority = try TestAuthority()
        _ = try authority.makeKey("server")
        try authority.issue("server")
        let (server, pins) = (try await Self.server(authority), PublicKeyPins([Self.other]))
        let transport = try Self.transport(authority)
        #expect(try await transport.send(Self.request(server.url, nil)).status == 200)
        let (url, sent) = (server.url, server.paths.count)
        await withTaskGroup(of: TransportFault?.self) { group in
            for _ in 0..<20 { group.addTask { await transport.fault(of: Self.request(url, pins)) } }
            for await fault in group { Self.expectOtherKey(fault, pins) }
        }
        #expect(server.paths.count == sent)
        // The transport still works.
        #expect(try await transport.send(Self.request(server.url, nil)).status == 200)
        try await server.stop()
    }

    @Test func theKeyInReserveIsTrusted() async throws {
        let authority = try TestAuthority()
        let pins = PublicKeyPins([try authority.makeKey("server"), try authority.makeKey("reserve")])
        _ = try authority.makeKey("stranger")
        let transport = try Self.transport(authority)
        for name in ["server", "reserve", "stranger"] {
            try authority.issue(name)
            let server = try await Self.server(authority, name)
            let fault = await transport.fault(of: Self.request(server.url, pins))
            if name == "stranger" { Self.expectOtherKey(fault, pins) } else { #expect(fault == nil) }
            try await server.stop()
        }
    }

    /// A pin replaces nothing that makes a certificate valid.
    @Test(arguments: ["expired", "self-signed"]) func aPinMakesNoCertificateValid(_ problem: String) async throws {
        let authority = try TestAuthority()
        let pins = PublicKeyPins([try authority.makeKey("server")])
        try authority.issue("server", days: problem == "expired" ? -1 : 2, isSelfSigned: problem == "self-signed")
        let server = try await Self.server(authority)
        let transport = try Self.transport(authority)
        let met = await transport.fault(of: Self.request(server.url, pins))
        #expect(met?.kind == .tls && met?.evidence == .notSent && !(met?.underlying is PinError), "\(met as Any)")
        #expect(server.paths.isEmpty)
        try await server.stop()
    }

    /// Over HTTP/1.1, whose connections the client makes in another way.
    @Test func aServerOfHTTP1IsCompared() async throws {
        let authority = try TestAuthority()
        let pin = try authority.makeKey("server")
        try authority.issue("server")
        let port = try RawServer { _, _ in }.port
        let process = try authority.serve("server", on: port, ["-www"])
        // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        let transport = try Self.transport(authority)
        for pins in [PublicKeyPins([pin]), PublicKeyPins([Self.other])] {
            var request = TransportRequest(method: .get, url: "https://localhost:\(port)/", timeout: .seconds(20))
            request.pins = pins
            var fault = await transport.fault(of: request)
            while fault?.kind == .refused, process.isRunning {
                try await Task.sleep(for: .milliseconds(10))
                fault = await transport.fault(of: request)
            }
            if pins.pins == [pin] { #expect(fault == nil) } else { Self.expectOtherKey(fault, pins) }
        }
    }

    /// It has no place for pins, so the dispatcher sends nothing with pins over it.
    @Test func aClientOfAnotherOwnerCannotCompare() {
        #expect(!AsyncHTTPClientTransport(client: .shared).enforcesPins)
        #expect(AsyncHTTPClientTransport().enforcesPins)
    }
}
