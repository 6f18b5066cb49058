import Foundation
import Testing

@testable import ErrandRuntime

@Suite struct DecideTests {
    private func context(
        _ effect: Effect, _ category: ErrorCategory, _ applied: Applied, _ evidence: Evidence,
        _ change: (inout RetryContext) -> Void = { _ in }
    ) -> RetryContext {
        var context = RetryContext(
            effect: effect, category: category, applied: applied, mayHaveBeenApplied: applied == .maybe,
            evidence: evidence,
            attempts: 1,
            rule: RetryRule(), timeLeft: .seconds(60), jitter: 0.5)
        change(&context)
        return context
    }

    private let soon = Decision.resend(after: .milliseconds(100))
    private let complete = Decision.complete(isUnconfirmed: false)
    private let unconfirmed = Decision.complete(isUnconfirmed: true)

    /// Only an attempt before that may have been carried out makes a success of an error, and only where the endpoint itself has responded.
    @Test(arguments: Effect.allCases) func anErrorOfTheContractSettlesWhatWasDoneAlready(effect: Effect) {
        let done = context(effect, .nonRetryable, .never, .responded) {
            $0.isEndpointSpecific = true
            $0.mayHaveBeenApplied = true
            $0.settling = .afterOpenAttempt
            $0.isAfterOpenAttempt = true
            $0.canAsk = true
            $0.confirmation = .possible
        }
        #expect((decide(done) == .succeed) == (effect != .read))
        let changes: [(inout RetryContext) -> Void] = [
            { $0.isAfterOpenAttempt = false }, { $0.settling = nil }, { $0.isEndpointSpecific = false },
            { $0.category = .retryable }, { $0.evidence = .sent }, { $0.isCancelled = true },
            { $0.isSessionOver = true },
        ]
        for (number, change) in changes.enumerated() {
            var other = done
            change(&other)
            #expect(decide(other) != .succeed, "change \(number)")
            other.settling = .always
            #expect((decide(other) == .succeed) == (effect != .read && number < 2), "change \(number)")
        }
    }

    /// A stale response comes before a retry and before people are asked, and after a transparent retry.
    @Test(arguments: [ErrorCategory.retryable, .nonRetryable, .requiresLogout])
    func aStaleResponseStandsInForAFailedRead(category: ErrorCategory) {
        let failed = context(.read, category, .maybe, .sent) {
            $0.hasStaleResponse = true
            $0.canAsk = true
            $0.canRenewSession = true
        }
        #expect(decide(failed) == .useStaleResponse)
        let changes: [(inout RetryContext) -> Void] = [
            { $0.effect = .idempotent }, { $0.isCancelled = true }, { $0.isSessionOver = true },
            { $0.isStaleConnection = true }, { $0.outcome = .unanswered }, { $0.hasStaleResponse = false },
        ]
        for (number, change) in changes.enumerated() {
            var other = failed
            change(&other)
            #expect(decide(other) != .useStaleResponse, "change \(number)")
        }
    }

    /// A lost connection is opened again with a pause and a token of its own, so the command needs neither.
    @Test(arguments: retryable)
    func aCommandWhoseConnectionWasLostWaitsForTheNextOne(
        effect: Effect, applied: Applied, evidence: Evidence, isResent: Bool, isUnconfirmed: Bool
    ) {
        let end = isUnconfirmed ? unconfirmed : complete
        let first = context(effect, .retryable, applied, evidence) {
            $0.isOverConnection = true
            $0.isWithinBudget = false
        }
        #expect(decide(first) == (isResent ? .wait(.connection) : end))
        var last = first
        last.attempts = 3
        #expect(decide(last) == end)
        var late = first
        late.timeLeft = .zero
        #expect(decide(late) == end)
        var asked = first
        asked.retryAfter = .seconds(60)
        #expect(decide(asked) == end)
        var refused = first
        refused.isPermanent = true
        #expect(decide(refused) == end)
    }

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

    /// A stream that has delivered: neither attempts nor budget bound it, and a refusal ends it.
    @Test(arguments: [Effect.read, .idempotent, .keyed]) func aReopeningNeedsNothingButTime(_ effect: Effect) {
        let lost = context(effect, .retryable, .maybe, .sent) {
            $0.isReopening = true
            $0.attempts = 1_000
            $0.isWithinBudget = false
            $0.timeLeft = .seconds(600)
        }
        #expect(decide(lost) == .resend(after: .seconds(10)))
        var overConnection = lost
        overConnection.isOverConnection = true
        #expect(decide(overConnection) == .wait(.connection))
        let changes: [(inout RetryContext) -> Void] = [
            { $0.timeLeft = .zero }, { $0.timeLeft = .seconds(5) }, { $0.category = .nonRetryable },
            { $0.isPermanent = true }, { $0.isCancelled = true }, { $0.isSessionOver = true },
            { $0.isBodyConsumed = true }, { $0.effect = .once }, { $0.category = .requiresLogout },
        ]
        for (number, change) in changes.enumerated() {
            var other = lost
            change(&other)
            if case .complete = decide(other) { continue }
            Issue.record("change \(number): \(decide(other))")
        }
    }

    /// After the window before and what the server asked for, which may be the same for all of its clients.
    @Test func aReopeningHasAWindowOfItsOwn() {
        var lost = context(.read, .retryable, .maybe, .sent) {
            $0.isReopening = true
            $0.attempts = 3
            $0.windowLeft = .milliseconds(250)
            $0.timeLeft = .seconds(600)
        }
        #expect(decide(lost) == .resend(after: .milliseconds(650)))
        lost.retryAfter = .seconds(7)
        #expect(decide(lost) == .resend(after: .milliseconds(7_650)))
        lost.retryAfter = .seconds(3_601)
        lost.timeLeft = .seconds(100_000)
        #expect(decide(lost) == .resend(after: .milliseconds(3_601_650)))
        lost.isReopening = false
        #expect(decide(lost) == complete)
    }

    @Test(arguments: retryable)
    func retryableFailures(
        effect: Effect, applied: Applied, evidence: Evidence, isResent: Bool, isUnconfirmed: Bool
    ) {
        let end = isUnconfirmed ? unconfirmed : complete
        let first = context(effect, .retryable, applied, evidence)
        #expect(decide(first) == (isResent ? soon : end))
        var last = first
        last.attempts = 3
        #expect(decide(last) == end)
        last.canAsk = true
        #expect(decide(last) == .raiseIncident)
        var poor = first
        poor.isWithinBudget = false
        #expect(decide(poor) == end)
        var late = first
        late.timeLeft = .milliseconds(100)
        #expect(decide(late) == end)
        var cancelled = first
        cancelled.isCancelled = true
        cancelled.canAsk = true
        #expect(decide(cancelled) == end)
        var over = first
        over.isSessionOver = true
        over.canAsk = true
        #expect(decide(over) == complete)
    }

    @Test(arguments: Effect.allCases, [Applied.never, .maybe])
    func finalFailuresAreNeverSentAgain(effect: Effect, applied: Applied) {
        let isDelicate = effect == .keyed || effect == .once
        let builtIn = context(effect, .nonRetryable, applied, .responded)
        #expect(decide(builtIn) == (isDelicate && applied == .maybe ? unconfirmed : complete))
        let own = context(effect, .nonRetryable, applied, .responded) { $0.isEndpointSpecific = true }
        #expect(decide(own) == complete)
    }

    @Test func onlyTheEndpointsOwnErrorSettlesEarlierAttempts() {
        let own = context(.keyed, .nonRetryable, .never, .responded) {
            $0.mayHaveBeenApplied = true
            $0.isEndpointSpecific = true
        }
        #expect(decide(own) == complete)
        // An undeclared 400, 403 or 404 may come from a gateway, and the attempt before it may have been carried out.
        let gateways = context(.keyed, .nonRetryable, .never, .responded) { $0.mayHaveBeenApplied = true }
        #expect(decide(gateways) == unconfirmed)
        let refusedConnection = context(.keyed, .retryable, .never, .notSent) {
            $0.mayHaveBeenApplied = true
            $0.attempts = 3
        }
        #expect(decide(refusedConnection) == unconfirmed)
    }

    /// A refused stream is proof, for every effect and whatever the contract says of the failure.
    @Test(arguments: Effect.allCases, ErrorCategory.allCases)
    func whatTheServerDidNotProcessIsSentAgainAtOnce(effect: Effect, category: ErrorCategory) {
        let refused = context(effect, category, .never, .unprocessed) {
            $0.attempts = 3
            $0.isWithinBudget = false
        }
        #expect(decide(refused) == .retryTransparently)
        var again = refused
        again.isTransparentRetry = true
        #expect(decide(again) == complete)
        var late = refused
        late.timeLeft = .zero
        #expect(decide(late) == complete)
        var cancelled = refused
        cancelled.isCancelled = true
        #expect(decide(cancelled) == complete)
        // The proof is about this attempt, and not about the one before.
        var open = refused
        open.mayHaveBeenApplied = true
        open.isKeySpent = true
        #expect(decide(open) == (effect.isUnsafe ? unconfirmed : .retryTransparently))
    }

    /// A kept connection that was dead is no proof: the server may have read the request and then ended.
    @Test func aStaleConnectionIsNoProof() {
        let atOnce = Decision.resend(after: .zero)
        for (effect, decision) in [(Effect.read, atOnce), (.idempotent, atOnce), (.keyed, soon), (.once, unconfirmed)] {
            var stale = context(effect, .retryable, .maybe, .sent) { $0.isStaleConnection = true }
            #expect(decide(stale) == decision, "\(effect)")
            // Where nothing was written, it is one.
            (stale.applied, stale.mayHaveBeenApplied, stale.evidence) = (.never, false, .notSent)
            #expect(decide(stale) == .retryTransparently, "\(effect)")
            stale.isTransparentRetry = true
            #expect(decide(stale) == soon, "\(effect)")
        }
    }

    /// Without a proof, sending again at once is an attempt like others, whatever the contract says of the failure.
    @Test(arguments: [Effect.read, .idempotent], ErrorCategory.allCases)
    func aStaleConnectionCostsAnAttempt(effect: Effect, category: ErrorCategory) {
        let stale = context(effect, category, .maybe, .sent) { $0.isStaleConnection = true }
        #expect(decide(stale) == .resend(after: .zero))
        let otherwise = category == .retryable ? soon : complete
        let changes: [((inout RetryContext) -> Void, Decision)] = [
            ({ $0.rule = .never }, complete), ({ $0.attempts = 3 }, complete),
            ({ $0.isWithinBudget = false }, complete),
            ({ $0.timeLeft = .zero }, complete), ({ $0.isCancelled = true }, complete),
            ({ $0.isStaleRetryInVain = true }, otherwise),
            // What the server has asked for is a floor.
            (
                { $0.retryAfter = .seconds(5) }, category == .retryable ? .resend(after: .seconds(5)) : complete
            ),
        ]
        for (number, (change, decision)) in changes.enumerated() {
            var other = stale
            change(&other)
            #expect(decide(other) == decision, "change \(number)")
        }
    }

    /// The server is still busy with the attempt before: that settles nothing.
    @Test func aConflictOfKeysIsNoFinalAnswer() {
        var busy = context(.keyed, .nonRetryable, .never, .responded) {
            $0.mayHaveBeenApplied = true
            $0.isConflict = true
        }
        #expect(decide(busy) == soon)
        busy.attempts = 3
        #expect(decide(busy) == unconfirmed)
        let once = context(.once, .nonRetryable, .never, .responded) {
            $0.mayHaveBeenApplied = true
            $0.isConflict = true
        }
        #expect(decide(once) == unconfirmed)
    }

    @Test func aSessionIsRenewedWhereItCanBe() {
        let over = context(.once, .requiresLogout, .never, .responded)
        #expect(decide(over) == complete)
        var renewable = over
        renewable.canRenewSession = true
        #expect(decide(renewable) == .wait(.session))
        renewable.renewals = RetryBounds.renewals
        #expect(decide(renewable) == complete)
        renewable.renewals = 0
        renewable.applied = .maybe
        renewable.mayHaveBeenApplied = true
        #expect(decide(renewable) == unconfirmed)
    }

    @Test func aRespondersAnswerGoesAroundNoRule() {
        let once = context(.once, .nonRetryable, .maybe, .responded) { $0.canRenewSession = true }
        for category in ErrorCategory.allCases {
            var answered = once
            answered.outcome = .answered(.recategorize(category))
            #expect(decide(answered) == unconfirmed, "\(category)")
        }
        var again = once
        again.outcome = .answered(.retry)
        #expect(decide(again) == unconfirmed)
        var read = context(.read, .nonRetryable, .maybe, .responded) { $0.outcome = .answered(.retry) }
        #expect(decide(read) == .beginRound(after: .zero))
        read.rounds = read.maximumRounds
        #expect(decide(read) == complete)
    }

    @Test func aWithdrawnIncidentGivesOneAttemptAndNoNewRound() {
        let left = context(.read, .retryable, .never, .responded) {
            $0.outcome = .withdrawn
            $0.withdrawals = 1
        }
        #expect(decide(left) == soon)
        var used = left
        used.attempts = 3
        used.isWithinBudget = false
        #expect(decide(used) == soon)
        used.withdrawals = RetryBounds.withdrawals + 1
        #expect(decide(used) == complete)
        var late = left
        late.timeLeft = .zero
        #expect(decide(late) == complete)
    }

    @Test func theReadThatConfirmsBelongsToTheCommand() {
        let lost = context(.once, .retryable, .maybe, .sent) { $0.confirmation = .possible }
        #expect(decide(lost) == .confirm)
        var poor = lost
        poor.isWithinBudget = false
        #expect(decide(poor) == unconfirmed)
        var late = lost
        late.timeLeft = .zero
        #expect(decide(late) == unconfirmed)
        // The last of a keyed command's attempts is the read.
        var keyed = context(.keyed, .retryable, .maybe, .sent) { $0.confirmation = .possible }
        #expect(decide(keyed) == soon)
        keyed.attempts = 2
        #expect(decide(keyed) == .confirm)
        // Nothing was carried out: the same key may be used once more.
        keyed.confirmation = .foundNothing
        keyed.category = .nonRetryable
        #expect(decide(keyed) == .resend(after: .milliseconds(200)))
        keyed.effect = .once
        #expect(decide(keyed) == unconfirmed)
    }

    @Test func retryAfterIsAFloorAndFailsAtOncePastTheDeadline() {
        let floor = context(.read, .retryable, .never, .responded) { $0.retryAfter = .seconds(7) }
        #expect(decide(floor) == .resend(after: .seconds(7)))
        let late = context(.read, .retryable, .never, .responded) { $0.retryAfter = .seconds(61) }
        #expect(decide(late) == complete)
        let small = context(.read, .retryable, .never, .responded) { $0.retryAfter = .zero }
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

    /// However much time is left.
    @Test func anHourIsTheLongestWait() {
        for (seconds, isSent) in [(3_600, true), (3_601, false), (100_000, false)] {
            let decision = decide(
                context(.read, .retryable, .never, .responded) {
                    $0.retryAfter = .seconds(seconds)
                    $0.timeLeft = .seconds(200_000)
                })
            #expect(decision == (isSent ? .resend(after: .seconds(seconds)) : .complete(isUnconfirmed: false)))
        }
    }

    /// The read that has found nothing says nothing about the end of the limit.
    @Test func theWaitHoldsAfterTheConfirmationToo() {
        func next(_ retryAfter: Duration) -> Decision {
            decide(
                context(.keyed, .nonRetryable, .maybe, .responded) {
                    $0.confirmation = .foundNothing
                    $0.retryAfter = retryAfter
                })
        }
        #expect(next(.seconds(7)) == .resend(after: .seconds(7)))
        #expect(next(.seconds(61)) == .complete(isUnconfirmed: true))
    }

    /// A response that says that the command was carried out settles all attempts.
    @Test func whatWasCarriedOutIsNotOpen() {
        for effect in [Effect.keyed, .once] {
            let decision = decide(context(effect, .nonRetryable, .yes, .responded) { $0.mayHaveBeenApplied = true })
            #expect(decision == .complete(isUnconfirmed: false))
        }
    }

    static let retryAfters: [(String, Int64?)] = [
        ("120", 120), ("0", 0), ("99999999999999999999", 3_153_600_000), ("-1", nil), ("", nil),
        ("soon", nil), ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sun, 06 Nov 1994 08:49:27 GMT", 0),
        ("Sunday, 06-Nov-94 08:49:47 GMT", 10), ("Sun Nov  6 08:49:47 1994", 10),
        ("Sun Nov 16 08:49:37 1994", 864_000), ("Wednesday, 06-Nov-30 08:49:37 GMT", 1_136_073_600),
        ("Sunday, 06-Nov-70 08:49:37 GMT", 0), ("Sunday, 06-Nov-1994 08:49:37 GMT", nil),
        ("Sun Nov  6 08:49:47 1994 GMT", nil), ("Sunday 06-Nov-94 08:49:47 GMT", nil),
        ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
        (" 120", 120), ("120 ", 120), ("\t 120\t", 120), ("\tSun, 06 Nov 1994 08:49:47 GMT ", 10), ("1 20", nil),
        (" ", nil),
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
        let budget = RetryTokens(RetryBudget())
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
