import ContractModel
import Diagnostics

package enum TimeoutOutOfRange: LintRule {
    package static let kind = FindingKind(
        "timeout-out-of-range", .warning,
        page: """
            A timeout below half a second, above five minutes, or above the deadline.

            ## Why is this bad
            On a slow network, a phone needs more than half a second to open a TLS connection, so every attempt fails. Users do
            not wait five minutes. The deadline applies to all attempts together, so a longer timeout has no effect.

            ## Example
            ```yaml
            timeout: 90s
            deadline: 60s
            ```
            ## Use instead
            ```yaml
            timeout: 15s
            deadline: 60s
            ```
            """)

    package static let tags: [RuleTag] = [.retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let defaults = subject.contract.defaults.settings
        check(defaults.timeout, deadline: defaults.deadline, &report)
        for endpoint in subject.endpoints {
            let written = endpoint.written.settings
            guard written.timeout != nil || written.deadline != nil else { continue }
            let settings = endpoint.resolved.definition.settings
            check(settings.timeout, deadline: settings.deadline, &report)
        }
    }

    private static func check(
        _ timeout: Located<TimeoutDefinition>?, deadline: Located<Int>?, _ report: inout RuleReport
    ) {
        guard let timeout else { return }
        let shortest = min(timeout.value.any, timeout.value.constrained ?? .max)
        let longest = max(timeout.value.any, timeout.value.constrained ?? 0)
        if let deadline, longest > deadline.value {
            report.add(
                "the timeout of one attempt is longer than the deadline of all attempts", at: timeout.range,
                notes: [DiagnosticNote("the deadline", at: deadline.range)],
                help: "shorten the timeout, so that a second attempt fits")
        } else if shortest < 500 {
            report.add(
                "\(shortest) ms are too short to open a connection on a slow network", at: timeout.range,
                help: "write at least `500ms`")
        } else if longest > 300_000 {
            report.add(
                "one attempt takes longer than a user waits", at: timeout.range,
                help: "write at most `5m`; for longer work, let the app poll for the result")
        }
    }
}
