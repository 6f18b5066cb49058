import ContractModel
import Diagnostics

/// An endpoint of effect `keyed` or `once` with an error that a 503 or 408 alone recognizes and that has no `applied`.
///
/// ## Why is this bad
/// A proxy may answer 503 or 408 after it has passed the request on, so on such an endpoint the error counts as
/// `applied: maybe`. A `once` command is not sent again after it and ends as `unconfirmed`. A `keyed` one is sent again with
/// its key, and ends as `unconfirmed` where no attempt settles it.
///
/// ## Example
/// ```yaml
/// underRepair: {category: retryable, message: Try again., when: {status: 503}}
/// ```
/// listed by an endpoint such as
/// ```yaml
/// pay:
///   post: /payments
///   effect: once
/// ```
/// ## Use instead
/// ```yaml
/// underRepair: {category: retryable, message: Try again., when: {status: 503}, applied: never}
/// ```
/// where nothing between the app and the service answers 503. Write `applied: maybe` where the outcome is meant to stay
/// open, or recognize the service's own answer by a `code`.
package enum UnavailableOnOnceEndpoint: LintRule {
    package static let name = "unavailable-on-once-endpoint"
    package static let severity = Severity.note
    package static let tags: [RuleTag] = [.errors, .retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let endpoints = subject.endpoints.filter { $0.resolved.effect.isUnsafe }
        for endpoint in endpoints {
            for (listed, error) in endpoint.ownErrors { add(listed, error, endpoint, "", &report) }
        }
        // One finding for all that inherit it, at the place that they inherit it from.
        for listed in subject.contract.defaults.errors {
            let heirs = endpoints.filter { endpoint in
                endpoint.error(named: listed.value) != nil && !endpoint.lists(listed.value)
            }
            guard let endpoint = heirs.first,
                let error = endpoint.error(named: listed.value)
            else { continue }
            add(listed, error, endpoint, heirs.count > 1 ? " (and \(heirs.count - 1) more)" : "", &report)
        }
    }

    private static func add(
        _ listed: Located<String>, _ error: ErrorDefinition, _ endpoint: LintedEndpoint, _ others: String,
        _ report: inout RuleReport
    ) {
        guard error.declaredApplied == nil, let condition = error.conditions.first(where: { $0.gatewayStatus != nil }),
            let status = condition.gatewayStatus
        else { return }
        report.add(
            "a proxy may answer HTTP \(status) after it has passed `\(endpoint.name)`\(others) on, so `\(error.name.value)` counts as `applied: maybe`",
            at: listed.range, notes: [DiagnosticNote("the condition", at: condition.range)],
            help: "write `applied: never` at the error, if nothing between the app and the service answers \(status)")
    }
}
