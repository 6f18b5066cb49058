#if Outbox
import ErrandDurable
import ErrandRuntime
import GRDB
import GRDBSQLite

/// The room of a store on the disk: a command takes its room when it is kept, so no later change of it needs any.
///
/// SQLite writes changes to its log first, and from there to the file. On a full disk, a file that must grow keeps the log from being
/// written back, so the log would grow with each change until it has taken the last room itself.
enum OutboxRoom {
    /// By how many bytes the file grows, and how long the log stays.
    private static let step: Int32 = 64 << 10
    private static let longestLog = 4 << 20

    static func setUp(_ db: Database) throws {
        var step = step
        sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_CHUNK_SIZE, &step)
        try db.execute(sql: "PRAGMA journal_size_limit = \(longestLog)")
    }

    /// Takes the room for a new command, and for all that the log has.
    ///
    /// - Parameter size: the size of the command's inputs in bytes.
    static func reserve(_ size: Int, in db: Database) throws {
        func number(_ name: String) throws -> Int {
            try Int.fetchOne(db.cachedStatement(sql: "PRAGMA \(name)")) ?? 0
        }
        let page = try number("page_size")
        // Beside its inputs, a command has a row, which may divide pages.
        let pages = try number("page_count") - number("freelist_count") + size / page + 8
        var wanted = Int64(pages * page)
        guard sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_SIZE_HINT, &wanted) == SQLITE_OK else {
            throw OutboxStoreError.storageFull
        }
    }

    /// Makes a change once more if the disk is full and the log can be written back. SQLite writes a log back by itself only after a
    /// change that has succeeded.
    static func makingRoom(in db: Database, _ change: () throws -> Void) throws {
        do {
            try change()
        } catch let error where OutboxStoreError(error) == .storageFull {
            // A change has its room in the log then. A new command needs the room of the log.
            try db.execute(sql: "PRAGMA wal_checkpoint(\(error is DatabaseError ? "PASSIVE" : "TRUNCATE"))")
            try change()
        }
    }
}
#endif
