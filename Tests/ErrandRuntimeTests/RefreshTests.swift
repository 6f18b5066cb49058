import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

@Suite(.overSocketsToo) struct RefreshTests {
    private func shop(_ transport: ScriptedTransport, _ session: Session = .begun) -> Shop {
        let environment = DispatcherEnvironment(
            clock: InstantClock(), wallTime: { Date(timeIntervalSince1970: 1_000) },
            generator: SeededGenerator(seed: 1))
        return Shop(on: Dispatcher(transport: transport, environment: environment), session: session)
    }

    @Test(arguments: [1, 10, 1_000])
    func anyNumberOfFailuresMakesOneRefresh(count: Int) async throws {
        let transport = ScriptedTransport.scripted { request, _ in
            if request.url.hasSuffix("/refresh") { return .json(200, #"{"access":"new"}"#) }
            return request.url.hasSuffix("token=new") ? .json(200, "") : .json(401, "")
        }
        let shop = shop(transport)
        await shop.binding.session.begin(SessionTokens(access: "old", refresh: "r3fresh"))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    if case .failure(let fault) = await shop.result(of: Shop.Ping()) { Issue.record(fault) }
                }
            }
        }
        let refreshes = transport.requests.filter { $0.url.hasSuffix("/refresh") }
        #expect(refreshes.count == 1)
        #expect(refreshes.first?.body == Array("refresh_token=r3fresh".utf8))
        #expect(refreshes.first?.headers["Content-Type"] == "application/x-www-form-urlencoded")
        // The server sent no new refresh token, so the old one is kept.
        #expect(shop.binding.session.tokens?.refresh == "r3fresh")
    }

    @Test func aKnownExpiryIsRenewedBeforeSending() async throws {
        let transport = ScriptedTransport.scripted { request, _ in
            request.url.hasSuffix("/refresh")
                ? .json(200, #"{"access":"new","expiresIn":60,"refresh":"r2"}"#) : .json(200, "")
        }
        let shop = shop(transport)
        let past = Date(timeIntervalSince1970: 900)
        await shop.binding.session.begin(SessionTokens(access: "old", expiresIn: 100, refresh: "r1"), at: past)
        try await shop.send(Shop.Ping())
        #expect(transport.paths == ["POST /refresh", "GET /ping"])
        #expect(shop.binding.session.tokens?.expiry == Date(timeIntervalSince1970: 1_060))
        #expect(shop.binding.session.tokens?.refresh == "r2")
    }

    @Test func aRefreshWithoutAnswerKeepsTheSession() async throws {
        let transport = ScriptedTransport.scripted { request, _ throws(TransportFault) in
            if request.url.hasSuffix("/refresh") { throw TransportFault(.offline, evidence: .notSent) }
            return .json(401, "")
        }
        let shop = shop(transport)
        await shop.binding.session.begin(SessionTokens(access: "old", refresh: "r"))
        let result = await shop.result(of: Shop.Ping())
        guard case .failure(let fault) = result else {
            Issue.record("it succeeded")
            return
        }
        // Not `unauthenticated`, which would make the app log out.
        #expect(fault.kind == .offline)
        #expect(fault.category == .retryable)
        #expect((fault.context.underlying as? CommandFault)?.kind == .offline)
        #expect(shop.binding.session.tokens?.refresh == "r")
    }

    @Test func aRefusedRefreshEndsTheSession() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(401, "") }
        let shop = shop(transport)
        await shop.binding.session.begin(SessionTokens(access: "old", refresh: "r"))
        guard case .failure = await shop.result(of: Shop.Ping()) else {
            Issue.record("?")
            return
        }
        #expect(shop.binding.session.tokens == nil)
        #expect(transport.paths == ["GET /ping", "POST /refresh"])
    }

    @Test func aStoreIsReadOnceAndKeptUpToDate() async throws {
        actor Store: SessionStore {
            var kept: SessionTokens? = SessionTokens(access: "kept")
            var loads = 0
            func load() async -> SessionTokens? {
                loads += 1
                return kept
            }
            func save(_ tokens: SessionTokens?) async { kept = tokens }
        }
        let store = Store()
        let session = Session(store: store)
        let transport = ScriptedTransport.scripted { request, _ in
            request.url.hasSuffix("token=kept") ? .json(200, "") : .json(401, "")
        }
        let shop = shop(transport, session)
        try await shop.send(Shop.Ping())
        try await shop.send(Shop.Ping())
        #expect(await store.loads == 1)
        await session.end()
        #expect(await store.kept == nil)
    }

    @Test func patienceBoundsTheWaitForALogin() async throws {
        struct Hasty: ErrandRuntime.Command {
            typealias Service = Shop
            typealias Failure = CommandFault
            typealias Response = Void
            static let endpoint = EndpointDescription(
                Shop.service, "hasty", .get, effect: .read, session: .required,
                patience: .upTo(.milliseconds(30)), response: .none)
            func encode(into request: inout RequestEncoder) { request.path("/hasty") }
        }
        let (waiting, stop) = AsyncStream.makeStream(of: Void.self)
        let session = Session { () -> Bank.LogIn? in
            for await _ in waiting {}
            return nil
        }
        let transport = ScriptedTransport.scripted { _, _ in .json(200, "") }
        let shop = Shop(on: Dispatcher(transport: transport), session: session)
        guard case .failure(let fault) = await shop.result(of: Hasty()) else {
            Issue.record("?")
            return
        }
        #expect(fault.kind == .unauthenticated)
        #expect(fault.context.attempts == 0)
        #expect(transport.requests.isEmpty)
        stop.finish()
    }
}
