import ContractModel
import Diagnostics

package enum RequiredCursor: LintRule {
    package static let kind = FindingKind(
        "required-cursor", .warning,
        page: """
            A `paginate` by `cursor` whose parameter is required.

            ## Why is this bad
            The first page has no cursor before it. The app has to invent one, such as an empty text, which many servers refuse.

            ## Example
            ```yaml
            listBooks: {get: /books, query: {after: string}, response: {books: [string], next: string?}, paginate: {cursor: after, next: next, items: books}}
            ```
            ## Use instead
            ```yaml
            listBooks: {get: /books, query: {after: string?}, response: {books: [string], next: string?}, paginate: {cursor: after, next: next, items: books}}
            ```
            If the server has a cursor for the first page, make it the default: `after: string = start`.
            """)

    package static let tags: [RuleTag] = [.http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            guard case .cursor(let parameter, _, _)? = endpoint.written.pagination?.value.style,
                let field = endpoint.resolved.query.first(where: { $0.name.value == parameter.value })
                    ?? endpoint.resolved.query.first(where: { $0.wireName == parameter.value }),
                field.isRequired
            else { continue }
            report.add(
                "`\(field.name.value)` is required, but the first page has no cursor before it", at: field.name.range,
                notes: [DiagnosticNote("the cursor", at: parameter.range)],
                help: "write `\(field.type.spelling)?`, or the cursor of the first page as the default")
        }
    }
}
