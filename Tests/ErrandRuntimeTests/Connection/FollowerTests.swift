import ErrandJSON
import ErrandTesting
import Foundation
import Testing

@testable import ErrandConnections
@testable import ErrandRuntime

/// The session's token for followers of events. They send nothing, so that nothing but the connection looks after them.
@Suite(.timeLimit(.minutes(2))) struct FollowerTests {
    /// A store that is read slowly.
    private struct SlowStore: SessionStore {
        let isAsked: Suspension<Void>
        let tokens: SessionTokens

        func load() async -> SessionTokens? {
            await isAsked.value(ifCancelled: ())
            return tokens
        }
        func save(_ tokens: SessionTokens?) async {}
    }

    /// A login form that the user does not fill in.
    private final class Form: Sendable {
        private let state = LockedState<(opened: Int, closed: Int)> { (0, 0) }

        var opened: Int { state.withLock { $0.opened } }
        var closed: Int { state.withLock { $0.closed } }

        func show() async -> Parlor.LogIn? {
            state.withLock { $0.opened += 1 }
            await Suspension<Void>().value(ifCancelled: ())
            state.withLock { $0.closed += 1 }
            return nil
        }
    }

    private static func tokens(_ access: String) -> SessionTokens { SessionTokens(access: access, identity: "ada") }

    @Test func theGenerationsTellOfTokensThatChangeNoState() async {
        let session = Session()
        await session.begin(Self.tokens("one"))
        var generations = session.generations.makeAsyncIterator()
        let first = await generations.next()
        await session.replaceTokens(Self.tokens("two"))
        let second = await generations.next()
        #expect(first != nil && second != nil && first != second)
    }

    @Test func aSessionThatIsReadDuringTheHandshakeIsPresented() async {
        let isOpening = Suspension<Void>()
        let session = Session(store: SlowStore(isAsked: isOpening, tokens: Self.tokens("right")))
        let server = ScriptedMessages(accept: { _, _ in
            isOpening.end(())
            await session.loadOnce()
            return nil
        }) { frame, line in line.reply(to: frame) }
        let events = Parlor(server, session: session).events(of: Parlor.Notice.self)
        #expect(await eventually { server.kinds == ["attach"] })
        _ = events
    }

    @Test func tokensThatComeDuringAnAnonymousHandshakeArePresented() async {
        let session = Session()
        await session.begin(Self.tokens("old"))
        let server = ScriptedMessages(accept: { opening, number in
            if number == 2 { await session.replaceTokens(Self.tokens("new")) }
            return opening.headers["Authorization"] == "Bearer old" ? .refused(TransportResponse(status: 401)) : nil
        }) { _, _ in }
        let events = ConnectionWatchTests.Porch(server, session: session).follow()
        #expect(await eventually { server.openings.last?.headers["Authorization"] == "Bearer new" })
        _ = events
    }

    /// The server refuses a token after the session has got the next one.
    @Test func tokensThatComeDuringAPresentationArePresented() async throws {
        let server = ScriptedMessages { frame, line in if frame.data.contains("second") { line.reply(to: frame) } }
        let session = Session()
        await session.begin(Self.tokens("first"))
        let events = Parlor(server, session: session).events(of: Parlor.Notice.self)
        #expect(await eventually { server.kinds == ["attach"] })
        await session.replaceTokens(Self.tokens("second"))
        server.line?.reply(to: try #require(server.frames.first), #"{"code":"expired"}"#, kind: "error")
        #expect(await eventually { server.kinds == ["attach", "attach"] })
        #expect(server.frames.last?.data.contains("second") == true)
        _ = events
    }

    @Test func theTokenOfTheHandshakeIsTheRefusedOne() async {
        let form = Form()
        let session = Session(login: { await form.show() })
        await session.begin(Self.tokens("old"))
        let server = ScriptedMessages(accept: { opening, _ in
            if opening.headers["Authorization"] == "Bearer new" { return nil }
            await session.replaceTokens(Self.tokens("new"))
            return .refused(TransportResponse(status: 401))
        }) { _, _ in }
        let events = ConnectionWatchTests.Porch(server, session: session).follow()
        #expect(await eventually { server.lines.count == 1 })
        #expect(server.openings.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
        #expect(form.opened == 0)
        _ = events
    }

    /// Commands have been refused, and the follower knows nothing of that.
    @Test func aFollowerThatComesAfterARefusalIsPresented() async {
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"code":"noRoom"}"#, kind: "error") }
        let session = Session()
        await session.begin(Self.tokens("right"))
        let parlor = Parlor(server, session: session)
        #expect(await parlor.result(of: Parlor.Look()).failure != nil)
        let before = server.kinds.count
        var events = parlor.events(of: Parlor.Notice.self).makeAsyncIterator()
        // The server has not changed its mind.
        #expect(await events.next() == nil)
        #expect(server.kinds.count == before + 1 && server.openings.count == 1)
    }

    @Test func theFormOfALoginIsClosedWhenTheLastFollowerLeaves() async {
        let form = Form()
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"code":"expired"}"#, kind: "error") }
        let session = Session(login: { await form.show() })
        await session.begin(Self.tokens("wrong"))
        let parlor = Parlor(server, session: session)
        for round in 1...2 {
            var events: EventStream<Parlor.Notice>? = parlor.events(of: Parlor.Notice.self)
            #expect(await eventually { form.opened == round })
            #expect(events != nil)
            events = nil
            #expect(await eventually { form.closed == round })
        }
        #expect(session.tokens?.access == "wrong")
    }

    /// How the questions before have come to nothing is not known any more.
    @Test func aTokenThatIsRefusedAfterItsTimeIsNoReasonToLogOut() async throws {
        let form = Form()
        let server = ScriptedMessages { _, _ in }
        let session = Session(login: { await form.show() })
        await session.begin(SessionTokens(access: "aged", expiresIn: 0, identity: "ada"))
        let parlor = Parlor(server, session: session)
        let events = parlor.events(of: Parlor.Notice.self)
        #expect(await eventually { server.kinds == ["attach"] })
        let connection = try #require(parlor.binding.persistentConnection)
        connection.core.withLock { core in
            core.refusedToken = "aged"
            core.renewals = 1
            core.asked = (generation: 0, moment: .seconds(-3_600))
        }
        connection.askForToken()
        #expect(await eventually { form.opened == 1 })
        #expect(session.tokens?.access == "aged")
        _ = events
    }
}

extension ConnectionWatchTests.Porch {
    struct Bell: ServerEvent {
        typealias Service = ConnectionWatchTests.Porch
        static let kind = "bell"
        static func load(from reader: inout JSONReader) -> Bell? { Bell() }
    }

    fileprivate func follow() -> EventStream<Bell> { events(of: Bell.self) }
}
