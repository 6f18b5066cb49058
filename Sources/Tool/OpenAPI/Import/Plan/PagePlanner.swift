import ContractModel
import Diagnostics

/// How an endpoint's list is paged.
struct PlannedPages {
    var style: PaginationDefinition.Style
    var items: Located<FieldPath>?
    /// The part of the document that shows it.
    var reason: String
}

extension PaginationDefinition.Style {
    /// The parameter whose default asks for the first page.
    var firstPage: String? {
        switch self {
        case .page(let parameter, _), .offset(let parameter, _, _): parameter.value
        case .cursor, .link: nil
        }
    }
}

/// Recognizes paged lists if the document leaves no doubt about how to request the next page. The parameter and the source of
/// its value must both have known names, and the response must have one list.
///
/// - a `Link` header (RFC 8288) of the response, beside a parameter that requests a page,
/// - `cursor` beside `next_cursor`, and similar names,
/// - a `next` that is a URL,
/// - `starting_after` beside `has_more` and the `id` of the elements,
/// - `page` beside a number of pages, or beside a header such as `X-Pagination`,
/// - `offset` beside a number of elements.
struct PagePlanner {
    let types: TypePlanner

    private static let partNames: Set<String> = [
        "page", "perpage", "pagesize", "pagelimit", "cursor", "after", "before", "since", "offset", "limit",
        "startingafter",
    ]
    private static let pageNames: Set<String> = ["page", "pagenumber", "pageno", "pagenum", "currentpage"]
    private static let pageTotals: Set<String> = [
        "totalpages", "pagecount", "pagestotal", "numpages", "numberofpages", "pages",
    ]
    private static let pageHeaders = ["x-pagination", "x-total-pages", "x-next-page"]
    private static let offsetNames: Set<String> = ["offset", "skip"]
    private static let elementTotals: Set<String> = [
        "total", "totalcount", "totalitems", "totalresults", "totalelements", "totalrecords", "totalsize",
    ]
    private static let lastNames: Set<String> = ["startingafter", "after", "afterid"]
    private static let urlNames: Set<String> = ["next", "nexturl", "nextlink", "nexthref", "nextpage", "nextpageurl"]
    private static let flags: Set<String> = ["hasmore", "hasnext", "hasnextpage"]
    private static let sizeNames: Set<String> = ["limit", "size", "pagesize", "perpage", "take"]
    /// Structures beside the list that contain such numbers and cursors.
    private static let details: Set<String> = [
        "meta", "metadata", "pagination", "paging", "page", "pageinfo", "pages", "responsemetadata", "links",
    ]

    /// A field with the keys that lead to it in the whole response.
    private struct Found {
        var path: [String]
        var field: PlannedField
    }

    func plan(_ endpoint: PlannedEndpoint, _ operation: Operation) -> PlannedPages? {
        guard endpoint.method == .get, endpoint.outcomes.isEmpty, endpoint.stream == nil,
            case .content(let content) = endpoint.response, let items = list(content, endpoint)
        else { return nil }
        let fields = self.fields(content)
        guard
            let found = link(endpoint, operation) ?? cursor(endpoint, fields)
                ?? lastElement(endpoint, fields, items) ?? nextURL(endpoint, fields) ?? counted(endpoint, fields)
                ?? countedByHeader(endpoint, operation)
        else { return nil }
        var pages = found
        if let items { pages.items = path(items, endpoint) }
        return pages
    }

    // MARK: The ways

    private func link(_ endpoint: PlannedEndpoint, _ operation: Operation) -> PlannedPages? {
        guard let header = header("link", operation)?.value,
            endpoint.query.contains(where: { Self.partNames.contains(Self.folded($0.wire)) })
        else { return nil }
        let element = types.documents.followed(header) ?? header
        let words = ["description", "example"].compactMap { element.text($0) ?? element["schema"]?.text($0) }
        guard
            words.isEmpty
                || words.contains(where: { $0.lowercased().contains("next") || $0.lowercased().contains("pag") })
        else { return nil }
        return PlannedPages(
            style: .link(.header(relation: Located("next")), foreign: .refused),
            reason: "the response has a `Link` header")
    }

    private func cursor(_ endpoint: PlannedEndpoint, _ fields: [Found]) -> PlannedPages? {
        for parameter in endpoint.query {
            let name = Self.folded(parameter.wire)
            var nexts: Set<String> = ["next" + name]
            if name.hasPrefix("next") { nexts.insert(name) }
            if name == "cursor" { nexts.insert("nextpage") }
            for start in ["start", "starting"] where name.hasPrefix(start) && name.count > start.count {
                nexts.insert("next" + name.dropFirst(start.count))
            }
            guard ["cursor", "token", "marker", "bookmark", "offset", "continuation"].contains(where: name.contains),
                let kind = cursorKind(parameter.type)
            else { continue }
            let next = fields.filter { found in
                let last = Self.folded(found.path.last ?? "")
                let before = found.path.dropLast().last.map { Self.folded($0) }
                return nexts.contains(last) || last == name && (before == "nextpage" || before == "next")
            }
            guard next.count == 1, cursorKind(next[0].field.type) == kind else { continue }
            // A number to skip is a count, and not a cursor.
            if kind == "int", Self.offsetNames.contains(name) { continue }
            return PlannedPages(
                style: .cursor(
                    parameter: Located(parameter.wire), next: .response(path(next[0].path, endpoint)), more: nil),
                reason: "`\(next[0].path.joined(separator: "."))` is the next value of `\(parameter.wire)`")
        }
        return nil
    }

    /// A cursor that is the `id` of the last element, beside a flag for another page.
    private func lastElement(_ endpoint: PlannedEndpoint, _ fields: [Found], _ items: [String]?) -> PlannedPages? {
        let parameters = endpoint.query.filter { Self.lastNames.contains(Self.folded($0.wire)) }
        let flags = fields.filter {
            Self.flags.contains(Self.folded($0.path.last ?? "")) && types.isFlag($0.field.type)
        }
        guard parameters.count == 1, flags.count == 1, let kind = cursorKind(parameters[0].type),
            case .content(let content) = endpoint.response, let element = element(content, items),
            let id = structure(element).first(where: { $0.wire == "id" }), cursorKind(id.type) == kind
        else { return nil }
        return PlannedPages(
            style: .cursor(
                parameter: Located(parameters[0].wire), next: .lastElement(Located(FieldPath([id.wire]))),
                more: path(flags[0].path, endpoint)),
            reason:
                "`\(flags[0].path.joined(separator: "."))` announces a page, and `\(parameters[0].wire)` fits the `id` of an element"
        )
    }

    /// The URL of the next page, as Django REST framework and services of JSON:API give it.
    private func nextURL(_ endpoint: PlannedEndpoint, _ fields: [Found]) -> PlannedPages? {
        let found = fields.filter { Self.urlNames.contains(Self.folded($0.path.last ?? "")) && isURL($0.field.type) }
        guard found.count == 1 else { return nil }
        return PlannedPages(
            style: .link(.response(path(found[0].path, endpoint)), foreign: .refused),
            reason: "`\(found[0].path.joined(separator: "."))` is the URL of the next page")
    }

    /// A number of pages in a header, as flask-smorest and GitLab write it. `paginate` does not read it, so the empty page after the last
    /// one ends the list.
    private func countedByHeader(_ endpoint: PlannedEndpoint, _ operation: Operation) -> PlannedPages? {
        guard let header = Self.pageHeaders.lazy.compactMap({ header($0, operation) }).first,
            let page = parameter(Self.pageNames, of: endpoint), begins(page, at: ["0", "1"])
        else { return nil }
        return PlannedPages(
            style: .page(parameter: Located(page.wire), total: nil),
            reason: "the response has a header `\(header.name)`, and `\(page.wire)` counts pages")
    }

    private func header(_ name: String, _ operation: Operation) -> (name: String, value: Element)? {
        let response = operation.responses.filter(\.isSuccess).min { $0.status < $1.status }
        return response?.headers.first { $0.name.lowercased() == name }
    }

    private func parameter(_ names: Set<String>, of endpoint: PlannedEndpoint) -> PlannedField? {
        let all = endpoint.query.filter { names.contains(Self.folded($0.wire)) && isWhole($0.type) }
        return all.count == 1 ? all[0] : nil
    }

    private func counted(_ endpoint: PlannedEndpoint, _ fields: [Found]) -> PlannedPages? {
        func parameter(_ names: Set<String>) -> PlannedField? { self.parameter(names, of: endpoint) }
        func total(_ names: Set<String>) -> Found? {
            let all = fields.filter {
                names.contains(Self.folded($0.path.last ?? "")) && isWhole($0.field.type)
            }
            return all.count == 1 ? all[0] : nil
        }
        if let page = parameter(Self.pageNames), begins(page, at: ["0", "1"]), let total = total(Self.pageTotals) {
            return PlannedPages(
                style: .page(parameter: Located(page.wire), total: path(total.path, endpoint)),
                reason: "`\(total.path.joined(separator: "."))` is the number of pages for `\(page.wire)`")
        }
        // Elsewhere, a count may be that of the page. Beside a list and nothing else, it is that of django-ninja.
        let isBare =
            fields.count == 2 && fields.contains { $0.path == ["items"] } && parameter(Self.sizeNames) != nil
        if let offset = parameter(Self.offsetNames), begins(offset, at: ["0"]),
            let total = total(Self.elementTotals) ?? (isBare ? total(["count"]) : nil)
        {
            let size = parameter(Self.sizeNames).map { Located($0.wire) }
            return PlannedPages(
                style: .offset(
                    parameter: Located(offset.wire), size: size, total: path(total.path, endpoint)),
                reason: "`\(total.path.joined(separator: "."))` is the number of elements for `\(offset.wire)`")
        }
        return nil
    }

    /// Whether the first page is known: it is the default, or the number at which counting begins.
    private func begins(_ parameter: PlannedField, at starts: Set<String>) -> Bool {
        guard case .text(let value, false)? = parameter.defaultValue else {
            let words = (parameter.doc ?? "").lowercased()
            let isOdd = ["zero", "0-based", "starts at 0", "start at 0", "starting from 0", "begins at 0"].contains(
                where: words.contains)
            return !(isOdd && starts.contains("1")) && parameter.constraints.range?.value.lower?.hasPrefix("0") != true
                || !starts.contains("1")
        }
        return starts.contains(value)
    }

    // MARK: The response

    /// The keys of the one list of a response; empty if the response is the list.
    private func list(_ content: PlannedEndpoint.Content, _ endpoint: PlannedEndpoint) -> [String]?? {
        if case .type(let type) = content, isList(type) { return .some(nil) }
        let lists = topFields(content).filter { isList($0.type) }
        guard lists.count == 1, lists[0].nullable != .distinct, !lists[0].wire.contains(".") else { return nil }
        return [lists[0].wire]
    }

    /// The type of the elements of a response's list.
    private func element(_ content: PlannedEndpoint.Content, _ items: [String]?) -> PlannedType? {
        guard let items else {
            if case .type(let type) = content { return element(type) }
            return nil
        }
        return topFields(content).first { $0.wire == items.first }.flatMap { element($0.type) }
    }

    private func element(_ type: PlannedType) -> PlannedType? {
        switch types.expanded(type) {
        case .list(let element): element
        case .optional(let inner): element(inner)
        default: nil
        }
    }

    /// The fields of a response, and of the structures in it that say what part of the list it is.
    private func fields(_ content: PlannedEndpoint.Content) -> [Found] {
        var found: [Found] = []
        for field in topFields(content) where !field.wire.contains(".") {
            found.append(Found(path: [field.wire], field: field))
            let name = Self.folded(field.wire)
            guard Self.details.contains(name) || name == "nextpage" || name == "next" else { continue }
            for inner in structure(field.type) where !inner.wire.contains(".") {
                found.append(Found(path: [field.wire, inner.wire], field: inner))
            }
        }
        return found
    }

    private func topFields(_ content: PlannedEndpoint.Content) -> [PlannedField] {
        switch content {
        case .fields(let fields): fields
        case .type(let type): structure(type)
        }
    }

    private func structure(_ type: PlannedType) -> [PlannedField] {
        switch type {
        case .optional(let inner): return structure(inner)
        case .named(let number):
            switch types.entries[number].form {
            case .structure(let fields): return fields
            case .alias(let target, _): return structure(target)
            default: return []
            }
        default: return []
        }
    }

    /// Keys as a path of the whole response.
    private func path(_ keys: [String], _ endpoint: PlannedEndpoint) -> Located<FieldPath> {
        let data = endpoint.envelope?.data?.split(separator: ".").map(String.init) ?? []
        return Located(FieldPath(data + keys))
    }

    /// A name on the wire without case and separators, so that `starting-after` and `starting_after` are the same.
    private static func folded(_ wire: String) -> String { NameText.folded(NameText.valueName(wire)) }

    // MARK: Types

    private func isList(_ type: PlannedType) -> Bool { element(type) != nil }

    private func isURL(_ type: PlannedType) -> Bool { word(type) == "url" }

    private func isWhole(_ type: PlannedType) -> Bool { cursorKind(type) == "int" }

    private func cursorKind(_ type: PlannedType) -> String? {
        guard let word = word(type) else { return nil }
        if ["int", "int32", "int64", "uint"].contains(word) { return "int" }
        return word == "string" || word == "uuid" ? word : nil
    }

    /// The built-in type that a type stands for; nil for any other.
    private func word(_ type: PlannedType) -> String? {
        switch type {
        case .word(let word): return word
        case .optional(let inner): return self.word(inner)
        case .named(let number):
            if case .alias(let target, _) = types.entries[number].form { return word(target) }
            return nil
        case .list, .map: return nil
        }
    }
}
