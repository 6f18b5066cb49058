import ContractModel
import Diagnostics

package enum LogoutOn403: LintRule {
    package static let kind = FindingKind(
        "logout-on-403", .warning,
        page: """
            An error of category `requiresLogout` whose only condition is the status 403.

            ## Why is this bad
            A 403 means that the server knows the user and does not allow the request (RFC 9110, section 15.5.4). A new login does not
            change that: the user logs in, the server refuses the request again, and the app asks the user to log in again.

            ## Example
            ```yaml
            forbidden: {category: requiresLogout, message: You may not., when: {status: 403}}
            ```
            ## Use instead
            ```yaml
            forbidden: {category: nonRetryable, message: You may not., when: {status: 403}}
            ```
            If the account was closed and the session must end without a new login, add `renew: false`.
            """)

    package static let tags: [RuleTag] = [.errors, .session]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for error in subject.contract.errors where error.category.value == .requiresLogout && error.renewsSession {
            for condition in error.conditions where condition.isOfStatusAlone {
                guard let status = condition.statuses.first(where: { $0.value.contains(403) }) else { continue }
                report.add(
                    "HTTP 403 does not mean that the session is over, but `\(error.name.value)` starts a login for it",
                    at: status.range,
                    notes: [DiagnosticNote("the category", at: error.category.range)],
                    help:
                        "write `category: nonRetryable`, name a `code` too, or add `renew: false` if the user is barred",
                    fix: subject.replacing(error.category, with: .nonRetryable))
            }
        }
    }
}
