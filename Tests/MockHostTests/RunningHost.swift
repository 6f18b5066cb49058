import ContractModel
import ErrandHTTPServer
import Foundation
import MockServer
import Testing

@testable import MockHost

/// A host that plays a shipped contract on a free port, until it is stopped.
struct RunningHost {
    let host: MockHost
    let log = Lines<LogEntry>()
    let complaints = Lines<String>()
    private let task: Task<Void, any Error>

    init(
        _ limits: ConnectionLimits = ConnectionLimits(), playing name: String = "bank", address: String = "127.0.0.1",
        _ change: (inout MockSettings) -> Void = { _ in }
    ) throws {
        var settings = MockSettings()
        change(&settings)
        let examination = ContractResolver(provider: Folder()).examine(path: "contracts/\(name).contract.yaml")
        guard let contract = examination.resolved else { throw RawClient.Failure(name: "contract") }
        let (log, complaints) = (log, complaints)
        let host = try MockHost(
            MockEngine(contract, settings), address: address, port: 0, limits: limits, log: { log.add($0) },
            complain: { complaints.add($0) })
        self.host = host
        task = Task { try await host.run() }
    }

    func stop() async {
        task.cancel()
        _ = await task.result
    }

    func client() throws -> RawClient { try RawClient(port: host.port) }

    /// Plays the bank for a test, and stops the host also if the test fails.
    static func play(
        _ limits: ConnectionLimits = ConnectionLimits(), _ change: (inout MockSettings) -> Void = { _ in },
        _ body: (RunningHost) async throws -> Void
    ) async throws {
        let host = try RunningHost(limits, change)
        do {
            try await body(host)
        } catch {
            await host.stop()
            throw error
        }
        await host.stop()
    }

    static let login = #"{"user":"ada","password":"x"}"#

    static func logIn(_ client: RawClient) async -> String {
        await client.write(
            "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: \(login.utf8.count)\r\n\r\n\(login)")
        return await client.read(until: "}}")
    }

    /// The server still serves a well-behaved client.
    static func expectIsAlive(_ host: RunningHost) async throws {
        #expect(await logIn(try host.client()).hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    private struct Folder: SourceProvider {
        static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()

        func read(_ path: String) -> SourceReading {
            guard let data = try? Data(contentsOf: Self.root.appendingPathComponent(path)) else {
                return .failure(rule: .missingFile, message: "no \(path)", help: nil)
            }
            return .bytes(Array(data))
        }
    }
}

/// Lines that several tasks write.
final class Lines<Line: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [Line] = []

    func add(_ line: Line) { lock.withLock { lines.append(line) } }

    var all: [Line] { lock.withLock { lines } }
}
