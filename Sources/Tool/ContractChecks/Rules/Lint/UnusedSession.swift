import ContractModel
import Diagnostics

package enum UnusedSession: LintRule {
    package static let kind = FindingKind(
        "unused-session", .note,
        page: """
            A session that no endpoint uses, except for the login, the renewal and the logout.

            ## Why is this bad
            The app logs users in, and no request carries the token. Most often `session: none` of one endpoint was put into `defaults`. The rule
            allows a contract that has nothing but these endpoints, because other contracts can share its session with `from:`.

            ## Example
            ```yaml
            getBook: {get: /book, response: string, session: none}
            ```
            as the only endpoint beside the login.

            ## Use instead
            ```yaml
            getBook: {get: /book, response: string, session: required}
            ```
            """)

    package static let tags: [RuleTag] = [.session]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        guard subject.isWhole, let session = subject.contract.session else { return }
        let own = Set(session.endpoints.map(\.value))
        let others = subject.endpoints.filter { !own.contains($0.name) }
        guard !others.isEmpty, others.allSatisfy({ $0.resolved.session == .none }) else { return }
        report.add(
            "no endpoint sends the session's token", at: session.range,
            help: "write `session: required` or `optional` at the endpoints that need it, or remove the session")
    }
}
