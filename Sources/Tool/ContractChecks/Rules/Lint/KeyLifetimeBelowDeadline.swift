import ContractModel
import Diagnostics

package enum KeyLifetimeBelowDeadline: LintRule {
    package static let kind = FindingKind(
        "key-lifetime-below-deadline", .warning,
        page: """
            A `keyed` endpoint whose server forgets an idempotency key before the command's deadline.

            ## Why is this bad
            A command uses the same key in all attempts until its deadline. If an attempt arrives after the server has forgotten the
            key, the server treats it as a new request and makes the payment twice. The time that the command spends waiting is
            added to this.

            ## Example
            ```yaml
            pay:
              post: /payments
              deadline: 60s
              effect: {keyed: {lifetime: 30s}}
            ```
            ## Use instead
            ```yaml
            pay:
              post: /payments
              deadline: 60s
              effect: {keyed: {lifetime: 24h}}
            ```
            """)

    package static let tags: [RuleTag] = [.retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            guard let lifetime = endpoint.written.idempotencyKey?.lifetime else { continue }
            let written = endpoint.resolved.definition.settings.deadline
            let deadline = written?.value ?? CommandDefaults.deadline.milliseconds
            guard lifetime.value < deadline else { continue }
            report.add(
                "the server forgets the key of `\(endpoint.name)` after \(TimeText.of(lifetime.value)), but the deadline is \(TimeText.of(deadline))",
                at: lifetime.range, notes: written.map { [DiagnosticNote("the deadline", at: $0.range)] } ?? [],
                help: "write a `lifetime` that is longer than the deadline, or shorten the deadline")
        }
    }
}
