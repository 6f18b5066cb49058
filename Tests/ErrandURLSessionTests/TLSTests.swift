import ErrandRuntime
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import TestCertificates
import Testing

/// A server with a self-signed certificate, played by the `openssl` command.
private final class UntrustedServer {
    static var isAvailable: Bool { SelfSignedCertificate.isAvailable }

    let port: Int
    private let process: Process
    private let signed: SelfSignedCertificate

    init() throws {
        // A port that was free a moment ago.
        port = try RawServer { _, _ in }.port
        signed = try SelfSignedCertificate()
        process = SelfSignedCertificate.openssl(
            [
                "s_server", "-quiet", "-www", "-accept", "\(port)", "-key", "key.pem", "-cert",
                "certificate.pem",
            ], in: signed.folder)
    }

    /// False if another process has taken the port meanwhile.
    var isRunning: Bool { process.isRunning }

    deinit {
        // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
}

@Suite(.serialized) struct TLSTests {
    #if canImport(FoundationNetworking)
    @Test func anAuthorityOfItsOwnIsATypedError() throws {
        let authority = try TrustedAuthority(host: "localhost", certificate: [0x30, 0x03, 0x02, 0x01, 0x05])
        #expect(throws: TrustedAuthorityError.unsupportedByTransport("URLSessionTransport")) {
            try URLSessionTransport(trusting: [authority])
        }
        #expect(throws: Never.self) { try URLSessionTransport(trusting: []) }
    }
    #endif

    private func fault(_ url: String) async -> TransportFault? {
        do throws(TransportFault) {
            _ = try await URLSessionTransport().send(TransportRequest(method: .post, url: url))
            return nil
        } catch {
            return error
        }
    }

    @Test(.enabled(if: UntrustedServer.isAvailable, "there is no openssl command here"))
    func aServerThatNobodyVouchesForGetsNothing() async throws {
        var server = try UntrustedServer()
        var met: TransportFault?
        // It takes the server a moment to listen.
        for _ in 0..<600 {
            if !server.isRunning { server = try UntrustedServer() }
            met = await fault("https://127.0.0.1:\(server.port)/")
            guard met?.kind == .refused else { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(met?.kind == .tls)
        #expect(met?.evidence == .notSent)
    }

    @Test func aServerWithoutTLSGetsNothing() async throws {
        let server = try RawServer { connection, _ in
            // Unread bytes would turn the end of the connection into a reset.
            _ = connection.readPart(10_000)
            connection.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            _ = connection.isClosedByClient(within: 20)
        }
        let met = await fault("https://127.0.0.1:\(server.port)/")
        #expect(met?.kind == .tls)
        #expect(met?.evidence == .notSent)
    }
}
