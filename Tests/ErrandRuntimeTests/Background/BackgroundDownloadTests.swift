import Foundation
import Testing

@testable import ErrandBackground
@testable import ErrandRuntime

/// Downloads whose attempts outlast the process: a later process puts their files in place.
@Suite(.serialized, .timeLimit(.minutes(1))) struct BackgroundDownloadTests {
    private func failure<Value>(_ result: Result<Value, Attic.Failure>) -> Attic.Failure? {
        if case .failure(let failure) = result { failure } else { nil }
    }

    @Test func aDownloadIsPutInItsPlaceByALaterProcess() async throws {
        let world = try BackgroundWorld { _, _ in .file }
        await world.downloadAndEnd(as: "one")
        await world.system.hold(false)
        let registry = world.launch()
        let digest = Array("the box !".utf8)
        try await Attic().binding.download(
            nil, of: Attic.Fetch.self, to: world.place, as: "one",
            checksum: FileChecksum(digest) { WholeFile() }, in: registry)
        #expect(world.folder.bytes("box") == digest)
        #expect(world.folder.names == ["box", "journal"] && world.files == [])
        #expect(world.requests.count == 1)
        #expect(world.requests[0].headers["Accept-Encoding"] == "identity")
    }

    @Test func aWrongChecksumLeavesNothing() async throws {
        let world = try BackgroundWorld { _, _ in .file }
        let registry = world.launch()
        let failed = await BackgroundWorld.result { () async throws(Attic.Failure) in
            try await Attic().binding.download(
                Attic.Fetch(), of: Attic.Fetch.self, to: world.place, as: "one",
                checksum: FileChecksum([1]) { WholeFile() }, in: registry)
        }
        #expect(failure(failed)?.context.name == "malformed")
        #expect(failure(failed)?.context.underlying as? DownloadError == .wrongDigest)
        #expect(world.folder.names == ["journal"] && world.files == [])
    }

    @Test func aShortFileIsRefused() async throws {
        let world = try BackgroundWorld { _, _ in .response(200, ["Content-Length": "10"], Array("the box !".utf8)) }
        let registry = world.launch()
        let failed = await BackgroundWorld.result { () async throws(Attic.Failure) in
            try await Attic().binding.download(
                Attic.Fetch(), of: Attic.Fetch.self, to: world.place, as: "one", checksum: nil, in: registry)
        }
        #expect(failure(failed)?.context.name == "malformed")
        #expect(world.folder.names == ["journal"] && world.files == [])
    }

    /// The system has joined the bytes of several responses, and Errand knows only the last one: the whole file is requested, once.
    @Test(arguments: [true, false])
    func aFileOfSeveralResponsesIsRequestedAnew(isJoinedAgain: Bool) async throws {
        let parts = LockedState { 0 }
        let world = try BackgroundWorld { _, _ in
            let number = parts.withLock { parts in
                parts += 1
                return parts
            }
            if number > 1, !isJoinedAgain { return .file }
            return .response(
                206, ["Content-Range": "bytes 4-8/9", "ETag": "\"two\""], Array("the BOX !".utf8))
        }
        let registry = world.launch()
        let result = await BackgroundWorld.result { () async throws(Attic.Failure) in
            try await Attic().binding.download(
                Attic.Fetch(), of: Attic.Fetch.self, to: world.place, as: "one", checksum: nil, in: registry)
        }
        #expect(world.system.started.count == 2)
        if isJoinedAgain {
            #expect(failure(result)?.context.underlying as? DownloadError == .wrongRange)
            #expect(world.folder.bytes("box") == nil)
        } else {
            #expect(failure(result) == nil)
            #expect(world.folder.bytes("box") == Array("the box !".utf8))
        }
    }

    @Test func aDeclaredErrorOfADownloadIsNoFile() async throws {
        let world = try BackgroundWorld { _, _ in .response(409, [:], Array("7".utf8)) }
        await world.downloadAndEnd(as: "one")
        await world.system.hold(false)
        let registry = world.launch()
        let failed = await BackgroundWorld.result { () async throws(Attic.Failure) in
            try await Attic().binding.download(
                Attic.Fetch(), of: Attic.Fetch.self, to: world.place, as: "one", checksum: nil, in: registry)
        }
        guard case .full(let details)? = failure(failed) else {
            Issue.record("another failure")
            return
        }
        #expect(details.data == 7)
        #expect(world.folder.names == ["journal"] && world.files == [])
    }

    @Test func theRestIsAskedForWithTheSameRequestOnly() async throws {
        let world = try BackgroundWorld()
        await world.system.hold(true)
        let registry = world.launch()
        let task = Task { [world] in
            await BackgroundWorld.result { () async throws(Attic.Failure) in
                try await Attic().binding.download(
                    Attic.Fetch(), of: Attic.Fetch.self, to: world.place, as: "one", checksum: nil, in: registry)
            }
        }
        while world.system.started.isEmpty { await Task.yield() }
        registry.end(world.system.started[0].name, .fault(.lost, .sent), hasFile: true, canResume: true)
        while world.system.started.count < 2 { await Task.yield() }
        registry.end(world.system.started[1].name, .fault(.lost, .sent), hasFile: true)
        while world.system.started.count < 3 { await Task.yield() }
        #expect(world.system.started.map(\.resumes) == [false, true, false])
        task.cancel()
        _ = await task.value
        let other = TransportRequest(method: .get, url: "https://a.example/", headers: ["Authorization": "Bearer a"])
        var same = other
        same.timeout = .seconds(1)
        #expect(other.fingerprint == same.fingerprint)
        same.headers.set("Authorization", "Bearer b")
        #expect(other.fingerprint != same.fingerprint)
    }
}

/// A checksum that equals the file's content.
private struct WholeFile: ChecksumFunction {
    private var bytes: [UInt8] = []
    mutating func update(_ bytes: UnsafeRawBufferPointer) { self.bytes += bytes }
    mutating func finalize() -> [UInt8] { bytes }
}
