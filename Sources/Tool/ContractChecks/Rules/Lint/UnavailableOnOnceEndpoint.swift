import ContractModel
import Diagnostics

package enum UnavailableOnOnceEndpoint: LintRule {
    package static let kind = FindingKind(
        "unavailable-on-once-endpoint", .note,
        page: """
            An endpoint of effect `keyed` or `once` with an error whose only condition is a 503 or 408, without `applied`.

            ## Why is this bad
            A proxy may return 503 or 408 after it has forwarded the request, so the error counts as `applied: maybe`, as at every
            endpoint that writes. The client does not send a `once` command again, and the command ends as `unconfirmed`. The client sends a
            `keyed` command again with its key. The command ends as `unconfirmed` if no attempt gets a definite result.

            ## Example
            ```yaml
            underRepair: {category: retryable, message: Try again., when: {status: 503}}
            ```
            listed by an endpoint such as
            ```yaml
            pay:
              post: /payments
              effect: once
            ```
            ## Use instead
            ```yaml
            underRepair: {category: retryable, message: Try again., when: {status: 503}, applied: never}
            ```
            if only the service itself returns 503, and no proxy does. Write `applied: maybe` to keep the behavior and remove
            the finding, or recognize the service's own response by a `code`.
            """)

    package static let tags: [RuleTag] = [.errors, .retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let endpoints = subject.endpoints.filter { $0.resolved.effect.isUnsafe }
        for endpoint in endpoints {
            for (listed, error) in endpoint.ownErrors { add(listed, error, at: endpoint, "", &report) }
        }
        // One finding for all endpoints that inherit the error, in the `defaults` that they inherit it from.
        for listed in subject.contract.defaults.errors {
            let heirs = endpoints.filter { endpoint in
                endpoint.error(named: listed.value) != nil && !endpoint.lists(listed.value)
            }
            guard let endpoint = heirs.first,
                let error = endpoint.error(named: listed.value)
            else { continue }
            add(listed, error, at: endpoint, heirs.count > 1 ? " (and \(heirs.count - 1) more)" : "", &report)
        }
    }

    private static func add(
        _ listed: Located<String>, _ error: ErrorDefinition, at endpoint: LintedEndpoint, _ others: String,
        _ report: inout RuleReport
    ) {
        guard error.declaredApplied == nil, let condition = error.conditions.first(where: { $0.gatewayStatus != nil }),
            let status = condition.gatewayStatus
        else { return }
        report.add(
            "a proxy may return HTTP \(status) after it has forwarded `\(endpoint.name)`\(others), so `\(error.name.value)` counts as `applied: maybe`",
            at: listed.range, notes: [DiagnosticNote("the condition", at: condition.range)],
            help: "write `applied: never` at the error if only the service itself returns \(status), and no proxy does")
    }
}
