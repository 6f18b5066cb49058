import Foundation
import TestSeeds
import Testing

@testable import ErrandDurable
@testable import ErrandRuntime

/// The promises of the outbox, with a network that loses requests and responses, users who come and go, and processes that end at any
/// step: no command is lost, none takes effect twice where that can be prevented, and none is sent as another user.
@Suite struct OutboxPromiseTests {
    private struct Submitted {
        let id: UUID
        let text: String
        let user: String
        let effect: Effect
    }

    @Test(arguments: 1...60) func everyCommandEndsOnceAndAsItsUser(_ seed: UInt64) async throws {
        let chance = LockedState { TestSeeds.SeededGenerator(seed: seed) }
        @Sendable func roll(_ sides: Int) -> Int { chance.withLock { Int($0.next() % UInt64(sides)) } }
        let world = OutboxWorld { _, _ in
            switch roll(8) {
            case 0: .isLost
            case 1: .losesResponse
            case 2: .isRefused(503)
            default: .arrives
            }
        }
        var submitted: [Submitted] = []
        let users = ["ada", "bob"]
        for round in 0..<5 {
            let user = users[roll(2)]
            let life = ProcessLife(steps: 2 + roll(40))
            let app = try await world.launch(as: user, life)
            for index in 0..<(1 + roll(4)) {
                let text = "\(round)-\(index)"
                if let done = await Self.submit(text, roll(4), user, app) { submitted.append(done) }
            }
            if roll(3) == 0 { await app.logIn(users[roll(2)]) }
            _ = await app.settle()
            life.end()
            await app.outbox.close()
        }
        let settled = try await Self.drain(world, users)
        let seen = world.seen
        for command in submitted {
            let count = seen.applied[command.text] ?? 0
            let reason = settled[command.id]
            let comment = Comment(rawValue: "seed \(seed), \(command.text), \(command.effect), \(reason as Any)")
            #expect(command.effect == .idempotent || count <= 1, comment)
            if reason == nil { #expect(count >= 1, comment) }
            #expect(reason == nil || reason == .unconfirmed || reason == .failed && count == 0, comment)
            if reason == .unconfirmed { #expect(command.effect == .once, comment) }
            #expect(seen.users[command.text]?.subtracting([command.user]).isEmpty ?? true, comment)
        }
    }

    private static func submit(
        _ text: String, _ kind: Int, _ user: String, _ app: OutboxWorld.App
    ) async -> Submitted? {
        let outbox = app.outbox
        do throws(OutboxError) {
            switch kind {
            case 0:
                let id = try await outbox.submit(PostOffice.PrintStamp(text: text))
                return Submitted(id: id, text: text, user: user, effect: .once)
            case 1:
                let id = try await outbox.submit(PostOffice.MoveIn(text: text))
                return Submitted(id: id, text: text, user: user, effect: .idempotent)
            case 2:
                let id = try await outbox.submit(PostOffice.Pay(text: text))
                return Submitted(id: id, text: text, user: user, effect: .once)
            default:
                let id = try await outbox.submit(PostOffice.SendLetter(text: text))
                return Submitted(id: id, text: text, user: user, effect: .keyed)
            }
        } catch {
            // A command that was not taken is the app's, which knows it.
            return nil
        }
    }

    /// Lets processes run until nothing is left to send.
    ///
    /// - Returns: why commands were not delivered.
    private static func drain(
        _ world: OutboxWorld, _ users: [String]
    ) async throws -> [UUID: OutboxEntry.Reason] {
        var settled: [UUID: OutboxEntry.Reason] = [:]
        for user in users {
            let app = try await world.launch(as: user)
            #expect(await app.settle())
            for entry in app.outbox.entries { settled[entry.id] = entry.reason }
            await app.outbox.close()
        }
        return settled
    }
}
