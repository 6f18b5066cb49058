#if os(Linux)
import ErrandCurl
import ErrandRuntime
import ErrandTesting
import Foundation
import TestCertificates
import Testing

/// The servers of `http2_server.py`.
private final class HTTP2Server {
    private static let python = FileManager.default.temporaryDirectory.appendingPathComponent(
        "errand-python/bin/python")
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "http2_server.py")
    static var isAvailable: Bool {
        SelfSignedCertificate.isAvailable && FileManager.default.isExecutableFile(atPath: python.path)
    }

    /// The URL of the server that responds to every request.
    let url: String
    /// The URL of the server that ends requests in the way that their path names.
    let ending: String
    private let certificate: SelfSignedCertificate
    private let process = Process()

    init() throws {
        certificate = try SelfSignedCertificate()
        process.executableURL = Self.python
        process.arguments = [
            Self.script.path, certificate.folder.appendingPathComponent("certificate.pem").path,
            certificate.folder.appendingPathComponent("key.pem").path,
        ]
        let output = Pipe()
        process.standardOutput = output
        // A process that outlives the test must not hold the pipe of the test's own output.
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let ports = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(ports.count == 2, "it printed \(line)")
        (url, ending) = ("https://localhost:\(ports[0])", "https://localhost:\(ports[1])")
    }

    deinit {
        // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    func makeTransport() throws -> CurlTransport {
        try CurlTransport(trusting: [TrustedAuthority(host: "localhost", certificate: certificate.bytes)])
    }

    /// The number of requests for each path at the server that ends requests.
    func seen(_ transport: CurlTransport) async throws -> [String: Int] {
        let answer = try await transport.send(TransportRequest(method: .get, url: ending + "/seen"))
        return try JSONDecoder().decode([String: Int].self, from: Data(answer.body))
    }
}

/// HTTP/2 with third-party servers.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: HTTP2Server.isAvailable, "`scripts/install-python-tools` installs Hypercorn; openssl is needed too"))
struct HTTP2Tests {
    /// The properties of a request, as the server saw it.
    private struct Asked: Decodable {
        let version: String
        let port: Int
        let size: Int

        init(_ response: TransportResponse) throws {
            self = try JSONDecoder().decode(Asked.self, from: Data(response.body))
        }
    }

    @Test func aRequestGoesOverHTTP2AndItsConnectionIsKept() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        var ports: Set<Int> = []
        for _ in 0..<3 {
            let asked = try Asked(try await transport.send(TransportRequest(method: .get, url: server.url)))
            #expect(asked.version == "2")
            ports.insert(asked.port)
        }
        #expect(ports.count == 1)
    }

    /// Bodies larger than the window of a stream, which is 64 KiB at first.
    @Test func largeBodiesComeWholeInBothDirections() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        let count = 3_000_000
        let answer = try await transport.send(
            TransportRequest(method: .get, url: "\(server.url)/?count=\(count)", timeout: .seconds(30)))
        #expect(answer.body == (0..<count).map { UInt8($0 % 251) })
        let body = [UInt8](repeating: 7, count: count)
        let asked = try Asked(
            try await transport.send(
                TransportRequest(method: .put, url: server.url, body: body, timeout: .seconds(30))))
        #expect(asked.version == "2" && asked.size == count)
    }

    /// Streamed bodies use HTTP/1.1, with the same server.
    @Test func streamedBodiesComeWholeInBothDirections() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        let count = 3_000_000
        var request = TransportRequest(method: .put, url: server.url, timeout: .seconds(30))
        request.streamedBody = .bytes([UInt8](repeating: 7, count: count))
        let asked = try Asked(try await transport.send(request))
        #expect(asked.version == "1.1" && asked.size == count)
        let answer = try await transport.send(
            TransportRequest(
                method: .get, url: "\(server.url)/?count=\(count)", timeout: .seconds(30), streamsResponse: true))
        let body = try #require(answer.stream)
        var received: [UInt8] = []
        while let chunk = try await body.next() { received += chunk }
        #expect(received == (0..<count).map { UInt8($0 % 251) })
    }

    /// Requests that begin together share an existing connection.
    @Test func fiftyAtOnceShareAConnection() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        _ = try await transport.send(TransportRequest(method: .get, url: server.url))
        let (url, start) = (server.url + "/wait", ContinuousClock.now)
        let asked = try await withThrowingTaskGroup(of: Asked.self) { group in
            for _ in 0..<50 {
                group.addTask { try Asked(try await transport.send(TransportRequest(method: .get, url: url))) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(asked.allSatisfy { $0.version == "2" })
        #expect(Set(asked.map(\.port)).count == 1)
        // One request after another would take fifty times 0.3 s.
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    /// The ways in which HTTP/2 can end a request. The transport repeats no request, and never reports a request as unsent if
    /// the server may have carried it out.
    @Test(arguments: [
        ("refused", TransportFault.Kind.lost), ("broken", .lost), ("cut", .lost), ("goaway-before", .lost),
        ("goaway-after", .lost),
    ])
    func anEndInTheMiddleIsClassified(path: String, kind: TransportFault.Kind) async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        // The first request uses a new connection, the second one a used connection.
        for number in 1...2 {
            if number == 2 {
                _ = try await transport.send(TransportRequest(method: .get, url: server.ending + "/fine"))
            }
            do throws(TransportFault) {
                let answer = try await transport.send(
                    TransportRequest(
                        method: .post, url: "\(server.ending)/\(path)-\(number)", body: [1], isRepeatable: false))
                Issue.record("\(path): status \(answer.status)")
            } catch {
                #expect(error.kind == kind, "\(path)-\(number): \(error)")
                #expect(error.evidence != .notSent || path == "refused" || path == "goaway-before")
            }
            #expect(try await server.seen(transport)["/\(path)-\(number)"] == 1, "\(path)-\(number)")
        }
    }
}
#endif
