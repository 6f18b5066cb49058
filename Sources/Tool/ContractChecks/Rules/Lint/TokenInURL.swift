import ContractModel
import Diagnostics

package enum TokenInURL: LintRule {
    package static let kind = FindingKind(
        "token-in-url", .warning,
        page: """
            A token or a one-time password in the path or the query of a request.

            ## Why is this bad
            Many systems record URLs: the logs of servers and proxies, caches, crash reports, and the `Referer` of the next request (RFC 9110,
            section 17.9). A token there lets every reader of a log act as the user. `sensitive: true` keeps it out of the app's logs only. The
            rule does not apply to the session's token, which `session` places.

            ## Example
            ```yaml
            openDoor: {get: /door, query: {token: {type: string, sensitive: true}}, response: {state: string}}
            ```
            ## Use instead
            ```yaml
            openDoor: {post: /door, body: {token: {type: string, sensitive: true}}, response: {state: string}, effect: idempotent}
            ```
            If it is the token of a session, declare a `session` with a `header`.
            """)

    package static let tags: [RuleTag] = [.security, .http]

    private static let names: Set<String> = [
        "token", "idtoken", "usertoken", "logintoken", "oauthtoken", "otp", "onetimepassword",
    ]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            for field in endpoint.resolved.query + inPath(of: endpoint) where isToken(field, subject) {
                report.add(
                    "`\(field.name.value)` is part of the URL, which servers and proxies write into their logs",
                    at: field.name.range, help: "send it in a body or a header, or let `session` place it")
            }
        }
        for parameter in subject.contract.common.query where isToken(parameter.field, subject) {
            report.add(
                "`\(parameter.field.name.value)` is part of every URL, which servers and proxies write into their logs",
                at: parameter.field.name.range, help: "send it as a header, or let `session` place it")
        }
    }

    /// The parameters of the path. In `/tokens/{token}`, the parameter identifies a resource.
    private static func inPath(of endpoint: LintedEndpoint) -> [FieldDefinition] {
        guard case .path(let parts)? = endpoint.resolved.path else { return [] }
        var before = ""
        var fields: [FieldDefinition] = []
        for part in parts {
            switch part {
            case .text(let text): before = text.split(separator: "/").last.map { NameWords.folded(String($0)) } ?? ""
            case .parameter(let field):
                if before != NameWords.folded(field.name.value) + "s" { fields.append(field) }
                before = ""
            }
        }
        return fields
    }

    private static func isToken(_ field: FieldDefinition, _ subject: LintSubject) -> Bool {
        names.contains(NameWords.folded(field.name.value)) && subject.primitive(field.type) == .string
    }
}
