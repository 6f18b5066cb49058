import Foundation
import Testing

@testable import ErrandRuntime

/// What `decide` never does, over its whole input space.
@Suite struct DecidePropertyTests {
    static let outcomes: [IncidentOutcome?] =
        [nil, .withdrawn, .unanswered, .answered(.retry), .answered(.fail)]
        + ErrorCategory.allCases.map { .answered(.recategorize($0)) }

    private static func random(_ generator: inout SeededGenerator) -> RetryContext {
        func flag() -> Bool { Bool.random(using: &generator) }
        func one<Element>(of elements: [Element]) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &generator)]
        }
        let applied = one(of: Applied.allCases)
        var context = RetryContext(
            effect: one(of: Effect.allCases), category: one(of: ErrorCategory.allCases), applied: applied,
            mayHaveBeenApplied: applied != .never || flag(), evidence: one(of: Evidence.allCases),
            attempts: one(of: [0, 1, 2, 3, 4]),
            rule: RetryRule(attempts: one(of: [1, 2, 3])),
            timeLeft: one(of: [.seconds(-1), .zero, .milliseconds(50), .seconds(60), .seconds(10_000)]),
            jitter: one(of: [0, 0.5, 0.999]))
        context.isEndpointSpecific = flag()
        context.settling = one(of: [nil] + SettlingRule.allCases)
        context.isAfterOpenAttempt = context.mayHaveBeenApplied && flag()
        context.isStaleConnection = flag()
        context.isStaleRetryInVain = flag()
        context.isTransparentRetry = flag()
        context.isPermanent = flag()
        context.isCancelled = one(of: [true, false, false, false])
        context.isSessionOver = one(of: [true, false, false, false])
        context.isWithinBudget = flag()
        context.isReopening = flag()
        context.windowLeft = one(of: [.zero, .milliseconds(20), .seconds(30)])
        context.retryAfter = one(of: [nil, .zero, .seconds(5), .seconds(600), .seconds(3_600), .seconds(3_601)])
        context.isConflict = flag()
        context.isKeySpent = flag()
        context.isOffline = flag()
        context.losses = one(of: [0, 1, RetryBounds.losses])
        context.isOverConnection = flag()
        context.hasStaleResponse = flag()
        context.canRenewSession = flag()
        context.renewals = one(of: [0, 1, RetryBounds.renewals])
        context.confirmation = one(of: RetryContext.Confirmation.allCases)
        context.canAsk = flag()
        context.outcome = one(of: outcomes)
        context.withdrawals = one(of: [1, RetryBounds.withdrawals, RetryBounds.withdrawals + 1])
        context.rounds = one(of: [0, 1, 5])
        return context
    }

    @Test func noInputBreaksARule() {
        let seed = ProcessInfo.processInfo.environment["ERRAND_SEED"].flatMap(UInt64.init) ?? .random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for number in 0..<400_000 {
            let context = Self.random(&generator)
            let decision = decide(context)
            if let broken = brokenRule(context, decision) {
                Issue.record("seed \(seed), case \(number): \(broken): \(decision) for \(context)")
                return
            }
        }
    }

    /// The rule that a decision breaks; nil if it breaks none.
    private func brokenRule(_ context: RetryContext, _ decision: Decision) -> String? {
        let mayHaveTakenEffect = context.applied != .never || context.mayHaveBeenApplied
        let isSentAgain =
            switch decision {
            case .retryTransparently, .resend, .beginRound, .wait: true
            case .confirm, .raiseIncident, .succeed, .useStaleResponse, .complete: false
            }
        if isSentAgain {
            if context.effect == .once, mayHaveTakenEffect { return "once is sent again" }
            if context.effect == .keyed, context.isKeySpent, mayHaveTakenEffect {
                return "an expired key is sent again"
            }
            if context.isCancelled { return "a cancelled command goes on" }
            if context.isSessionOver { return "a command goes on whose session is over" }
        }
        switch decision {
        case .retryTransparently:
            if context.isTransparentRetry { return "a second transparent retry of one attempt" }
            if context.isPermanent || context.outcome != nil { return "a transparent retry of what was not sent" }
            if context.timeLeft <= .zero { return "a transparent retry past the deadline" }
            switch context.evidence {
            case .unprocessed: break
            case .notSent where context.isStaleConnection: break
            case .notSent, .sent, .responded: return "a transparent retry without evidence"
            }
        case .resend(let pause):
            if context.outcome == .withdrawn {
                if context.withdrawals > RetryBounds.withdrawals { return "one withdrawal too many" }
            } else if !context.isReopening {
                if context.attempts >= context.rule.attempts { return "more attempts than the rule allows" }
                if !context.isWithinBudget { return "a repetition beyond the budget" }
            } else if pause < context.windowLeft {
                return "a reopening in the window of the one before"
            }
            if context.category == .nonRetryable, context.outcome == nil, !context.isConflict,
                context.confirmation != .foundNothing,
                !context.isStaleConnection || context.isStaleRetryInVain || context.evidence != .sent
            {
                return "a final failure is sent again"
            }
            if pause >= context.timeLeft { return "a pause past the deadline" }
            if pause < .zero { return "a negative pause" }
            if context.outcome != .withdrawn, let floor = context.retryAfter {
                if pause < floor { return "a pause shorter than the server asks for" }
                if floor > .seconds(3_600), !context.isReopening { return "a pause of more than an hour" }
            }
        case .beginRound:
            if context.rounds >= context.maximumRounds { return "more rounds than allowed" }
            if context.outcome != .answered(.retry) { return "a round that no responder started" }
        case .wait(.session): if context.renewals >= RetryBounds.renewals { return "one renewal too many" }
        case .wait(.connectivity):
            if context.losses >= RetryBounds.losses { return "one wait for the network too many" }
        case .wait(.connection):
            if !context.isOverConnection { return "a wait for a connection that was not lost" }
            if !context.isReopening, context.attempts >= context.rule.attempts {
                return "more attempts than the rule allows"
            }
            if context.isPermanent { return "a wait that does not help" }
            if context.retryAfter ?? .zero >= context.timeLeft { return "a wait past the deadline" }
        case .wait: return "a wait for something else"
        case .confirm:
            if context.confirmation != .possible { return "a read that was made already" }
            if context.timeLeft <= .zero || !context.isWithinBudget { return "a read beyond deadline or budget" }
            if context.attempts >= max(2, context.rule.attempts) { return "a read beyond the attempts" }
        case .raiseIncident:
            if context.outcome != nil { return "the same failure is put to responders twice" }
            if !context.canAsk { return "an incident without a responder to ask" }
        case .succeed:
            if !context.isAfterOpenAttempt, context.settling != .always { return "a first attempt settles the command" }
            if context.effect == .read { return "a read was done already" }
            if context.isCancelled || context.isSessionOver { return "a success of a command that is over" }
            if context.settling == nil || context.evidence != .responded || !context.isEndpointSpecific
                || context.category != .nonRetryable
            {
                return "a success that no response of the endpoint says"
            }
        case .useStaleResponse:
            if !context.hasStaleResponse { return "a stale response that the cache does not have" }
            if context.effect != .read { return "a stale response to a write" }
            if context.isCancelled || context.isSessionOver { return "a success of a command that is over" }
            if context.outcome != nil { return "a stale response after people were asked" }
        case .complete(let isUnconfirmed):
            let mayHaveBeenApplied = context.effect.isUnsafe && mayHaveTakenEffect
            if isUnconfirmed, !mayHaveBeenApplied { return "unconfirmed without an open attempt" }
            // The response says that it was carried out.
            if context.applied == .yes { return isUnconfirmed ? "unconfirmed though it was carried out" : nil }
            let isSettled =
                context.isEndpointSpecific && context.evidence == .responded && context.category == .nonRetryable
                && !context.isCancelled
            if mayHaveBeenApplied, !isUnconfirmed, !isSettled, !context.isSessionOver {
                return "an open attempt is not told"
            }
        }
        return nil
    }

    /// A server, a network and responders with the worst possible behavior.
    @Test func noChainOfAnswersLeadsToMoreThanAStatedNumberOfSends() {
        let seed = ProcessInfo.processInfo.environment["ERRAND_SEED"].flatMap(UInt64.init) ?? .random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for number in 0..<2_000 {
            var context = Self.random(&generator)
            context.rule = RetryRule(attempts: 3)
            (context.attempts, context.renewals, context.losses, context.withdrawals, context.rounds) = (1, 0, 0, 0, 0)
            (context.isCancelled, context.isSessionOver, context.mayHaveBeenApplied) = (
                false, false, context.applied != .never
            )
            context.isTransparentRetry = false
            context.isReopening = false
            context.confirmation = .possible
            context.outcome = nil
            let effect = context.effect
            var sends = 1
            var renewals = 0
            var asks = 0
            var steps = 0
            loop: while true {
                steps += 1
                guard steps < 100_000 else {
                    Issue.record("seed \(seed), case \(number): it does not end")
                    return
                }
                // The attempt's next step.
                func fail() {
                    let next = Self.random(&generator)
                    (context.category, context.applied, context.evidence) = (next.category, next.applied, next.evidence)
                    (context.isEndpointSpecific, context.isOffline, context.canRenewSession) = (
                        next.isEndpointSpecific, next.isOffline, true
                    )
                    context.isStaleConnection = next.isStaleConnection
                    context.isStaleRetryInVain = next.isStaleRetryInVain
                    context.isPermanent = false
                    // Its patience bounds a stream.
                    context.isReopening = false
                    context.isOverConnection = next.isOverConnection
                    context.isWithinBudget = true
                    context.timeLeft = .seconds(60)
                    context.retryAfter = nil
                    context.canAsk = true
                    context.outcome = nil
                    if context.applied != .never { context.mayHaveBeenApplied = true }
                }
                switch decide(context) {
                case .retryTransparently:
                    sends += 1
                    context.isTransparentRetry = true
                    fail()
                case .resend:
                    sends += 1
                    context.attempts += 1
                    context.isTransparentRetry = false
                    fail()
                case .beginRound:
                    context.rounds += 1
                    (context.attempts, context.renewals, context.losses, context.withdrawals) = (1, 0, 0, 0)
                    if context.confirmation == .failed { context.confirmation = .possible }
                    context.isTransparentRetry = false
                    sends += 1
                    fail()
                case .wait(.session):
                    context.renewals += 1
                    renewals += 1
                    context.isTransparentRetry = false
                    sends += 1
                    fail()
                case .wait(.connection):
                    sends += 1
                    context.attempts += 1
                    context.isTransparentRetry = false
                    fail()
                case .wait:
                    context.losses += 1
                    fail()
                case .confirm:
                    sends += 1
                    context.confirmation = Bool.random(using: &generator) ? .foundNothing : .failed
                    if context.confirmation == .failed { context.attempts += 1 }
                case .raiseIncident:
                    asks += 1
                    context.outcome = Self.outcomes.compactMap { $0 }.randomElement(using: &generator)
                    if context.outcome == .withdrawn { context.withdrawals += 1 }
                case .succeed, .useStaleResponse, .complete: break loop
                }
            }
            let most = RetryBounds.sends(attempts: 3, rounds: 5)
            #expect(sends <= most, "seed \(seed), case \(number), \(effect)")
            #expect(renewals <= 6 * RetryBounds.renewals, "seed \(seed), case \(number), \(effect)")
            #expect(
                asks <= sends + 6 * (RetryBounds.losses + RetryBounds.withdrawals + 1),
                "seed \(seed), case \(number), \(effect)")
        }
    }
}
