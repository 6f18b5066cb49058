import ContractModel
import Diagnostics

package enum RetryableErrorOnOnceEndpoint: LintRule {
    package static let kind = FindingKind(
        "retryable-error-on-once-endpoint",
        page: """
            An endpoint of effect `once` with a `retryable` error after which the server may have carried out the request.

            For an error that only 408 or 503 recognizes, see `unavailable-on-once-endpoint`.

            ## Why is this bad
            The effect and the category contradict each other. The author of a retryable error expects a retry. The client never
            repeats a `once` request that may have taken effect, so the command ends as `unconfirmed` without a retry.

            ## Example
            ```yaml
            gatewayFailed: {category: retryable, message: Try again., when: {status: [502, 504]}}
            ```
            listed by an endpoint such as
            ```yaml
            pay:
              post: /payments
              effect: once
            ```
            ## Use instead
            ```yaml
            pay:
              post: /payments
              effect: keyed
            ```
            if the server supports an `Idempotency-Key`. If the error guarantees that the server did nothing, add `applied:
            never` to the error. Otherwise make the error `nonRetryable`.
            """)

    package static let tags: [RuleTag] = [.errors, .retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let once = subject.endpoints.filter { $0.resolved.effect == .once }
        for endpoint in once {
            for (listed, error) in endpoint.ownErrors where contradicts(error, at: endpoint) {
                var notes = [DiagnosticNote("the error", at: error.category.range)]
                if let effect = endpoint.written.declaredEffect {
                    notes.append(DiagnosticNote("the effect", at: effect.range))
                }
                add(listed, error, at: endpoint, "", notes: notes, &report)
            }
        }
        // One finding for all endpoints that inherit the error, in the `defaults` that they inherit it from.
        for listed in subject.contract.defaults.errors {
            let heirs = once.filter { endpoint in
                endpoint.error(named: listed.value) != nil && !endpoint.lists(listed.value)
            }
            // Every connection can be closed. What an endpoint inherits about that is no statement about its effect.
            guard let endpoint = heirs.first,
                let error = endpoint.error(named: listed.value),
                contradicts(error, at: endpoint), !error.conditions.allSatisfy({ !$0.close.isEmpty })
            else { continue }
            let others = heirs.count > 1 ? " (and \(heirs.count - 1) more)" : ""
            let notes = [
                DiagnosticNote("the error", at: error.category.range),
                DiagnosticNote("the endpoint", at: endpoint.written.name.range),
            ]
            add(listed, error, at: endpoint, others, notes: notes, &report)
        }
    }

    private static func contradicts(_ error: ErrorDefinition, at endpoint: LintedEndpoint) -> Bool {
        error.category.value == .retryable
            && (error.builtIn != nil || error.conditions.contains { contradicts($0, of: error, at: endpoint) })
    }

    private static func contradicts(
        _ condition: Condition, of error: ErrorDefinition, at endpoint: LintedEndpoint
    ) -> Bool {
        if let declared = error.declaredApplied?.value { return declared == .maybe && !condition.isGatewayStatus }
        return condition.parts(of: endpoint.resolved.request).contains {
            $0.applied == .maybe && !$0.condition.isGatewayStatus
        }
    }

    private static func add(
        _ listed: Located<String>, _ error: ErrorDefinition, at endpoint: LintedEndpoint, _ others: String,
        notes: [DiagnosticNote], _ report: inout RuleReport
    ) {
        let responses = endpoint.proof.rows(of: .error(DeclaredName(error.name.value))).compactMap { row -> String? in
            if contradicts(row.row.condition, of: error, at: endpoint), case .reached(let response) = row.finding {
                return response.text(in: endpoint.envelope)
            }
            return nil
        }
        let example = responses.first.map { "after \($0), " } ?? ""
        report.add(
            "\(example)`\(endpoint.name)`\(others) may have taken effect, so `\(error.name.value)` is not retried, whatever its category says",
            at: listed.range, notes: notes,
            help:
                "write `effect: keyed` or `idempotent` if the server supports it, or `applied: never` at the error if the server did nothing"
        )
    }
}
