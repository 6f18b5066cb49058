import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// A kept connection that ends before a response proves nothing: a gateway may have passed the request on. A read is sent again at once,
/// as one of its attempts, and no more once that has failed.
@Suite(.overSocketsToo) struct StaleConnectionTests {
    private static let stale = TransportFault(.lost, evidence: .sent, isStaleConnection: true)

    private func bank(
        _ transport: ScriptedTransport, clock: InstantClock, settings: DispatcherSettings = DispatcherSettings()
    ) -> Bank {
        Bank.scripted(
            transport, clock: clock, settings: settings, session: Session(tokens: SessionTokens(access: "t")))
    }

    @Test func aReadIsSentAgainAtOnceAndPays() async throws {
        let clock = InstantClock()
        let transport = ScriptedTransport.scripted { request, _ throws(TransportFault) in
            guard request.needsNewConnection else { throw Self.stale }
            return .json(200, noAccounts)
        }
        let bank = bank(transport, clock: clock)
        for _ in 0..<10 { #expect(try await bank.reply(to: Bank.ListAccounts()).value.isEmpty) }
        #expect(transport.requests.map(\.needsNewConnection) == (0..<20).map { $0 % 2 == 1 })
        #expect(await clock.sleeps.isEmpty)
        // Ten successes have given one token, after ten were taken.
        let host = try #require(Origin(transport.requests[0].url))
        let budget = bank.binding.dispatcher.budget
        #expect((0..<3).map { _ in budget.withdraw(for: host) } == [true, false, false])
        // And without a token, it is not sent again.
        guard case .failure(let failure) = await bank.result(of: Bank.ListAccounts()) else {
            Issue.record("it was sent again")
            return
        }
        #expect(failure.context.name == "connectionLost" && failure.context.attempts == 1)
    }

    /// `retry: never`, in whatever way it was said, means that the server gets the request once.
    @Test func neverMeansNever() async throws {
        let transport = ScriptedTransport.scripted { _, _ throws(TransportFault) in throw Self.stale }
        let bank = bank(transport, clock: InstantClock(), settings: DispatcherSettings(retry: .never))
        for _ in 0..<100 { _ = await bank.result(of: Bank.ListAccounts()) }
        #expect(transport.requests.count == 100)
    }

    /// Sending again is an attempt, so three attempts are three requests.
    @Test func itCountsAsAnAttempt() async throws {
        let clock = InstantClock()
        let transport = ScriptedTransport.scripted { _, _ throws(TransportFault) in throw Self.stale }
        guard case .failure(let failure) = await bank(transport, clock: clock).result(of: Bank.ListAccounts()) else {
            Issue.record("it succeeded")
            return
        }
        #expect(failure.context.name == "connectionLost" && failure.context.attempts == 3)
        #expect(transport.requests.map(\.needsNewConnection) == [false, true, true])
        // The second one has failed: the third one comes after a pause.
        #expect(await clock.sleeps.count == 1)
    }

    /// The server may have read the order before its connection ended.
    @Test func anOrderIsNotSentAgain() async throws {
        let transport = ScriptedTransport.scripted { _, _ throws(TransportFault) in throw Self.stale }
        let result = await bank(transport, clock: InstantClock()).result(of: Bank.OrderCard(accountID: 1))
        guard case .failure(.unconfirmed(let receipt)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(receipt.context.attempts == 1 && transport.requests.count == 1)
    }

    /// Sending again at once has failed, as during an outage: the next commands pause, until a kept connection works.
    @Test(.inMemoryOnly("URLSession on Linux does not tell of kept connections"))
    func afterOneInVainThereIsNoneUntilAKeptConnectionWorks() async throws {
        let clock = InstantClock()
        let answer = LockedState<@Sendable (TransportRequest) -> TransportResponse?> { { _ in nil } }
        let transport = ScriptedTransport.scripted { request, _ throws(TransportFault) in
            guard let response = answer.withLock({ $0 })(request) else { throw Self.stale }
            return response
        }
        @Sendable func response(_ status: Int, isReused: Bool = false) -> TransportResponse {
            var response = TransportResponse.json(status, status == 200 ? noAccounts : "")
            response.isReusedConnection = isReused
            return response
        }
        let bank = bank(transport, clock: clock)
        /// Whether the command was sent again at once after its kept connection had ended.
        func isSentAtOnce() async -> Bool {
            let before = await clock.sleeps.count
            answer.withLock { $0 = { $0.needsNewConnection ? response(200) : nil } }
            #expect(await (try? bank.result(of: Bank.ListAccounts()).get()) != nil)
            return await clock.sleeps.count == before
        }
        #expect(await isSentAtOnce())
        // A gateway passes the request on, and responds to the second one.
        answer.withLock { $0 = { $0.needsNewConnection ? response(502) : nil } }
        _ = await bank.result(of: Bank.ListAccounts())
        #expect(await !isSentAtOnce())
        // A success on a new connection says nothing of kept ones.
        answer.withLock { $0 = { _ in response(200) } }
        _ = await bank.result(of: Bank.ListAccounts())
        #expect(await !isSentAtOnce())
        answer.withLock { $0 = { _ in response(200, isReused: true) } }
        _ = await bank.result(of: Bank.ListAccounts())
        #expect(await isSentAtOnce())
    }

    @Test func manyHostsTakeBoundedMemory() throws {
        let breaker = StaleRetryBreaker()
        for number in 0..<5_000 { breaker.open(for: try #require(Origin("https://h\(number).example"))) }
        let hosts = try (0..<5_000).map { try #require(Origin("https://h\($0).example")) }
        #expect(hosts.count { breaker.isOpen(for: $0) } <= 256)
        #expect(breaker.isOpen(for: try #require(hosts.last)))
    }
}
