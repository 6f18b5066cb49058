import ErrandTesting
import Foundation
import Testing

@testable import ErrandConnections
@testable import ErrandRuntime

/// The session's token on a connection.
@Suite(.timeLimit(.minutes(2))) struct PresentationTests {
    /// A server that knows one token.
    private static func server(
        knows token: @escaping @Sendable () -> String, _ look: @escaping @Sendable (SentFrame, ScriptedLine) -> Void
    ) -> ScriptedMessages {
        ScriptedMessages { frame, line in
            switch frame.kind {
            case "login": line.reply(to: frame, #"{"token":"\#(token())"}"#)
            case "attach" where frame.data.contains(#""\#(token())""#): line.reply(to: frame)
            case "attach": line.reply(to: frame, #"{"code":"expired"}"#, kind: "error")
            case "logout": break
            default: look(frame, line)
            }
        }
    }

    private static func answering(_ token: String = "right") -> ScriptedMessages {
        server(knows: { token }) { frame, line in line.reply(to: frame, #"{"is":5}"#) }
    }

    @Test func theTokenIsPresentedFirst() async throws {
        let server = Self.answering()
        let session = Session()
        await session.begin(SessionTokens(access: "right"))
        let parlor = Parlor(server, session: session)
        #expect(try await parlor.send(Parlor.Look()) == 5)
        #expect(try await parlor.send(Parlor.Look()) == 5)
        #expect(server.kinds == ["attach", "look", "look"])
    }

    @Test func itIsPresentedAgainOnTheNextConnection() async throws {
        let server = Self.server(knows: { "right" }) { frame, line in
            if line.number == 1 { line.cut() } else { line.reply(to: frame, #"{"is":5}"#) }
        }
        let session = Session()
        await session.begin(SessionTokens(access: "right"))
        #expect(try await Parlor(server, session: session).send(Parlor.Look()) == 5)
        #expect(server.kinds == ["attach", "look", "attach", "look"])
    }

    @Test func aLoginOverTheConnectionIsAPresentation() async throws {
        let server = Self.answering()
        let session = Session(login: { Parlor.LogIn() })
        let parlor = Parlor(server, session: session)
        #expect(try await parlor.send(Parlor.Look()) == 5)
        #expect(server.kinds == ["login", "look"])
        #expect(server.openings.count == 1)
    }

    @Test func aLoginOfTheAppIsAPresentationToo() async throws {
        let server = Self.answering()
        let parlor = Parlor(server)
        for _ in 0..<20 {
            _ = try await parlor.send(Parlor.LogIn())
            async let first = parlor.send(Parlor.Look())
            async let second = parlor.send(Parlor.Look())
            #expect(try await first + second == 10)
            await parlor.binding.session.end()
        }
        #expect(!server.kinds.contains("attach"))
        #expect(server.openings.count == 20)
    }

    @Test func aThousandCommandsWithARefusedTokenLogInOnce() async throws {
        let server = Self.answering()
        let session = Session(login: { Parlor.LogIn() })
        await session.begin(SessionTokens(access: "wrong"))
        let parlor = Parlor(server, session: session)
        let sum = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<1_000 { group.addTask { (try? await parlor.send(Parlor.Look())) == 5 ? 1 : 0 } }
            return await group.reduce(0, +)
        }
        #expect(sum == 1_000)
        #expect(server.kinds.count { $0 == "login" } == 1)
        #expect(server.kinds.count { $0 == "look" } == 1_000)
        #expect(server.openings.count == 1)
    }

    @Test func withoutALoginTheRefusalEndsTheCommands() async throws {
        let server = Self.answering()
        let session = Session()
        await session.begin(SessionTokens(access: "wrong"))
        let failure = await Parlor(server, session: session).result(of: Parlor.Look()).failure
        #expect(failure?.context.name == "expired")
        #expect(failure?.context.category == .requiresLogout)
        #expect(server.kinds == ["attach"])
    }

    @Test func aCommandWithoutASessionDoesNotWaitForIt() async throws {
        let server = ScriptedMessages { frame, line in
            if frame.kind != "attach" { line.reply(to: frame, #"{"is":5}"#) }
        }
        let session = Session()
        await session.begin(SessionTokens(access: "right"))
        let parlor = Parlor(server, session: session)
        let look = Task { await parlor.result(of: Parlor.Look()).failure?.context }
        #expect(await eventually { server.kinds == ["attach"] })
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        look.cancel()
        let context = await look.value
        #expect(context?.name == "cancelled" && context?.evidence == .notSent)
    }

    /// Loses the response of the first login.
    private final class LosingInterceptor: Interceptor {
        private let isLost = LockedState<Bool> { false }

        func intercept(
            _ request: TransportRequest,
            next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
        ) async throws(TransportFault) -> TransportResponse {
            let response = try await next(request)
            let isFirst =
                request.endpoint.hasSuffix("logIn")
                && isLost.withLock { isLost in
                    defer { isLost = true }
                    return !isLost
                }
            if isFirst { throw TransportFault(.unreadable, evidence: .responded) }
            return response
        }
    }

    /// What is lost between the reply of a login and its end leaves no connection that presents nothing for ever.
    @Test func aLoginWhoseReplyIsLostOnTheWayHoldsNothingUp() async throws {
        let server = Self.answering()
        let session = Session()
        await session.begin(SessionTokens(access: "right"))
        let parlor = Parlor(server, session: session, interceptors: [LosingInterceptor()])
        #expect(await parlor.result(of: Parlor.LogIn()).failure != nil)
        #expect(try await parlor.send(Parlor.Look()) == 5)
        #expect(server.openings.count == 1)
    }

    /// The person has logged in over something else: HTTP, another window, another app. A command takes the newest token, as over HTTP.
    @Test func aTokenOfAnotherLoginIsPresentedBeforeTheNextCommand() async throws {
        let known = LockedState { "right" }
        let server = Self.server(knows: { known.withLock { $0 } }) { frame, line in line.reply(to: frame, #"{"is":5}"#)
        }
        let session = Session()
        await session.begin(SessionTokens(access: "right", identity: "ada"))
        let parlor = Parlor(server, session: session)
        #expect(try await parlor.send(Parlor.Look()) == 5)
        known.withLock { $0 = "next" }
        await session.begin(SessionTokens(access: "next", identity: "ada"))
        #expect(try await parlor.send(Parlor.Look()) == 5)
        #expect(try await parlor.send(Parlor.Look()) == 5)
        #expect(server.kinds == ["attach", "look", "attach", "look", "look"] && server.openings.count == 1)
    }

    // MARK: Followers, who send nothing

    @Test func followersWithARefusedTokenLogInOnce() async throws {
        let server = Self.answering()
        let session = Session(login: { Parlor.LogIn() })
        await session.begin(SessionTokens(access: "wrong"))
        let parlor = Parlor(server, session: session)
        var events = parlor.events(of: Parlor.Notice.self).makeAsyncIterator()
        let others = (0..<3).map { _ in parlor.events(of: Parlor.Notice.self) }
        #expect(await eventually { server.kinds == ["attach", "login"] })
        server.line?.say(#"{"type":"notice","data":{"text":"welcome"}}"#)
        #expect(await events.next()?.event?.text == "welcome")
        #expect(try await parlor.send(Parlor.Look()) == 5)
        #expect(server.kinds == ["attach", "login", "look"] && server.openings.count == 1)
        _ = others
    }

    @Test func withoutALoginARefusedTokenEndsTheSessionOfFollowers() async throws {
        let server = Self.answering("next")
        let session = Session()
        await session.begin(SessionTokens(access: "wrong", identity: "ada"))
        let parlor = Parlor(server, session: session)
        let events = parlor.events(of: Parlor.Notice.self)
        var states = session.states.makeAsyncIterator()
        while let state = await states.next(), state != .expired(identity: "ada") {}
        // The app asks for the password, and the same user goes on.
        await session.begin(SessionTokens(access: "next", identity: "ada"))
        #expect(await eventually { server.kinds == ["attach", "attach"] })
        server.line?.say(#"{"type":"notice","data":{"text":"again"}}"#)
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next()?.event?.text == "again")
    }

    /// A server that refuses every token is not asked for logins without an end, and hears each token once.
    ///
    /// Often, since a refusal may come while the first follower is still being registered.
    @Test func aServerThatRefusesEveryTokenIsAskedForOneLogin() async throws {
        for _ in 0..<500 {
            let server = ScriptedMessages { frame, line in
                line.reply(to: frame, #"{"code":"expired"}"#, kind: "error")
            }
            // The login goes over another connection, so that its token has to be presented.
            let logins = ScriptedMessages { frame, line in line.reply(to: frame, #"{"token":"useless"}"#) }
            let session = Session(login: { ConnectionWatchTests.Porch.LogIn() })
            await session.begin(SessionTokens(access: "wrong", identity: "ada"))
            let porch = ConnectionWatchTests.Porch(logins, session: session)
            let parlor = Parlor(server, session: session)
            let events = parlor.events(of: Parlor.Notice.self)
            var states = session.states.makeAsyncIterator()
            while let state = await states.next(), state != .expired(identity: "ada") {}
            #expect(server.kinds == ["attach", "attach"] && logins.kinds == ["login"])
            _ = (events, porch)
        }
    }

    @Test func aRefusalThatNoTokenHelpsEndsTheEvents() async throws {
        let server = ScriptedMessages { frame, line in
            line.reply(to: frame, #"{"code":"noRoom"}"#, kind: "error")
        }
        let session = Session()
        await session.begin(SessionTokens(access: "right"))
        let parlor = Parlor(server, session: session)
        var events = parlor.events(of: Parlor.Notice.self).makeAsyncIterator()
        #expect(await events.next() == nil)
        #expect(server.kinds == ["attach"])
    }

    @Test func aLogoutEndsTheConnection() async throws {
        let server = Self.answering()
        let session = Session()
        await session.begin(SessionTokens(access: "right"))
        let parlor = Parlor(server, session: session)
        _ = try await parlor.send(Parlor.Look())
        try await parlor.send(Parlor.LogOut())
        #expect(server.kinds == ["attach", "look", "logout"])
        #expect(await eventually { server.lines.first?.closed == .normal })
        // The next login has a connection of its own.
        await session.begin(SessionTokens(access: "right"))
        #expect(try await parlor.send(Parlor.Look()) == 5)
        #expect(server.openings.count == 2)
    }

    @Test func anotherUsersCommandsNeverTravelOverTheConnection() async throws {
        let server = ScriptedMessages { frame, line in
            if frame.kind == "attach" { line.reply(to: frame) }
        }
        let session = Session()
        await session.begin(SessionTokens(access: "one", identity: "ada"))
        let parlor = Parlor(server, session: session)
        let look = Task { await parlor.result(of: Parlor.Look()).failure?.context.name }
        #expect(await eventually { server.kinds == ["attach", "look"] })
        await session.begin(SessionTokens(access: "two", identity: "eve"))
        #expect(await look.value == "sessionEnded")
        let other = Task { await parlor.result(of: Parlor.Look()).failure?.context.name }
        #expect(await eventually { server.kinds.count == 4 })
        #expect(server.frames[2].data.contains("two") && server.openings.count == 2)
        other.cancel()
        _ = await other.value
    }
}
