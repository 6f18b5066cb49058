import ContractModel
import Testing

@testable import ContractChecks
@testable import ErrandRuntime

/// The tool's predictions about the runtime agree with the runtime.
@Suite struct RuntimeAgreementTests {
    @Test func defaultsAreThoseOfTheRuntime() {
        let service = ServiceDescription(name: "Sample", version: "1")
        let endpoint = EndpointDescription(service, "ask", .get, effect: .read)
        #expect(endpoint.timeout == .milliseconds(RuntimeDefaults.timeout))
        #expect(endpoint.deadline == .milliseconds(RuntimeDefaults.deadline))
        let rule = RetryRule()
        #expect(rule.attempts == RuntimeDefaults.attempts)
        #expect(rule.base == .milliseconds(RuntimeDefaults.base))
        #expect(rule.cap == .milliseconds(RuntimeDefaults.cap))
    }

    @Test func builtInErrorsHaveTheSameCategory() {
        for error in BuiltInError.allCases {
            let kind = CommandFault.Kind(rawValue: error.rawValue)
            #expect(kind?.category.rawValue == error.category.rawValue, "\(error)")
        }
        #expect(CommandFault.Kind.allCases.count == BuiltInError.allCases.count)
    }

    /// Whether a request may have been carried out, for every effect and with the statuses that make a difference.
    @Test func builtInErrorsWereAppliedAlike() {
        for error in BuiltInError.allCases {
            for effect in ContractModel.Effect.allCases {
                for status in [nil, 200, 401, 408, 429, 500, 502, 503, 504] {
                    let kind = CommandFault.Kind(rawValue: error.rawValue)
                    let done = ErrandRuntime.Effect(rawValue: effect.rawValue).flatMap {
                        kind?.applied(status: status, $0)
                    }
                    let said = error.applied(effect: effect, status: status)
                    #expect(done?.rawValue == said.rawValue, "\(error), \(effect), status \(status ?? 0)")
                }
            }
        }
    }

    /// Codes of the tool's table match what codes of the runtime's table match.
    @Test func codesMatchTheSameTexts() {
        let tool: [CodeMatch] = [.text("7"), .range(4010...4019), .range(-3...0)]
        let runtime: CodeSet = ["7", .range(4010...4019), .range(-3...0)]
        let matching = ["7", "4010", "4015", "4019", "04010", "+4010", "-3", "0", "-0"]
        for code in matching + ["07", "4009", "4020", "4010.0", "-4", "", "x"] {
            #expect(tool.contains { $0.matches(code) } == matching.contains(code), "\(code)")
            #expect(runtime.contains(code) == matching.contains(code), "\(code)")
        }
    }

    /// Every combination of effect, category, `applied` and cause: `errand explain` says what `decide` does.
    @Test func consequencesAreThoseOfTheRuntime() {
        var count = 0
        for effect in ContractModel.Effect.allCases {
            for category in ContractModel.ErrorCategory.allCases {
                for applied in ContractModel.Applied.allCases {
                    for (isOwn, isAnswered, canLogIn, attempts) in Self.flags {
                        count += 1
                        let failure = Consequence.Failure(
                            category: category, applied: applied, isOwn: isOwn, isAnswered: isAnswered)
                        let said = Consequence(failure, effect: effect, attempts: attempts, canLogIn: canLogIn)
                        let done = decide(Self.context(failure, effect, attempts: attempts, canLogIn: canLogIn))
                        #expect(
                            said == Self.consequence(done),
                            "\(effect), \(failure), \(attempts) attempts, login \(canLogIn): the runtime does \(done)")
                    }
                }
            }
        }
        #expect(count == 4 * 3 * 2 * 16)
    }

    private static let flags = [true, false].flatMap { declared in
        [true, false].flatMap { answered in
            [true, false].flatMap { login in [1, 3].map { (declared, answered, login, $0) } }
        }
    }

    private static func context(
        _ failure: Consequence.Failure, _ effect: ContractModel.Effect, attempts: Int, canLogIn: Bool
    ) -> RetryContext {
        var context = RetryContext(
            effect: ErrandRuntime.Effect(rawValue: effect.rawValue) ?? .read,
            category: ErrandRuntime.ErrorCategory(rawValue: failure.category.rawValue) ?? .nonRetryable,
            applied: ErrandRuntime.Applied(rawValue: failure.applied.rawValue) ?? .maybe,
            isOpen: failure.applied == .maybe, evidence: failure.isAnswered ? .responded : .sent, attempts: 1,
            rule: RetryRule(attempts: attempts), timeLeft: .seconds(60), jitter: 0.5)
        context.isOwn = failure.isOwn
        context.canRenewSession = canLogIn
        return context
    }

    private static func consequence(_ decision: Decision) -> Consequence? {
        switch decision {
        case .resend: .isSentAgain
        case .wait(.session): .isSentAgainAfterLogin
        case .complete(let isUnconfirmed): isUnconfirmed ? .endsUnconfirmed : .ends
        // Nothing in the context leads to these.
        case .retryTransparently, .wait, .beginRound, .confirm, .raiseIncident: nil
        }
    }
}
