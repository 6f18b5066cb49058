import ContractModel
import Diagnostics

package enum LogoutOnPublicEndpoint: LintRule {
    package static let kind = FindingKind(
        "logout-on-public-endpoint",
        page: """
            An endpoint with `session: none` that lists an error of category `requiresLogout`.

            ## Why is this bad
            The request has no token, so the session is not the reason for the failure. A logout, or a login and a second
            request, does not change the response. (Errors of this category in `defaults` do not apply to endpoints without a
            session.)

            ## Example
            ```yaml
            listNews:
              get: /news
              session: none
            ```
            with an error of category `requiresLogout` in its list.

            ## Use instead
            ```yaml
            listNews:
              get: /news
              session: optional
            ```
            Or give the error another category if it means that the password is wrong.
            """)

    package static let tags: [RuleTag] = [.errors, .session]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        // The endpoint that presents the token on a connection learns that the session is over.
        let attach = subject.session?.attach
        for endpoint in subject.endpoints where endpoint.resolved.session == .none && endpoint.name != attach {
            for (listed, error) in endpoint.ownErrors where error.category.value == .requiresLogout {
                var notes = [DiagnosticNote("the category", at: error.category.range)]
                if let session = endpoint.written.session {
                    notes.append(DiagnosticNote("the endpoint does not use the session", at: session.range))
                }
                report.add(
                    "`\(endpoint.name)` does not use the session, but `\(error.name.value)` would end it",
                    at: listed.range,
                    notes: notes,
                    help: "remove the error here, give it another category, or let the endpoint use the session")
            }
        }
    }
}
