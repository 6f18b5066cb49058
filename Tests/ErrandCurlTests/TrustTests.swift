#if os(Linux)
import ErrandCurl
import ErrandRuntime
import ErrandTransportConformance
import ErrandTransport
import Foundation
import TestCertificates
import Testing

/// A server with a self-signed certificate, run by the `openssl` command.
private final class SecureServer {
    static var isAvailable: Bool { SelfSignedCertificate.isAvailable }

    let port: Int
    var certificate: [UInt8] { signed.bytes }
    private let signed: SelfSignedCertificate
    private let process: Process

    /// - Parameter options: further ones of `openssl s_server`.
    init(_ options: [String] = []) throws {
        // A port that was free a moment ago.
        port = try RawServer { _, _ in }.port
        signed = try SelfSignedCertificate()
        process = SelfSignedCertificate.openssl(
            ["s_server", "-quiet", "-www", "-accept", "\(port)", "-key", "key.pem", "-cert", "certificate.pem"]
                + options,
            in: signed.folder)
    }

    deinit {
        // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The result of a request to it, once it listens.
    func outcome(
        over transport: any Transport, body: BodySource? = nil, streamsResponse: Bool = false
    ) async -> Result<TransportResponse, TransportFault> {
        var request = TransportRequest(
            method: body == nil ? .get : .put, url: "https://localhost:\(port)/", streamsResponse: streamsResponse)
        request.streamedBody = body
        while true {
            do throws(TransportFault) {
                return .success(try await transport.send(request))
            } catch {
                guard error.kind == .refused, process.isRunning else { return .failure(error) }
                await Task.yield()
            }
        }
    }
}

/// A server with a certificate authority of its own is trusted only if the client trusts that authority for its host.
@Suite(.serialized, .enabled(if: SecureServer.isAvailable, "there is no openssl command here"))
struct TrustTests {
    private func expectRefusal(_ outcome: Result<TransportResponse, TransportFault>) {
        guard case .failure(let fault) = outcome else {
            Issue.record("it was answered")
            return
        }
        #expect(fault.kind == .tls && fault.evidence == .notSent, "\(fault)")
    }

    @Test func itsHostIsTrusted() async throws {
        let server = try SecureServer()
        let authority = try TrustedAuthority(host: "LocalHost", certificate: server.certificate)
        #expect(try await server.outcome(over: CurlTransport(trusting: [authority])).get().status == 200)
        // The same for a client without a transport of its own.
        #expect(try await server.outcome(over: SystemTransport.make(trusting: [authority])).get().status == 200)
    }

    @Test func nobodyElseIs() async throws {
        let (server, other) = (try SecureServer(), try SecureServer())
        expectRefusal(await server.outcome(over: CurlTransport()))
        let elsewhere = try TrustedAuthority(host: "dev.local", certificate: server.certificate)
        expectRefusal(await server.outcome(over: try CurlTransport(trusting: [elsewhere])))
        let another = try TrustedAuthority(host: "localhost", certificate: other.certificate)
        expectRefusal(await server.outcome(over: try CurlTransport(trusting: [another])))
    }

    @Test func whatIsNoCertificateVouchesForNobody() async throws {
        let server = try SecureServer()
        let authority = try TrustedAuthority(host: "localhost", certificate: [0x30, 0x03, 0x02, 0x01, 0x05])
        expectRefusal(await server.outcome(over: try CurlTransport(trusting: [authority])))
    }

    /// Requests for streamed responses use HTTP/1.1. A server that refuses it in the handshake gets nothing, and nothing of the body
    /// is read.
    @Test func aServerOfHTTP2AloneSendsNoStreamedResponse() async throws {
        let server = try SecureServer(["-alpn", "h2"])
        let transport = try CurlTransport(
            trusting: [TrustedAuthority(host: "localhost", certificate: server.certificate)])
        let (chunks, more) = AsyncStream.makeStream(of: [UInt8].self)
        more.yield([1, 2, 3])
        more.finish()
        let body = BodySource.stream(chunks)
        expectRefusal(await server.outcome(over: transport, body: body, streamsResponse: true))
        var reader = try body.makeReader()
        #expect(try await reader.next() == [1, 2, 3])
    }

    @Test func theDefaultIsLibcurl() { #expect(SystemTransport.make() is CurlTransport) }
}
#endif
