#if os(Linux)
import Foundation
import Testing

enum SmallDisk {
    /// A file system in memory, which only the process sees that mounts it. The folder is not reached from outside, because SQLite
    /// resolves the links of a path by itself.
    static func script(_ size: String, then command: String) -> [String] {
        [
            "--mount", "--map-root-user", "sh", "-c",
            "mount -t tmpfs -o size=\(size),mode=0700 none /mnt && \(command)", "sh",
        ]
    }

    static let isPossible: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = script("1m", then: "true")
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}

/// A disk that is full or can't be written: an error, and other commands go on.
@Suite(.serialized, .enabled(if: SmallDisk.isPossible, "this system lets the tests mount nothing"))
struct OutboxDiskTests {
    private func lines(_ size: String, _ command: String, _ server: LetterServer, _ kinds: String) throws -> [[String]]
    {
        let process = try SendingProcess(
            "/mnt", server.url, as: "ada", kinds: kinds, within: SmallDisk.script(size, then: command))
        let lines = process.lines()
        #expect(process.hasSucceeded, "\(lines)")
        return lines
    }

    @Test func aFullDiskRefusesACommandAndNoOther() throws {
        let server = try LetterServer()
        // The log gives its room back, so the disk is so small that the file cannot grow.
        let lines = try lines("160k", "exec \"$@\"", server, String(repeating: "k", count: 200))
        #expect(lines.last == ["refused", "storageFull"])
        #expect((2..<100).contains(lines.count))
        #expect(lines.dropLast().allSatisfy { $0[0] == "submitted" })
        #expect(server.ledger["at-once"]?.count == 1)
        #expect(server.ledger.values.allSatisfy { $0.count == 1 })
    }

    /// Attempts are noted, and letters removed, without any further room.
    @Test func aStoreOnAFullDiskTakesNoFurtherRoom() throws {
        let server = try LetterServer()
        #expect(try lines("1m", "exec \"$@\"", server, "w") == [["worn", "0"]])
    }

    @Test func aFullDiskMakesNoStore() throws {
        let server = try LetterServer()
        #expect(
            try lines("8k", "head -c 8192 /dev/zero > /mnt/filler; exec \"$@\"", server, "k")
                == [["refused", "storageFull"]])
        #expect(server.ledger.keys.sorted() == ["at-once"])
    }

    @Test func aDiskThatCannotBeWrittenIsAnError() throws {
        let server = try LetterServer()
        #expect(try lines("1m", "mount -o remount,ro /mnt && exec \"$@\"", server, "k") == [["refused", "readOnly"]])
        #expect(server.ledger.keys.sorted() == ["at-once"])
    }
}
#endif
