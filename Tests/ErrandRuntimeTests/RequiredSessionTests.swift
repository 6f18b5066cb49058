import BankClient
import ErrandTesting
import Foundation
import TestSeeds
import Testing

@testable import ErrandRuntime

/// A command that requires a session is never sent without a token.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct RequiredSessionTests {
    /// A responder that logs in through the client of its incident, or only passes.
    private struct Screen: Responder {
        let asked = Tally()
        var login: (@Sendable (Incident) async -> IncidentAnswer)?

        func respond(to incident: Incident) async -> IncidentAnswer {
            await asked.add()
            return await login?(incident) ?? .pass
        }
    }

    /// A logout whose response needs a payload.
    private struct Farewell: LogoutCommand {
        typealias Service = Bank
        typealias Failure = CommandFault
        typealias Response = Int
        static let endpoint = EndpointDescription(
            Bank.service, "farewell", .delete, effect: .idempotent, session: .required)
        func encode(into request: inout RequestEncoder) { request.path("/sessions") }
        static func load(from reader: inout JSONReader) -> Int? { reader.readInt() }
    }

    /// A command without a session, whose confirmation requires one.
    private struct Donate: ConfirmableCommand {
        typealias Service = Bank
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Bank.service, "donate", .post, effect: .once, session: .none, response: .none)
        func encode(into request: inout RequestEncoder) { request.path("/donations") }
        func confirmation(for receipt: Receipt) -> Bank.ListAccounts? { Bank.ListAccounts() }
        static func confirmed(by found: [Bank.Account]) {}
    }

    private let ledger = TokenLedger()

    private func bank(_ transport: ScriptedTransport, _ session: Session, _ responder: (any Responder)? = nil) -> Bank {
        Bank(
            on: Dispatcher(
                transport: transport, responder: responder,
                environment: DispatcherEnvironment(clock: InstantClock())),
            session: session)
    }

    private func accept(_ token: String) -> ScriptedTransport {
        ledger.transport { request, _ in
            if request.method == .post { return .json(200, #"{"data":{"token":"\#(token)"}}"#) }
            return request.headers["Authorization"] == "Bearer \(token)" ? .json(200, noAccounts) : .json(401, "")
        }
    }

    @Test func withoutALoginNothingIsSent() async throws {
        let transport = accept("new")
        let bank = bank(transport, Session())
        guard case .failure(.fault(let fault)) = await bank.result(of: Bank.ListAccounts()) else {
            Issue.record("it was sent")
            return
        }
        #expect(fault.kind == .unauthenticated && fault.context.applied == .never && fault.context.attempts == 0)
        #expect("\(fault)".contains("session must have begun: log in first, or write `session: optional`"))
        let order = await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 500))
        #expect(order.applied == .never)
        #expect(transport.requests.isEmpty)
        _ = try await bank.logIn(user: "ada", password: "right")
        _ = try await bank.listAccounts()
        #expect(ledger.tokens(on: "GET /v1/accounts") == ["new"])
    }

    /// After one 401, there is no token and no way to one.
    @Test func afterARefusalNothingMoreIsSent() async {
        let transport = accept("new")
        let bank = bank(transport, Session(tokens: SessionTokens(access: "old")))
        for _ in 1...3 { _ = await bank.result(of: Bank.ListAccounts()) }
        #expect(ledger.tokens(on: "GET /v1/accounts") == ["old"])
    }

    @Test func respondersAreAskedOnceForAllThatHaveNoSession() async throws {
        let session = Session()
        let client = LockedState<Bank?> { nil }
        let screen = Screen(login: { incident in
            guard let bank = client.withLock({ $0 }) else { return .fail }
            await until { bank.binding.dispatcher.board.cohort == 100 }
            let isLoggedIn = (try? await incident.client(bank).logIn(user: "ada", password: "right")) != nil
            return isLoggedIn ? .retry : .fail
        })
        let bank = bank(accept("new"), session, screen)
        client.withLock { $0 = bank }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 1...100 { group.addTask { (try? await bank.listAccounts()) != nil } }
            for await isDone in group { #expect(isDone) }
        }
        #expect(await screen.asked.count == 1)
        #expect(ledger.tokens(on: "GET /v1/accounts") == Array(repeating: "new", count: 100))
    }

    /// A responder that only says `retry` cannot make a command go without a token.
    @Test func aResponderThatOnlyRetriesSendsNothing() async {
        let transport = accept("new")
        let bank = bank(transport, Session(), Screen(login: { _ in .retry }))
        guard case .failure(let failure) = await bank.result(of: Bank.ListAccounts()) else {
            Issue.record("it was sent")
            return
        }
        #expect(failure.context.name == "unauthenticated" && transport.requests.isEmpty)
    }

    @Test func aResponderSendsNothingWithoutAToken() async {
        let client = LockedState<Bank?> { nil }
        let screen = Screen(login: { incident in
            guard let bank = client.withLock({ $0 }) else { return .fail }
            let results = [
                await bank.result(of: Bank.ListAccounts()), await incident.client(bank).result(of: Bank.ListAccounts()),
            ]
            #expect(results.allSatisfy { if case .failure = $0 { true } else { false } })
            return .fail
        })
        let transport = accept("new")
        let bank = bank(transport, Session(), screen)
        client.withLock { $0 = bank }
        _ = await bank.result(of: Bank.ListAccounts())
        #expect(await screen.asked.count == 1)
        #expect(transport.requests.isEmpty)
    }

    // MARK: Logouts

    @Test func aLogoutWithoutATokenSucceedsAtOnce() async throws {
        let transport = accept("new")
        let session = Session()
        let bank = bank(transport, session)
        #expect(try await bank.reply(to: Bank.LogOut()).status == 204)
        // The expired session of a user ends, too.
        await session.begin(SessionTokens(access: "old", identity: "ada"))
        _ = await bank.result(of: Bank.ListAccounts())
        let owner = session.membership(of: .required)
        try await bank.logOut()
        #expect(session.isOver(owner))
        #expect(transport.paths == ["GET /v1/accounts"])
    }

    @Test func aLogoutWithoutATokenNeedsNoNetwork() async throws {
        let network = TestPathMonitor(.unsatisfied)
        let transport = accept("new")
        try await Bank(on: Dispatcher(transport: transport, network: network), session: Session()).logOut()
        #expect(transport.requests.isEmpty)
    }

    @Test func aLogoutThatNeedsAPayloadEndsTheSessionAndFails() async throws {
        let transport = accept("new")
        let session = Session()
        let bank = bank(transport, session)
        await session.begin(SessionTokens(access: "old"))
        _ = await bank.result(of: Bank.ListAccounts())
        let owner = session.membership(of: .required)
        guard case .failure(let fault) = await bank.result(of: Farewell()) else {
            Issue.record("it has a payload")
            return
        }
        #expect(fault.kind == .unauthenticated && session.isOver(owner))
        #expect(transport.paths == ["GET /v1/accounts"])
    }

    // MARK: Other commands, and other processes

    /// The command belongs to no login, and neither does the read that confirms it.
    @Test func aConfirmationOfACommandWithoutALoginIsNotSent() async {
        let transport = ledger.transport { _, _ throws(TransportFault) in throw TransportFault(.lost, evidence: .sent) }
        let bank = bank(transport, Session(tokens: SessionTokens(access: "old")))
        guard case .failure(let fault) = await bank.result(of: Donate()) else {
            Issue.record("it was confirmed")
            return
        }
        #expect(fault.kind == .unconfirmed)
        #expect(ledger.tokens(on: "GET /v1/accounts").isEmpty)
    }

    /// A process without a login closure looks into the store before it refuses a command.
    @Test func theLoginOfAnotherProcessIsFound() async throws {
        let folder = try SessionFolder()
        let session = Session(store: FileSessionStore(path: folder.file))
        let bank = bank(accept("new"), session)
        guard case .failure(let failure) = await bank.result(of: Bank.ListAccounts()) else {
            Issue.record("it was sent")
            return
        }
        #expect(failure.context.name == "unauthenticated")
        await Session(store: FileSessionStore(path: folder.file)).begin(SessionTokens(access: "new"))
        _ = try await bank.listAccounts()
        #expect(ledger.tokens(on: "GET /v1/accounts") == ["new"])
    }

    /// What an expired session's user reads without a token is not that user's.
    @Test func whatWasReadWithoutATokenIsNotFreshAfterALogin() async throws {
        let desk = await CacheDesk()
        let session = desk.bank.binding.session
        await session.expire(session.basis.generation)
        desk.answer(200, "1", ["Cache-Control": "max-age=600"])
        #expect(await CacheDesk.told(desk.bank, OptionalLook()) == "1")
        #expect(await CacheDesk.told(desk.bank, OptionalLook()) == "1, fresh 0")
        await session.replaceTokens(SessionTokens(access: "renewed", identity: "ada"))
        desk.answer(200, "2", ["Cache-Control": "max-age=600"])
        #expect(await CacheDesk.told(desk.bank, OptionalLook()) == "2")
        await session.end()
        // Without a token again, there is what was read without one.
        #expect(await CacheDesk.told(desk.bank, OptionalLook()) == "1, fresh 0")
        #expect(desk.requests.map { $0.headers["Authorization"] } == [nil, "Bearer renewed"])
    }
}

/// A read with a cache that takes a token if there is one.
private struct OptionalLook: ErrandRuntime.Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Int
    static let endpoint = EndpointDescription(
        Bank.service, "optionalLook", .get, effect: .read, session: .optional, cache: CacheRule())
    func encode(into request: inout RequestEncoder) { request.path("/looks") }
    static func load(from reader: inout JSONReader) -> Int? { reader.readInt() }
}
