#if os(Linux)
import ErrandTransportConformance
import Foundation
import Testing

@testable import ErrandBackground
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

    /// Leaves no free byte.
    func fill() {
        let file = open(folder.appendingPathComponent("filler").path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        for size in [65_536, 1] { while SystemFile.writeAll([UInt8](repeating: 1, count: size), to: file) {} }
    }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }
    static let isPossible = SmallDisk() != nil
}

/// A disk that is full: a typed failure, nothing half written, and the app continues.
@Suite(.serialized, .enabled(if: SmallDisk.isPossible, "this system lets the tests mount nothing"))
struct FullDiskTests {
    private static func problem(_ server: RawServer, _ file: URL) async -> DownloadError? {
        do throws(CommandFault) {
            try await Depot(server.url).download(Depot.Fetch(), to: file).finish()
            return nil
        } catch {
            #expect(error.context.name == "localStorageFull" && error.category == .nonRetryable)
            #expect(error.context.message == "There is not enough space on this device.")
            #expect(!error.description.contains(file.path), "\(error)")
            return error.context.underlying as? DownloadError
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

    /// A command that writes, and whose response is a file: the server has responded, so it may have been carried out.
    @Test func theServerMayHaveCarriedOutWhatHasNoRoomHere() async throws {
        let disk = try #require(SmallDisk())
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            connection.respond("200 OK", "", String(repeating: "x", count: 2 << 20))
        }
        do throws(CommandFault) {
            try await Depot(server.url).download(Depot.Render(), to: disk.folder.appendingPathComponent("file"))
                .finish()
            Issue.record("there was room")
        } catch {
            #expect(error.context.name == "localStorageFull" && error.context.applied == .maybe, "\(error)")
        }
        #expect(server.requests.count == 1 && disk.names == [])
    }

    // MARK: Transfers that outlast the process

    /// A world whose journal is on the disk.
    private static func registry(
        _ disk: SmallDisk, _ world: BackgroundWorld
    ) -> TransferRegistry {
        TransferSystem.App(world.system, Life()).makeRegistry(disk.folder.appendingPathComponent("journal"))
    }

    @Test func aTransferWithoutRoomForItsBodyIsNotSent() async throws {
        let disk = try #require(SmallDisk())
        let world = try BackgroundWorld()
        let registry = Self.registry(disk, world)
        disk.fill()
        let result = await BackgroundWorld.result { () async throws(Attic.Failure) in
            try await Attic().binding.perform(Attic.StoreOnce(), as: "one", in: registry)
        }
        guard case .failure(let failure) = result else { return #expect(Bool(false), "there was room") }
        #expect(failure.context.name == "localStorageFull" && failure.context.applied == .never, "\(failure)")
        #expect(failure.context.underlying != nil)
        #expect(world.system.started.isEmpty)
        #expect(disk.names.filter { $0 != "filler" } == ["journal"])
    }

    /// The server has responded, and the response has no room: nothing is sent again because of that.
    @Test(arguments: [true, false]) func aTransferWithoutRoomForItsResponseIsNotSentAgain(isOnce: Bool) async throws {
        let disk = try #require(SmallDisk())
        let world = try BackgroundWorld { _, _ in
            disk.fill()
            return .response(201, [:], [UInt8](repeating: 32, count: 20_000) + Array(#"{"number":4}"#.utf8))
        }
        let registry = Self.registry(disk, world)
        let result = await BackgroundWorld.result { () async throws(Attic.Failure) in
            isOnce
                ? try await Attic().binding.perform(Attic.StoreOnce(), as: "one", in: registry)
                : try await Attic().binding.perform(Attic.StoreAgain(), as: "one", in: registry)
        }
        guard case .failure(let failure) = result else { return #expect(Bool(false), "there was room") }
        #expect(failure.context.applied == .maybe)
        if case .unconfirmed(let receipt) = failure {
            #expect(isOnce && receipt.cause.name == "localStorageFull")
        } else {
            #expect(!isOnce && failure.context.name == "localStorageFull", "\(failure)")
        }
        #expect(world.system.started.count == 1)
    }

    // MARK: The session's store

    @Test func aSessionWithoutRoomIsTold() async throws {
        let disk = try #require(SmallDisk())
        let path = disk.folder.appendingPathComponent("session").path
        let store = FileSessionStore(path: path)
        let old = SessionTokens(access: "old")
        await store.save(old)
        #expect(await store.problem == nil)
        let kept = FileManager.default.contents(atPath: path)
        disk.fill()
        await store.save(SessionTokens(access: String(repeating: "n", count: 9_000)))
        #expect(await store.problem.map { "\($0)" } == "the disk is full")
        #expect(FileManager.default.contents(atPath: path) == kept)
        #expect(disk.names == ["filler", "session", "session.lock"])
    }
}
#endif
