import ContractModel
import Diagnostics

package enum PagesWithoutPaginate: LintRule {
    package static let kind = FindingKind(
        "pages-without-paginate", .note,
        page: """
            A list with the parameters of pages, such as `page` and `limit`, or `cursor` with a `nextCursor` in the response, but without
            `paginate`.

            ## Why is this bad
            Each screen counts pages itself, or passes cursors on, and finds the end of the list in its own way. With `paginate`, the client
            does this once: `pages(of:)` and `elements(of:)` load the whole list, and notice a server that repeats a page.

            ## Example
            ```yaml
            listBooks: {get: /books, query: {page: int = 1, limit: {type: int, default: 20, range: 1..50}}, response: [string]}
            ```
            ## Use instead
            ```yaml
            listBooks:
              get: /books
              query: {page: int = 1, limit: {type: int, default: 20, range: 1..50}}
              response: [string]
              paginate: {page: page}
            ```
            Paths in `paginate` begin at the root of the response, with the envelope's keys.
            """)

    package static let tags: [RuleTag] = [.http]

    private static let pages: Set<String> = ["page", "pagenumber", "pageno", "pageindex"]
    private static let offsets: Set<String> = ["offset", "skip"]
    private static let sizes: Set<String> = ["limit", "size", "pagesize", "perpage"]
    private static let cursors: Set<String> = ["cursor", "pagetoken", "nexttoken", "continuationtoken", "after"]
    private static let lasts: Set<String> = ["startingafter", "after", "afterid"]
    private static let flags: Set<String> = ["hasmore", "hasnext", "hasnextpage"]
    private static let nexts: Set<String> = [
        "nextcursor", "nextpagetoken", "nexttoken", "continuationtoken", "endcursor", "nextpagecursor",
    ]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints
        where endpoint.resolved.effect == .read && endpoint.resolved.delivery == .reply
            && endpoint.resolved.definition.pagination == nil && endpoint.resolved.outcomes.isEmpty
        {
            guard let items = pathOfItems(of: endpoint, subject),
                let (parameter, style) = style(of: endpoint, subject)
            else { continue }
            let path = items.isEmpty ? "" : ", items: \(items)"
            report.add(
                "`\(endpoint.name)` has a list in parts, but the client does not know how to load the next part",
                at: parameter.name.range, help: "write `paginate: {\(style)\(path)}`")
        }
    }

    /// The parameter that selects the part, and the keys of `paginate` for it.
    private static func style(of endpoint: LintedEndpoint, _ subject: LintSubject) -> (FieldDefinition, String)? {
        let query = endpoint.resolved.query
        func parameter(_ names: Set<String>, isNumber: Bool) -> FieldDefinition? {
            query.first { field in
                names.contains(NameWords.folded(field.name.value))
                    && (!isNumber || subject.primitive(field.type)?.isWholeNumber == true)
            }
        }
        // Most endpoints have no parameter of these names.
        lazy var next = pathOfNextCursor(of: endpoint, subject)
        if let cursor = parameter(lasts, isNumber: false), next == nil,
            let keys = keysOfLastElement(cursor, endpoint, subject)
        {
            return (cursor, "cursor: \(cursor.name.value), \(keys)")
        }
        if let cursor = parameter(cursors, isNumber: false) {
            guard let next = next else { return nil }
            return (cursor, "cursor: \(cursor.name.value), next: \(next)")
        }
        guard let size = parameter(sizes, isNumber: true) else { return nil }
        if let page = parameter(pages, isNumber: true) { return (page, "page: \(page.name.value)") }
        guard let offset = parameter(offsets, isNumber: true) else { return nil }
        return (offset, "offset: \(offset.name.value), size: \(size.name.value)")
    }

    /// The path of the list, empty if the payload is the list; nil if the response has no list, or more than one.
    private static func pathOfItems(of endpoint: LintedEndpoint, _ subject: LintSubject) -> String? {
        let response = endpoint.resolved.response.value
        if case .type(let type, _, _) = response, isList(type, subject) { return "" }
        let lists = subject.fields(of: response).filter { isList($0.type, subject) }
        guard lists.count == 1 else { return nil }
        return path(to: [lists[0].wireName], in: endpoint)
    }

    /// The keys for a cursor that is the `id` of the last element; nil if a flag or such a field is missing.
    private static func keysOfLastElement(
        _ cursor: FieldDefinition, _ endpoint: LintedEndpoint, _ subject: LintSubject
    ) -> String? {
        let fields = subject.fields(of: endpoint.resolved.response.value)
        guard
            let flag = fields.first(where: {
                flags.contains(NameWords.folded($0.name.value)) && subject.primitive($0.type) == .bool
            }), let list = fields.first(where: { isList($0.type, subject) }),
            case .list(let element) = subject.expanded(list.type.unwrapped).unwrapped,
            let id = subject.structureFields(of: element).first(where: { $0.name.value == "id" }),
            subject.primitive(id.type) == subject.primitive(cursor.type)
        else { return nil }
        return "last: \(id.wireName), more: \(path(to: [flag.wireName], in: endpoint))"
    }

    /// The path of the next cursor in the payload, or in a structure in it.
    private static func pathOfNextCursor(of endpoint: LintedEndpoint, _ subject: LintSubject) -> String? {
        let fields = subject.fields(of: endpoint.resolved.response.value)
        if let next = fields.first(where: isNext) { return path(to: [next.wireName], in: endpoint) }
        for field in fields {
            if let next = subject.structureFields(of: field.type).first(where: isNext) {
                return path(to: [field.wireName, next.wireName], in: endpoint)
            }
        }
        return nil
    }

    private static func isNext(_ field: FieldDefinition) -> Bool { nexts.contains(NameWords.folded(field.name.value)) }

    private static func isList(_ type: TypeReference, _ subject: LintSubject) -> Bool {
        subject.expanded(type.unwrapped).isList
    }

    private static func path(to keys: [String], in endpoint: LintedEndpoint) -> String {
        ((endpoint.envelope?.data?.value.keys ?? []) + keys).joined(separator: ".")
    }
}
