import ContractModel
import Diagnostics

/// An endpoint of effect `once` that lists a `retryable` error after which the request may have been carried out.
///
/// ## Why is this bad
/// The two say opposite things. A `once` request is never sent again while it may have taken effect, so the error is not
/// retried and the command ends as `unconfirmed`. Whoever declared it retryable expects that it is.
///
/// ## Example
/// ```yaml
/// gatewayFailed: {category: retryable, message: Try again., when: {status: [502, 504]}}
/// ```
/// listed by an endpoint such as
/// ```yaml
/// pay:
///   post: /payments
///   effect: once
/// ```
/// ## Use instead
/// ```yaml
/// pay:
///   post: /payments
///   effect: keyed
/// ```
/// where the server knows an `Idempotency-Key`. Where it says itself that nothing was done, add `applied: never` to the
/// error. Where neither holds, the error is `nonRetryable`.
package enum RetryableErrorOnOnceEndpoint: LintRule {
    package static let name = "retryable-error-on-once-endpoint"
    package static let severity = Severity.error
    package static let tags: [RuleTag] = [.errors, .retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints where endpoint.resolved.effect == .once {
            for (listed, error) in endpoint.ownErrors where error.category.value == .retryable && error.applied == .maybe {
                var notes = [DiagnosticNote("the error", at: error.category.range)]
                if let effect = endpoint.written.declaredEffect { notes.append(DiagnosticNote("the effect", at: effect.range)) }
                let responses = endpoint.proof.rows(of: .error(error.name.value)).compactMap { row -> String? in
                    if case .reached(let response) = row.finding { return response.text(in: endpoint.envelope) }
                    return nil
                }
                let example = responses.first.map { "after \($0), " } ?? ""
                report.add(
                    "\(example)`\(endpoint.name)` may have taken effect, so `\(error.name.value)` is not retried, whatever its category says",
                    at: listed.range, notes: notes,
                    help: "write `effect: keyed` or `idempotent`, if the server can bear it, or `applied: never` at the error, if nothing was done"
                )
            }
        }
    }
}
