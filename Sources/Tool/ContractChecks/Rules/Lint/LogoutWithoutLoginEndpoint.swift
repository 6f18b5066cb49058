import ContractModel
import Diagnostics

package enum LogoutWithoutLoginEndpoint: LintRule {
    package static let kind = FindingKind(
        "logout-without-login-endpoint", .warning,
        page: """
            An error that requires a new login, in a contract without a login endpoint.

            ## Why is this bad
            The client cannot start a new session, so the command fails and the user is logged out.

            ## Example
            ```yaml
            session: {header: Authorization}
            ```
            with an error of category `requiresLogout`.

            ## Use instead
            ```yaml
            session: {header: Authorization, login: logIn, token: token, identity: user}
            ```
            If another contract has the login, share its session with `from:`. If the service does not have a login, add `renew:
            false`.
            """)

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
                "`\(error.name.value)` requires a new login, but the contract has no login endpoint",
                at: error.category.range,
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
