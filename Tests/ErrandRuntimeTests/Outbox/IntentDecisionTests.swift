import Testing

@testable import ErrandDurable
@testable import ErrandRuntime

/// What becomes of a durable command after a run without a success.
@Suite struct IntentDecisionTests {
    /// Over the whole input space: a command whose effect could be repeated is never sent again.
    @Test func noEffectIsRepeated() {
        for effect in Effect.allCases {
            for kind in CommandFault.Kind.allCases {
                for category in ErrorCategory.allCases {
                    for applied in Applied.allCases {
                        for bits in 0..<32 {
                            let end = IntentEnd(
                                effect: effect, name: kind.rawValue, category: category, applied: applied,
                                isRefusal: bits & 16 != 0, isKeyExpired: bits & 1 != 0, mayConfirm: bits & 2 != 0,
                                isCancelled: bits & 4 != 0,
                                isExpired: bits & 8 != 0)
                            check(end)
                        }
                    }
                }
            }
        }
    }

    private func check(_ end: IntentEnd) {
        let mayHaveBeenApplied = end.applied != .never || end.name == "unconfirmed"
        let step = afterRun(end)
        if end.applied == .yes { return #expect(step == .deliver, "\(end)") }
        if end.isCancelled, case .wait = step { Issue.record("\(end) goes on") }
        if case .settle(let reason) = step { checkReason(reason, of: end, mayHaveBeenApplied) }
        guard mayHaveBeenApplied, end.effect.isUnsafe else { return }
        switch step {
        case .wait(_, let noted, _):
            #expect(noted, "\(end)")
            #expect(end.mayConfirm || end.effect == .keyed && !end.isKeyExpired, "\(end)")
        case .settle(let reason): #expect(reason == .unconfirmed, "\(end)")
        case .deliver: Issue.record("\(end) is delivered")
        }
    }

    /// A command is given up if the service has refused it, the app or its lifetime has ended it, or its effect could be repeated.
    private func checkReason(_ reason: OutboxEntry.Reason, of end: IntentEnd, _ mayHaveBeenApplied: Bool) {
        let isRefused = end.isRefusal && end.category == .nonRetryable
        let isRisk = mayHaveBeenApplied && (end.effect == .once || end.effect == .keyed && end.isKeyExpired)
        #expect(isRefused || isRisk || end.isCancelled || end.isExpired && end.name == "cancelled", "\(end)")
        if reason == .failed { #expect(isRefused, "\(end)") }
    }

    @Test func aFinalFailureSettles() {
        var end = IntentEnd(effect: .keyed, name: "noRoom", category: .nonRetryable, applied: .never)
        end.isRefusal = true
        #expect(afterRun(end) == .settle(.failed))
        end.isRefusal = false
        #expect(afterRun(end) == .wait(.failedForNow, mayHaveBeenApplied: false, pauses: true))
    }

    @Test func aRunThatItsLifetimeHasEndedIsExpired() {
        let end = IntentEnd(
            effect: .keyed, name: "cancelled", category: .nonRetryable, applied: .never, isExpired: true)
        #expect(afterRun(end) == .settle(.expired))
    }

    @Test func theDeviceIsTriedAgain() {
        let end = IntentEnd(effect: .once, name: "localStorageFull", category: .nonRetryable, applied: .never)
        #expect(afterRun(end) == .wait(.failedForNow, mayHaveBeenApplied: false, pauses: true))
    }
}
