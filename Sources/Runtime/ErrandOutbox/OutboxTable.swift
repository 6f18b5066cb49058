#if Outbox
import ErrandDurable
import ErrandRuntime
import Foundation
import GRDB

/// The tables of a store: commands as rows. The inputs are the last column, so that a look at the commands does not read long ones.
enum OutboxTable {
    /// Marks a file as a store (`PRAGMA application_id`): `ErOb`.
    static let mark = 0x4572_4F62

    /// What makes the tables of each version from those of the one before. A released step is never edited. Dates are in seconds
    /// since 2001, because Foundation has them so, without rounding.
    static let steps = [
        """
        PRAGMA application_id = \(mark);
        CREATE TABLE service (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE intent (
            number INTEGER PRIMARY KEY AUTOINCREMENT, service INTEGER NOT NULL, id TEXT NOT NULL, endpoint TEXT NOT NULL,
            fingerprint TEXT NOT NULL, effect TEXT NOT NULL, owner BLOB, lane BLOB, submitted REAL NOT NULL,
            expires REAL NOT NULL, key BLOB, isSealed INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL,
            since REAL NOT NULL, failures INTEGER NOT NULL, mayHaveBeenApplied INTEGER NOT NULL, keyUsed REAL,
            nextAttempt REAL, failure BLOB, inputs BLOB NOT NULL);
        """,
        // How many synced changes there were, and whether a loss was found that responders do not know of.
        """
        CREATE TABLE change (count INTEGER NOT NULL, isLost INTEGER NOT NULL);
        INSERT INTO change VALUES (0, 0);
        """,
    ]

    // MARK: Changes

    /// The number of a service, which it gets on its first use.
    static func number(of service: String, in db: Database) throws -> Int {
        if let known = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT number FROM service WHERE name = ?"), arguments: [service])
        {
            return known
        }
        try db.execute(sql: "INSERT INTO service (name) VALUES (?)", arguments: [service])
        return Int(clamping: db.lastInsertedRowID)
    }

    static func append(_ intent: KeptIntent, _ inputs: [UInt8], to db: Database) throws -> Int {
        try OutboxRoom.reserve(inputs.count, in: db)
        let progress = intent.progress
        try db.cachedStatement(
            sql: """
                INSERT INTO intent (service, id, endpoint, fingerprint, effect, owner, lane, submitted, expires, key, isSealed,
                    state, reason, since, failures, mayHaveBeenApplied, keyUsed, nextAttempt, failure, inputs)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                try number(of: intent.service, in: db), intent.id.uuidString, intent.endpoint, intent.fingerprint,
                intent.effect.rawValue, bytes(intent.owner), bytes(intent.lane), seconds(intent.submitted),
                seconds(intent.expires),
                bytes(intent.key), intent.isSealed,
            ] + arguments(progress) + [Data(inputs)])
        return Int(clamping: db.lastInsertedRowID)
    }

    static func update(_ number: Int, _ progress: IntentProgress, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE intent SET state = ?, reason = ?, since = ?, failures = ?, mayHaveBeenApplied = ?, keyUsed = ?,
                    nextAttempt = ?, failure = ?
                WHERE number = ?
                """
        ).execute(arguments: arguments(progress) + [number])
    }

    static func remove(_ number: Int, from db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM intent WHERE number = ?").execute(arguments: [number])
    }

    // MARK: Losses

    static func changes(in db: Database) throws -> Int {
        guard let count = try Int.fetchOne(db.cachedStatement(sql: "SELECT count FROM change")) else {
            throw OutboxStoreError.unreadable
        }
        return count
    }

    /// - Returns: the number of synced changes, with this one.
    static func countChange(in db: Database) throws -> Int {
        try db.cachedStatement(sql: "UPDATE change SET count = count + 1").execute()
        return try changes(in: db)
    }

    /// Notes that changes were lost. Whether the commands that are left were sent since, or are carried out, is unknown, and when their
    /// keys were first used. It was not before they were submitted.
    static func noteLoss(_ known: Int, in db: Database) throws {
        try db.execute(sql: "UPDATE change SET count = ?, isLost = 1", arguments: [known])
        try db.execute(
            sql: """
                UPDATE intent SET mayHaveBeenApplied = 1, keyUsed = COALESCE(keyUsed, submitted) WHERE state <> ?
                """, arguments: [OutboxEntry.State.settled.rawValue])
    }

    static func isLost(in db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT isLost FROM change")) ?? false
    }

    static func forgetLoss(in db: Database) throws { try db.execute(sql: "UPDATE change SET isLost = 0") }

    private static func arguments(_ progress: IntentProgress) -> StatementArguments {
        [
            progress.state.rawValue, progress.reason.rawValue, seconds(progress.since), progress.failures,
            progress.mayHaveBeenApplied, progress.keyUsed.map(seconds), progress.nextAttempt.map(seconds),
            bytes(progress.failure),
        ]
    }

    /// SQLite's texts end at a zero, and one user's name must not become another one's.
    private static func bytes(_ text: String?) -> Data? { text.map { Data($0.utf8) } }

    private static func seconds(_ date: Date) -> Double { date.timeIntervalSinceReferenceDate }

    // MARK: Reads

    static func intents(of service: String, after number: Int, limit: Int, in db: Database) throws -> [KeptIntent] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT number, id, endpoint, fingerprint, effect, owner, lane, submitted, expires, key, isSealed, state, reason,
                    since, failures, mayHaveBeenApplied, keyUsed, nextAttempt, failure
                FROM intent WHERE service = (SELECT number FROM service WHERE name = ?) AND number > ? ORDER BY number LIMIT ?
                """)
        var found: [KeptIntent] = []
        let rows = try Row.fetchCursor(statement, arguments: [service, number, limit])
        while let row = try rows.next() {
            guard let intent = intent(row, of: service) else { throw OutboxStoreError.unreadable }
            found.append(intent)
        }
        return found
    }

    static func inputs(of number: Int, atMost size: Int, in db: Database) throws -> [UInt8]? {
        let found = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT length(inputs) FROM intent WHERE number = ?"), arguments: [number])
        guard let found else { return nil }
        guard found <= size else { throw OutboxStoreError.unreadable }
        let statement = try db.cachedStatement(sql: "SELECT inputs FROM intent WHERE number = ?")
        return try DatabaseValue.fetchOne(statement, arguments: [number]).flatMap { Data.fromDatabaseValue($0) }
            .map(Array.init)
    }

    /// A command as its row has it; nil if no store has written the row.
    private static func intent(_ row: Row, of service: String) -> KeptIntent? {
        // A subscript with another type traps if the value has the wrong form.
        func value<Value: DatabaseValueConvertible>(_ column: String, _ type: Value.Type = Value.self) -> Value? {
            Value.fromDatabaseValue(row[column] as DatabaseValue)
        }
        func date(_ column: String) -> Date? {
            value(column, Double.self).map { Date(timeIntervalSinceReferenceDate: $0) }
        }
        func text(_ column: String) -> String? { value(column, Data.self).map { String(decoding: $0, as: UTF8.self) } }
        guard let number: Int = value("number"), let id = value("id", String.self).flatMap(UUID.init(uuidString:)),
            let endpoint: String = value("endpoint"), let fingerprint: String = value("fingerprint"),
            let effect = value("effect", String.self).flatMap(Effect.init(rawValue:)),
            let submitted = date("submitted"), let expires = date("expires"),
            let isSealed: Bool = value("isSealed"),
            let state = value("state", String.self).flatMap(OutboxEntry.State.init(rawValue:)),
            let reason = value("reason", String.self).flatMap(OutboxEntry.Reason.init(rawValue:)),
            let since = date("since"), let failures: Int = value("failures"),
            let mayHaveBeenApplied: Bool = value("mayHaveBeenApplied")
        else { return nil }
        return KeptIntent(
            number: number, id: id, service: service, endpoint: endpoint, fingerprint: fingerprint, effect: effect,
            owner: text("owner"), lane: text("lane"), submitted: submitted, expires: expires, key: text("key"),
            isSealed: isSealed,
            progress: IntentProgress(
                state: state, reason: reason, since: since, failures: failures,
                mayHaveBeenApplied: mayHaveBeenApplied, keyUsed: date("keyUsed"), nextAttempt: date("nextAttempt"),
                failure: text("failure")))
    }
}
#endif
