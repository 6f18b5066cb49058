import BankClient
import ErrandTesting
import Foundation
import TestSeeds
import Testing

@testable import ErrandRuntime

/// What must not wait at the gate, and whom the gate lets through.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct SessionGateTests {
    @Test func loggingOutAsksForNoLogin() async throws {
        let asked = Tally()
        let session = Session { () -> Bank.LogIn? in
            await asked.add()
            return Bank.LogIn(user: "ada", password: "right")
        }
        let transport = ScriptedTransport.scripted { _, _ in .json(401, "") }
        let bank = Bank.scripted(transport, session: session)
        // It has expired already.
        await session.begin(SessionTokens(access: "old", expiresIn: 1), at: .distantPast)
        guard case .failure(.sessionExpired) = await bank.result(of: Bank.LogOut()) else {
            Issue.record("it succeeded")
            return
        }
        #expect(session.tokens == nil)
        #expect(await asked.count == 0)
        #expect(transport.paths == ["DELETE /v1/sessions"])
    }

    @Test func loggingOutWaitsForNoRenewal() async throws {
        let meeting = Meeting()
        let session = Session { () -> Bank.LogIn? in
            await meeting.hold()
            return nil
        }
        let bank = Bank.scripted(ScriptedTransport.scripted { _, _ in .json(200, "") }, session: session)
        async let waiting = bank.result(of: Bank.ListAccounts())
        await meeting.met()
        // With a wait for the renewal, this would not end: the closure is held until then.
        try await bank.logOut()
        meeting.release()
        guard case .failure(let failure) = await waiting else {
            return #expect(Bool(false), "it has run without a login")
        }
        #expect(failure.category == .requiresLogout)
    }

    /// It would wait for itself. What requires the session is refused, and not sent.
    @Test func theLoginClosureMayAskTheServer() async throws {
        let (inbox, outbox) = AsyncStream.makeStream(of: Bank.self)
        let session = Session { () -> Bank.LogIn? in
            for await bank in inbox {
                guard (try? await bank.reply(to: Bank.ListAccountsLeniently())) != nil else { return nil }
                guard case .failure = await bank.result(of: Bank.ListAccounts()) else { return nil }
                return Bank.LogIn(user: "ada", password: "right")
            }
            return nil
        }
        let transport = ScriptedTransport.scripted { request, _ in
            if request.method == .post { return .json(200, #"{"data":{"token":"new"}}"#) }
            return .json(200, noAccounts)
        }
        let bank = Bank.scripted(transport, session: session)
        outbox.yield(bank)
        _ = try await bank.listAccounts()
        #expect(transport.paths == ["GET /v1/accounts", "POST /v1/sessions", "GET /v1/accounts"])
        #expect(transport.requests.map { $0.headers["Authorization"] } == [nil, nil, "Bearer new"])
    }

    @Test func patienceIsMeasuredOnce() async throws {
        struct Patient: ErrandRuntime.Command {
            typealias Service = Bank
            typealias Failure = CommandFault
            typealias Response = Void
            static let endpoint = EndpointDescription(
                Bank.service, "patient", .get, effect: .read, session: .required,
                patience: .upTo(.seconds(500)), response: .none)
            func encode(into request: inout RequestEncoder) { request.path("/patient") }
        }
        let clock = SteppedClock()
        let never = Meeting()
        let asked = Tally()
        let client = LockedState<Dispatcher?> { nil }
        let session = Session { () -> Bank.LogIn? in
            await client.withLock { $0 }?.waits(at: .session)
            guard await asked.add() > 1 else {
                clock.pass(.seconds(400))
                return Bank.LogIn(user: "ada", password: "right")
            }
            clock.pass(.seconds(100))
            await never.hold()
            return nil
        }
        let transport = ScriptedTransport.scripted { request, _ in
            request.method == .post ? .json(200, #"{"data":{"token":"bad"}}"#) : .json(401, "")
        }
        let dispatcher = Dispatcher(
            transport: transport, environment: DispatcherEnvironment(clock: clock))
        client.withLock { $0 = dispatcher }
        let bank = Bank(on: dispatcher, session: session)
        guard case .failure(let fault) = await bank.result(of: Patient()) else {
            Issue.record("?")
            return
        }
        never.release()
        #expect(fault.kind == .unauthenticated)
        #expect(await asked.count == 2)
    }

    @Test func aPaidRepetitionThatTheGateRefusesIsPaidBack() async throws {
        let session = Session { () -> Bank.LogIn? in nil }
        let transport = ScriptedTransport.scripted { _, _ in
            await session.end()
            return .json(503, "")
        }
        let bank = Bank.scripted(transport, session: session)
        await session.begin(SessionTokens(access: "t"))
        guard case .failure(.fault(let fault)) = await bank.result(of: Bank.ListAccounts()) else {
            Issue.record("it succeeded")
            return
        }
        #expect(fault.kind == .sessionEnded)
        #expect(fault.context.attempts == 1)
        let host = try #require(Origin(Bank.Server.production.url))
        var left = 0
        while bank.binding.dispatcher.budget.withdraw(for: host) { left += 1 }
        #expect(left == 10)
    }

    @Test func eachRefreshTokenGoesToWhoIssuedIt() async throws {
        let transport = ScriptedTransport.scripted { request, _ in
            if request.url.hasSuffix("/refresh") { return .json(200, #"{"access":"new","refresh":"r2"}"#) }
            return request.url.contains("token=new") ? .json(200, "") : .json(401, "")
        }
        let dispatcher = Dispatcher(transport: transport)
        let session = Session()
        let first = Shop("https://first.example", on: dispatcher, session: session)
        let second = Shop("https://second.example", on: dispatcher, session: session)
        _ = try await second.send(Shop.Refresh(refreshToken: "r1"))
        #expect(session.tokens?.service == "Shop")
        await session.expire(session.basis.generation)
        #expect(session.state.withLock { $0.routes.login(of: Shop.service)?.server?.base } == "https://second.example")
        _ = try await second.send(Shop.Refresh(refreshToken: "r1"))
        let route = session.state.withLock { $0.refreshRoute }
        #expect(route?.server?.base == "https://second.example")
        // Their service is unknown, and more than one could be meant.
        let other = ServiceDescription(name: "Other", version: "1")
        _ = Shop(service: other, on: dispatcher, session: session)
        await session.begin(SessionTokens(access: "a", refresh: "r"))
        #expect(session.state.withLock { $0.refreshRoute } == nil)
        _ = first
    }

    @Test func aSecondServerGetsNoLogins() async throws {
        let session = Session { () -> Bank.LogIn? in Bank.LogIn(user: "ada", password: "right") }
        let transport = ScriptedTransport.scripted { request, _ in
            .json(200, request.method == .post ? #"{"data":{"token":"new"}}"# : noAccounts)
        }
        let bank = Bank.scripted(transport, session: session)
        _ = Bank(.local(), on: bank.binding.dispatcher, session: session)
        _ = try await bank.listAccounts()
        #expect(transport.requests.allSatisfy { $0.url.hasPrefix("https://api.bank.example/") })
    }

    @Test func whatAnotherProcessRenewedIsTaken() async throws {
        actor SharedStore: SessionStore {
            private(set) var locks = 0
            private var kept = SessionTokens(access: "old", refresh: "r1")
            init() { kept.lineage = SessionLineage(epoch: "ours", generation: 3) }
            func load() async -> SessionTokens? { kept }
            func save(_ tokens: SessionTokens?) async { if let tokens { kept = tokens } }
            func exclusively<Value: Sendable>(
                _ renew: @Sendable (KeptSession) async -> Value
            ) async -> Value {
                locks += 1
                kept = SessionTokens(access: "theirs", refresh: "r2")
                kept.lineage = SessionLineage(epoch: "ours", generation: 4)
                return await renew(.tokens(kept))
            }
        }
        let store = SharedStore()
        let transport = ScriptedTransport.scripted { request, _ in
            .json(request.url.hasSuffix("token=theirs") ? 200 : 401, "")
        }
        let shop = shop(transport, Session(store: store))
        try await shop.send(Shop.Ping())
        #expect(transport.paths == ["GET /ping", "GET /ping"])
        #expect(await store.locks == 1)
        #expect(shop.binding.session.tokens?.refresh == "r2")
    }

    /// The values of a form may break the contract: the app is asked again, as for a wrong password.
    @Test func aLoginThatCannotBeSentIsAskedForAgain() async throws {
        struct Strict: LoginCommand, CheckedCommand {
            var password: String
            typealias Service = Bank
            typealias Failure = CommandFault
            typealias Response = SessionTokens
            static let endpoint = EndpointDescription(
                Bank.service, "strict", .post, effect: .idempotent)
            func encode(into request: inout RequestEncoder) { request.path("/strict") }
            func validate(_ check: inout RequestCheck) { check.length("password", password, 4...) }
            static func load(from reader: inout JSONReader) -> SessionTokens? {
                reader.skipValue()
                return SessionTokens(access: "new")
            }
            static func tokens(from response: SessionTokens) -> SessionTokens { response }
        }
        let session = Session { (reason: LoginReason) -> Strict? in
            Strict(password: reason.ask == 1 ? "abc" : "abcd")
        }
        let bank = Bank.scripted(ScriptedTransport.scripted { _, _ in .json(200, noAccounts) }, session: session)
        _ = try await bank.listAccounts()
        #expect(session.tokens?.access == "new")
    }

    @Test func theAppIsToldWhyItIsAsked() async throws {
        let (reasons, note) = AsyncStream.makeStream(of: LoginReason.self)
        let session = Session { (reason: LoginReason) -> Bank.LogIn? in
            note.yield(reason)
            return reason.ask == 1 ? Bank.LogIn(user: "ada", password: "wrong") : nil
        }
        let transport = ScriptedTransport.scripted { _, _ in .json(401, #"{"error":{"code":900001}}"#) }
        _ = await Bank.scripted(transport, session: session).result(of: Bank.ListAccounts())
        note.finish()
        var failures: [(any Error)?] = []
        for await reason in reasons { failures.append(reason.previousFailure) }
        #expect(failures.count == 2)
        #expect(failures.first.flatMap { $0 } == nil)
        guard case .wrongPassword? = failures.last.flatMap({ $0 }) as? Bank.LogInFailure else {
            Issue.record("\(failures)")
            return
        }
    }

    /// Two gates let commands go at the same time, if a login ends while those are let go that waited for the network.
    @Test func aCommandInItsTurnDoesNotOvertakeThoseThatWaited() async throws {
        let login = Meeting()
        let session = Session { () -> Bank.LogIn? in
            await login.hold()
            return nil
        }
        let bank = Bank.scripted(ScriptedTransport.scripted { _, _ in .json(200, noAccounts) }, session: session)
        await session.begin(SessionTokens(access: "old", expiresIn: 1), at: .distantPast)
        let caller = Caller(route: bank.binding.route, basis: session.basis(continuing: nil))
        let membership = session.membership(of: .required)
        let places = [SessionWaiter.Place(), SessionWaiter.Place()]
        for (number, place) in places.enumerated() {
            session.enter(caller, membership, WaitingOrder(urgency: 0, number: number), place)
        }
        await login.met()
        await session.replaceTokens(SessionTokens(access: "new"))
        for place in places {
            guard case .granted(let admission) = await place.value(ifCancelled: .cancelled) else {
                Issue.record("a waiting command was not let go")
                break
            }
            #expect(session.admitAtOnce(caller, membership, isInTurn: true) == nil)
            #expect(session.admitAtOnce(caller, membership) != nil)
            admission.turn?.end()
        }
        #expect(session.admitAtOnce(caller, membership, isInTurn: true) != nil)
        login.release()
    }
}

/// A command of an app, as far as a session looks at it.
private final class Caller: SessionCommand {
    let command: any Command = Bank.ListAccounts()
    let endpoint = Bank.ListAccounts.endpoint
    let route: ServiceRoute
    let role = CommandRole.ordinary
    let basis: SessionVersion
    let isSentByResponder = false
    let isLogin = false
    let isLogout = false

    init(route: ServiceRoute, basis: SessionVersion) {
        self.route = route
        self.basis = basis
    }
}
