import ContractModel
import Diagnostics

package enum ListWithoutPagination: LintRule {
    package static let kind = FindingKind(
        "list-without-pagination", .note,
        page: """
            A GET whose response is a list, or contains one as `items` or `results`, without a parameter that selects a part of
            it. The elements of a stream come one after the other, so the rule does not apply to streams.

            ## Why is this bad
            Lists grow. When the list has ten thousand elements, every phone loads all of them, and only a new version of the
            app can change that.

            ## Example
            ```yaml
            listBooks: {get: /books, response: [string]}
            ```
            ## Use instead
            ```yaml
            listBooks: {get: /books, query: {page: int = 1}, response: [string], paginate: {page: page}}
            ```
            `paginate` lets the app walk the list with `elements(of:)`. Name the parameter that the server has: a `page`, an `offset`, a
            `cursor`, or the `link` to the next page.
            """)

    package static let tags: [RuleTag] = [.http]

    private static let words: Set<String> = [
        "page", "cursor", "offset", "limit", "start", "after", "before", "since", "size", "from", "top", "first",
        "skip", "max", "count",
    ]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints
        where endpoint.resolved.method == .get && endpoint.resolved.delivery == .reply
            && endpoint.resolved.definition.pagination == nil
        {
            guard isList(endpoint.resolved.response.value, subject) else { continue }
            let hasPart = endpoint.resolved.query.contains {
                NameWords.of($0.name.value).contains(where: words.contains)
            }
            guard !hasPart else { continue }
            report.add(
                "`\(endpoint.name)` always loads the whole list", at: endpoint.written.name.range,
                help:
                    "add the parameter that selects a part, and name it: `query: {page: int = 1}` and `paginate: {page: page}`"
            )
        }
    }

    /// Names of the list in a response whose only purpose is to contain it.
    private static let names: Set<String> = ["items", "results", "entries", "elements", "records", "rows"]

    private static func isList(_ response: ResponseDefinition, _ subject: LintSubject) -> Bool {
        if case .type(let type, _, _) = response, subject.expanded(type.unwrapped).isList { return true }
        return subject.fields(of: response).contains { field in
            names.contains(field.name.value.lowercased()) && field.constraints.items?.value.upper == nil
                && subject.expanded(field.type.unwrapped).isList
        }
    }
}
