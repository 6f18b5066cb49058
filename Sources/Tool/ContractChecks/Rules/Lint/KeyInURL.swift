import ContractModel
import Diagnostics

package enum KeyInURL: LintRule {
    package static let kind = FindingKind(
        "key-in-url", .warning,
        page: """
            A credential that requests carry in the query.

            ## Why is this bad
            Many systems record URLs: the logs of servers and proxies, caches, crash reports, and the `Referer` of the next request (RFC 9110,
            section 17.9). A key there lets every reader of a log act as the app. Errand keeps it out of the app's own logs only.

            ## Example
            ```yaml
            credentials: {maps: {query: key}}
            ```
            ## Use instead
            ```yaml
            credentials: {maps: {header: X-Api-Key}, shelf: {cookie: shelf}}
            ```
            If the service takes the key only in the query, write the reason after `# errand:ignore key-in-url`.
            """)

    package static let tags: [RuleTag] = [.security, .http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for credential in subject.contract.credentials {
            guard case .query = credential.placement else { continue }
            report.add(
                "`\(credential.name.value)` is part of the URL, which servers and proxies write into their logs",
                at: credential.name.range, help: "send it in a header, if the service takes it there")
        }
    }
}
