import ContractModel
import Diagnostics

package enum ThrottlingNotRetryable: LintRule {
    package static let kind = FindingKind(
        "throttling-not-retryable", .warning,
        page: """
            A 429, or the built-in `throttled`, declared as an error that is not `retryable`.

            ## Why is this bad
            A 429 means that the same request can succeed later, and its `Retry-After` says when (RFC 6585, section 4). For a
            retryable error, the runtime waits for that time, within the deadline. Otherwise the user sees the error.

            ## Example
            ```yaml
            tooMany: {category: nonRetryable, message: Not so fast., when: {status: 429}}
            ```
            ## Use instead
            ```yaml
            tooMany: {category: retryable, message: Not so fast., when: {status: 429}}
            ```
            The rule allows an error that also names a code, such as a daily quota.
            """)

    package static let tags: [RuleTag] = [.errors, .retry]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for error in subject.contract.errors where error.category.value != .retryable {
            let isThrottling =
                error.builtIn == .throttled
                || error.conditions.contains { condition in
                    condition.isOfStatusAlone
                        && condition.statuses.contains { $0.value.contains(429) }
                }
            guard isThrottling else { continue }
            report.add(
                "HTTP 429 means that a later attempt can succeed, but `\(error.name.value)` is \(error.category.value.rawValue)",
                at: error.category.range,
                help: "write `category: retryable`, or add the `code` of a limit that does not expire",
                fix: subject.replacing(error.category, with: .retryable))
        }
    }
}
