import ContractModel
import Diagnostics

package enum CredentialInURL: LintRule {
    package static let kind = FindingKind(
        "credential-in-url",
        page: """
            A password or a secret in the path or the query of a request, or personal data in its path.

            ## Why is this bad
            Many systems record URLs: the logs of servers and proxies, caches, crash reports, and the `Referer` of the next
            request (RFC 9110, section 17.9). The rule does not apply to the session's token, which `session` places.

            ## Example
            ```yaml
            query: {password: {type: string, sensitive: true}}
            ```
            ## Use instead
            ```yaml
            body: {password: {type: string, sensitive: true}}
            ```
            """)

    package static let tags: [RuleTag] = [.security, .http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            for field in endpoint.resolved.path?.parameters ?? []
            where SecretName.isPersonal(field.name.value) {
                report.add(
                    "`\(field.name.value)` is part of the URL, which servers and proxies write into their logs",
                    at: field.name.range, help: "use an identifier that does not reveal the person")
            }
            for field in endpoint.resolved.query + (endpoint.resolved.path?.parameters ?? [])
            where SecretName.isCredential(field.name.value) {
                report.add(
                    "`\(field.name.value)` is part of the URL, which servers and proxies write into their logs",
                    at: field.name.range,
                    help: "send it in the body, with `post`")
            }
        }
        for parameter in subject.contract.common.query where SecretName.isCredential(parameter.field.name.value) {
            report.add(
                "`\(parameter.field.name.value)` is part of every URL, which servers and proxies write into their logs",
                at: parameter.field.name.range, help: "send it as a header, or let `session` place it")
        }
    }
}
