import ErrandOutbox
import Foundation
import Testing

/// Processes that are killed with SIGKILL while they submit and send, and a server that keeps a ledger. `ERRAND_KILLS` is the number of
/// kills, and `ERRAND_KILL_SEED` repeats their choice.
@Suite(.serialized) struct OutboxKillTests {
    /// A number for each step, from a seed.
    private struct Choices {
        var state: UInt64

        mutating func next(_ range: Range<Int>) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + Int((state >> 33) % UInt64(range.count))
        }
    }

    private struct Letter {
        let id: String
        let text: String
    }

    @Test func noLetterIsLostRepeatedOrSentAsAnotherUser() throws {
        let environment = ProcessInfo.processInfo.environment
        let kills = environment["ERRAND_KILLS"].flatMap(Int.init) ?? 50
        let seed = environment["ERRAND_KILL_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0..<1 << 32)
        print("OutboxKillTests: \(kills) kills, ERRAND_KILL_SEED=\(seed)")
        var choices = Choices(state: seed)
        let folder = try TemporaryFolder()
        let server = try LetterServer()
        let users = ["ada", "bob"]
        var submitted: [Letter] = []
        var killed = [0, 0, 0, 0]
        var runs = 0
        while killed.reduce(0, +) < kills, runs < 3 * kills {
            runs += 1
            let kind = choices.next(0..<4)
            let process = try SendingProcess(
                folder.path, server.url, as: users[choices.next(0..<2)],
                kinds: ["k", "ko", "kko", "kkok"][choices.next(0..<4)],
                step: kind == 0 ? choices.next(1..<30) : 0)
            let delay = choices.next(1_000..<60_000)
            switch kind {
            case 1: server.kill(.beforeEffect) { process.kill() }
            case 2: server.kill(.beforeResponse) { process.kill() }
            case 3:
                Thread.detachNewThread {
                    usleep(UInt32(delay))
                    process.kill()
                }
            default: break
            }
            let lines = process.lines()
            #expect(!lines.contains(["lost"]))
            submitted += Self.letters(lines)
            server.killNobody()
            if !process.hasSucceeded { killed[kind] += 1 }
        }
        #expect(killed.reduce(0, +) >= kills)
        #expect(killed.allSatisfy { $0 > 0 }, "\(killed) by step, before the effect, before the response, by time")
        try check(submitted, folder.path, server, users)
    }

    private static func letters(_ lines: [[String]]) -> [Letter] {
        lines.filter { $0.count == 3 && $0[0] == "submitted" }.map { Letter(id: $0[1], text: $0[2]) }
    }

    /// Lets the users send what is left, and compares with the ledger.
    private func check(_ submitted: [Letter], _ folder: String, _ server: LetterServer, _ users: [String]) throws {
        var left: [String: String] = [:]
        for user in users {
            let process = try SendingProcess(folder, server.url, as: user)
            for line in process.lines() where line.count == 3 && line[0] == "left" { left[line[1]] = line[2] }
            #expect(process.hasSucceeded)
        }
        let ledger = server.ledger
        #expect(!submitted.isEmpty)
        for letter in submitted {
            let effects = ledger[letter.text] ?? []
            if letter.text.contains("-keyed-") {
                #expect(effects.count == 1, "\(letter) with \(left[letter.id] ?? "nothing left")")
            } else {
                // A command without a key isn't sent again, and the user is told.
                #expect(effects.count == 1 || left[letter.id] == "unconfirmed", "\(letter) is lost")
            }
        }
        for (text, tokens) in ledger {
            #expect(tokens.count == 1, "\(text) took effect \(tokens.count) times")
            #expect(tokens[0] == "Bearer token-\(text.prefix { $0 != "-" })", "\(text)")
        }
        #expect(left.values.allSatisfy { $0 == "unconfirmed" }, "\(left)")
        print("OutboxKillTests: \(submitted.count) letters, \(left.count) unconfirmed")
    }
}

/// A folder that is removed with its last user.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("outbox-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
