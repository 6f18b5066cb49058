import ContractModel
import Diagnostics

/// An error that asks for a new login in a contract that names no endpoint to log in with.
///
/// ## Why is this bad
/// The command can only fail: there is nothing that could start a session, so the user is thrown out and not asked in.
///
/// ## Example
/// ```yaml
/// session: {header: Authorization}
/// ```
/// with an error of category `requiresLogout`.
///
/// ## Use instead
/// ```yaml
/// session: {header: Authorization, login: logIn, token: token}
/// ```
/// Where another contract has the login, share its session with `from:`. Where there is none at all, add `renew: false`.
package enum LogoutWithoutLoginEndpoint: LintRule {
    package static let name = "logout-without-login-endpoint"
    package static let severity = Severity.warning
    package static let tags: [RuleTag] = [.errors, .session]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        // A contract that only lends its errors has no requests that could need a login.
        guard subject.isWhole, !subject.endpoints.isEmpty, !canLogIn(subject) else { return }
        let used = Set(subject.errors.map(\.name.value))
        for error in subject.contract.errors
        where error.category.value == .requiresLogout && error.renewsSession && used.contains(error.name.value) {
            let notes =
                subject.contract.session.map { [DiagnosticNote("the session, which no endpoint starts", at: $0.range)] }
                ?? []
            report.add(
                "`\(error.name.value)` asks for a new login, and no endpoint is one", at: error.category.range,
                notes: notes,
                help:
                    "name the endpoint under `session: {login: …}`, share a session with `from:`, or add `renew: false`"
            )
        }
    }

    private static func canLogIn(_ subject: LintSubject) -> Bool {
        subject.session?.login != nil || subject.sharedSession?.session?.login != nil
    }
}
