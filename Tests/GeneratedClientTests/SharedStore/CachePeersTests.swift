import ErrandRuntime
import Foundation
import TestServices
import Testing

/// Two processes with one folder for their caches and one store for their session, against one server.
@Suite(.timeLimit(.minutes(5))) final class CachePeersTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("cache-peers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func peer(size: Int = 1 << 20, until last: Int = .max) async throws -> SharingProcess {
        let peer = try SharingProcess("peer", folder.path, "\(size)", "\(last)")
        #expect(await peer.line() == "ready")
        return peer
    }

    /// Two processes of one login. The first one has begun it.
    private func peers(size: Int = 1 << 20) async throws -> (SharingProcess, SharingProcess) {
        let peers = (try await peer(size: size), try await peer(size: size))
        #expect(await peers.0.said(to: "login ada-0") == "in")
        return peers
    }

    // MARK: Writes

    @Test func bothStoreAndReadWhatTheOtherHasStored() async throws {
        let (one, other) = try await peers()
        #expect(await one.said(to: "read 0") == "read ada-0 0 new")
        #expect(await other.said(to: "read 0") == "read ada-0 0 fresh")
        #expect(await other.said(to: "read 1") == "read ada-0 0 new")
        #expect(await one.said(to: "read 1") == "read ada-0 0 fresh")
    }

    /// A write to the URL, and one elsewhere that `clears` the read.
    @Test(arguments: ["write 0", "clear"]) func aWriteOfOneMakesTheFilesOfTheOtherOutOfDate(write: String) async throws
    {
        let (one, other) = try await peers()
        #expect(await other.said(to: "read 0") == "read ada-0 0 new")
        #expect(await one.said(to: write) == "written")
        // Its own memory is its own affair; what it reads from the disk is not.
        #expect(await other.said(to: "read 0") == "read ada-0 0 fresh")
        #expect(await other.said(to: "forget", "read 0") == "read ada-0 1 new")
        #expect(await one.said(to: "forget", "read 0") == "read ada-0 1 fresh")
    }

    @Test(arguments: ["write 0", "clear"]) func aResponseFromBeforeAWriteOfTheOtherIsNotFound(write: String)
        async throws
    {
        let (one, other) = try await peers()
        #expect(await one.said(to: "hold 0") == "under way")
        #expect(await other.said(to: write) == "written")
        #expect(await one.said(to: "release") == "read ada-0 0 new")
        #expect(await other.said(to: "read 0") == "read ada-0 1 new")
        #expect(await one.said(to: "forget", "read 0") == "read ada-0 1 fresh")
    }

    // MARK: Logins

    @Test func aLogoutOfOneRemovesTheFilesOfTheOther() async throws {
        let (one, other) = try await peers()
        _ = await one.said(to: "read 0")
        _ = await other.said(to: "read 1")
        #expect(files.count == 2)
        #expect(await one.said(to: "logout") == "out")
        #expect(files.isEmpty)
        // Without a login, what was in memory isn't found either.
        let late = await other.said(to: "forget", "read 1")
        #expect(late?.hasPrefix("no ") == true, "\(late ?? "nothing")")
    }

    /// The other process has a response under way that belongs to the login that has ended, and stores it.
    @Test func theNextLoginFindsNothingOfAResponseThatWasUnderWay() async throws {
        let (one, other) = try await peers()
        #expect(await other.said(to: "hold 0") == "under way")
        #expect(await one.said(to: "logout", "login eve-1") == "in")
        _ = await other.said(to: "release")
        #expect(await one.said(to: "read 0") == "read eve-1 0 new")
        #expect(await other.said(to: "forget", "read 0") == "read eve-1 0 fresh")
        // It knows all logins now, and removes what belongs to none of them.
        while files.count > 1 { try await Task.sleep(for: .milliseconds(5)) }
        // The same user's next login is another one.
        #expect(await one.said(to: "logout", "login ada-2", "read 0") == "read ada-2 0 new")
    }

    /// After a change of user, the other process shows what it has in memory until the server refuses its token. From then on it is
    /// the next user's, and has nothing of the user before.
    @Test func theOtherIsTheNextUsersOnceItsTokenIsRefused() async throws {
        let (one, other) = try await peers()
        #expect(await other.said(to: "read 0") == "read ada-0 0 new")
        #expect(await one.said(to: "logout", "login eve-1") == "in")
        #expect(await other.said(to: "read 0") == "read ada-0 0 fresh")
        #expect(await one.said(to: "refuse ada-0") == "refused")
        #expect(await other.said(to: "read 1") == "no sessionEnded")
        #expect(await other.said(to: "read 0") == "read eve-1 0 new")
        #expect(await other.said(to: "read 1") == "read eve-1 0 new")
    }

    // MARK: Room

    /// Each may write a sixteenth of the size before it counts again.
    @Test func bothTogetherKeepTheSize() async throws {
        let size = 512 << 10
        let (one, other) = try await peers(size: size)
        let all = [one, other]
        for round in 0..<4 {
            for (number, peer) in all.enumerated() { peer.tell("fill big\(number)-\(round)- 40") }
            for peer in all { #expect(await peer.line() == "filled") }
        }
        // Files take whole blocks.
        let most = size + 2 * (size / 16 + (4 << 10))
        while taken > most { try await Task.sleep(for: .milliseconds(5)) }
        #expect(taken > size / 2)
        // What is written after all others is not what leaves. Which of the two wrote last until here is unknown.
        #expect(await one.said(to: "read big-last") == "read ada-0 0 new")
        #expect(await other.said(to: "read big-last") == "read ada-0 0 fresh")
    }

    // MARK: At once

    /// Both read from the disk and write at the same time. Neither reads what was so before a write that has ended before.
    @Test func nothingStaleIsReadFromTheDisk() async throws {
        var generator = seeded("two processes")
        let (one, other) = try await peers()
        let all = [one, other]
        var written = Shelves()
        var fresh = 0
        for round in 0..<200 {
            let steps = all.map { _ in Self.step(&generator) }
            let known = written
            for (peer, step) in zip(all, steps) {
                for line in step.lines { peer.tell(line) }
            }
            for (peer, step) in zip(all, steps) {
                var said = ""
                for _ in step.lines { said = await peer.line() ?? "nothing" }
                fresh += known.check(said, to: step, "round \(round), \(steps)")
                if said == "written" { written.note(step) }
            }
        }
        print("two processes: \(fresh) reads from the disk")
        #expect(fresh > 10)
    }

    /// One of them is ended before a change that it makes to the disk, and the other one goes on.
    @Test func oneThatIsKilledHarmsNothing() async throws {
        var generator = seeded("a killed process")
        let other = try await peer()
        #expect(await other.said(to: "login ada-0") == "in")
        var written = Shelves()
        var (fresh, killed) = (0, 0)
        for round in 0..<12 {
            let one = try await peer(until: Int.random(in: 1...60, using: &generator))
            let steps = (0..<30).map { _ in Self.step(&generator) }
            for line in steps.flatMap(\.lines) { one.tell(line) }
            let ended = Task {
                var done: [Step] = []
                for step in steps {
                    var said: String?
                    for _ in step.lines { said = await one.line() }
                    guard let said else { return (done, true) }
                    if said == "written" { done.append(step) }
                }
                return (done, false)
            }
            for _ in 0..<15 {
                let step = Self.step(&generator)
                var said: String?
                for line in step.lines { said = await other.said(to: line) }
                let told = said ?? "nothing"
                fresh += written.check(told, to: step, "round \(round)")
                if told == "written" { written.note(step) }
            }
            let (done, wasKilled) = await ended.value
            for step in done { written.note(step) }
            if wasKilled { killed += 1 }
            await one.end()
            // All that the killed one has said is true, also for a third one.
            for shelf in 0..<3 {
                let step = Step(lines: ["forget", "read \(shelf)"], shelf: shelf)
                let said = await other.said(to: "forget", "read \(shelf)") ?? "nothing"
                fresh += written.check(said, to: step, "after round \(round)")
            }
        }
        print("a killed process: \(killed) of 12 were killed, \(fresh) reads from the disk")
        #expect(killed > 3 && fresh > 10)
    }

    // MARK: Parts

    /// What one process does, and the shelf that it concerns; nil for all.
    private struct Step {
        let lines: [String]
        let shelf: Int?
    }

    private static func step(_ generator: inout SeededGenerator) -> Step {
        let shelf = Int.random(in: 0..<3, using: &generator)
        return switch Int.random(in: 0..<10, using: &generator) {
        case 0: Step(lines: ["clear"], shelf: nil)
        case 1, 2: Step(lines: ["write \(shelf)"], shelf: shelf)
        default: Step(lines: ["forget", "read \(shelf)"], shelf: shelf)
        }
    }

    /// The writes that have ended.
    private struct Shelves {
        private var counts = [0, 0, 0]

        mutating func note(_ step: Step) {
            for shelf in counts.indices where step.shelf == nil || step.shelf == shelf { counts[shelf] += 1 }
        }

        /// Expects that a read has the number of these writes or a later one.
        ///
        /// - Returns: 1 for a read from the disk.
        func check(_ said: String, to step: Step, _ place: String, at location: SourceLocation = #_sourceLocation)
            -> Int
        {
            if said == "written" { return 0 }
            let words = said.split(separator: " ")
            guard let shelf = step.shelf, words.count == 4, words[1] == "ada-0", let number = Int(words[2]) else {
                Issue.record("\(said), \(place)", sourceLocation: location)
                return 0
            }
            #expect(number >= counts[shelf], "\(said), \(place)", sourceLocation: location)
            return words[3] == "fresh" ? 1 : 0
        }
    }

    private func seeded(_ name: String) -> SeededGenerator {
        let seed = ProcessInfo.processInfo.environment["ERRAND_SEED"].flatMap(UInt64.init) ?? .random(in: 0 ... .max)
        print("\(name): ERRAND_SEED=\(seed)")
        return SeededGenerator(seed: seed)
    }

    /// The files of responses.
    private var files: [URL] {
        let root = folder.appendingPathComponent("cache/1")
        let all = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.fileSizeKey])
        return (all?.compactMap { $0 as? URL } ?? []).filter {
            $0.lastPathComponent.count == 16 && $0.deletingLastPathComponent().lastPathComponent.count == 16
        }
    }

    /// How many bytes they take, in whole blocks of 4 KB.
    private var taken: Int {
        files.reduce(0) { sum, file in
            let size = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? Int ?? 0
            return sum + (size + 4_095) / 4_096 * 4_096
        }
    }
}
