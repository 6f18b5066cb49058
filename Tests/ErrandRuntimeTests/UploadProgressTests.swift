import Foundation
import Testing

@testable import ErrandRuntime

@Suite struct UploadProgressTests {
    private static func read(_ body: BodySource) async throws -> Int {
        var reader = try body.makeReader()
        var count = 0
        while let chunk = try await reader.next() { count += chunk.count }
        return count
    }

    @Test func everyByteIsCounted() async throws {
        let progress = TransferProgress()
        let body = BodySource.bytes([UInt8](repeating: 1, count: 200_000)).reporting(to: progress)
        #expect(body.length == 200_000 && body.isReplayable)
        #expect(try await Self.read(body) == 200_000)
        #expect(progress.current == TransferState(bytes: 200_000, total: 200_000))
        // A repeated attempt counts from the start, and says so.
        #expect(try await Self.read(body) == 200_000)
        #expect(progress.current == TransferState(bytes: 200_000, total: 200_000, restarts: 1))
        var states: [TransferState] = []
        for await state in progress { states.append(state) }
        #expect(states.map(\.bytes) == [200_000])
    }

    @Test func whatCanBeReadOnceCanStillBeReadOnce() async throws {
        let chunks = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1, 2, 3])
            continuation.finish()
        }
        let progress = TransferProgress()
        let body = BodySource.stream(chunks).reporting(to: progress)
        #expect(body.length == nil && !body.isReplayable)
        #expect(try await Self.read(body) == 3)
        #expect(progress.current == TransferState(bytes: 3, total: nil))
        await #expect(throws: (any Error).self) { _ = try await Self.read(body) }
    }

    @Test func theProblemOfAFileIsTold() async throws {
        let folder = try Folder()
        let file = folder.url.appendingPathComponent("file")
        try Data([1, 2, 3]).write(to: file)
        let body = try BodySource.file(at: file).reporting(to: TransferProgress())
        try Data([1, 2, 3, 4]).write(to: file)
        do {
            _ = try await Self.read(body)
            Issue.record("it was read")
        } catch {
            #expect("\(error)".contains("change"))
        }
    }
}
