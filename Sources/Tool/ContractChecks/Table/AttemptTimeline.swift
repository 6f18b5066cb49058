import ContractModel

/// The attempts of a command and the pauses between them where everything takes as long as it may: each attempt its
/// timeout, each pause its most. Times are in milliseconds.
package struct AttemptTimeline: Sendable {
    package struct Step: Equatable, Sendable {
        /// When the attempt begins, counted from the first.
        package var start: Int
        /// When it ends: its timeout, or the deadline if that comes earlier.
        package var end: Int
    }

    package let timeout: Int
    package let deadline: Int
    /// How many attempts the contract allows.
    package let attempts: Int
    /// Those that begin before the deadline.
    package let steps: [Step]

    /// How many begin.
    var begun: Int { steps.count }

    /// With the retry rule of an error. If the error has one, it overrides the endpoint's. After a lost connection, the pause before
    /// the next opening counts.
    init(_ endpoint: ResolvedEndpoint, rule: RetryDefinition? = nil, connection: ConnectionDefinition? = nil) {
        timeout = endpoint.timeout?.any ?? CommandDefaults.timeout.milliseconds
        deadline = endpoint.deadline ?? CommandDefaults.deadline.milliseconds
        let rule = endpoint.retryRule(ofError: rule)
        attempts = rule.attempts
        var steps: [Step] = []
        var now = 0
        for attempt in 1...attempts where now < deadline {
            let end = min(now + timeout, deadline)
            steps.append(Step(start: now, end: end))
            // A pause that would end after the deadline is not begun.
            let opening = connection?.reconnectRule.longestPause(after: attempt) ?? .zero
            now = end + max(rule.longestPause(after: attempt), opening).milliseconds
        }
        self.steps = steps
    }
}

extension ResolvedEndpoint {
    /// The rule for sending again. That of an error overrides the endpoint's.
    package func retryRule(ofError own: RetryDefinition?) -> RetryRule { (own ?? retry)?.rule ?? RetryRule() }
}

extension Duration {
    /// As contracts count it.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}

/// A time as the contract language writes it.
package enum TimeText {
    package static func of(_ milliseconds: Int) -> String {
        if milliseconds > 0, milliseconds % 3_600_000 == 0 { return "\(milliseconds / 3_600_000) h" }
        if milliseconds % 1000 == 0 { return "\(milliseconds / 1000) s" }
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
