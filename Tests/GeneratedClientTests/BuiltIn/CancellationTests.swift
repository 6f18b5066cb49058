import BankClient
import Foundation
import FriendsClient
import TestSeeds
import TestServices
import Testing
import VideoClient

/// Cancelling a task ends its command at any stage, and the server notices it.
@Suite(.serialized) struct CancellationTests {
    private static func bank(at url: String, on dispatcher: Dispatcher = .brisk()) async -> Bank {
        let session = Session()
        await session.begin(SessionTokens(access: "token"))
        return Bank(.init(url: url), on: dispatcher, session: session)
    }

    @Test(arguments: [
        WireFault.neverAnswer, .stallAfterHeader(announced: 100),
        .slowBytes(WireAnswer(body: String(repeating: " ", count: 10_000)), pause: .milliseconds(5)),
    ])
    func reachesTheWire(fault: WireFault) async throws {
        let server = try await FaultServer(otherwise: fault)
        let bank = await Self.bank(at: server.url)
        let running = Task { await bank.result(of: Bank.ListAccounts()) }
        #expect(await server.waitForRequests(1))
        try await Task.sleep(for: .milliseconds(30))
        let start = ContinuousClock.now
        running.cancel()
        guard case .failure(let failure) = await running.value else { throw Unexpected("success") }
        #expect(failure.context.name == "cancelled" && failure.category == .nonRetryable)
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(await server.waitForClientToClose())
        #expect(await server.requests.count == 1)
        await server.stop()
    }

    @Test func endsAPause() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.script(.throttled(retryAfter: "30"), on: "GET /accounts")
        let running = Task { await bank.result(of: Bank.ListAccounts()) }
        while await service.requests(on: "GET /accounts").isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        try await Task.sleep(for: .milliseconds(50))
        running.cancel()
        guard case .failure(let failure) = await running.value else { throw Unexpected("success") }
        #expect(failure.context.name == "cancelled" && failure.context.attempts == 1)
        #expect(await service.requests(on: "GET /accounts").count == 1)
        await service.end()
    }

    @Test func endsTheWaitForALoginForOneOnly() async throws {
        let service = try await BankService.start()
        let (asked, answer) = (Tally(), AsyncStream<Void>.makeStream())
        let session = Session {
            await asked.add()
            for await _ in answer.stream { break }
            return Bank.LogIn(user: "ada", password: "lovelace")
        }
        let bank = Bank(.init(url: service.url), on: .brisk(), session: session)
        let first = Task { await bank.result(of: Bank.ListAccounts()) }
        let second = Task { await bank.result(of: Bank.ListAccounts()) }
        while await asked.count == 0 { try await Task.sleep(for: .milliseconds(5)) }
        first.cancel()
        guard case .failure(let failure) = await first.value else { throw Unexpected("success") }
        #expect(failure.context.name == "cancelled" && failure.context.applied == .never)
        answer.continuation.yield()
        #expect(try await second.value.get().count == 4, "the other one still wants it")
        await service.end()
    }

    @Test func sendsNothingInATaskThatIsCancelledAlready() async throws {
        let server = try await FaultServer()
        let bank = await Self.bank(at: server.url)
        let running = Task {
            while !Task.isCancelled { await Task.yield() }
            return await bank.result(of: Bank.OrderCard(accountID: 1))
        }
        running.cancel()
        guard case .failure(let failure) = await running.value else { throw Unexpected("success") }
        #expect(failure.context.name == "cancelled" && failure.context.applied == .never)
        #expect(failure.context.attempts == 0)
        #expect(await server.connections.isEmpty)
        await server.stop()
    }

    @Test func anOrderWithoutAKeyThatWasSentStaysOpen() async throws {
        let server = try await FaultServer(otherwise: .neverAnswer)
        let bank = await Self.bank(at: server.url)
        let running = Task { await bank.result(of: Bank.OrderCard(accountID: 1)) }
        #expect(await server.waitForRequests(1))
        running.cancel()
        guard case .failure(.unconfirmed(let receipt)) = await running.value else {
            throw Unexpected(await running.value)
        }
        #expect(receipt.cause.name == "cancelled" && receipt.idempotencyKey == nil)
        await server.stop()
    }

    /// A list whose rows scroll away: many at once, each cancelled, and the client continues to work.
    @Test func manyAtOnce() async throws {
        let network = try await Network.start()
        await network.friendsService.script(.delay(.seconds(20)), times: 30, on: "GET /users/*")
        let running = (1...30).map { id in Task { await network.friends.result(of: Friends.GetUser(userID: id)) } }
        try await Task.sleep(for: .milliseconds(100))
        for task in running { task.cancel() }
        for task in running {
            guard case .failure(let failure) = await task.value else { throw Unexpected("success") }
            #expect(failure.context.name == "cancelled")
        }
        await network.friendsService.clearScript()
        #expect(try await network.friends.getUser(userID: 7).id == 7)
        await network.end()
    }
}
