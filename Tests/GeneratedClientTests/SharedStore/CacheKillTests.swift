import Foundation
import Testing

/// A process that is ended at each change that its cache makes to the disk, and the next process.
@Suite(.timeLimit(.minutes(5))) struct CacheKillTests {
    /// The next process reads, without a server, what the last write has left or nothing: never what was read before a write that had
    /// succeeded, and never another login's.
    @Test func whereverAProcessEndsTheNextOneReadsNothingWrong() async throws {
        let (all, _) = try await run(until: .max)
        let count = try #require(all.last.flatMap { Int($0.dropFirst("done ".count)) })
        #expect(count > 30, "\(all)")
        var found = 0
        for point in 1...count {
            let (said, next) = try await run(until: point)
            #expect(said.last?.hasPrefix("done") != true, "change \(point) was not reached: \(said)")
            let login = said.last { $0.hasPrefix("in ") || $0 == "out" }
            let written = said.count { $0 == "written" }
            guard next.hasPrefix("read ") else { continue }
            found += 1
            let words = next.split(separator: " ")
            let last = try #require(login, "\(said), then \(next)")
            // A login that has begun is kept before the process says so, and the one before it is over.
            let isOfLogin = last == "in \(words[1])"
            #expect(isOfLogin, "change \(point): \(said), then \(next)")
            #expect(Int(words[2]) ?? -1 >= written, "change \(point): \(said), then \(next)")
        }
        print("cache: \(count) changes of the disk, after \(found) of which the next process had a response")
        #expect(found > 5)
    }

    @Test func aWholeRunLeavesTheLastLoginAlone() async throws {
        let (said, next) = try await run(until: .max)
        #expect(said.contains("read ada-0 0") && said.contains("read eve-1 4"), "\(said)")
        #expect(next == "read bob-3 6", "\(said)")
    }

    /// What a process says that ends at a change, and what the next process says.
    private func run(until point: Int) async throws -> (said: [String], next: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cache-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = try SharingProcess("cache", folder.path, "\(point)")
        var said: [String] = []
        while let line = await process.line() { said.append(line) }
        let second = try SharingProcess("cached", folder.path)
        return (said, await second.line() ?? "nothing")
    }
}
