import ContractModel
import ErrandHTTPServer
import Foundation
import MockServer

@testable import MockHost

/// A host that plays a shipped contract on a free port, until it is stopped.
struct RunningHost {
    let host: MockHost
    let log = Lines<LogEntry>()
    let complaints = Lines<String>()
    private let task: Task<Void, any Error>

    init(
        _ limits: ConnectionLimits = ConnectionLimits(), playing name: String = "bank",
        _ change: (inout MockSettings) -> Void = { _ in }
    ) throws {
        var settings = MockSettings()
        change(&settings)
        let examination = ContractResolver(provider: Folder()).examine(path: "contracts/\(name).contract.yaml")
        guard let contract = examination.resolved else { throw RawClient.Failure(name: "contract") }
        let (log, complaints) = (log, complaints)
        let host = try MockHost(
            MockEngine(contract, settings), address: "127.0.0.1", port: 0, limits: limits, log: { log.add($0) },
            complain: { complaints.add($0) })
        self.host = host
        task = Task { try await host.run() }
    }

    func stop() async {
        task.cancel()
        _ = await task.result
    }

    func client() throws -> RawClient { try RawClient(port: host.port) }

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
