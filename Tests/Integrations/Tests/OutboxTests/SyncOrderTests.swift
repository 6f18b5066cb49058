#if os(Linux)
import Foundation
import Testing

enum Strace {
    static let isPossible: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        process.arguments = ["-o", "/dev/null", "/bin/true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}

/// The order of the calls of the system, because a process that is killed doesn't show whether its writes were on the disk.
@Suite(.serialized, .enabled(if: Strace.isPossible, "strace is not installed, or may not trace"))
struct SyncOrderTests {
    private enum Call: Equatable { case write, sync, send }

    /// What a process does with the log of its store, and when requests leave.
    private func calls(_ kinds: String) throws -> [Call] {
        let folder = try TemporaryFolder()
        let server = try LetterServer()
        let trace = folder.path + "/trace"
        let process = try SendingProcess(folder.path + "/store", server.url, as: "ada", kinds: kinds, tracedTo: trace)
        #expect(process.lines().count == kinds.count && process.hasSucceeded)
        #expect(server.ledger.count == kinds.count)
        return try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").compactMap { line in
            if line.contains("\"POST /") { return .send }
            guard line.contains("outbox.sqlite-wal>"), !line.contains("resumed>") else { return nil }
            return line.contains("sync(") ? .sync : .write
        }
    }

    /// The first byte of a command without a key leaves when the note is on the disk that it was sent.
    @Test func aCommandAndItsAttemptAreOnTheDiskBeforeTheFirstByte() throws {
        let calls = try calls("o")
        let send = try #require(calls.firstIndex(of: .send))
        let synced = calls[..<send]
        #expect(synced.last == .sync, "\(calls)")
        #expect(synced.filter { $0 == .sync }.count >= 2)
    }

    @Test func aCommandIsOnTheDiskBeforeTheFirstByte() throws {
        let calls = try calls("k")
        let send = try #require(calls.firstIndex(of: .send))
        #expect(calls[..<send].contains(.sync), "\(calls)")
    }

    /// What more commands cost: one sync each with a key, and two each without. Neither the attempt nor the end costs one.
    @Test(arguments: [("k", 1), ("o", 2)]) func eachCommandCostsItsSyncs(kind: String, wanted: Int) throws {
        let (few, many) = (try calls(kind), try calls(String(repeating: kind, count: 11)))
        func syncs(_ calls: [Call]) throws -> Int {
            // The end of the process may sync once more, when it closes the database.
            let last = try #require(calls.lastIndex(of: .send))
            #expect(calls[last...].count { $0 == .sync } <= 1)
            return calls[..<last].count { $0 == .sync }
        }
        #expect(try syncs(many) - syncs(few) == 10 * wanted)
    }
}
#endif
