#if os(Linux)
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// A file system of a megabyte in memory, for as long as this lives. It is mounted where only the process sees it that mounts it, and
/// reached through that.
private final class SmallDisk: Sendable {
    let folder: URL
    private let process: Int32

    /// Nil if this system does not allow mounting.
    init?() {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare") else { return nil }
        process.arguments = [
            "--mount", "--map-root-user", "sh", "-c", "mount -t tmpfs -o size=1m none /mnt && echo ready && exec cat",
        ]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        self.process = process.processIdentifier
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        folder = URL(fileURLWithPath: "/proc/\(process.processIdentifier)/root/mnt")
        guard line.hasPrefix("ready"), FileManager.default.isWritableFile(atPath: folder.path) else { return nil }
        // Its end would end the process.
        self.input = input
    }

    private let input: Pipe

    deinit { kill(process, SIGKILL) }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }
    static let isPossible = SmallDisk() != nil
}

/// A disk that is full: a typed failure, nothing half written, and the app continues.
@Suite(.serialized, .enabled(if: SmallDisk.isPossible, "this system lets the tests mount nothing"))
struct FullDiskTests {
    private static func problem(_ server: RawServer, _ file: URL) async -> DownloadProblem? {
        do throws(CommandFault) {
            try await Depot(server.url).download(Depot.Fetch(), to: file).finish()
            return nil
        } catch {
            #expect(error.kind == .invalidRequest)
            return error.context.underlying as? DownloadProblem
        }
    }

    @Test func aFullDiskIsATypedFailureAndLeavesNothing() async throws {
        let disk = try #require(SmallDisk())
        let file = disk.folder.appendingPathComponent("file")
        try Data("old".utf8).write(to: file)
        let size = LockedState { 4 << 20 }
        let isAnnounced = LockedState { true }
        let server = try RawServer(keepsRequests: false) { connection, _ in
            guard connection.readRequest() != nil else { return }
            let size = size.withLock { $0 }
            if isAnnounced.withLock({ $0 }) {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\nConnection: close\r\n\r\n")
            } else {
                connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
            }
            connection.write([UInt8](repeating: 7, count: size))
        }
        // It is known before a byte is written.
        guard case .noRoom(needed: 4_194_304, let free)? = await Self.problem(server, file) else {
            Issue.record("there was room")
            return
        }
        #expect(free < 1 << 20)
        #expect(disk.names == ["file"])
        // It turns out while it is written.
        isAnnounced.withLock { $0 = false }
        #expect(await Self.problem(server, file) == .system(call: "write", code: Int(ENOSPC)))
        #expect(disk.names == ["file"])
        #expect(try Data(contentsOf: file) == Data("old".utf8))
        // The room is there again, for what is small enough.
        size.withLock { $0 = 700_000 }
        #expect(await Self.problem(server, file) == nil)
        #expect(try Data(contentsOf: file).count == 700_000)
        #expect(disk.names == ["file"])
    }
}
#endif
