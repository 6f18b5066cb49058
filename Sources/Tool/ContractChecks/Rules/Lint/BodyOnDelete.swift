import ContractModel
import Diagnostics

package enum BodyOnDelete: LintRule {
    package static let kind = FindingKind(
        "body-on-delete", .note,
        page: """
            A DELETE request with a body.

            ## Why is this bad
            The content of a DELETE request has no defined meaning, and proxies and servers drop it or refuse the request (RFC 9110,
            section 9.3.5). The server may then delete the wrong thing.

            ## Example
            ```yaml
            removeBooks: {delete: /books, body: {numbers: [int]}}
            ```
            ## Use instead
            ```yaml
            removeBooks: {delete: /books, query: {numbers: [int]}}
            ```
            Or use `post` with a separate path.
            """)

    package static let tags: [RuleTag] = [.http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints where endpoint.resolved.method == .delete {
            guard let body = endpoint.resolved.body else { continue }
            report.add(
                "proxies and servers may drop the body of a DELETE request", at: body.range,
                help: "send it in the path or the query, or use `post`")
        }
    }
}
