import ContractModel
import Diagnostics

package enum TokenInHeader: LintRule {
    package static let kind = FindingKind(
        "token-in-header", .warning,
        page: """
            A header with the session's token, such as `X-Auth-Token` or `Cookie`, as a field.

            ## Why is this bad
            The app passes the token to every call, and renews it in its own code after each 401. With a `session`, the runtime adds the token,
            starts one login for any number of failed commands, and sends them again. It also keeps the token out of logs and away from
            other origins after a redirect.

            ## Example
            ```yaml
            getSeat: {get: /seat, headers: {X-Auth-Token: {type: string, sensitive: true}}, response: string}
            ```
            ## Use instead
            ```yaml
            session: {header: X-Auth-Token}
            ```
            For a cookie, write `session: {header: Cookie, format: "sid={token}"}`. A key of the app, which no user has, belongs into
            `common`.
            """)

    package static let tags: [RuleTag] = [.security, .session]

    private static let names: Set<String> = [
        "cookie", "xauthtoken", "xaccesstoken", "xsessiontoken", "xsessionid", "xusertoken", "xjwt", "xauthorization",
        "authtoken", "accesstoken", "sessiontoken", "jwt", "token",
    ]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        let common = subject.contract.common.headers.filter { $0.source == .app }.map(\.field)
        for field in subject.endpoints.flatMap(\.resolved.headers) + common
        where names.contains(NameWords.folded(field.wireName)) {
            let isCookie = field.wireName.lowercased() == "cookie"
            report.add(
                "`\(field.wireName)` carries a session, which the runtime cannot renew if the app sets it",
                at: field.declaredWireName?.range ?? field.name.range,
                help: isCookie
                    ? "declare a `session` with `header: Cookie` and `format: \"NAME={token}\"`"
                    : "declare a `session` with `header: \(field.wireName)`")
        }
    }
}
