#if os(Linux)
import BankClient
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
    /// The URL of the server that sends a GOAWAY after each twenty requests of a connection.
    let draining: String
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
        try #require(ports.count == 3, "it printed \(line)")
        url = "https://localhost:\(ports[0])"
        ending = "https://localhost:\(ports[1])"
        draining = "https://localhost:\(ports[2])"
    }

    deinit {
        // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    func makeTransport() throws -> CurlTransport {
        try CurlTransport(trusting: [TrustedAuthority(host: "localhost", certificate: certificate.bytes)])
    }

    /// The number of requests for each path at the server that ends requests, or at another one.
    func seen(_ transport: CurlTransport, at url: String? = nil) async throws -> [String: Int] {
        let answer = try await transport.send(TransportRequest(method: .get, url: (url ?? ending) + "/seen"))
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
                // What the server has not processed is told as such, or as what may be something else.
                let isUnprocessed = path == "refused" || path == "goaway-before"
                #expect(error.evidence == .sent || (isUnprocessed && error.evidence == .unprocessed), "\(error)")
                // On a connection of its own, all versions of libcurl say that the stream was refused.
                if path == "refused", number == 1 { #expect(error.evidence == .unprocessed, "\(path): \(error)") }
                if number == 1 { #expect(!error.isStaleConnection, "\(path): \(error)") }
            }
            #expect(try await server.seen(transport)["/\(path)-\(number)"] == 1, "\(path)-\(number)")
        }
    }

    /// A server that replaces its connections costs reads nothing.
    @Test func readsUnderGoawaySucceed() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        let retries = LockedState<(transparent: Int, pauses: Int)> { (0, 0) }
        let observer = ClosureObserver { event in
            switch event.kind {
            case .attemptStarted(let attempt) where attempt.isTransparentRetry: retries.withLock { $0.transparent += 1 }
            case .waiting(let wait) where wait.place == .pause: retries.withLock { $0.pauses += 1 }
            default: break
            }
        }
        let session = Session()
        await session.begin(SessionTokens(access: "t"))
        let bank = Bank(
            .init(url: server.draining), on: Dispatcher(transport: transport, observers: [observer]), session: session)
        let failures = await withTaskGroup(of: [String].self) { group in
            for task in 0..<16 {
                group.addTask {
                    var failures: [String] = []
                    for number in 0..<Self.readsUnderGoaway / 16 {
                        let read = Bank.GetAccount(accountID: task * 10_000 + number)
                        if case .failure(let failure) = await bank.result(of: read) { failures.append("\(failure)") }
                    }
                    return failures
                }
            }
            return await group.reduce([], +)
        }
        let (transparent, pauses) = retries.withLock { $0 }
        print(
            "\(failures.count) of \(Self.readsUnderGoaway) reads failed under GOAWAY, \(pauses) paused, "
                + "\(transparent) were sent again at once")
        #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(3))")
        #expect(pauses == 0)
        #expect(transparent > 0)
    }

    private static let readsUnderGoaway = 800

    /// Nothing is carried out twice, and what is known as not processed is carried out in the end.
    @Test func ordersUnderGoawayAreCarriedOutOnce() async throws {
        let server = try HTTP2Server()
        let transport = try server.makeTransport()
        let session = Session()
        await session.begin(SessionTokens(access: "t"))
        let bank = Bank(.init(url: server.draining), on: Dispatcher(transport: transport), session: session)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<25 {
                        _ = await bank.result(of: Bank.OrderCard(accountID: task * 100 + number))
                    }
                }
            }
        }
        let reader = try server.makeTransport()
        let seen = try await server.seen(reader, at: server.draining).filter { $0.key.hasSuffix("/cards") }
        #expect(seen.values.allSatisfy { $0 == 1 }, "\(seen.filter { $0.value != 1 })")
        print("\(seen.count) of 200 orders were carried out")
        #expect(seen.count > 100)
    }
}

/// Passes events to a closure.
private struct ClosureObserver: CommandObserver {
    let hear: @Sendable (CommandEvent) -> Void

    init(_ hear: @escaping @Sendable (CommandEvent) -> Void) { self.hear = hear }

    func observe(_ event: CommandEvent) { hear(event) }
}
#endif
