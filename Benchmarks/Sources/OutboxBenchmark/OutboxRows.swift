import ErrandOutbox
import ErrandRuntime
import FigureTables
import Foundation
import GRDB
import MeasuredTurns

/// Measures an outbox on the disk whose server is in the process.
struct OutboxRows {
    let isQuick: Bool

    private var rounds: Int { isQuick ? 3 : 11 }
    private var count: Int { isQuick ? 100 : 500 }

    // MARK: One command

    /// The time from the submission of a command to its end, one after the other, beside as many inserts as it needs syncs.
    func syncs() async throws -> FigureTable {
        var table = FigureTable(
            "A durable command that is submitted and sent at once, beside bare inserts",
            columns: ["command", "syncs", "outbox", "an insert", "each sync ÷ an insert", "goal", ""])
        for (name, syncs, command) in [
            ("with a key", 1, { try await Self.deliver(MailRoom.Keyed(), $0, $1) }),
            ("`once`", 2, { try await Self.deliver(MailRoom.Once(), $0, $1) }),
        ] as [(String, Int, (Outbox<MailRoom>, Int) async throws -> Void)] {
            let folder = try BenchmarkFolder("outbox")
            let outbox = try await Outbox(of: MailRoom(), in: FileOutboxStore(folder: folder.path + "/outbox"))
            let bare = try BareTable(folder.path + "/bare.sqlite")
            var times: [(ours: Double, theirs: Double)] = []
            for _ in 0..<rounds {
                let ours = try await Self.seconds { try await command(outbox, count) }
                let theirs = try await Self.seconds { for _ in 0..<count { try await bare.insert() } }
                times.append((ours / Double(count), theirs / Double(count)))
            }
            await outbox.close()
            let ratio = median(times.map { $0.ours / Double(syncs) / $0.theirs })
            table.add(
                [
                    name, "\(syncs)", duration(median(times.map(\.ours))), duration(median(times.map(\.theirs))),
                    "\(rounded(ratio)) ×",
                ] + Goal.atMost(1.3).cells(ratio))
        }
        return table
    }

    private static func deliver<C: DurableCommand>(
        _ command: C, _ outbox: Outbox<MailRoom>, _ count: Int
    ) async throws where C.Service == MailRoom {
        var results = outbox.completions(of: C.self).makeAsyncIterator()
        for _ in 0..<count {
            try await outbox.submit(command)
            guard case .success? = await results.next()?.result else { throw Unexpected() }
        }
    }

    private struct Unexpected: Error {}

    private static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        return try await clock.measure { try await work() } / .seconds(1)
    }

    // MARK: Many commands

    /// The start of an outbox whose commands all wait for their user's login.
    func waiting() async throws -> FigureTable {
        var table = FigureTable(
            "An outbox that starts with commands that wait", columns: ["commands", "start", "memory of each", "file"])
        let waiting = isQuick ? 10_000 : 100_000
        let folder = try BenchmarkFolder("outbox")
        try await Self.fill(folder.path, with: waiting)
        let store = try FileOutboxStore(folder: folder.path)
        let before = ProcessUsage.residentMemory()
        var outbox: Outbox<MailRoom>?
        let start = try await Self.seconds { outbox = try await Outbox(of: MailRoom(user: "ada"), in: store) }
        let held = ProcessUsage.residentMemory() - before
        guard outbox?.entries.count == waiting else { throw Unexpected() }
        await outbox?.close()
        let size = try FileManager.default.attributesOfItem(atPath: folder.path + "/outbox.sqlite")[.size] as? Int ?? 0
        table.add(["\(waiting)", duration(start), "\(held / waiting) bytes", "\(size >> 20) MiB"])
        return table
    }

    /// Adds commands with a store, and copies of them without a sync for each.
    private static func fill(_ folder: String, with count: Int) async throws {
        let first = 100
        do {
            let store = try FileOutboxStore(folder: folder)
            let service = try await Self.service(of: store)
            for _ in 0..<first { _ = try await store.append(MailRoom.intent(service), inputs: MailRoom.inputs) }
        }
        let queue = try DatabaseQueue(path: folder + "/outbox.sqlite")
        let id = [4, 2, 2, 2, 6].map { "hex(randomblob(\($0)))" }.joined(separator: " || '-' || ")
        try await queue.write { db in
            try db.execute(sql: "CREATE TEMP TABLE copy AS SELECT * FROM intent")
            for _ in 1..<count / first {
                try db.execute(sql: "UPDATE copy SET number = NULL, id = \(id); INSERT INTO intent SELECT * FROM copy")
            }
        }
        try queue.close()
    }

    /// The name under which an outbox keeps its commands.
    private static func service(of store: FileOutboxStore) async throws -> String {
        let recorder = MemoryRecorder()
        let outbox = try await Outbox(of: MailRoom(), in: recorder)
        await outbox.close()
        return await recorder.service
    }
}

/// Notes the service of an outbox.
private actor MemoryRecorder: OutboxStore {
    var service = ""

    func claim(_ service: String) -> Bool {
        self.service = service
        return true
    }
    func release(_ service: String) {}
    func append(_ intent: KeptIntent, inputs: [UInt8]) -> Int { 1 }
    func intents(of service: String, after number: Int, limit: Int) -> [KeptIntent] { [] }
    func inputs(of number: Int) -> [UInt8]? { nil }
    func update(_ number: Int, _ progress: IntentProgress, isSynced: Bool) {}
    func remove(_ number: Int) {}
}

/// A table with one row for each insert, with the settings of the store.
private struct BareTable {
    private let queue: DatabaseQueue
    private static let bytes = Data(MailRoom.inputs)

    init(_ path: String) throws {
        queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA fullfsync = 1; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
                    CREATE TABLE row (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL)
                    """)
        }
    }

    func insert() async throws {
        try await queue.write { db in
            try db.cachedStatement(sql: "INSERT INTO row (bytes) VALUES (?)").execute(arguments: [Self.bytes])
        }
    }
}
