#if os(Linux)
import ErrandCurl
import ErrandRuntime
import Foundation
import TestCertificates
import TestPrograms
import Testing

/// The servers of `http2_server.py`.
final class HTTP2Server: Sendable {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "http2_server.py")
    static var isAvailable: Bool {
        SelfSignedCertificate.isAvailable && PythonTools.areInstalled
    }

    /// The URL of the server that responds to every request.
    let url: String
    /// The URL of the server that ends requests in the way that their path names.
    let ending: String
    /// The URL of the server that sends a GOAWAY after each twenty requests of a connection.
    let draining: String
    /// The URL of a server that supports only HTTP/1.1.
    let single: String
    /// The URL of the first server through a proxy that takes no part of its first connection.
    let holding: String
    private let certificate: SelfSignedCertificate
    private let process: Int32

    init() throws {
        certificate = try SelfSignedCertificate()
        let process = Process()
        process.executableURL = PythonTools.python
        process.arguments = [
            Self.script.path, certificate.folder.appendingPathComponent("certificate.pem").path,
            certificate.folder.appendingPathComponent("key.pem").path,
        ]
        let output = Pipe()
        process.standardOutput = output
        // A process that outlives the test must not hold the pipe of the test's own output.
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process.processIdentifier
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let ports = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(ports.count == 5, "it printed \(line)")
        url = "https://localhost:\(ports[0])"
        ending = "https://localhost:\(ports[1])"
        draining = "https://localhost:\(ports[2])"
        single = "https://localhost:\(ports[3])"
        holding = "https://localhost:\(ports[4])"
    }

    deinit {
        // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
        kill(process, SIGKILL)
    }

    func makeTransport() throws -> CurlTransport {
        try CurlTransport(trusting: [TrustedAuthority(host: "localhost", certificate: certificate.bytes)])
    }

    /// The number of requests for each path at the server that ends requests, or at another one.
    func seen(_ transport: CurlTransport, at url: String? = nil) async throws -> [String: Int] {
        let answer = try await Self.answer(TransportRequest(method: .get, url: (url ?? ending) + "/seen"), transport)
        return try JSONDecoder().decode([String: Int].self, from: Data(answer.body))
    }

    /// The response, on a new connection if the kept one has ended with the request before, or while nothing used it.
    static func answer(_ request: TransportRequest, _ transport: CurlTransport) async throws -> TransportResponse {
        var request = request
        while true {
            do throws(TransportFault) {
                return try await transport.send(request)
            } catch {
                guard error.isStaleConnection, !request.needsNewConnection else { throw error }
                request.needsNewConnection = true
            }
        }
    }
}

/// The properties of a request, as the first server saw it.
struct Asked: Decodable {
    let version: String
    let port: Int
    let size: Int
    /// The largest number of requests for `/wait` at a time.
    let most: Int
    /// The number of connections of which nothing is read.
    let held: Int

    init(_ response: TransportResponse) throws {
        self = try JSONDecoder().decode(Asked.self, from: Data(response.body))
    }
}
#endif
