import ContractModel
import Diagnostics

/// An endpoint of effect `once` that lists or inherits a `retryable` error after which the request may have been carried out.
///
/// What only 408 and 503 recognize is the subject of `unavailable-on-once-endpoint`.
///
/// ## Why is this bad
/// The two say opposite things. A `once` request is never sent again while it may have taken effect, so the error is not
/// retried and the command ends as `unconfirmed`. The author who declared it retryable expects that it is retried.
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
        let once = subject.endpoints.filter { $0.resolved.effect == .once }
        for endpoint in once {
            for (listed, error) in endpoint.ownErrors where contradicts(error) {
                var notes = [DiagnosticNote("the error", at: error.category.range)]
                if let effect = endpoint.written.declaredEffect {
                    notes.append(DiagnosticNote("the effect", at: effect.range))
                }
                add(listed, error, endpoint, "", notes, &report)
            }
        }
        // One finding for all that inherit it, at the place that they inherit it from.
        for listed in subject.contract.defaults.errors {
            let heirs = once.filter { endpoint in
                endpoint.error(named: listed.value) != nil && !endpoint.lists(listed.value)
            }
            guard let endpoint = heirs.first,
                let error = endpoint.error(named: listed.value),
                contradicts(error)
            else { continue }
            let others = heirs.count > 1 ? " (and \(heirs.count - 1) more)" : ""
            let notes = [
                DiagnosticNote("the error", at: error.category.range),
                DiagnosticNote("the endpoint", at: endpoint.written.name.range),
            ]
            add(listed, error, endpoint, others, notes, &report)
        }
    }

    private static func contradicts(_ error: ErrorDefinition) -> Bool {
        error.category.value == .retryable
            && (error.builtIn != nil || error.conditions.contains { contradicts($0, of: error) })
    }

    private static func contradicts(_ condition: Condition, of error: ErrorDefinition) -> Bool {
        !condition.isGatewayStatus && (error.declaredApplied?.value ?? condition.applied) == .maybe
    }

    private static func add(
        _ listed: Located<String>, _ error: ErrorDefinition, _ endpoint: LintedEndpoint, _ others: String,
        _ notes: [DiagnosticNote],
        _ report: inout RuleReport
    ) {
        let responses = endpoint.proof.rows(of: .error(error.name.value)).compactMap { row -> String? in
            if contradicts(row.row.condition, of: error), case .reached(let response) = row.finding {
                return response.text(in: endpoint.envelope)
            }
            return nil
        }
        let example = responses.first.map { "after \($0), " } ?? ""
        report.add(
            "\(example)`\(endpoint.name)`\(others) may have taken effect, so `\(error.name.value)` is not retried, whatever its category says",
            at: listed.range, notes: notes,
            help:
                "write `effect: keyed` or `idempotent`, if the server can bear it, or `applied: never` at the error, if nothing was done"
        )
    }
}
