import Foundation
import Testing

@testable import ErrandRuntime

@Suite struct DecideTests {
    private func situation(
        _ effect: Effect, _ category: ErrorCategory, _ applied: Applied, _ evidence: Evidence,
        _ change: (inout Situation) -> Void = { _ in }
    ) -> Situation {
        var situation = Situation(
            effect: effect, category: category, applied: applied, evidence: evidence, attempts: 1,
            rule: RetryRule(), timeLeft: .seconds(60), isOpen: applied == .maybe, jitter: 0.5)
        change(&situation)
        return situation
    }

    private let soon = Decision.resend(after: .milliseconds(100))

    /// Effect, applied and evidence of a retryable failure: what is done about it.
    static let retryable: [(Effect, Applied, Evidence, Bool, Bool)] = [
        // effect, applied, evidence, sent again, unconfirmed otherwise
        (.read, .maybe, .sent, true, false), (.read, .never, .notSent, true, false),
        (.idempotent, .maybe, .sent, true, false), (.idempotent, .never, .responded, true, false),
        (.keyed, .maybe, .sent, true, true), (.keyed, .maybe, .responded, true, true),
        (.keyed, .never, .notSent, true, false), (.keyed, .never, .responded, true, false),
        (.once, .maybe, .sent, false, true), (.once, .maybe, .responded, false, true),
        (.once, .never, .notSent, true, false), (.once, .never, .responded, true, false),
    ]

    @Test(arguments: retryable)
    func retryableFailures(
        effect: Effect, applied: Applied, evidence: Evidence, isResent: Bool, isUnconfirmed: Bool
    ) {
        let end = isUnconfirmed ? Decision.completeUnconfirmed : .complete
        let first = situation(effect, .retryable, applied, evidence)
        #expect(decide(first) == (isResent ? soon : end))
        var last = first
        last.attempts = 3
        #expect(decide(last) == end)
        var poor = first
        poor.isWithinBudget = false
        #expect(decide(poor) == end)
        var late = first
        late.timeLeft = .milliseconds(100)
        #expect(decide(late) == end)
        var cancelled = first
        cancelled.isCancelled = true
        #expect(decide(cancelled) == end)
    }

    @Test(arguments: Effect.allCases, [Applied.never, .maybe])
    func finalFailuresAreNeverSentAgain(effect: Effect, applied: Applied) {
        let isDelicate = effect == .keyed || effect == .once
        let builtIn = situation(effect, .nonRetryable, applied, .responded)
        #expect(decide(builtIn) == (isDelicate && applied == .maybe ? .completeUnconfirmed : .complete))
        let declared = situation(effect, .nonRetryable, applied, .responded) { $0.isDeclared = true }
        #expect(decide(declared) == .complete)
    }

    @Test func aFinalAnswerToTheKeySettlesEarlierAttempts() {
        let settled = situation(.keyed, .nonRetryable, .never, .responded) { $0.isOpen = true }
        #expect(decide(settled) == .complete)
        let refusedConnection = situation(.keyed, .retryable, .never, .notSent) {
            $0.isOpen = true
            $0.attempts = 3
        }
        #expect(decide(refusedConnection) == .completeUnconfirmed)
    }

    /// The server is still busy with the attempt before: that settles nothing.
    @Test func aConflictOfKeysIsNoFinalAnswer() {
        var busy = situation(.keyed, .nonRetryable, .never, .responded) {
            $0.isOpen = true
            $0.isConflict = true
        }
        #expect(decide(busy) == soon)
        busy.attempts = 3
        #expect(decide(busy) == .completeUnconfirmed)
        busy.isDeclared = true
        #expect(decide(busy) == .complete)
        let once = situation(.once, .nonRetryable, .never, .responded) {
            $0.isOpen = true
            $0.isConflict = true
        }
        #expect(decide(once) == .complete)
    }

    @Test func aSessionIsRenewedWhereItCanBe() {
        let over = situation(.once, .requiresLogout, .never, .responded)
        #expect(decide(over) == .complete)
        var renewable = over
        renewable.canRenewSession = true
        #expect(decide(renewable) == .park(.session))
        renewable.applied = .maybe
        renewable.isOpen = true
        #expect(decide(renewable) == .completeUnconfirmed)
    }

    @Test func retryAfterIsAFloorAndFailsAtOncePastTheDeadline() {
        let floor = situation(.read, .retryable, .never, .responded) { $0.retryAfter = .seconds(7) }
        #expect(decide(floor) == .resend(after: .seconds(7)))
        let late = situation(.read, .retryable, .never, .responded) { $0.retryAfter = .seconds(61) }
        #expect(decide(late) == .complete)
        let small = situation(.read, .retryable, .never, .responded) { $0.retryAfter = .zero }
        #expect(decide(small) == soon)
    }

    @Test func pausesStayInBounds() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let base = Duration.milliseconds(Int64.random(in: 0...2_000, using: &generator))
            let cap = Duration.milliseconds(Int64.random(in: 0...30_000, using: &generator))
            let rule = RetryRule(attempts: 100, base: base, cap: cap)
            let attempts = Int.random(in: 1...80, using: &generator)
            let jitter = Double.random(in: 0..<1, using: &generator)
            let pause = rule.pause(after: attempts, jitter: jitter)
            let bound = min(cap, attempts < 30 ? base * (1 << (attempts - 1)) : base == .zero ? .zero : cap)
            guard pause >= .zero, pause <= bound else {
                Issue.record("seed \(seed): \(pause) after \(attempts) of \(rule)")
                return
            }
        }
        #expect(RetryRule().pause(after: 1, jitter: 1) == .milliseconds(200))
        #expect(RetryRule().pause(after: 2, jitter: 1) == .milliseconds(400))
        #expect(RetryRule().pause(after: 50, jitter: 1) == .seconds(20))
        #expect(RetryRule().pause(after: .max, jitter: 0) == .zero)
    }

    static let retryAfters: [(String, Int64?)] = [
        ("120", 120), ("0", 0), ("99999999999999999999", 3_153_600_000), ("-1", nil), ("", nil),
        ("soon", nil), ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sun, 06 Nov 1994 08:49:27 GMT", 0),
        ("Sunday, 06-Nov-94 08:49:47 GMT", 10), ("Sun Nov  6 08:49:47 1994", 10),
        ("Sun Nov 16 08:49:37 1994", 864_000), ("Wednesday, 06-Nov-30 08:49:37 GMT", 1_136_073_600),
        ("Sunday, 06-Nov-70 08:49:37 GMT", 0), ("Sunday, 06-Nov-1994 08:49:37 GMT", nil),
        ("Sun Nov  6 08:49:47 1994 GMT", nil), ("Sunday 06-Nov-94 08:49:47 GMT", nil),
        ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
        (" 120", 120), ("120 ", 120), ("\t 120\t", 120), ("\tSun, 06 Nov 1994 08:49:47 GMT ", 10), ("1 20", nil), (" ", nil),
    ]

    @Test(arguments: retryAfters)
    func retryAfterIsRead(text: String, seconds: Int64?) {
        let now = { Date(timeIntervalSince1970: 784_111_777) }
        let pause = RetryAfter.pause(["Retry-After": text], now: now)
        #expect(pause == seconds.map { .seconds($0) })
    }

    @Test func theServersOwnClockCounts() {
        let headers: HTTPHeaders = [
            "date": "Sun, 06 Nov 1994 08:49:37 GMT", "retry-after": "Sun, 06 Nov 1994 08:50:37 GMT",
        ]
        #expect(RetryAfter.pause(headers, now: { .distantPast }) == .seconds(60))
    }

    @Test func theBudgetIsATenth() throws {
        let budget = RetryBudget()
        let host = try #require(Origin("https://a.example"))
        var sends = 0
        for _ in 0..<1_000 {
            budget.deposit(for: host)
            sends += 1
            for _ in 0..<2 where budget.withdraw(for: host) { sends += 1 }
        }
        #expect((1_100...1_110).contains(sends))
        #expect(!budget.withdraw(for: host))
        budget.restore(for: host)
        #expect(budget.withdraw(for: host))
    }
}
