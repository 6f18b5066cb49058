import ErrandTesting
import Foundation
import Testing

@testable import ErrandDurable
@testable import ErrandRuntime

/// What an outbox does with commands, in one process and in the next.
@Suite struct OutboxTests {
    @Test func aCommandIsDeliveredAndItsResultHasTheID() async throws {
        let world = OutboxWorld()
        let app = try await world.launch()
        var results = app.outbox.completions(of: PostOffice.SendLetter.self).makeAsyncIterator()
        let id = try await app.outbox.submit(PostOffice.SendLetter(text: "dear"))
        let completion = await results.next()
        #expect(completion?.id == id)
        #expect((try? completion?.result.get()) != nil)
        #expect(await app.wait { $0.isEmpty })
        #expect(world.seen.applied == ["dear": 1])
        #expect(await world.store.intents(of: OutboxWorld.service, after: 0, limit: 9).isEmpty)
    }

    @Test func theInputsAreSentAsTheCommandWritesThem() async throws {
        let requests = LockedState<[TransportRequest]> { [] }
        let dispatcher = Dispatcher(
            transport: ScriptedTransport { request, _ in
                requests.withLock { $0.append(request) }
                return TransportResponse(status: 204)
            })
        let office = PostOffice(
            binding: ServiceBinding(
                PostOffice.service, server: "https://post.example", on: dispatcher, session: Session()))
        let command = PostOffice.SayHello(text: "hé \"&?/")
        try await office.send(command)
        let outbox = try await Outbox(of: office, in: MemoryOutboxStore())
        try await outbox.submit(command)
        while requests.withLock({ $0.count }) < 2 { await Task.yield() }
        let sent = requests.withLock { $0 }
        #expect(sent[0].url == sent[1].url)
        #expect(sent[0].body == sent[1].body)
        #expect(sent[0].headers.fields.map(\.name) == sent[1].headers.fields.map(\.name))
        #expect(sent[1].command == PostOffice.SayHello.self)
    }

    @Test func theCommandsOfALaneGoInOrder() async throws {
        let world = OutboxWorld { text, number in text == "a" && number < 6 ? .isLost : .arrives }
        let app = try await world.launch()
        for text in ["a", "b", "c", "d"] { try await app.outbox.submit(PostOffice.SendLetter(text: text)) }
        #expect(await app.wait { $0.isEmpty })
        #expect(world.seen.order == ["a", "b", "c", "d"])
    }

    /// The commands behind a command that is taken out of its lane go on.
    @Test func aLaneGoesOnAfterACommandIsCanceledInIt() {
        var state = QueueState()
        for number in 1...3 {
            let isNew = state.add(OutboxWorld.intent(number, lane: "letters"))
            #expect(isNew)
        }
        state.isDelivering = true
        func take() -> Int? { state.takeNext(atMost: 1) { _ in true }?.number }
        func settle(_ number: Int) {
            state.release(number)
            state.change(number, IntentProgress(state: .settled, reason: .failed, since: .distantPast))
        }
        #expect(take() == 1)
        settle(1)
        // It is submitted again, as the last of its lane, and canceled there.
        state.change(1, IntentProgress(state: .waiting, reason: .submitted, since: .distantPast))
        state.change(1, IntentProgress(state: .settled, reason: .cancelled, since: .distantPast))
        #expect(take() == 2)
        settle(2)
        #expect(take() == 3)
    }

    @Test func aRefusedCommandStaysVisibleAndCanBeSentAgain() async throws {
        let world = OutboxWorld { _, number in number == 1 ? .isRefused(409) : .arrives }
        let app = try await world.launch()
        let id = try await app.outbox.submit(PostOffice.SendLetter(text: "a"))
        #expect(await app.wait { $0.first?.state == .settled })
        let entry = try #require(app.outbox.entries.first)
        #expect(entry.id == id)
        #expect(entry.reason == .failed)
        #expect(entry.failure?.isEmpty == false)
        #expect(await app.outbox.retry(id))
        #expect(await app.wait { $0.isEmpty })
        #expect(world.seen.applied == ["a": 1])
    }

    /// An app hears that a command is settled a moment before the command's run ends.
    @Test func aCommandCanBeSentAgainWhileItsRunEnds() async throws {
        let world = OutboxWorld { _, number in number == 1 ? .isRefused(409) : .arrives }
        let app = try await world.launch()
        let id = try await app.outbox.submit(PostOffice.SendLetter(text: "a"))
        #expect(await app.settle())
        let queue = app.outbox.queue
        let number = try #require(queue.state.withLock { $0.intent(id)?.number })
        while queue.state.withLock({ $0.runs[number] != nil }) { await Task.yield() }
        let (gate, opening) = AsyncStream<Never>.makeStream()
        queue.state.withLock { state in
            let isHeld = state.hold(number)
            #expect(isHeld)
            state.runs[number]?.task = Task {
                for await _ in gate {}
                queue.state.withLock { $0.release(number) }
            }
        }
        let again = Task { await app.outbox.retry(id) }
        // Enough for the call to find the run.
        for _ in 0..<1_000 { await Task.yield() }
        opening.finish()
        #expect(await again.value)
        #expect(await app.wait { $0.isEmpty })
        #expect(world.seen.applied == ["a": 1])
    }

    @Test func respondersAreToldOnceOfAllThatCouldNotBeDelivered() async throws {
        let asked = LockedState<[String]> { [] }
        let (calls, call) = AsyncStream.makeStream(of: Void.self)
        let world = OutboxWorld { _, _ in .isRefused(409) }
        let app = try await world.launch(
            responder: ScriptedResponder { incident in
                asked.withLock { $0.append(incident.name) }
                call.yield()
                try? await Task.sleep(for: .milliseconds(300))
                return .fail
            })
        for number in 1...20 { try await app.outbox.submit(PostOffice.MoveIn(text: "\(number)")) }
        #expect(await app.settle())
        for await _ in calls { break }
        #expect(asked.withLock { $0 } == ["UndeliveredCommands"])
    }

    @Test func respondersAreToldOnceThatTheStoreHasLostCommands() async throws {
        let (asked, ask) = AsyncStream<String>.makeStream()
        let world = OutboxWorld()
        world.isLost.withLock { $0 = true }
        let responder = ScriptedResponder { incident in
            ask.yield(incident.name)
            return .fail
        }
        let app = try await world.launch(responder: responder)
        for await name in asked {
            #expect(name == "LostCommands")
            break
        }
        while world.isLost.withLock({ $0 }) { await Task.yield() }
        await app.outbox.close()
    }

    @Test func aSettledCommandIsRemovedByTheApp() async throws {
        let world = OutboxWorld { _, _ in .isRefused(409) }
        let app = try await world.launch()
        let id = try await app.outbox.submit(PostOffice.SendLetter(text: "a"))
        #expect(await app.settle())
        #expect(try await app.outbox.remove(id))
        #expect(app.outbox.entries.isEmpty)
        #expect(await world.store.intents(of: OutboxWorld.service, after: 0, limit: 9).isEmpty)
    }

    @Test func aCancelledCommandIsNotSent() async throws {
        let pause = RetryRule(attempts: .max, base: .seconds(60), cap: .seconds(60))
        let slow = OutboxWorld { _, number in number < 3 ? .isLost : .arrives }
        let other = try await slow.launch(settings: OutboxSettings(pause: pause))
        let id = try await other.outbox.submit(PostOffice.SendLetter(text: "a"))
        #expect(await other.wait { $0.first?.nextAttempt != nil })
        #expect(await other.outbox.cancel(id))
        // Its first attempt may have arrived.
        #expect(other.outbox.entries.map(\.reason) == [.unconfirmed])
        let idempotent = try await other.outbox.submit(PostOffice.MoveIn(text: "b"))
        #expect(await other.wait { $0.count == 1 })
        #expect(await !other.outbox.cancel(idempotent))
        #expect(slow.seen.applied == ["b": 1])
    }

    // MARK: What is not taken

    @Test func sensitiveInputsNeedASeal() async throws {
        let world = OutboxWorld()
        let app = try await world.launch()
        let command = PostOffice.SayHello(text: "hi", pin: "canary-pin")
        await #expect(throws: OutboxError.sensitiveInputs) { try await app.outbox.submit(command) }
        await app.outbox.close()
        let seal = OutboxSeal(seal: { $0.map { $0 ^ 0x5A } }, open: { $0.map { $0 ^ 0x5A } })
        let paused = RetryRule(attempts: .max, base: .seconds(60), cap: .seconds(60))
        let lost = OutboxWorld { _, _ in .isLost }
        let sealed = try await lost.launch(seal: seal, settings: OutboxSettings(pause: paused))
        try await sealed.outbox.submit(command)
        let kept = try #require(await lost.store.intents(of: OutboxWorld.service, after: 0, limit: 1).first)
        let bytes = try #require(await lost.store.inputs(of: kept.number))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("canary-pin"))
        #expect(await sealed.wait { $0.first?.failure != nil })
        #expect(sealed.outbox.entries.first?.failure?.contains("canary-pin") == false)
    }

    @Test func aCommandWithoutItsUserIsRefused() async throws {
        let app = try await OutboxWorld().launch(as: nil)
        await #expect(throws: OutboxError.noSession) {
            try await app.outbox.submit(PostOffice.SendLetter(text: "a"))
        }
        try await app.outbox.submit(PostOffice.SayHello(text: "b"))
        #expect(await app.wait { $0.isEmpty })
    }

    @Test func anOutboxHasBounds() async throws {
        let world = OutboxWorld { _, _ in .isRefused(409) }
        let app = try await world.launch(settings: OutboxSettings(maximumCommands: 1, maximumSize: 1_000))
        await #expect(throws: OutboxError.tooLarge) {
            try await app.outbox.submit(PostOffice.SayHello(text: String(repeating: "a", count: 2_000)))
        }
        try await app.outbox.submit(PostOffice.SayHello(text: "a"))
        await #expect(throws: OutboxError.full) { try await app.outbox.submit(PostOffice.SayHello(text: "b")) }
    }

    @Test func aProblemOfTheStoreRefusesTheCommand() async throws {
        let app = try await OutboxWorld().launch(ProcessLife(steps: 0))
        await #expect(throws: OutboxError.store(.closed)) {
            try await app.outbox.submit(PostOffice.SayHello(text: "a"))
        }
    }
}
