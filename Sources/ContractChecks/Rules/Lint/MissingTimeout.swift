import ContractModel
import Diagnostics

/// An endpoint for which neither it nor `defaults` says how long one attempt may take.
///
/// ## Why is this bad
/// The runtime's 30 seconds fit no service in particular. The author of a contract knows how long the service's slowest good
/// answer takes; whatever is longer is a failure that the user need not wait for.
///
/// ## Example
/// ```yaml
/// defaults: {deadline: 2m}
/// ```
/// ## Use instead
/// ```yaml
/// defaults: {timeout: 10s, deadline: 40s}
/// ```
package enum MissingTimeout: LintRule {
    package static let name = "missing-timeout"
    package static let severity = Severity.warning
    package static let tags: [RuleTag] = [.retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard subject.contract.defaults.timeout == nil else { return }
        let without = subject.endpoints.filter { $0.written.timeout == nil && !subject.hasUnread("timeout", of: $0) }
        guard let first = without.first else { return }
        let others = without.count > 1 ? " and \(without.count - 1) more" : ""
        report.add(
            "nothing says how long one attempt of `\(first.name)`\(others) may take", at: first.written.name.range,
            help: "write `defaults: {timeout: 20s}` for all, or `timeout:` at the endpoint")
    }
}
