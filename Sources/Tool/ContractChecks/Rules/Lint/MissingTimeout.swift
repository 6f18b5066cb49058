import ContractModel
import Diagnostics

package enum MissingTimeout: LintRule {
    package static let kind = FindingKind(
        "missing-timeout", .warning,
        page: """
            An endpoint without a `timeout`, neither of its own nor in `defaults`.

            ## Why is this bad
            The runtime's default of 30 seconds is not adapted to the service. The author of a contract knows how long the service's
            slowest successful response takes. With a timeout slightly above that, the user does not wait longer than necessary for a
            failure.

            ## Example
            ```yaml
            defaults: {deadline: 2m}
            ```
            ## Use instead
            ```yaml
            defaults: {timeout: 10s, deadline: 40s}
            ```
            """)

    package static let tags: [RuleTag] = [.retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard subject.contract.defaults.settings.timeout == nil else { return }
        let without = subject.endpoints.filter { $0.written.timeout == nil && !subject.hasUnread("timeout", of: $0) }
        guard let first = without.first else { return }
        let others = without.count > 1 ? " and \(without.count - 1) more" : ""
        report.add(
            "`\(first.name)`\(others) \(without.count > 1 ? "have" : "has") no timeout for one attempt",
            at: first.written.name.range,
            help: "write `defaults: {timeout: 20s}` for all, or `timeout:` at the endpoint")
    }
}
