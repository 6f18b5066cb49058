import ErrandRuntime
import ErrandTesting
import PresenceClient
import TestSeeds
import Testing

/// Promise 8, and promises 1, 3 and 7 over a connection: whatever arrives over it, and however it ends, each command ends once with its
/// own reply, and a subscription loses and repeats nothing.
@Suite(.serialized) struct ConnectionPromiseTests {
    @Test func eachReplyEndsItsOwnCommand() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("8  over a connection each command ends once, with its own reply", seeds: 15) {
            simulation in
            let world = PresenceWorld(simulation)
            let dispatcher = simulation.makeDispatcher()
            // Two clients of one connection, and one of another session.
            let presence = simulation.makePresence(on: dispatcher)
            let clients = [
                presence, Presence(on: dispatcher, session: presence.binding.session),
                simulation.makePresence(on: dispatcher, user: 2),
            ]
            simulation.server.faults = FaultPlan(rate: 0.2)
            let storm = simulation.task { await world.storm() }
            let ends = await simulation.concurrently(80) { number -> String? in
                await simulation.sleep(for: .milliseconds(number * 41 % 3_000))
                if number % 27 == 0 { await presence.binding.session.end() }
                let client = clients[number % 3]
                let call = simulation.task { await Self.strangeReply(to: number, client) }
                if number % 6 == 0 {
                    await simulation.sleep(for: .milliseconds(world.random(below: 2_000)))
                    call.cancel()
                }
                return await call.value
            }
            storm.cancel()
            await storm.value
            var finding = PromiseRun.Finding(cases: ends.count)
            finding.violations += ends.compactMap { $0 }
            simulation.server.faults = .none
            await simulation.sleep(for: .seconds(700))
            let late = dispatcher.waiting
            finding.expect(late.isEmpty, "\(late.count) commands wait after ten minutes: \(late.prefix(3))")
            let pokes = simulation.server.carriedOut(Presence.Poke.self).map(\.text)
            finding.expect(Set(pokes).count == pokes.count, "poked twice")
            let messages = simulation.server.carriedOut(Presence.SendMessage.self).compactMap(\.idempotencyKey)
            finding.expect(Set(messages).count == messages.count, "written twice")
            return finding
        }
    }

    /// What is wrong with the reply to a command; nil if it is the right one, or a failure.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private static func strangeReply(to number: Int, _ presence: Presence) async -> String? {
        switch number % 5 {
        case 0:
            guard let info = try? await presence.queryInfo(of: number), info.user != number else { return nil }
            return "asked for \(number), and got \(info.user)"
        case 1:
            guard let message = try? await presence.sendMessage(room: number, text: "to \(number)"),
                (message.room, message.text) != (number, "to \(number)")
            else { return nil }
            return "wrote to \(number), and got \(message.room)"
        case 2:
            guard case .completed(let reply)? = try? await presence.poke(user: number), reply.pokes != number else {
                return nil
            }
            return "poked \(number), and got \(reply.pokes)"
        case 3: _ = await presence.result(of: Presence.SetStatus(status: .away))
        default: _ = await presence.result(of: Presence.ListRooms())
        }
        return nil
    }

    @Test func aSubscriptionLosesAndRepeatsNothing() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("8  a subscription loses and repeats nothing, over any number of connections", seeds: 15) {
            simulation in
            let world = PresenceWorld(simulation)
            let presence = try await simulation.makeLoggedInPresence()
            let server = simulation.server
            server.keepOpen(Presence.Follow.self)
            let last = 60
            let readers = (1...3).map { _ in
                simulation.task { () -> [Int] in
                    var numbers: [Int] = []
                    // A failure that ends the subscription, such as a closed connection that is a verdict, begins another one.
                    while numbers.last != last {
                        let stream = presence.follow(room: 1, since: numbers.last)
                        do {
                            for try await event in stream {
                                numbers.append(event.seq)
                                if event.seq == last { break }
                            }
                        } catch {
                            await simulation.sleep(for: .seconds(1))
                        }
                    }
                    return numbers
                }
            }
            await simulation.sleep(for: .seconds(1))
            try server.send(.json(#"{"seq": 1, "user": 1, "kind": "entered"}"#), to: Presence.Follow.self)
            await simulation.sleep(for: .seconds(1))
            let storm = simulation.task { await world.storm() }
            for number in 2...last {
                await simulation.sleep(for: .milliseconds(world.random(below: 400)))
                try server.send(.json(#"{"seq": \#(number), "user": 1, "kind": "entered"}"#), to: Presence.Follow.self)
            }
            storm.cancel()
            await storm.value
            var finding = PromiseRun.Finding(cases: readers.count * last)
            for reader in readers {
                let numbers = await reader.value
                finding.expect(numbers == Array(1...last), "got \(numbers)")
            }
            return finding
        }
    }

    /// Promise 3.
    @Test func whatIsOnceTakesEffectAtMostOnce() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check(
            "3  `once` and `keyed` over a connection take effect at most once, and tell the truth", seeds: 15
        ) {
            simulation in
            let world = PresenceWorld(simulation)
            let presence = try await simulation.makeLoggedInPresence()
            simulation.server.faults = FaultPlan(rate: 0.5)
            let storm = simulation.task { await world.storm() }
            let results = await simulation.concurrently(60) { number -> FailureContext? in
                await simulation.sleep(for: .milliseconds(number * 37 % 1_000))
                if number % 2 == 0 {
                    if case .failure(let failure) = await presence.result(of: Presence.Poke(user: number)) {
                        return failure.context
                    }
                } else if case .failure(let failure) = await presence.result(
                    of: Presence.SendMessage(room: number, text: "hello"))
                {
                    return failure.context
                }
                return nil
            }
            storm.cancel()
            await storm.value
            let pokes = simulation.server.carriedOut(Presence.Poke.self).map(\.text)
            let messages = simulation.server.carriedOut(Presence.SendMessage.self).map(\.text)
            var finding = PromiseRun.Finding(cases: results.count)
            finding.expect(Set(pokes).count == pokes.count, "poked twice")
            finding.expect(Set(messages).count == messages.count, "written twice")
            for (index, failure) in results.enumerated() {
                let number = index + 1
                let isDone =
                    number % 2 == 0
                    ? pokes.contains { $0.contains(#""user":\#(number)}"#) }
                    : messages.contains { $0.contains(#""room":\#(number),"#) }
                if let failure {
                    finding.expect(
                        failure.applied != .never || !isDone, "\(failure.name) is said to have had no effect")
                    finding.expect(failure.applied != .yes || isDone, "\(failure.name) is said to have had an effect")
                } else {
                    finding.expect(isDone, "a success without effect")
                }
            }
            return finding
        }
    }

    /// Promise 7.
    @Test func aCancelledCommandReturnsAtOnce() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("7  a cancelled command over a connection returns at once, its place is free", seeds: 15) {
            simulation in
            let world = PresenceWorld(simulation)
            let presence = try await simulation.makeLoggedInPresence()
            let clock = simulation.clock
            simulation.server.faults = FaultPlan(rate: 0.3)
            let storm = simulation.task { await world.storm() }
            let late = await simulation.concurrently(60) { number -> Duration in
                let call = simulation.task {
                    switch number % 3 {
                    case 0: _ = await presence.result(of: Presence.QueryInfo(of: number))
                    case 1: _ = await presence.result(of: Presence.Poke(user: number))
                    default:
                        var events = presence.follow(room: number).makeAsyncIterator()
                        while (try? await events.next()) ?? nil != nil {}
                    }
                }
                await simulation.sleep(for: .milliseconds(number * 67 % 4_000))
                let start = clock.now
                call.cancel()
                await call.value
                return start.duration(to: clock.now)
            }
            storm.cancel()
            await storm.value
            var finding = PromiseRun.Finding(cases: late.count)
            finding.expect(late.allSatisfy { $0 == .zero }, "returned after \(late.max() ?? .zero)")
            // All places of the connection are free again: as many as there are go in the same moment.
            simulation.server.faults = .none
            await simulation.sleep(for: .seconds(700))
            _ = try await presence.queryInfo(of: 0)
            simulation.server.latency = .seconds(1)...(.seconds(1))
            let before = simulation.server.received.count
            _ = await simulation.concurrently(256) { _ = await presence.result(of: Presence.QueryInfo(of: $0)) }
            let moments = simulation.server.received.dropFirst(before).map(\.moment)
            // A frame follows the one before after a nanosecond.
            let spread = (moments.max() ?? .zero) - (moments.min() ?? .zero)
            finding.expect(spread < .milliseconds(1), "of 256 requests some had to wait: they came within \(spread)")
            return finding
        }
    }

    /// Promise 1.
    @Test func everyCommandCompletesExactlyOnce() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("1  every command over a connection is told to have ended exactly once", seeds: 15) {
            simulation in
            let world = PresenceWorld(simulation)
            let chronicle = CommandChronicle()
            let dispatcher = simulation.makeDispatcher(observers: [chronicle])
            let presence = simulation.makePresence(on: dispatcher)
            simulation.server.faults = FaultPlan(rate: 0.3)
            let told = Tally()
            let watch = simulation.task {
                for await _ in dispatcher.completions(of: Presence.QueryInfo.self) { await told.add() }
            }
            await simulation.sleep(for: .milliseconds(1))
            let storm = simulation.task { await world.storm() }
            let ended = await simulation.concurrently(60) { number -> Int in
                await simulation.sleep(for: .milliseconds(number * 71 % 5_000))
                switch number % 4 {
                case 0: _ = await presence.result(of: Presence.QueryInfo(of: number))
                case 1: _ = await presence.result(of: Presence.Poke(user: number))
                case 2: _ = await presence.result(of: Presence.SetStatus(status: .busy))
                default: _ = await presence.result(of: Presence.SendMessage(room: number, text: "a"))
                }
                return 1
            }
            storm.cancel()
            await storm.value
            await simulation.sleep(for: .milliseconds(1))
            watch.cancel()
            var finding = PromiseRun.Finding(cases: ended.count)
            let count = await told.count
            finding.expect(count == 15, "\(count) of 15 endings were told")
            // A login that was begun for a command that was cancelled continues.
            await simulation.sleep(for: .seconds(700))
            let faults = Dictionary(grouping: chronicle.events, by: \.command.id).values.flatMap(
                CommandChronicle.faults)
            finding.expect(faults.isEmpty, "\(faults.prefix(3))")
            return finding
        }
    }
}
