#if Outbox
import ErrandDurable
import ErrandRuntime
import Foundation
import GRDB
import GRDBSQLite

/// The database of a store.
struct OutboxFile: Sendable {
    let path: String
    private let queue: DatabaseQueue
    private let changes: ChangeCount

    /// How long a call waits for another process, in seconds.
    private static let patience = 10.0
    /// What SQLite has at the start of its files (sqlite.org/fileformat2.html, section 1.3).
    private static let magic = Array("SQLite format 3\0".utf8)

    init(folder: String) throws(OutboxStoreError) {
        path = folder + "/outbox.sqlite"
        do throws(SessionStoreError) {
            try PrivateFile(path: path).prepareFolder()
        } catch {
            throw OutboxStoreError(error)
        }
        Self.leaveOutOfBackups(folder)
        let turn = try Self.awaitTurn(in: folder)
        defer { turn?.release() }
        try Self.prepare(path)
        changes = try ChangeCount(path: path + "-changes")
        // Before the database is read, to which another process may add changes now.
        let known = changes.known
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(Self.patience)
            configuration.label = "ErrandOutbox"
            // The sync of Apple's systems leaves the bytes in the cache of the drive without this. Others ignore it.
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA fullfsync = 1")
                try OutboxRoom.setUp(db)
            }
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction { try Self.setUp($0, known) }
        } catch {
            throw OutboxStoreError(error)
        }
    }

    /// Waits until no other process opens the store. Another one would see a file that is half made, and could not change it to a
    /// log, for which SQLite does not wait.
    ///
    /// - Returns: nil on a file system that has no locks for folders.
    private static func awaitTurn(in folder: String) throws(OutboxStoreError) -> FileLock? {
        let end = ContinuousClock.now + .seconds(patience)
        var pause: UInt32 = 1_000
        while true {
            do throws(SessionStoreError) {
                if let lock = try FileLock.take(folder: folder) { return lock }
            } catch {
                return nil
            }
            guard ContinuousClock.now < end else { throw .busy }
            usleep(pause)
            pause = min(pause * 2, 50_000)
        }
    }

    /// Creates the file with the permissions that SQLite gives to the files beside it, or checks that it is a store. SQLite itself
    /// would change the file of another program.
    private static func prepare(_ path: String) throws(OutboxStoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .last("open") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last("fstat") }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { throw .unreadable }
        // Whatever the process has set as its mask.
        guard fchmod(descriptor, 0o600) == 0 else { throw .last("fchmod") }
        var head = [UInt8](repeating: 0, count: 72)
        let count = pread(descriptor, &head, head.count, 0)
        guard count >= 0 else { throw .last("pread") }
        // A process may have ended before it made the tables.
        if count == 0 { return }
        let mark = head[68..<72].reduce(0) { $0 << 8 | Int($1) }
        guard count == head.count, head.starts(with: magic), mark == OutboxTable.mark else { throw .unreadable }
    }

    /// Makes or updates the tables.
    ///
    /// - Parameter known: how many synced changes the store had.
    private static func setUp(_ db: Database, _ known: Int) throws {
        try db.inTransaction(.immediate) {
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            guard version <= OutboxTable.steps.count else { throw OutboxStoreError.newerVersion(version) }
            guard version >= 0 else { throw OutboxStoreError.unreadable }
            for step in OutboxTable.steps[version...] { try db.execute(sql: step) }
            if version < OutboxTable.steps.count {
                try db.execute(sql: "PRAGMA user_version = \(OutboxTable.steps.count)")
            }
            if try OutboxTable.changes(in: db) < known { try OutboxTable.noteLoss(known, in: db) }
            return .commit
        }
        // Only now: the mark of a new file must not be in the log alone.
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw OutboxStoreError.system(call: "mmap", code: Int(ENOTSUP))
        }
        // What earlier versions have kept has no room yet.
        try? OutboxRoom.reserve(0, in: db)
    }

    /// A restored backup would send commands once more. Apps are told to send while the device is locked, too.
    private static func leaveOutOfBackups(_ folder: String) {
        #if canImport(Darwin)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        var url = URL(fileURLWithPath: folder, isDirectory: true)
        try? url.setResourceValues(values)
        #if !os(macOS)
        try? FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: folder)
        #endif
        #endif
    }

    // MARK: Access

    /// Changes the file in one step, also in a canceled task.
    ///
    /// - Parameter isSynced: whether the change is on the disk when the call returns.
    func write<Value: Sendable>(
        isSynced: Bool, _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(OutboxStoreError) -> Value {
        try await access { [changes] db in
            try db.cachedStatement(sql: isSynced ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
                .execute()
            var (value, count): (Value?, Int?)
            try OutboxRoom.makingRoom(in: db) {
                try db.inTransaction(.immediate) {
                    value = try work(db)
                    if isSynced { count = try OutboxTable.countChange(in: db) }
                    return .commit
                }
            }
            if let count { changes.note(count) }
            guard let value else { throw OutboxStoreError.closed }
            return value
        }
    }

    /// Reads in one step.
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(OutboxStoreError) -> Value {
        try await access(work)
    }

    private func access<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(OutboxStoreError) -> Value {
        // The asynchronous calls of the database that throw end with the caller's task.
        let result = await withCheckedContinuation { continuation in
            queue.asyncWriteWithoutTransaction { db in
                continuation.resume(returning: Result { try work(db) }.mapError { OutboxStoreError($0) })
            }
        }
        return try result.get()
    }
}
#endif
