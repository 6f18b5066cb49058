import BankClient
import ErrandTesting
import Testing

@testable import ErrandRuntime

@Suite(.timeLimit(.minutes(1))) struct ConcurrencyLimiterTests {
    private static let host = Origin("https://a.example")!

    @Test func noMoreThanAllowedAreUnderWayAndTheMostUrgentGoFirst() {
        let limiter = ConcurrencyLimiter(limit: 2)
        #expect(limiter.enter(Self.host) && limiter.enter(Self.host) && !limiter.enter(Self.host))
        let waiters = (0..<6).map { _ in ConcurrencyLimiter.Waiter() }
        let priorities: [Priority] = [.low, .normal, .high, .normal, .normal, .high]
        let tickets = zip(waiters, priorities).enumerated().map { number, pair in
            let urgency = pair.1 == .high ? 1 : (pair.1 == .normal ? 2 : 3)
            return limiter.join(Self.host, WaitingOrder(urgency: urgency, number: number), pair.0)
        }
        // One leaves the queue; another has ended, and is passed over.
        limiter.leave(tickets[1])
        waiters[5].end(.cancelled)
        for expected in [2, 3, 4, 0] {
            limiter.leave(Self.host)
            let granted = waiters.indices.filter { if case .granted? = waiters[$0].valueAtOnce { true } else { false } }
            #expect(granted == [expected])
        }
        #expect(!limiter.enter(Self.host))
        limiter.leave(Self.host)
        limiter.leave(Self.host)
        #expect(limiter.enter(Self.host))
    }

    /// Two places become free at once: the second waiter goes when the first one is on its way, and no newcomer goes before them.
    @Test func oneGoesAfterTheOther() {
        let limiter = ConcurrencyLimiter(limit: 2)
        #expect(limiter.enter(Self.host) && limiter.enter(Self.host))
        let waiters = (0..<2).map { _ in ConcurrencyLimiter.Waiter() }
        for (number, waiter) in waiters.enumerated() { _ = limiter.join(Self.host, .submitted(number), waiter) }
        limiter.leave(Self.host)
        limiter.leave(Self.host)
        guard case .granted(let turn)? = waiters[0].valueAtOnce else {
            Issue.record("the first one does not go")
            return
        }
        #expect(waiters[1].valueAtOnce == nil && !limiter.enter(Self.host))
        turn.end()
        #expect(waiters[1].valueAtOnce != nil)
    }

    @Test func commandsOfOneHostAreBounded() async throws {
        let current = LockedState { (now: 0, most: 0) }
        let transport = ScriptedTransport.scripted { _, _ in
            current.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<5 { await Task.yield() }
            current.withLock { $0.now -= 1 }
            return .json(200, noAccounts)
        }
        let bank = Bank.scripted(transport, settings: DispatcherSettings(maximumRequestsPerHost: 4))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = try await bank.listAccounts() } }
            try await group.waitForAll()
        }
        #expect(current.withLock { $0.most } <= 4)
        #expect(transport.requests.count == 100)
    }
}
