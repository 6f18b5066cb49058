import ErrandJSON
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// A login that does not say who has logged in: another command is asked, before the session begins.
@Suite struct SessionIdentityTests {
    @Test func theUserIsAskedForBeforeWaitingCommandsGo() async throws {
        let transport = Club.transport()
        let session = Session(login: { Club.LogIn(user: "7") })
        let club = Club(transport, session)
        async let first = club.send(Club.ListRooms())
        async let second = club.send(Club.ListRooms())
        _ = try await (first, second)
        #expect(session.tokens?.identity == "7")
        #expect(transport.requests.map(Club.line) == ["/login -", "/me t7", "/rooms t7", "/rooms t7"])
    }

    @Test func aLoginOfTheAppAsksToo() async throws {
        let transport = Club.transport()
        let session = Session()
        let club = Club(transport, session)
        _ = try await club.send(Club.LogIn(user: "7"))
        #expect(session.tokens?.identity == "7")
        // The same user again: the session goes on, so nothing ends.
        let states = session.loginNumber
        _ = try await club.send(Club.LogIn(user: "7"))
        #expect(session.loginNumber == states)
        _ = try await club.send(Club.LogIn(user: "8"))
        #expect(session.loginNumber != states)
    }

    /// The session does not begin with a token whose user the server does not name.
    @Test(arguments: [401, 403, 500]) func aRefusedQuestionIsAFailedLogin(_ status: Int) async throws {
        let transport = Club.transport { $0.url.hasSuffix("/me") ? .json(status, "{}") : nil }
        let session = Session()
        let club = Club(transport, session)
        let result = await club.result(of: Club.LogIn(user: "7"))
        guard case .failure(let failure) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(failure.context.status == status)
        #expect(failure.context.endpoint == "whoAmI")
        // A one-time code is spent.
        #expect(failure.context.applied == .yes)
        #expect(session.tokens == nil)
        #expect(!"\(failure)".contains("t7"))
    }

    /// A response without the user cannot be read.
    @Test func anUnreadableResponseIsAFailedLogin() async throws {
        let transport = Club.transport { $0.url.hasSuffix("/me") ? .json(200, #"{"id":true}"#) : nil }
        let session = Session()
        let result = await Club(transport, session).result(of: Club.LogIn(user: "7"))
        guard case .failure(let failure) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(failure.context.name == "malformed")
        #expect(session.tokens == nil)
    }

    /// The app's closure is told why it is asked again.
    @Test func theLoginClosureIsAskedAgain() async throws {
        let refusals = LockedState<Int> { 1 }
        let transport = Club.transport { request in
            guard request.url.hasSuffix("/me") else { return nil }
            return refusals.withLock { left in
                defer { left -= 1 }
                return left > 0 ? .json(401, "{}") : nil
            }
        }
        let reasons = LockedState<[String]> { [] }
        let session = Session { (reason: LoginReason) in
            let failure = reason.previousFailure as? any CommandFailure
            reasons.withLock { $0.append("\(reason.ask) \(failure?.context.status ?? 0)") }
            return Club.LogIn(user: "7")
        }
        _ = try await Club(transport, session).send(Club.ListRooms())
        #expect(reasons.withLock { $0 } == ["1 0", "2 401"])
        #expect(session.tokens?.identity == "7")
    }

    /// A renewal keeps the user, and asks nothing.
    @Test func aRefreshAsksNothing() async throws {
        let expired = LockedState<Set<String>> { [] }
        let transport = Club.transport { request in
            let token = request.headers["Authorization"] ?? ""
            return expired.withLock { $0.contains(token) } ? .json(401, "{}") : nil
        }
        let session = Session()
        let club = Club(transport, session)
        _ = try await club.send(Club.LogIn(user: "7"))
        expired.withLock { _ = $0.insert("t7") }
        _ = try await club.send(Club.ListRooms())
        #expect(session.tokens?.identity == "7")
        #expect(transport.requests.map(Club.line) == ["/login -", "/me t7", "/rooms t7", "/refresh -", "/rooms r7"])
    }

    /// Commands of one user are never sent with the token of another, whom only the question has shown.
    @Test func commandsOfAnotherUserEnd() async throws {
        let transport = Club.transport { request in
            request.url.hasSuffix("/rooms") && request.headers["Authorization"] == "t7" ? .json(401, "{}") : nil
        }
        let session = Session(login: { Club.LogIn(user: "8") })
        await session.begin(SessionTokens(access: "t7", identity: "7"))
        let result = await Club(transport, session).result(of: Club.ListRooms())
        guard case .failure(let failure) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(failure.context.name == "sessionEnded")
        #expect(session.tokens?.identity == "8")
        #expect(transport.requests.map(Club.line) == ["/rooms t7", "/login -", "/me t8"])
    }

    @Test func theSimulatedServerNamesTheUser() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            let session = Session(login: { Club.LogIn(user: "any") })
            let club = Club(on: simulation.dispatcher, session)
            _ = try await club.send(Club.ListRooms())
            #expect(session.tokens?.identity == "1")
        }
    }
}

/// The service, by hand.
private struct Club: ServiceClient {
    var binding: ServiceBinding

    static let service = ServiceDescription(
        name: "Club", version: "1", session: SessionPlacement(header: "Authorization", prefix: "", suffix: ""),
        errors: [ErrorDescription("expired", .requiresLogout, shared: true)],
        identification: { WhoAmI() })
    static let envelope = EnvelopeDescription(success: .status)
    static let table: DecisionTable = [.error("expired", applied: .never, status: 401)]

    init(_ transport: ScriptedTransport, _ session: Session) {
        self.init(
            on: Dispatcher(
                transport: transport,
                settings: DispatcherSettings(retry: RetryRule(attempts: 1, base: .milliseconds(1)))), session)
    }

    init(on dispatcher: Dispatcher, _ session: Session) {
        binding = ServiceBinding(
            Self.service, server: "https://club.example", on: dispatcher, session: session, refresh: Refresh.self)
    }

    /// A server that knows a user by the token.
    static func transport(
        _ other: @escaping @Sendable (TransportRequest) -> TransportResponse? = { _ in nil }
    ) -> ScriptedTransport {
        ScriptedTransport.scripted { request, _ in
            if let response = other(request) { return response }
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            let digits = body.filter(\.isNumber)
            let token = request.headers["Authorization"] ?? ""
            if request.url.hasSuffix("/login") { return .json(200, #"{"token":"t\#(digits)"}"#) }
            if request.url.hasSuffix("/refresh") { return .json(200, #"{"token":"r\#(digits)"}"#) }
            if request.url.hasSuffix("/me") { return .json(200, #"{"id":\#(token.dropFirst())}"#) }
            return .json(200, "{}")
        }
    }

    static func line(_ request: TransportRequest) -> String {
        "\(request.url.dropFirst("https://club.example".count)) \(request.headers["Authorization"] ?? "-")"
    }

    struct LogIn: LoginCommand {
        typealias Service = Club
        typealias Failure = CommandFault
        typealias Response = String
        static let endpoint = EndpointDescription(
            Club.service, "logIn", .post, effect: .idempotent, envelope: Club.envelope, table: Club.table)
        var user: String
        func encode(into request: inout RequestEncoder) {
            request.path("/login")
            request.beginBody(.json)
            request.field("user", user)
        }
        static func load(from reader: inout JSONReader) -> String? { Club.value("token", &reader) { $0.readString() } }
        static func tokens(from response: String) -> SessionTokens {
            SessionTokens(access: response, refresh: response)
        }
    }

    struct Refresh: RefreshCommand {
        typealias Service = Club
        typealias Failure = CommandFault
        typealias Response = String
        static let endpoint = EndpointDescription(
            Club.service, "refresh", .post, effect: .once, envelope: Club.envelope, table: Club.table)
        var refreshToken: String
        func encode(into request: inout RequestEncoder) {
            request.path("/refresh")
            request.beginBody(.json)
            request.field("old", refreshToken, sensitive: true)
        }
        static func load(from reader: inout JSONReader) -> String? { Club.value("token", &reader) { $0.readString() } }
        static func tokens(from response: String) -> SessionTokens {
            SessionTokens(access: response, refresh: response)
        }
    }

    struct WhoAmI: IdentityCommand {
        typealias Service = Club
        typealias Failure = CommandFault
        typealias Response = Int
        static let endpoint = EndpointDescription(
            Club.service, "whoAmI", .get, effect: .read, session: .required, envelope: Club.envelope,
            table: Club.table)
        func encode(into request: inout RequestEncoder) { request.path("/me") }
        static func load(from reader: inout JSONReader) -> Int? { Club.value("id", &reader) { $0.readInt() } }
        static func identity(in response: Int) -> String? { String(response) }
    }

    struct ListRooms: Command {
        typealias Service = Club
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Club.service, "listRooms", .get, effect: .read, session: .required, envelope: Club.envelope,
            response: .none, table: Club.table)
        func encode(into request: inout RequestEncoder) { request.path("/rooms") }
    }

    private static func value<Value>(
        _ name: String, _ reader: inout JSONReader, _ read: (inout JSONReader) -> Value?
    ) -> Value? {
        let keys = JSONKeys([name], optional: [name])
        var found: Value?
        var fields = reader.beginObject()
        while reader.nextField(keys, &fields) == 0 { found = read(&reader) }
        return reader.isFaulted ? nil : found
    }
}
