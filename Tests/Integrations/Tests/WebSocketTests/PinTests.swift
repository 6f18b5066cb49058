import ErrandRuntime
import ErrandTransportConformance
import ErrandWebSocket
import Foundation
import Testing

/// Pins over WebSocket.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: TestAuthority.isAvailable, "there is no openssl command here"))
struct PinTests {
    private static let other = "sha256/" + Data(repeating: 1, count: 32).base64EncodedString()

    /// What a server that is no server of WebSocket makes of an opening, once it listens: its response shows that it got the handshake.
    private static func fault(
        of opening: ConnectionOpening, over transport: WebSocketTransport, at process: Process
    ) async throws -> OpeningFault? {
        while true {
            do throws(OpeningFault) {
                _ = try await transport.open(opening)
                return nil
            } catch {
                guard case .failed(let fault) = error, fault.kind == .refused, process.isRunning else { return error }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    @Test(arguments: ["server", "reserve", "stranger"]) func onlyAPinnedKeyGetsTheHandshake(_ name: String) async throws
    {
        let authority = try TestAuthority()
        let pins = PublicKeyPins([try authority.makeKey("server"), try authority.makeKey("reserve")])
        _ = try authority.makeKey("stranger")
        try authority.issue(name)
        let port = try RawServer { _, _ in }.port
        // It responds to a handshake with 200, which refuses it.
        let process = try authority.serve(name, on: port, ["-www"])
        // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        let transport = try WebSocketTransport(
            trusting: [TrustedAuthority(host: "localhost", certificate: authority.certificate)], proxies: .none)
        var opening = ConnectionOpening(url: "wss://localhost:\(port)/", timeout: .seconds(20))
        opening.pins = pins
        let fault = try await Self.fault(of: opening, over: transport, at: process)
        if name == "stranger" {
            guard case .failed(let fault) = fault else {
                Issue.record("\(fault as Any)")
                return
            }
            #expect(fault.kind == .tls && fault.evidence == .notSent)
            #expect(fault.underlying as? PinError == .otherKey(host: "localhost", wanted: pins.pins))
        } else {
            guard case .refused(let response) = fault else {
                Issue.record("\(fault as Any)")
                return
            }
            #expect(response.status == 200)
        }
    }

    /// A whole connection, whose server others wrote.
    @Test(.enabled(if: WebSocketServers.isAvailable), arguments: ["websockets with TLS", "aiohttp with TLS"])
    func aConnectionWithPinsWorks(_ name: String) async throws {
        let servers = try WebSocketServers()
        let transport = try servers.makeTransport()
        var opening = servers.opening(name)
        opening.pins = PublicKeyPins([Self.other, try servers.pin()])
        let connection = try await transport.open(opening)
        try await connection.send(Array("ping".utf8))
        #expect(try await connection.receive() == .text(Array("answered".utf8)))
        await connection.close(.normal)
        opening.pins = PublicKeyPins([Self.other])
        await #expect(throws: OpeningFault.self) { _ = try await transport.open(opening) }
    }

    /// A server that shows a certificate which nobody vouches for is not trusted because of its pin.
    @Test(arguments: ["expired", "self-signed"]) func aPinMakesNoCertificateValid(_ problem: String) async throws {
        let authority = try TestAuthority()
        let pins = PublicKeyPins([try authority.makeKey("server")])
        try authority.issue("server", days: problem == "expired" ? -1 : 2, isSelfSigned: problem == "self-signed")
        let port = try RawServer { _, _ in }.port
        let process = try authority.serve("server", on: port, ["-www"])
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        let transport = try WebSocketTransport(
            trusting: [TrustedAuthority(host: "localhost", certificate: authority.certificate)], proxies: .none)
        var opening = ConnectionOpening(url: "wss://localhost:\(port)/", timeout: .seconds(20))
        opening.pins = pins
        guard case .failed(let fault) = try await Self.fault(of: opening, over: transport, at: process) else {
            Issue.record("it was answered")
            return
        }
        #expect(fault.kind == .tls && !(fault.underlying is PinError), "\(fault)")
    }
}
