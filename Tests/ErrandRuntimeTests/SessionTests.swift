import BankClient
import ErrandTesting
import Foundation
import TestSeeds
import Testing

@testable import ErrandRuntime

/// A server that knows which token is good.
private actor TokenServer {
    private(set) var logins = 0
    private(set) var refused = 0
    private var valid = "none"
    private let password: String

    init(password: String = "right") { self.password = password }

    func expire() { valid = "none" }

    func answer(_ request: TransportRequest) -> TransportResponse {
        if request.url.hasSuffix("/sessions"), request.method == .post {
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            guard body.contains("\"\(password)\"") else {
                return .json(401, #"{"error":{"code":900001,"messages":["wrong"]}}"#)
            }
            logins += 1
            valid = "token-\(logins)"
            return .json(200, #"{"data":{"token":"\#(valid)"}}"#)
        }
        let isGood = request.headers["Authorization"] == "Bearer \(valid)" || request.url.hasSuffix("token=\(valid)")
        guard isGood else {
            refused += 1
            return .json(401, "{}")
        }
        return .json(200, noAccounts)
    }

    nonisolated var transport: ScriptedTransport {
        ScriptedTransport.scripted { request, _ in await self.answer(request) }
    }
}

@Suite(.overSocketsToo) struct SessionTests {
    @Test func aLoginStartsAndALogoutEndsIt() async throws {
        let server = TokenServer()
        let transport = server.transport
        let bank = Bank.scripted(transport)
        _ = try await bank.logIn(user: "ada", password: "right")
        #expect(bank.session.tokens?.access == "token-1")
        _ = try await bank.listAccounts()
        try await bank.logOut()
        #expect(bank.session.tokens == nil)
        #expect(transport.requests.first?.headers["Authorization"] == nil)
    }

    @Test func withoutALoginACommandFailsWithItsOwnErrorAndEndsTheSession() async throws {
        let bank = Bank.scripted(TokenServer().transport)
        await bank.session.begin(SessionTokens(access: "stale"))
        let result = await bank.result(of: Bank.ListAccounts())
        guard case .failure(.sessionExpired(let context)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(context.category == .requiresLogout)
        #expect(bank.session.tokens == nil)
    }

    /// A script that is given its token sends it with the first command, and waits for nothing before.
    @Test func aSessionBeginsWithTheTokensThatItIsMadeWith() async throws {
        let session = Session(tokens: SessionTokens(access: "given", expiresIn: 60, identity: "ada"))
        #expect(session.tokens?.access == "given")
        #expect(session.tokens?.expiry != nil)
        var states = session.states.makeAsyncIterator()
        #expect(await states.next() == .loggedIn(identity: "ada"))
        let transport = ScriptedTransport.scripted { _, _ in .json(200, noAccounts) }
        _ = try await Bank.scripted(transport, session: session).listAccounts()
        #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer given"])
        #expect(!String(reflecting: MemorySessionStore(SessionTokens(access: "given"))).contains("given"))
    }

    /// Its login closure is asked when the server refuses them.
    @Test func aSessionThatBeganWithTokensLogsInByItself() async throws {
        let server = TokenServer()
        let session = Session(store: .memory(SessionTokens(access: "stale"))) {
            Bank.LogIn(user: "ada", password: "right")
        }
        _ = try await Bank.scripted(server.transport, session: session).listAccounts()
        #expect(await server.logins == 1)
        #expect(await server.refused == 1)
    }

    @Test(arguments: [1, 10, 1_000])
    func anyNumberOfFailuresMakesOneLogin(count: Int) async throws {
        let server = TokenServer()
        let asked = Tally()
        let session = Session(store: .memory) { () -> Bank.LogIn? in
            await asked.add()
            await Task.yield()
            return Bank.LogIn(user: "ada", password: "right")
        }
        let bank = Bank.scripted(server.transport, session: session)
        await session.begin(SessionTokens(access: "stale"))
        let successes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { (try? await bank.listAccounts()) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(successes == count)
        #expect(await server.logins == 1)
        #expect(await asked.count == 1)
    }

    @Test func commandsThatNeedOneStartTheFirstLoginToo() async throws {
        let server = TokenServer()
        let session = Session { () -> Bank.LogIn? in Bank.LogIn(user: "ada", password: "right") }
        let bank = Bank.scripted(server.transport, session: session)
        _ = try await bank.listAccounts()
        #expect(await server.logins == 1)
        #expect(await server.refused == 0)
        try await bank.logOut()
        #expect(await server.logins == 1)
    }

    @Test func aWrongPasswordAsksAgain() async throws {
        let asked = Tally()
        let session = Session { () -> Bank.LogIn? in
            Bank.LogIn(user: "ada", password: await asked.add() < 3 ? "wrong" : "right")
        }
        let server = TokenServer()
        _ = try await Bank.scripted(server.transport, session: session).listAccounts()
        #expect(await asked.count == 3)
        #expect(await server.logins == 1)
    }

    @Test func alwaysWrongEndsWithWhatTheLoginSaid() async throws {
        let asked = Tally()
        let session = Session { () -> Bank.LogIn? in
            await asked.add()
            return Bank.LogIn(user: "ada", password: "wrong")
        }
        let bank = Bank.scripted(TokenServer().transport, session: session)
        let result = await bank.result(of: Bank.ListAccounts())
        guard case .failure(.fault(let fault)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == .unauthenticated)
        guard case .wrongPassword? = fault.context.underlying as? Bank.LogInFailure else {
            Issue.record("\(String(describing: fault.context.underlying))")
            return
        }
        #expect(await asked.count == 3)
    }

    @Test(arguments: [1, 10, 1_000])
    func aCancelledLoginFailsAllWaitingOnce(count: Int) async throws {
        let asked = Tally()
        let isAwaitedByAll = LockedState<@Sendable () -> Bool> { { false } }
        let session = Session { () -> Bank.LogIn? in
            await asked.add()
            // A command that came later would ask for another login.
            _ = await eventually(within: .seconds(60)) { isAwaitedByAll.withLock { $0 }() }
            return nil
        }
        let bank = Bank.scripted(TokenServer().transport, session: session)
        let dispatcher = bank.binding.dispatcher
        isAwaitedByAll.withLock { $0 = { dispatcher.waiting.count { $0.place == .session } == count } }
        await session.begin(SessionTokens(access: "stale"))
        let failures = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    switch await bank.result(of: Bank.ListAccounts()) {
                    case .failure(.sessionExpired): true
                    // A command that came while the login was under way was never sent.
                    case .failure(.fault(let fault)): fault.kind == .unauthenticated
                    default: false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == count)
        #expect(await asked.count == 1)
    }

    @Test func aLateFailureOfAnOldSessionOnlyReplays() async throws {
        let server = TokenServer()
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (arrived, arrive) = AsyncStream.makeStream(of: Void.self)
        let transport = ScriptedTransport.scripted { request, number in
            let answer = await server.answer(request)
            if number == 1 {
                arrive.finish()
                for await _ in gate {}
            }
            return answer
        }
        let session = Session { () -> Bank.LogIn? in Bank.LogIn(user: "ada", password: "right") }
        let bank = Bank.scripted(transport, session: session)
        await session.begin(SessionTokens(access: "stale"))
        async let late = bank.result(of: Bank.ListAccounts())
        for await _ in arrived {}
        _ = try await bank.listAccounts()
        #expect(await server.logins == 1)
        open.finish()
        guard case .success = await late else {
            Issue.record("it failed")
            return
        }
        #expect(await server.logins == 1)
    }

    @Test func aServerThatRefusesEverySessionEndsIt() async throws {
        let transport = ScriptedTransport.scripted { request, number in
            request.url.hasSuffix("/sessions")
                ? .json(200, #"{"data":{"token":"t\#(number)"}}"#) : .json(401, "{}")
        }
        let session = Session { () -> Bank.LogIn? in Bank.LogIn(user: "ada", password: "right") }
        let result = await Bank.scripted(transport, session: session).result(of: Bank.ListAccounts())
        guard case .failure(.sessionExpired) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(transport.requests.count <= 8)
    }

    @Test func waitingForALoginEndsWithTheTask() async throws {
        let (asking, asks) = AsyncStream.makeStream(of: Void.self)
        let session = Session { () -> Bank.LogIn? in
            asks.finish()
            try? await Task.sleep(for: .seconds(600))
            return nil
        }
        let bank = Bank.scripted(TokenServer().transport, session: session)
        let task = Task { await bank.result(of: Bank.ListAccounts()) }
        for await _ in asking {}
        task.cancel()
        let result = await task.value
        guard case .failure(.fault(let fault)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == .cancelled)
        #expect(fault.context.attempts == 0)
    }

    @Test func twoContractsShareOneSession() async throws {
        let server = TokenServer()
        let transport = server.transport
        let session = Session { () -> Bank.LogIn? in Bank.LogIn(user: "ada", password: "right") }
        let bank = Bank.scripted(transport, session: session)
        let shop = Shop(on: bank.binding.dispatcher, session: session)
        try await shop.send(Shop.Ping())
        _ = try await bank.listAccounts()
        #expect(await server.logins == 1)
        #expect(transport.requests.last?.headers["Authorization"] == "Bearer token-1")
        #expect(transport.requests.contains { $0.url == "https://shop.example/ping?token=token-1" })
    }

    @Test func aClientThatIsMissingIsNamed() async throws {
        let session = Session { () -> Bank.LogIn? in Bank.LogIn(user: "ada", password: "right") }
        let dispatcher = Dispatcher(transport: TokenServer().transport)
        let result = await Shop(on: dispatcher, session: session).result(of: Shop.Ping())
        guard case .failure(let fault) = result else {
            Issue.record("it succeeded")
            return
        }
        #expect((fault.context.underlying as? MissingLoginClientError)?.service == "Bank")
    }
}
