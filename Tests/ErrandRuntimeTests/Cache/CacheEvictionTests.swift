import Foundation
import Testing

@testable import ErrandRuntime

/// The room that the cache takes on the disk, and what happens without room.
@Suite struct CacheEvictionTests {
    @Test func theLeastRecentlyUsedFilesLeaveFirst() throws {
        let bench = FileBench(limit: 400 << 10)
        let cache = bench.cache()
        let text = String(repeating: "a", count: 20 << 10)
        for number in 0..<15 {
            bench.load(bench.lookup("\(number)"), text, in: cache)
            try age(bench, seconds: 60)
        }
        // A process that has just started reads it from the disk, which is a use.
        #expect(bench.told(bench.lookup("0"), by: bench.cache()) != nil)
        for number in 15..<40 {
            bench.load(bench.lookup("\(number)"), text, in: cache)
            try age(bench, seconds: 60)
            #expect(size(bench) <= (400 << 10) + (25 << 10) + 24 << 10)
            if number < 20 { #expect(bench.told(bench.lookup("0"), by: bench.cache()) != nil, "\(number)") }
        }
        let last = bench.cache()
        #expect(bench.told(bench.lookup("39"), by: last) != nil && bench.told(bench.lookup("1"), by: last) == nil)
    }

    @Test func aLargeResponseTakesNotTheRoomOfAll() {
        let bench = FileBench(limit: 80 << 10)
        let cache = bench.cache()
        let lookup = bench.lookup()
        bench.load(lookup, "small", in: cache)
        bench.load(lookup, String(repeating: "a", count: 11 << 10), in: cache)
        // Not even the small one, which is not the current one any more.
        #expect(bench.names.isEmpty && cache.find(lookup, at: bench.now) != nil)
    }

    /// Files that come while the others are counted and removed are counted as well, although none comes after them.
    @Test func whatIsWrittenDuringACountIsCounted() throws {
        let limit = 320 << 10
        let bench = FileBench(limit: limit)
        let folder = bench.path("login")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (made, late) = (LockedState { 0 }, LockedState { 5 })
        @Sendable func write() {
            let number = made.withLock { number in
                number += 1
                return number
            }
            _ = FileManager.default.createFile(atPath: "\(folder)/\(number)", contents: Data(count: 20 << 10))
        }
        for _ in 0..<17 { write() }
        let room = LockedState<CacheEviction?> { nil }
        room.withLock {
            $0 = CacheEviction(
                root: "\(bench.path)/1", limit: limit,
                willChange: {
                    let isDue = late.withLock { rest in
                        rest -= 1
                        return rest >= 0
                    }
                    guard isDue else { return }
                    write()
                    room.withLock { $0 }?.note(20 << 10)
                }, start: { $0() })
        }
        try #require(room.withLock { $0 }).note(20 << 10)
        room.withLock { $0 = nil }
        #expect(late.withLock { $0 } < 0 && size(bench) <= limit + limit / 16, "\(size(bench))")
    }

    /// What a process has left that was ended while it wrote.
    @Test func oldDraftsAreRemoved() throws {
        let bench = FileBench(limit: 64 << 10)
        let cache = bench.cache()
        bench.load(bench.lookup(), in: cache)
        let login = try #require(bench.names.first?.split(separator: "/").first)
        for name in ["0.new-1-a", "1.new-1-b"] {
            #expect(FileManager.default.createFile(atPath: bench.path("\(login)/\(name)"), contents: Data("x".utf8)))
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date() - 3_600], ofItemAtPath: bench.path("\(login)/0.new-1-a"))
        bench.load(bench.lookup("y"), String(repeating: "a", count: 6 << 10), in: bench.cache())
        #expect(bench.names.count == 3 && !bench.names.contains { $0.hasSuffix("0.new-1-a") }, "\(bench.names)")
    }

    /// Two processes on one folder, while logins end and writes happen: each reads what fits, and no response of before a write.
    @Test func processesReadAndWriteTheSameFiles() async {
        let bench = FileBench(limit: 256 << 10)
        // What the server has, and what it had when the last write has ended.
        let (server, written) = (LockedState { 0 }, LockedState { 0 })
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for number in 0..<200 {
                        let cache = bench.cache()
                        let lookup = bench.lookup("\(number % 5)")
                        let known = written.withLock { $0 }
                        if let told = bench.told(lookup, by: cache), let read = Int(told.prefix { $0 != "," }) {
                            #expect(read >= known, "\(told), and \(known) was written before")
                        }
                        bench.load(lookup, "\(server.withLock { $0 })", in: cache)
                        if number % 7 == 0 { cache.remove(login: "ada") }
                    }
                }
            }
            group.addTask {
                for number in 0..<50 {
                    server.withLock { $0 = number }
                    bench.cache().invalidate(targets: (0..<5).map { "https://a.example/\($0)" }, endpoints: [])
                    written.withLock { $0 = number }
                    await Task.yield()
                }
            }
        }
        #expect(!bench.names.contains { $0.contains(CacheFile.draftMark) })
    }

    #if os(Linux)
    /// A file system of 96 KB, which only root can make.
    @Test func aFullDiskKeepsNothingMore() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("full-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        guard try Self.run("mount", "-t", "tmpfs", "-o", "size=96k,mode=0700", "tmpfs", folder) else {
            print("a full disk was not tried: this user cannot mount a file system")
            return
        }
        defer { _ = try? Self.run("umount", folder) }
        let bench = FileBench(limit: 1 << 20, path: folder + "/cache")
        let cache = bench.cache()
        let text = String(repeating: "a", count: 20 << 10)
        for number in 0..<10 { bench.load(bench.lookup("\(number)"), "\(number)\(text)", in: cache) }
        let kept = (0..<10).filter { bench.told(bench.lookup("\($0)"), by: bench.cache()) != nil }
        #expect(!kept.isEmpty && kept.count < 4 && !bench.names.contains { $0.contains(CacheFile.draftMark) })
        // The response that finds no room removes the one before, which is out of date.
        bench.load(bench.lookup("\(kept[0])"), String(repeating: "b", count: 60 << 10), in: cache)
        #expect(bench.told(bench.lookup("\(kept[0])"), by: bench.cache()) == nil)
        // A write makes files out of date without any room.
        let other = try #require(kept.last)
        while FileManager.default.createFile(atPath: folder + "/\(UUID())", contents: Data(count: 4 << 10)) {}
        bench.cache().invalidate(targets: ["https://a.example/\(other)"], endpoints: [])
        #expect(bench.told(bench.lookup("\(other)"), by: bench.cache()) == nil)
    }

    private static func run(_ arguments: String...) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
    #endif

    /// Makes all files older.
    private func age(_ bench: FileBench, seconds: Double) throws {
        for name in bench.names {
            let path = bench.path(name)
            let used = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            try FileManager.default.setAttributes([.modificationDate: (used ?? Date()) - seconds], ofItemAtPath: path)
        }
    }

    private func size(_ bench: FileBench) -> Int {
        bench.names.reduce(0) { sum, name in
            let all = try? FileManager.default.attributesOfItem(atPath: bench.path(name))
            return sum + (all?[.size] as? Int ?? 0)
        }
    }
}
