import Foundation

@testable import ErrandBackground
@testable import ErrandRuntime

/// A device with a system, a server with the test's responses, and one process of the app after another.
final class BackgroundWorld: Sendable {
    typealias Answer = @Sendable (TransportRequest, Int) -> TransferSystem.Outcome

    let folder: Folder
    let system: TransferSystem
    private let log: LockedState<[TransportRequest]>

    init(_ answer: @escaping Answer = { _, _ in .stored }) throws {
        let log = LockedState<[TransportRequest]> { [] }
        folder = try Folder()
        self.log = log
        system = TransferSystem(folder.url) { request, _ in
            let number = log.withLock { log in
                log.append(request)
                return log.count
            }
            return answer(request, number)
        }
    }

    /// The requests that the server has received.
    var requests: [TransportRequest] { log.withLock { $0 } }
    var journal: URL { folder.url.appendingPathComponent("journal") }
    var place: String { folder.url.appendingPathComponent("box").path }

    /// The files of the journal, and the text of its records.
    var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: journal.path)) ?? []).sorted()
    }

    func recordFile(_ id: String) -> String {
        journal.path + "/" + id.utf8.map { String($0, radix: 16) }.joined() + ".json"
    }

    /// A new process of the app. The previous one has ended.
    func launch(acceptsOnce: Bool = true) -> TransferRegistry {
        TransferSystem.App(system, Life()).makeRegistry(journal, acceptsOnce: acceptsOnce)
    }

    /// Sends a command in a process that ends when the system has the command.
    func sendAndEnd<C: Storing>(_ command: C, as id: String, from attic: Attic = Attic()) async {
        await system.hold(true)
        let life = Life()
        let registry = TransferSystem.App(system, life).makeRegistry(journal)
        let count = system.started.count
        let task = Task {
            _ = await Self.result { () async throws(Attic.Failure) in
                try await attic.binding.perform(command, as: id, in: registry)
            }
        }
        await end(life, task, after: count)
    }

    /// Starts a download in a process that ends when the system has the download.
    func downloadAndEnd(as id: String, from attic: Attic = Attic()) async {
        await system.hold(true)
        let life = Life()
        let registry = TransferSystem.App(system, life).makeRegistry(journal)
        let (count, place) = (system.started.count, place)
        let task = Task {
            _ = await Self.result { () async throws(Attic.Failure) in
                try await attic.binding.download(
                    Attic.Fetch(), of: Attic.Fetch.self, to: place, as: id, checksum: nil, in: registry)
            }
        }
        await end(life, task, after: count)
    }

    private func end(_ life: Life, _ task: Task<Void, Never>, after count: Int) async {
        while system.started.count == count { await Task.yield() }
        life.end()
        task.cancel()
        await task.value
    }

    static func result<Value: Sendable>(
        _ work: () async throws(Attic.Failure) -> Value
    ) async -> Result<Value, Attic.Failure> {
        do throws(Attic.Failure) {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }
}

extension TransferSystem.Outcome {
    static let stored = response(201, [:], Array(#"{"number":4}"#.utf8))
    static let file = response(200, ["Content-Length": "9"], Array("the box !".utf8))
}

/// A session store that outlasts the process.
actor ShelfStore: SessionStore {
    private var tokens: SessionTokens?
    func load() async -> SessionTokens? { tokens }
    func save(_ tokens: SessionTokens?) async { self.tokens = tokens }
}
