import ErrandTesting
import Foundation
import Testing

@testable import ErrandConnections
@testable import ErrandRuntime

/// What goes wrong on a connection, and the end that each of it has.
@Suite(.timeLimit(.minutes(2))) struct ConnectionLossTests {
    /// Cuts the first connection when the first frame arrives, and answers every later one.
    private static func cutsOnce() -> ScriptedMessages {
        ScriptedMessages { frame, line in
            if line.number == 1 { line.cut() } else { line.reply(to: frame, #"{"is":5}"#) }
        }
    }

    // MARK: By its effect

    @Test func aReadIsAskedAgain() async throws {
        let server = Self.cutsOnce()
        #expect(try await Parlor(server).send(Parlor.Ask()) == 5)
        #expect(server.kinds == ["ask", "ask"])
        #expect(server.openings.count == 2)
    }

    @Test func aKeyedCommandIsSentAgainWithItsKey() async throws {
        let server = Self.cutsOnce()
        #expect(try await Parlor(server).send(Parlor.Post()) == 5)
        #expect(server.frames.count == 2)
        #expect(server.frames.first?.data == server.frames.last?.data)
    }

    @Test func aCommandThatWasSentOnceEndsAsUnconfirmed() async throws {
        let server = Self.cutsOnce()
        let failure = await Parlor(server).result(of: Parlor.Poke()).failure
        #expect(failure?.context.name == "unconfirmed")
        #expect(server.kinds == ["poke"])
    }

    @Test func whatWasNotSentIsSent() async throws {
        let server = ScriptedMessages { frame, line in
            if frame.kind == "ask" { line.refuseToTake() }
            line.reply(to: frame, #"{"is":5}"#)
        }
        let parlor = Parlor(server)
        _ = try await parlor.send(Parlor.Ask())
        // The transport refuses it without sending any of it.
        let reply = try await parlor.reply(to: Parlor.Poke())
        #expect(reply.value == 5)
        #expect(server.kinds == ["ask", "poke"])
        #expect(server.openings.count == 2)
    }

    @Test func aCommandWithoutAReplyThatMayHaveBeenSentIsUnconfirmed() async throws {
        struct Cut: MessageTransport {
            func open(_ opening: ConnectionOpening) async throws(OpeningFault) -> any MessageConnection { Line() }
        }
        final class Line: MessageConnection {
            let inbox = MessageInbox()
            func send(_ message: [UInt8]) async throws(TransportFault) { throw TransportFault(.lost, evidence: .sent) }
            func ping() async throws(TransportFault) {}
            func receive() async throws(TransportFault) -> ReceivedMessage { try await inbox.next {}.get() }
            func close(_ code: CloseCode) async {}
        }
        var parlor = Parlor(nil)
        parlor.binding = ServiceBinding(
            Parlor.service, server: "wss://parlor.example",
            on: Dispatcher(
                transport: ScriptedTransport { _, _ in TransportResponse(status: 500) },
                settings: DispatcherSettings(messageTransport: Cut())), session: Session())
        #expect(await parlor.result(of: Parlor.Wave()).failure?.context.name == "unconfirmed")
    }

    // MARK: Frames that belong to nothing

    @Test(arguments: [
        (#"{"type":"ask","id":"1","data":{"is":6}}"#, "late"), (#"{"type":"ask","id":"99","data":{}}"#, "unknown"),
        (#"{"type":"new","data":{}}"#, "unfollowed"), (#"{"type":"ask","id":"mine","data":{}}"#, "unknown"),
        ("no JSON", "unreadable"), (#"{"id":"1"}"#, "unreadable"), (#"[1]"#, "unreadable"),
    ])
    func aStrayFrameIsDropped(_ text: String, _ reason: String) async throws {
        let feed = ReportFeed()
        let server = ScriptedMessages { frame, line in
            line.reply(to: frame, #"{"is":5}"#)
            if frame.id == "1" { line.say(text) }
        }
        let parlor = Parlor(server, observers: [feed])
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        #expect(await eventually { feed.drops == [reason] }, "\(feed.drops)")
        #expect(server.openings.count == 1)
    }

    @Test func binaryIsDroppedAndSoIsAReplyToACommandWithoutOne() async throws {
        let feed = ReportFeed()
        let server = ScriptedMessages { frame, line in
            if frame.kind == "wave" { line.put(.binary(count: 3)) }
            line.reply(to: frame, #"{"is":5}"#)
        }
        let parlor = Parlor(server, observers: [feed])
        try await parlor.send(Parlor.Wave())
        #expect(await eventually { feed.drops.count == 2 })
        #expect(feed.drops.sorted() == ["late", "unreadable"])
        #expect(try await parlor.send(Parlor.Ask()) == 5)
    }

    @Test func aServerThatSendsNonsenseIsLeft() async throws {
        let feed = ReportFeed()
        let server = ScriptedMessages { frame, line in
            if line.number == 1 {
                for _ in 0..<64 { line.say("nonsense") }
            } else {
                line.reply(to: frame, #"{"is":5}"#)
            }
        }
        let failure = await Parlor(server, observers: [feed]).result(of: Parlor.Ask()).failure
        #expect(failure?.context.name == "malformed")
        #expect(await eventually { server.lines.first?.closed == .protocolError })
        // The first eight, and then each power of two.
        #expect(feed.drops.count <= 11)
    }

    @Test func aReplyOfTheWrongKindIsMalformed() async throws {
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":5}"#, kind: "look") }
        let parlor = Parlor(server)
        let failure = await parlor.result(of: Parlor.Ask()).failure
        #expect(failure?.context.name == "malformed")
        #expect(await parlor.result(of: Parlor.Poke()).failure?.context.name == "unconfirmed")
        #expect(server.openings.count == 1)
    }

    @Test func aPayloadThatBreaksTheContractIsMalformedAndSaysWhere() async throws {
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":"x"}"#) }
        let failure = await Parlor(server).result(of: Parlor.Ask()).failure
        #expect(failure?.context.name == "malformed")
        #expect(failure?.context.decodingError?.path.description.contains("is") == true)
    }

    @Test func aMessageThatIsTooLongEndsTheConnection() async throws {
        let server = ScriptedMessages { _, line in line.fail(TransportFault(.oversized, evidence: .sent)) }
        let failure = await Parlor(server).result(of: Parlor.Ask()).failure
        #expect(failure?.context.name == "malformed")
    }

    @Test func aReplyThatNeverComesTimesOut() async throws {
        let server = ScriptedMessages(answersPings: true) { _, _ in }
        let parlor = Parlor(server).with {
            $0.timeout = .milliseconds(50)
            $0.attempts = 2
        }
        let failure = await parlor.result(of: Parlor.Ask()).failure
        #expect(failure?.context.name == "timedOut")
        #expect(failure?.context.evidence == .sent)
        #expect(server.kinds == ["ask", "ask"] && server.openings.count == 1)
    }

    // MARK: Closed connections

    @Test(
        arguments: [
            (1000, "connectionLost", 3), (1001, "connectionLost", 3), (1002, "malformed", 1), (1008, "rejected", 1),
            (1011, "serverFault", 1), (1012, "maintenance", 3), (1014, "unavailable", 3), (3008, "timedOut", 3),
            (4001, "rejected", 1),
        ] as [(UInt16, String, Int)])
    func aCloseCodeHasItsRow(_ code: UInt16, _ name: String, _ attempts: Int) async throws {
        let server = ScriptedMessages { _, line in line.close(by: code) }
        let failure = await Parlor(server).result(of: Parlor.Ask()).failure
        #expect(failure?.context.name == name)
        #expect(failure?.context.attempts == attempts)
    }

    @Test func aCommandThatIsSentOnceMayHaveBeenCarriedOutWhenTheServerCloses() async throws {
        let server = ScriptedMessages { _, line in line.close(by: 1012) }
        #expect(await Parlor(server).result(of: Parlor.Poke()).failure?.context.name == "unconfirmed")
        #expect(server.kinds == ["poke"])
    }

    // MARK: Opening

    @Test func aRefusedHandshakeIsClassifiedAsAResponse() async throws {
        let refusal = TransportResponse(status: 503, headers: ["Retry-After": "0"])
        let server = ScriptedMessages(accept: { _, number in number < 3 ? .refused(refusal) : nil }) { frame, line in
            line.reply(to: frame, #"{"is":5}"#)
        }
        // Nothing of it was sent, so it is sent whatever its effect is.
        let reply = try await Parlor(server).reply(to: Parlor.Poke())
        #expect(reply.value == 5)
        #expect(server.openings.count == 3 && server.kinds == ["poke"])
    }

    @Test func aHandshakeThatIsRefusedForGoodEndsTheCommand() async throws {
        let server = ScriptedMessages(accept: { _, _ in .refused(TransportResponse(status: 403)) }) { _, _ in }
        let failure = await Parlor(server).result(of: Parlor.Poke()).failure
        #expect(failure?.context.name == "rejected")
        #expect(failure?.context.applied == .never && failure?.context.status == 403)
    }

    /// A server that knows nothing of WebSocket answers the handshake like any other request, and so does the login page of a network.
    @Test(arguments: [200, 204, 206]) func aHandshakeThatIsAnsweredLikeARequestIsNoSuccess(_ status: Int) async throws {
        let page = TransportResponse(status: status, body: Array(#"{"is":5}"#.utf8))
        let server = ScriptedMessages(accept: { _, _ in .refused(page) }) { _, _ in }
        let parlor = Parlor(server, session: Session(tokens: SessionTokens(access: "right")))
        let contexts = [
            await parlor.result(of: Parlor.Ask()).failure?.context,
            await parlor.result(of: Parlor.Wave()).failure?.context,
            await parlor.result(of: Parlor.Look()).failure?.context,
        ]
        for context in contexts { #expect(context?.name == "malformed" && context?.applied == .never) }
        var name: String?
        do throws(Parlor.Failure) {
            for try await _ in parlor.stream(Parlor.Follow()) { Issue.record("an element") }
        } catch {
            name = error.context.name
        }
        #expect(name == "malformed")
    }

    /// Nothing of the login was sent, so another password would change nothing.
    @Test(arguments: [
        (status: 302, name: "malformed"), (status: 401, name: "rejected"), (status: 403, name: "rejected"),
    ])
    func aRefusedHandshakeRefusesNoCredentials(_ status: Int, _ name: String) async throws {
        let server = ScriptedMessages(accept: { _, _ in .refused(TransportResponse(status: status)) }) { _, _ in }
        let parlor = Parlor(server, session: Session { Parlor.LogIn() })
        let context = await parlor.result(of: Parlor.Look()).failure?.context
        #expect(context?.name == name && context?.applied == .never)
        #expect(server.openings.count == 1)
    }

    @Test func aServerThatAsksForMoreTimeThanThereIsEndsTheCommand() async throws {
        let refusal = TransportResponse(status: 503, headers: ["Retry-After": "600"])
        let server = ScriptedMessages(accept: { _, _ in .refused(refusal) }) { _, _ in }
        let failure = await Parlor(server).result(of: Parlor.Ask()).failure
        #expect(failure?.context.name == "unavailable")
        #expect(failure?.context.retryAfter == .seconds(600))
        #expect(server.openings.count == 1)
    }

    @Test func aServerThatIsDownCostsOneOpeningForAllCommandsAndTheBudget() async throws {
        let down = TransportFault(.refused, evidence: .notSent)
        let first = Suspension<Void>()
        let server = ScriptedMessages(
            accept: { _, number in
                if number == 1 { await first.value(ifCancelled: ()) }
                return .failed(down)
            }) { _, _ in }
        let parlor = Parlor(server)
        let commands = (0..<60).map { _ in
            Task { await parlor.result(of: Parlor.Ask()).failure?.context.name ?? "success" }
        }
        // A command that came later would have seen no failure, and could open once more without a token.
        let connection = try #require(parlor.binding.persistentConnection)
        #expect(await eventually(within: .seconds(60)) { connection.core.withLock { $0.requests.count } == 60 })
        first.end(())
        var names: Set<String> = []
        for command in commands { names.insert(await command.value) }
        #expect(names == ["unreachable"])
        // One without a token, and one for each token of the budget.
        #expect(server.openings.count <= 11, "\(server.openings.count)")
    }

    // MARK: Leaving

    @Test func aCommandIsCancelledWhereverItWaits() async throws {
        // For the reply.
        let silent = ScriptedMessages { _, _ in }
        let first = Parlor(silent)
        let reply = Task { await first.result(of: Parlor.Ask()).failure?.context.name }
        #expect(await eventually { !silent.frames.isEmpty })
        reply.cancel()
        #expect(await reply.value == "cancelled")
        // For the opening.
        let closed = ScriptedMessages(accept: { _, _ in
            try? await Task.sleep(for: .seconds(100))
            return .failed(TransportFault(.cancelled, evidence: .notSent))
        }) { _, _ in }
        let second = Parlor(closed)
        let opening = Task { await second.result(of: Parlor.Poke()).failure?.context }
        #expect(await eventually { !closed.openings.isEmpty })
        opening.cancel()
        let context = await opening.value
        #expect(context?.name == "cancelled" && context?.applied == .never)
        // At the gate.
        let refusal = TransportResponse(status: 503, headers: ["Retry-After": "20"])
        let busy = ScriptedMessages(accept: { _, _ in .refused(refusal) }) { _, _ in }
        let third = Parlor(busy).with { $0.deadline = .seconds(60) }
        let gate = Task { await third.result(of: Parlor.Poke()).failure?.context.name }
        let dispatcher = third.binding.dispatcher
        #expect(await eventually { dispatcher.waiting.first?.place == .connection })
        gate.cancel()
        #expect(await gate.value == "cancelled")
        #expect(dispatcher.waitingCount == 0 && busy.openings.count == 1)
    }

    @Test func aLateReplyToACancelledCommandGoesToItsCompletions() async throws {
        let server = ScriptedMessages { _, _ in }
        let parlor = Parlor(server)
        var completions = parlor.binding.dispatcher.completions(of: Parlor.Poke.self).makeAsyncIterator()
        let poke = Task { await parlor.result(of: Parlor.Poke()).failure?.context.name }
        #expect(await eventually { !server.frames.isEmpty })
        poke.cancel()
        #expect(await poke.value == "unconfirmed")
        #expect(await completions.next()?.result.failure?.context.name == "unconfirmed")
        let frame = try #require(server.frames.first)
        server.line?.reply(to: frame, #"{"is":7}"#)
        #expect(try await completions.next()?.result.get().value == 7)
    }

    @Test func anUnusedConnectionIsClosedAndTheDispatcherTakesItAlong() async throws {
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":5}"#) }
        var parlor: Parlor? = Parlor(server)
        _ = try await parlor?.send(Parlor.Ask())
        #expect(server.line?.closed == nil)
        parlor = nil
        #expect(await eventually { server.line?.closed != nil })
    }
}

/// Keeps the reports about connections.
final class ReportFeed: CommandObserver {
    private let state = LockedState<[ConnectionReport.Kind]> { [] }

    func observe(_ event: CommandEvent) {}
    func observe(_ report: ConnectionReport) { state.withLock { $0.append(report.kind) } }

    var kinds: [ConnectionReport.Kind] { state.withLock { $0 } }
    /// The reasons of what was dropped.
    var drops: [String] {
        kinds.compactMap { kind in
            if case .dropped(let reason, _) = kind { reason.rawValue } else { nil }
        }
    }
}
