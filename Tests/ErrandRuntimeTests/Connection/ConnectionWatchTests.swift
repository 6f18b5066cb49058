import ErrandTesting
import Foundation
import Testing

@testable import ErrandConnections
@testable import ErrandRuntime

/// How a connection is watched, moved and authenticated by its handshake.
@Suite(.timeLimit(.minutes(2))) struct ConnectionWatchTests {
    /// A service whose handshake carries the token.
    struct Porch: ConnectionClient {
        var binding: ServiceBinding

        init(
            _ server: ScriptedMessages, session: Session = Session(), network: any PathMonitor = AlwaysSatisfiedPath(),
            observers: [any CommandObserver] = []
        ) {
            binding = ServiceBinding(
                Self.service, server: "wss://porch.example",
                on: Dispatcher(
                    transport: ScriptedTransport { _, _ in TransportResponse(status: 500) }, network: network,
                    observers: observers, settings: DispatcherSettings(messageTransport: server)), session: session)
        }

        static let service = ServiceDescription(
            name: "Porch", version: "1", session: SessionPlacement(header: "Authorization", prefix: "Bearer "),
            errors: [ErrorDescription("expired", .requiresLogout)],
            connection: ConnectionDescription(
                .persistent,
                payload: "data", failure: "error", reconnect: RetryRule(base: .milliseconds(5), cap: .milliseconds(50)))
        )

        struct Look: ErrandRuntime.Command {
            typealias Service = Porch
            typealias Failure = Parlor.Failure
            static let endpoint = EndpointDescription(
                Porch.service, "look", frame: FrameDescription("look"), effect: .read, session: .required,
                envelope: Parlor.envelope, table: [.error("expired", applied: .never, code: "expired")])
            func encode(into request: inout RequestEncoder) {}
            static func load(from reader: inout JSONReader) -> Int? { Parlor.number("is", &reader) }
        }

        struct Ask: ErrandRuntime.Command {
            typealias Service = Porch
            typealias Failure = Parlor.Failure
            static let endpoint = EndpointDescription(
                Porch.service, "ask", frame: FrameDescription("ask"), effect: .read)
            func encode(into request: inout RequestEncoder) {}
            static func load(from reader: inout JSONReader) -> Int? { Parlor.number("is", &reader) }
        }

        struct LogIn: LoginCommand {
            typealias Service = Porch
            typealias Failure = Parlor.Failure
            static let endpoint = EndpointDescription(
                Porch.service, "logIn", frame: FrameDescription("login"), effect: .idempotent)
            func encode(into request: inout RequestEncoder) {}
            static func load(from reader: inout JSONReader) -> String? { Parlor.text("token", &reader) }
            static func tokens(from response: String) -> SessionTokens { SessionTokens(access: response) }
        }
    }

    /// A service whose connection is soon unused and soon silent.
    struct Cellar: ConnectionClient {
        var binding: ServiceBinding

        init(_ server: ScriptedMessages, _ connection: ConnectionDescription) {
            binding = ServiceBinding(
                ServiceDescription(name: "Cellar", version: "1", connection: connection),
                server: "wss://cellar.example",
                on: Dispatcher(
                    transport: ScriptedTransport { _, _ in TransportResponse(status: 500) },
                    settings: DispatcherSettings(
                        retry: RetryRule(attempts: 100), retryBudget: RetryBudget(tokenRatio: 1),
                        messageTransport: server)), session: Session())
        }

        static let service = ServiceDescription(name: "Cellar", version: "1")

        struct Ask: ErrandRuntime.Command {
            typealias Service = Cellar
            typealias Failure = Parlor.Failure
            typealias Response = Void
            static let endpoint = EndpointDescription(
                Cellar.service, "ask", frame: FrameDescription("ask"), effect: .read, response: .none)
            func encode(into request: inout RequestEncoder) {}
        }
    }

    private static func answering() -> ScriptedMessages {
        ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":5,"token":"new"}"#) }
    }

    /// A connection that is open for months sends a ping every 20 s, and presents many tokens.
    @Test(arguments: [ConnectionLink.Duty.ping, .presentation])
    func aConnectionKeepsOneTaskOfAKind(_ duty: ConnectionLink.Duty) async {
        let link = ConnectionLink(1, ScriptedLine(1) { _, _ in })
        let stuck = (0..<3).map { _ in
            let task = Task { await Suspension<Void>().value(ifCancelled: ()) }
            link.keep(task, for: duty)
            return task
        }
        await stuck[0].value
        await stuck[1].value
        #expect(!stuck[2].isCancelled)
        _ = link.close()
        await stuck[2].value
    }

    @Test func aSilentConnectionIsAskedAndThenLost() async throws {
        let server = ScriptedMessages { frame, line in
            if line.number > 1 { line.reply(to: frame, #"{"is":5}"#) }
        }
        let cellar = Cellar(
            server,
            ConnectionDescription(
                .persistent,
                payload: "data", ping: .milliseconds(50), silence: .seconds(10),
                reconnect: RetryRule(base: .milliseconds(5), cap: .milliseconds(50))))
        try await cellar.send(Cellar.Ask())
        #expect(server.openings.count >= 2)
        #expect((server.lines.first?.pings ?? 0) >= 1)
        #expect(await eventually { server.lines.first?.closed == .goingAway })
    }

    @Test func anUnusedConnectionIsClosedAndOpenedAgainWhenItIsNeeded() async throws {
        let server = Self.answering()
        let cellar = Cellar(server, ConnectionDescription(.persistent, payload: "data", unused: .milliseconds(60)))
        try await cellar.send(Cellar.Ask())
        #expect(await eventually { server.lines.first?.closed == .normal })
        try await cellar.send(Cellar.Ask())
        #expect(server.openings.count >= 2)
    }

    @Test func aChangeOfTheNetworkMovesTheConnection() async throws {
        let network = ScriptedPathMonitor(NetworkPath(isSatisfied: true, kind: .wiFi))
        let server = Self.answering()
        let parlor = Parlor(server, network: network)
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        network.change(to: NetworkPath(isSatisfied: true, kind: .cellular))
        #expect(await eventually { server.lines.first?.closed == .goingAway })
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        #expect(server.openings.count == 2)
    }

    /// A busy machine begins to follow the network late. The first path that it hears of is another one than the connection's then.
    @Test func aChangeThatComesBeforeTheNetworkIsFollowedMovesTheConnection() async throws {
        let network = LatePathMonitor()
        let server = Self.answering()
        let parlor = Parlor(server, network: network)
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        network.say([NetworkPath(isSatisfied: true, kind: .cellular)])
        #expect(await eventually { server.lines.first?.closed == .goingAway })
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        #expect(server.openings.count == 2)
    }

    @Test func theFirstWordAboutTheSameNetworkMovesNothing() async throws {
        let network = LatePathMonitor()
        let server = Self.answering()
        let parlor = Parlor(server, network: network)
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        network.say([network.current])
        // The gate and the pool of connections have taken the path in when each asks for another one.
        #expect(await eventually { network.questions == 4 })
        #expect(server.lines.first?.closed == nil)
    }

    /// A network whose followers hear nothing until the test lets them.
    final class LatePathMonitor: PathMonitor {
        private let words = LockedState<[NetworkPath]> { [] }
        private let asked = LockedState<Int> { 0 }

        let current = NetworkPath(isSatisfied: true, kind: .wiFi)
        /// How often the followers have asked for another path.
        var questions: Int { asked.withLock { $0 } }

        /// Sets all paths that each follower hears of, whenever it begins.
        func say(_ paths: [NetworkPath]) { words.withLock { $0 = paths } }

        func paths() -> AsyncStream<NetworkPath> {
            let next = LockedState<Int> { 0 }
            return AsyncStream { [words, asked] in
                asked.withLock { $0 += 1 }
                let position = next.withLock { number in
                    defer { number += 1 }
                    return number
                }
                while !Task.isCancelled {
                    if let path = words.withLock({ $0.count > position ? $0[position] : nil }) { return path }
                    try? await Task.sleep(for: .milliseconds(2))
                }
                return nil
            }
        }
    }

    @Test func theHandshakeCarriesTheToken() async throws {
        let server = Self.answering()
        let session = Session()
        await session.begin(SessionTokens(access: "old"))
        #expect(try await Porch(server, session: session).send(Porch.Look()) == 5)
        #expect(server.openings.first?.headers["Authorization"] == "Bearer old")
        #expect(server.kinds == ["look"])
    }

    @Test func aConnectionWithoutTheTokenIsOpenedAnewForTheSession() async throws {
        let server = Self.answering()
        let session = Session()
        let porch = Porch(server, session: session)
        #expect(try await porch.send(Porch.Ask()) == 5)
        await session.begin(SessionTokens(access: "late"))
        #expect(try await porch.send(Porch.Look()) == 5)
        #expect(server.openings.map { $0.headers["Authorization"] } == [nil, "Bearer late"])
    }

    /// A token that was renewed over something else is worth another connection only once the server has refused the one before.
    @Test func anotherHandshakeComesWhenTheServerRefusesTheOlderToken() async throws {
        let isOver = LockedState { false }
        let server = ScriptedMessages { frame, line in
            if line.number == 1, isOver.withLock({ $0 }) {
                line.reply(to: frame, #"{"code":"expired"}"#, kind: "error")
            } else {
                line.reply(to: frame, #"{"is":5,"token":"third"}"#)
            }
        }
        let session = Session(login: { Porch.LogIn() })
        await session.begin(SessionTokens(access: "old", identity: "ada"))
        let porch = Porch(server, session: session)
        #expect(try await porch.send(Porch.Look()) == 5)
        await session.begin(SessionTokens(access: "new", identity: "ada"))
        #expect(try await porch.send(Porch.Look()) == 5)
        #expect(server.openings.count == 1)
        isOver.withLock { $0 = true }
        #expect(try await porch.send(Porch.Look()) == 5)
        #expect(server.openings.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
        #expect(!server.kinds.contains("login"))
    }

    @Test func aRefusedTokenOfTheHandshakeStartsOneLoginWhichGoesWithoutIt() async throws {
        let server = ScriptedMessages(accept: { opening, _ in
            opening.headers["Authorization"] == "Bearer old" ? .refused(TransportResponse(status: 401)) : nil
        }) { frame, line in line.reply(to: frame, #"{"is":5,"token":"new"}"#) }
        let session = Session(login: { Porch.LogIn() })
        await session.begin(SessionTokens(access: "old"))
        let porch = Porch(server, session: session)
        let sum = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { (try? await porch.send(Porch.Look())) == 5 ? 1 : 0 } }
            return await group.reduce(0, +)
        }
        #expect(sum == 50)
        #expect(server.kinds.count { $0 == "login" } == 1)
        #expect(server.openings.count == 2)
    }

    @Test func nothingPrintsATokenOrAPayload() async throws {
        let feed = ReportFeed()
        let server = ScriptedMessages { frame, line in
            line.reply(to: frame, #"{"code":"noRoom","message":"token-canary"}"#, kind: "error")
        }
        let session = Session()
        await session.begin(SessionTokens(access: "token-canary"))
        let parlor = Parlor(server, session: session, observers: [feed])
        let events = parlor.events(of: Parlor.Notice.self)
        let failure = await parlor.result(of: Parlor.Look()).failure
        var text = ""
        dump(events, to: &text)
        dump(parlor, to: &text)
        dump(parlor.binding.dispatcher, to: &text)
        dump(failure?.context, to: &text)
        text += "\(events) \(feed.kinds) \(failure.map { "\($0.context)" } ?? "")"
        #expect(!text.contains("token-canary"))
        #expect(failure.map { "\($0.context)".contains("FRAME look") || $0.context.url.isEmpty } == true)
    }
}
