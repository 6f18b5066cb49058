import ErrandTesting
import Foundation
import Testing

@testable import ErrandDurable
@testable import ErrandRuntime

/// What the next process does with the commands of one that has ended.
@Suite struct OutboxRestartTests {
    /// A process that ends when the server has its first request.
    private func end(
        _ world: OutboxWorld, _ command: some DurableCommand, steps: Int
    ) async throws {
        let life = ProcessLife(steps: steps)
        let app = try await world.launch(life)
        if let command = command as? any Posting { _ = try await Self.submit(command, app) }
        while !life.isOver { await Task.yield() }
        await app.outbox.close()
    }

    private static func submit<C: Posting>(_ command: C, _ app: OutboxWorld.App) async throws -> UUID {
        try await app.outbox.submit(command)
    }

    // Steps: 2 for the append, 2 for the note, 1 before the request arrives, 1 after its response.

    @Test(arguments: [3, 4, 5, 6, 7, 8]) func aKeyedCommandIsSentAgainWithItsKey(_ steps: Int) async throws {
        let world = OutboxWorld()
        try await end(world, PostOffice.SendLetter(text: "a"), steps: steps)
        let next = try await world.launch()
        #expect(await next.wait { $0.isEmpty })
        #expect(world.seen.applied == ["a": 1])
    }

    @Test func aKeyThatTheServerHasForgottenIsNotUsed() async throws {
        let world = OutboxWorld()
        try await end(world, PostOffice.SendLetter(text: "a"), steps: 6)
        world.pass(3_700)
        let next = try await world.launch()
        #expect(await next.settle())
        #expect(next.outbox.entries.map(\.reason) == [.unconfirmed])
        #expect(world.seen.applied == ["a": 1])
        let id = try #require(next.outbox.entries.first?.id)
        #expect(await !next.outbox.retry(id))
    }

    /// A correction of the device's date is no reason to give up.
    @Test(arguments: [-2.0, -60, 60]) func aClockThatIsCorrectedChangesNothing(_ seconds: Double) async throws {
        let world = OutboxWorld()
        try await end(world, PostOffice.SendLetter(text: "a"), steps: 6)
        world.correct(seconds)
        let next = try await world.launch()
        #expect(await next.wait { $0.isEmpty })
        #expect(world.seen.applied == ["a": 1])
    }

    /// The date says that the server still knows the key.
    @Test func aCorrectionMakesNoKeyYounger() async throws {
        let world = OutboxWorld()
        try await end(world, PostOffice.SendLetter(text: "a"), steps: 6)
        world.pass(OutboxWorld.keyMemory + 10)
        world.correct(-60)
        let next = try await world.launch()
        #expect(await next.settle())
        #expect(next.outbox.entries.map(\.reason) == [.unconfirmed])
        #expect(world.seen.applied == ["a": 1])
    }

    @Test(arguments: [-61.0, -86_400]) func aClockThatIsSetBackMakesAKeyUnknown(_ seconds: Double) async throws {
        let world = OutboxWorld()
        try await end(world, PostOffice.SendLetter(text: "a"), steps: 6)
        world.correct(seconds)
        let next = try await world.launch()
        #expect(await next.settle())
        #expect(next.outbox.entries.map(\.reason) == [.unconfirmed])
    }

    @Test func aCommandThatMayHaveTakenEffectOnceIsUnconfirmed() async throws {
        let world = OutboxWorld()
        try await end(world, PostOffice.PrintStamp(text: "a"), steps: 6)
        let next = try await world.launch()
        #expect(await next.settle())
        #expect(next.outbox.entries.map(\.reason) == [.unconfirmed])
        #expect(world.seen.applied == ["a": 1])
        let id = try #require(next.outbox.entries.first?.id)
        #expect(await !next.outbox.retry(id))
    }

    @Test func aCommandThatWasNeverSentIsSent() async throws {
        let world = OutboxWorld()
        try await end(world, PostOffice.PrintStamp(text: "a"), steps: 3)
        let next = try await world.launch()
        #expect(await next.wait { $0.isEmpty })
        #expect(world.seen.applied == ["a": 1])
    }

    /// The read finds nothing, and the request may still be on its way.
    @Test func aPaymentThatIsNotFoundIsUnconfirmed() async throws {
        let world = OutboxWorld()
        try await end(world, PostOffice.Pay(text: "a"), steps: 5)
        let next = try await world.launch()
        #expect(await next.settle())
        #expect(next.outbox.entries.map(\.reason) == [.unconfirmed])
        #expect(world.seen.applied.isEmpty)
    }

    @Test func aReadSettlesAPayment() async throws {
        let world = OutboxWorld()
        try await end(world, PostOffice.Pay(text: "a"), steps: 6)
        let next = try await world.launch()
        #expect(await next.wait { $0.isEmpty })
        #expect(world.seen.applied == ["a": 1])
    }

    @Test func anIdempotentCommandIsSentAgain() async throws {
        let world = OutboxWorld()
        try await end(world, PostOffice.MoveIn(text: "a"), steps: 6)
        let next = try await world.launch()
        #expect(await next.wait { $0.isEmpty })
        #expect(world.seen.applied == ["a": 2])
    }

    /// The date may go on while the clock of the time limits stands still, and so does the command at its gate.
    @Test func aCommandThatWaitsForTheNetworkIsNotSentAfterItsLifetime() async throws {
        let world = OutboxWorld()
        let network = ScriptedPathMonitor(.unsatisfied)
        let app = try await world.launch(network: network)
        try await app.outbox.submit(PostOffice.SendLetter(text: "a"))
        world.pass(7_300)
        network.comeBack()
        #expect(await app.settle())
        #expect(app.outbox.entries.map(\.reason) == [.expired])
        #expect(world.seen.requests == 0)
    }

    @Test func aCommandEndsWithItsLifetime() async throws {
        let world = OutboxWorld()
        try await end(world, PostOffice.SendLetter(text: "a"), steps: 3)
        world.pass(7_300)
        let next = try await world.launch()
        #expect(await next.settle())
        #expect(next.outbox.entries.map(\.reason) == [.expired])
        #expect(world.seen.requests == 0)
    }

    @Test func aCommandWithOtherInputsIsObsoleteAndReadable() async throws {
        let world = OutboxWorld()
        let now = Date(timeIntervalSince1970: 1_000_000)
        let inputs = EncodedInputs(path: "/old", query: "a=1")
        let kept = KeptIntent(
            number: 0, id: UUID(), service: OutboxWorld.service, endpoint: "sendLetter", fingerprint: "0",
            effect: .keyed,
            owner: "user:ada", lane: nil, submitted: now, expires: now + 60, key: "k", isSealed: false,
            progress: IntentProgress(state: .waiting, reason: .submitted, since: now))
        _ = await world.store.append(kept, inputs: try #require(inputs.keptBytes))
        let app = try await world.launch()
        #expect(await app.settle())
        #expect(app.outbox.entries.map(\.reason) == [.obsolete])
        #expect(try await app.outbox.inputs(of: kept.id)?.path == "/old?a=1")
        #expect(await !app.outbox.retry(kept.id))
        #expect(world.seen.requests == 0)
    }

    /// The version of the app before had no `color`.
    @Test(arguments: ["1", "3 1", "2 1 a", "4 1 a"])
    func aCommandFromBeforeAnOptionalInputIsSentWithoutIt(_ fingerprint: String) async throws {
        let world = OutboxWorld()
        let app = try await world.launch(keeping: Self.sign(fingerprint))
        #expect(await app.wait { $0.isEmpty })
        #expect(world.seen.applied == ["old": 1])
    }

    /// It has an input that this version doesn't have, or lacks one that it requires.
    @Test(arguments: ["3 1 b", "3 1 a b", "3 2", "0", "3 2 a", ""])
    func aCommandWithAnotherInputIsObsolete(_ fingerprint: String) async throws {
        let world = OutboxWorld()
        let app = try await world.launch(keeping: Self.sign(fingerprint))
        #expect(await app.settle())
        #expect(app.outbox.entries.map(\.reason) == [.obsolete])
        #expect(world.seen.requests == 0)
    }

    private static func sign(_ fingerprint: String) -> (KeptIntent, EncodedInputs) {
        let now = Date(timeIntervalSince1970: 1_000_000)
        var inputs = EncodedInputs(path: "/sign")
        inputs.headers = [HTTPHeaders.Field("X-Text", "old")]
        inputs.body = EncodedBody(form: .json, type: "application/json", bytes: Array(#"{"text":"old"}"#.utf8))
        return (
            KeptIntent(
                number: 0, id: UUID(), service: OutboxWorld.service, endpoint: "sign", fingerprint: fingerprint,
                effect: .idempotent, owner: "user:ada", lane: nil, submitted: now, expires: now + 60, key: nil,
                isSealed: false, progress: IntentProgress(state: .waiting, reason: .submitted, since: now)), inputs
        )
    }

    @Test func damagedInputsSettleTheCommand() async throws {
        let world = OutboxWorld()
        let now = Date(timeIntervalSince1970: 1_000_000)
        let kept = KeptIntent(
            number: 0, id: UUID(), service: OutboxWorld.service, endpoint: "sendLetter", fingerprint: "1",
            effect: .keyed,
            owner: "user:ada", lane: nil, submitted: now, expires: now + 60, key: "k", isSealed: false,
            progress: IntentProgress(state: .waiting, reason: .submitted, since: now))
        _ = await world.store.append(kept, inputs: Array("{\"version\":2}".utf8))
        let app = try await world.launch()
        #expect(await app.settle())
        #expect(app.outbox.entries.map(\.reason) == [.unreadable])
    }

    // MARK: Users and processes

    /// Another server may have another user of this name.
    @Test func aCommandGoesToTheServerOfItsClientOnly() async throws {
        let world = OutboxWorld()
        try await end(world, PostOffice.SendLetter(text: "a"), steps: 3)
        let other = try await world.launch(server: "https://letters.example")
        #expect(other.outbox.entries.isEmpty)
        try await other.outbox.submit(PostOffice.SendLetter(text: "b"))
        #expect(await other.wait { $0.isEmpty })
        #expect(world.seen.order == ["b"])
        let next = try await world.launch()
        #expect(await next.wait { $0.isEmpty })
        #expect(world.seen.order == ["b", "a"])
    }

    @Test func aCommandWaitsUnseenForItsUser() async throws {
        let world = OutboxWorld()
        try await end(world, PostOffice.SendLetter(text: "a"), steps: 3)
        let next = try await world.launch(as: "bob")
        #expect(next.outbox.entries.isEmpty)
        try await next.outbox.submit(PostOffice.SendLetter(text: "b"))
        #expect(await next.wait { $0.isEmpty })
        await next.session.end()
        await next.logIn("ada")
        #expect(await next.wait { $0.isEmpty && world.seen.applied.count == 2 })
        #expect(world.seen.users == ["a": ["ada"], "b": ["bob"]])
    }

    @Test func oneProcessSendsAtATime() async throws {
        let world = OutboxWorld()
        let app = try await world.launch()
        let other = try await world.launch()
        try await other.outbox.submit(PostOffice.SendLetter(text: "a"))
        #expect(world.seen.requests == 0)
        try await app.outbox.refresh()
        #expect(await app.wait { $0.isEmpty })
        #expect(world.seen.applied == ["a": 1])
        await app.outbox.close()
        try await other.outbox.submit(PostOffice.SendLetter(text: "b"))
        try await other.outbox.refresh()
        #expect(await other.wait { $0.isEmpty })
        #expect(world.seen.applied == ["a": 1, "b": 1])
    }
}
