import ContractModel
import Diagnostics

package enum LimitWithoutRange: LintRule {
    package static let kind = FindingKind(
        "limit-without-range", .note,
        page: """
            A query parameter `limit`, `pageSize` or `perPage`, or the `size` of `paginate`, without a maximum.

            ## Why is this bad
            If a screen asks for a million elements, it gets them, or gets an error that only the server's log explains. With a
            `range`, the client refuses the request as `invalidRequest`, and the contract says what the server allows.

            ## Example
            ```yaml
            listBooks: {get: /books, query: {limit: int = 20}, response: [string]}
            ```
            ## Use instead
            ```yaml
            listBooks: {get: /books, query: {limit: {type: int, default: 20, range: 1..100}}, response: [string]}
            ```
            """)

    package static let tags: [RuleTag] = [.http]

    private static let names: Set<String> = ["limit", "pagesize", "perpage", "maxresults", "top"]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            var size: String?
            if case .offset(_, let parameter?, _)? = endpoint.resolved.definition.pagination?.value.style {
                size = parameter.value
            }
            for field in endpoint.resolved.query
            where names.contains(NameWords.folded(field.name.value))
                || [field.name.value, field.wireName].contains(size)
            {
                let all = [field.constraints] + subject.aliasConstraints(of: field.type.unwrapped)
                guard subject.primitive(field.type)?.isWholeNumber == true,
                    !all.contains(where: { $0.range?.value.upper != nil })
                else { continue }
                report.add(
                    "`\(field.name.value)` has no maximum", at: field.name.range,
                    help: "write `{type: int, range: 1..100}` with the server's maximum")
            }
        }
    }
}
