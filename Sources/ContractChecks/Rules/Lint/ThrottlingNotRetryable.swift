import ContractModel
import Diagnostics

/// A 429, or the built-in `throttled`, declared as an error that is not retried.
///
/// ## Why is this bad
/// A 429 says that the same request will be welcome later, and its `Retry-After` says when (RFC 6585, section 4). The
/// pipeline waits for that by itself, within the deadline. Declared as final, it reaches the user instead.
///
/// ## Example
/// ```yaml
/// tooMany: {category: nonRetryable, message: Not so fast., when: {status: 429}}
/// ```
/// ## Use instead
/// ```yaml
/// tooMany: {category: retryable, message: Not so fast., when: {status: 429}}
/// ```
/// An error that names a code as well, such as the day's quota, is left alone.
package enum ThrottlingNotRetryable: LintRule {
    package static let name = "throttling-not-retryable"
    package static let severity = Severity.warning
    package static let tags: [RuleTag] = [.errors, .retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for error in subject.contract.errors where error.category.value != .retryable {
            let isThrottling =
                error.builtIn == .throttled
                || error.conditions.contains { condition in
                    condition.codes.isEmpty && condition.body.isEmpty
                        && condition.statuses.contains { $0.value.contains(429) }
                }
            guard isThrottling else { continue }
            report.add(
                "HTTP 429 asks to try again later, and `\(error.name.value)` is \(error.category.value.rawValue)",
                at: error.category.range,
                help: "write `category: retryable`, or name the `code` of a limit that time does not lift",
                fix: subject.replacing(error.category, with: .retryable))
        }
    }
}
