import ContractModel
import Diagnostics

package enum TotalOfOtherUnit: LintRule {
    package static let kind = FindingKind(
        "total-of-other-unit", .warning,
        page: """
            A `paginate` by `page` whose `total` counts elements, or one by `offset` whose `total` counts pages, judging by its name.

            ## Why is this bad
            By `page`, the client takes `total` for the number of pages: for 32 elements on 4 pages, it asks for 32 pages, and the list ends
            only because page 5 is empty. By `offset`, `total` is the number of elements: with a number of pages, the list ends after a few
            elements, and no error tells so.

            ## Example
            ```yaml
            listBooks: {get: /books, query: {page: int = 1}, response: {books: [string], totalCount: int}, paginate: {page: page, total: totalCount, items: books}}
            ```
            ## Use instead
            ```yaml
            listBooks: {get: /books, query: {page: int = 1}, response: {books: [string], pageCount: int}, paginate: {page: page, total: pageCount, items: books}}
            ```
            If the response does not have that number, leave `total` out. An empty page is then the end.
            """)

    package static let tags: [RuleTag] = [.http]

    private static let elements: Set<String> = [
        "elements", "items", "results", "records", "rows", "entries", "hits", "objects",
    ]
    private static let counts: Set<String> = ["total", "totalcount", "count", "totalsize", "itemcount", "recordcount"]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            // The style of an endpoint that another contract declares is not this contract's.
            guard let style = endpoint.written.pagination?.value.style else { continue }
            switch style {
            case .page(_, let total?) where isElements(total.value):
                report.add(
                    "`\(total.value.text)` is a number of elements, judging by its name, but with `page`, `total` is the number of pages",
                    at: total.range, help: "name the number of pages, or remove `total`; an empty page is the end")
            case .offset(_, _, let total?) where isPages(total.value):
                report.add(
                    "`\(total.value.text)` is a number of pages, judging by its name, but with `offset`, `total` is the number of elements",
                    at: total.range, help: "name the number of elements, or remove `total`; an empty page is the end")
            default: break
            }
        }
    }

    private static func isElements(_ path: FieldPath) -> Bool {
        guard let name = path.keys.last else { return false }
        let words = NameWords.of(name)
        guard !words.contains(where: { $0.hasPrefix("page") }) else { return false }
        return counts.contains(NameWords.folded(name)) || words.contains(where: elements.contains)
    }

    private static func isPages(_ path: FieldPath) -> Bool {
        let words = path.keys.last.map(NameWords.of) ?? []
        return words.contains("pages") || words == ["page", "count"] || words == ["total", "page"]
    }
}
