import ContractModel
import Diagnostics

/// An error of category `requiresLogout` that is recognized by the status 403 alone.
///
/// ## Why is this bad
/// A 403 says that the server knows the user, and that the user may not (RFC 9110, section 15.5.4). A new login of the same person gets the same
/// answer: the user logs in, the request is sent again, is refused again, and the user is asked to log in again.
///
/// ## Example
/// ```yaml
/// forbidden: {category: requiresLogout, message: You may not., when: {status: 403}}
/// ```
/// ## Use instead
/// ```yaml
/// forbidden: {category: nonRetryable, message: You may not., when: {status: 403}}
/// ```
/// Where the account was closed and the session shall end without a new login, `renew: false` says so.
package enum LogoutOn403: LintRule {
    package static let name = "logout-on-403"
    package static let severity = Severity.warning
    package static let tags: [RuleTag] = [.errors, .session]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for error in subject.contract.errors where error.category.value == .requiresLogout && error.renewsSession {
            for condition in error.conditions where condition.codes.isEmpty && condition.body.isEmpty {
                guard let status = condition.statuses.first(where: { $0.value.contains(403) }) else { continue }
                report.add(
                    "HTTP 403 is not about the session, and `\(error.name.value)` starts a login for it",
                    at: status.range,
                    notes: [DiagnosticNote("the category", at: error.category.range)],
                    help:
                        "write `category: nonRetryable`, name a `code` too, or add `renew: false` if the user is barred",
                    fix: subject.replacing(error.category, with: .nonRetryable))
            }
        }
    }
}
