import ErrandTesting
import Testing

@testable import ErrandConnections
@testable import ErrandRuntime

/// What a server that sends all the time, or that sends nothing useful, can cost.
@Suite(.timeLimit(.minutes(2))) struct ConnectionBoundTests {
    /// Followers that bring the next event with each event, as a server does that is faster than they.
    private final class EndlessChannel: EventChannel {
        private let isOver = LockedState<Bool> { false }
        private let count = LockedState<Int> { 0 }
        private let bring: @Sendable (PersistentConnection.ArrivedFrame) -> Void
        let event: PersistentConnection.ArrivedFrame

        init(
            _ event: PersistentConnection.ArrivedFrame,
            _ bring: @escaping @Sendable (PersistentConnection.ArrivedFrame) -> Void
        ) {
            (self.event, self.bring) = (event, bring)
        }

        var published: Int { count.withLock { $0 } }
        func stop() { isOver.withLock { $0 = true } }

        func publish(_ payload: [UInt8]) -> Bool {
            count.withLock { $0 += 1 }
            if !isOver.withLock({ $0 }) { bring(event) }
            return true
        }
        func publishGap() {}
        func finish() {}
    }

    private static let notice = #"{"type":"notice","data":{"text":"x"}}"#

    /// A client whose open connection does nothing of what it is told, and its server.
    private static func heldUpParlor() async throws -> (ScriptedMessages, Parlor, PersistentConnection) {
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":5}"#) }
        let parlor = Parlor(server)
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        let connection = try connection(of: parlor)
        #expect(await holdUp(connection))
        return (server, parlor, connection)
    }

    private static func connection(of parlor: Parlor) throws -> PersistentConnection {
        try #require(parlor.binding.persistentConnection)
    }

    @Test func aFloodOfEventsKeepsNoTaskThatBringsOne() async throws {
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":5}"#) }
        let parlor = Parlor(server)
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        let connection = try Self.connection(of: parlor)
        let frame = try connection.format.read(Array(Self.notice.utf8), limit: 1_000)
        let channel = EndlessChannel(.init(frame: frame, payload: [], size: 1)) { [weak connection] event in
            connection?.handle(.notice(1), event)
        }
        connection.core.withLock { $0.channels["notice"] = channel }
        // It returns, although there is always more to do, and commands go through.
        connection.handle(.notice(1), channel.event)
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        channel.stop()
        #expect(channel.published > 0)
    }

    /// As if another task were busy with what was read before.
    @Test(arguments: [false, true]) func noMoreIsReadThanIsBeingDone(_ isNotified: Bool) async throws {
        let server = ScriptedMessages(isNotified: isNotified) { frame, line in line.reply(to: frame, #"{"is":5}"#) }
        let parlor = Parlor(server)
        let events = parlor.events(of: Parlor.Notice.self)
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        let connection = try Self.connection(of: parlor)
        connection.core.withLock { $0.isPumping = true }
        let line = try #require(server.line)
        for _ in 0..<5_000 { line.say(Self.notice) }
        #expect(await eventually { connection.core.withLock { $0.reader != nil } })
        let waiting = connection.core.withLock { $0.actions.count }
        #expect((1_024..<1_024 + 256) ~= waiting)
        let actions = connection.core.withLock { core in
            defer { core.actions = [] }
            return core.actions
        }
        connection.carryOut(PersistentConnection.Work(actions: actions))
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        var found = 0
        for await event in events {
            found += event.event == nil ? 0 : 1
            if found == 1_024 { break }
        }
        #expect(found == 1_024)
    }

    /// As if another task had begun to do what is to be done, and were held up.
    private static func holdUp(_ connection: PersistentConnection) async -> Bool {
        await eventually {
            connection.core.withLock { core in
                if core.isPumping { return false }
                core.isPumping = true
                return true
            }
        }
    }

    private static func goOn(_ connection: PersistentConnection) {
        connection.core.withLock { $0.isPumping = false }
        connection.handle(.time)
    }

    /// The elements of a subscription that arrive together are one thing to do, and a message may be long.
    @Test(arguments: [(5_000, 1), (50, 100_000)])
    func elementsAndBytesAreCounted(_ count: Int, _ size: Int) async throws {
        let server = ScriptedMessages { _, _ in }
        let parlor = Parlor(server)
        let reading = Task { for try await _ in parlor.stream(Parlor.Follow()) {} }
        #expect(await eventually { server.kinds == ["follow"] })
        let connection = try Self.connection(of: parlor)
        #expect(await Self.holdUp(connection))
        let (line, follow) = (try #require(server.line), try #require(server.frames.first))
        let text = String(repeating: "x", count: size)
        for number in 1...count { line.reply(to: follow, #"{"seq":\#(number),"text":"\#(text)"}"#) }
        #expect(await eventually { connection.core.withLock { $0.reader != nil } })
        let waiting = connection.core.withLock { $0.backlog }
        #expect(waiting.count < 1_024 + 256 && waiting.size < (1 << 20) + (64 << 10) + 2 * size + 1_024)
        Self.goOn(connection)
        reading.cancel()
        _ = await reading.result
    }

    @Test func theServerIsHeldBackAlsoWhileNothingIsDone() async throws {
        let server = ScriptedMessages { _, _ in }
        let hall = ConnectionLoadTests.Hall(server)
        let reading = Task { for try await _ in hall.stream(ConnectionLoadTests.Hall.Follow()) {} }
        #expect(await eventually { server.kinds == ["follow"] })
        let connection = try #require(hall.binding.persistentConnection)
        #expect(await Self.holdUp(connection))
        let (line, id) = (try #require(server.line), try #require(server.frames.first?.id))
        for number in 1...500 { line.say(#"{"type":"follow","id":"\#(id)","seq":\#(number)}"#) }
        #expect(await eventually { connection.core.withLock { $0.machine.pausedSince != nil } })
        let isHeldBack = connection.core.withLock { $0.link?.mayRead(orLater: {}) == false }
        #expect(isHeldBack)
        Self.goOn(connection)
        reading.cancel()
        _ = await reading.result
    }

    @Test func whatNobodyHasBegunToSendGoesOverTheNextConnection() async throws {
        let (server, parlor, connection) = try await Self.heldUpParlor()
        let poke = Task { await parlor.result(of: Parlor.Poke()) }
        #expect(await eventually { connection.core.withLock { !$0.actions.isEmpty } })
        server.line?.cut()
        #expect(await eventually { connection.core.withLock { $0.link == nil } })
        Self.goOn(connection)
        #expect(try await poke.value.get() == 5)
        #expect(server.kinds == ["ask", "poke"] && server.openings.count == 2)
    }

    /// The client closes the connection because of what the server sends.
    @Test func whatNobodyHasBegunToSendIsKnownWhenTheClientCloses() async throws {
        let (server, parlor, connection) = try await Self.heldUpParlor()
        let poke = Task { await parlor.result(of: Parlor.Poke()).failure?.context }
        #expect(await eventually { connection.core.withLock { !$0.actions.isEmpty } })
        for _ in 0..<64 { server.line?.say("nonsense") }
        #expect(await eventually { connection.core.withLock { $0.link == nil } })
        Self.goOn(connection)
        let context = await poke.value
        #expect(context?.name == "malformed" && context?.evidence == .notSent)
        #expect(server.kinds == ["ask"])
    }

    @Test func idsThatNoClientMakesAreOfNoUse() async throws {
        let server = ScriptedMessages { _, line in
            for number in 0..<64 { line.say(#"{"type":"notice","id":"stranger-\#(number)","data":{"text":"x"}}"#) }
        }
        let parlor = Parlor(server)
        #expect(await parlor.result(of: Parlor.Ask()).failure?.context.name == "malformed")
        #expect(await eventually { server.lines.first?.closed == .protocolError })
    }

    /// A transport that takes a message at once may still have it in its memory.
    @Test func whatExpectsNoReplyIsOverWhenTheSystemHasIt() async throws {
        let server = ScriptedMessages(takesAtOnce: true) { frame, line in
            if frame.kind == "ask" { line.reply(to: frame, #"{"is":5}"#) }
        }
        let parlor = Parlor(server)
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        try await parlor.send(Parlor.Wave())
        #expect(server.line?.taken.contains("wave") == false && server.kinds == ["ask", "wave"])
    }
}
