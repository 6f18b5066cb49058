import ContractModel
import Diagnostics

/// A `retryable` error for a 4xx that will not change by asking again, or a `nonRetryable` one for a 503.
///
/// ## Why is this bad
/// A 4xx says that the request is at fault (RFC 9110, section 15.5): sent again as it is, it fails again, three times and
/// with pauses before the user hears of it. 408, 425 and 429 are the exceptions. A 503 says the reverse: later it may work.
/// Errors that name a code or a body value as well are left alone, since the server says more there than its status.
///
/// ## Example
/// ```yaml
/// noSuchBook: {category: retryable, message: There is no such book., when: {status: 404}}
/// ```
/// ## Use instead
/// ```yaml
/// noSuchBook: {category: nonRetryable, message: There is no such book., when: {status: 404}}
/// ```
package enum CategoryContradictsStatus: LintRule {
    package static let name = "category-contradicts-status"
    package static let severity = Severity.warning
    package static let tags: [RuleTag] = [.errors, .retry]

    private static let passing: Set<Int> = [408, 425, 429]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for error in subject.contract.errors {
            for condition in error.conditions where condition.codes.isEmpty && condition.body.isEmpty {
                for status in condition.statuses {
                    let other: ErrorCategory = error.category.value == .retryable ? .nonRetryable : .retryable
                    guard let (example, why) = contradiction(error.category.value, status.value) else { continue }
                    report.add(
                        "`\(error.name.value)` is \(error.category.value.rawValue), and HTTP \(example) \(why)",
                        at: error.category.range,
                        notes: [DiagnosticNote("what recognises it", at: status.range)],
                        help: "write `category: \(other.rawValue)`, or name what else is in the response",
                        fix: subject.replacing(error.category, with: other)
                    )
                }
            }
        }
    }

    /// The first status of the range that the category does not fit.
    private static func contradiction(_ category: ErrorCategory, _ range: ClosedRange<Int>) -> (Int, String)? {
        switch category {
        case .retryable:
            guard range.overlaps(400...499),
                let status = range.clamped(to: 400...499).first(where: { !passing.contains($0) })
            else { return nil }
            return (status, "will be the answer again")
        case .nonRetryable: return range.contains(503) ? (503, "says that it may work later") : nil
        case .requiresLogout: return nil
        }
    }
}
