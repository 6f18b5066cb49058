import ErrandJSON
import ErrandRuntime
import ErrandService

/// One page of a list that a simulated server makes up: the page that the request asks for, with a total or a way to the next
/// one, so that a walk comes to the list's end.
struct SimulatedPage {
    private let endpoint: EndpointDescription
    private let pagination: Pagination
    private let request: TransportRequest
    /// How many elements the whole list has.
    private let length: Int

    init(_ endpoint: EndpointDescription, _ pagination: Pagination, _ request: TransportRequest, length: Int) {
        self.endpoint = endpoint
        self.pagination = pagination
        self.request = request
        self.length = length
    }

    /// A response with the elements of the page in place of its own.
    ///
    /// - Parameter fits: whether the command's reader accepts a response.
    /// - Returns: the unchanged response, if it contains no list.
    func page(of answer: TransportResponse, fits: (TransportResponse) -> Bool) -> TransportResponse {
        guard var body = try? JSONValue(parsing: answer.body), let place = listPlace(in: body),
            let template = body.value(at: place[...])?.array?.first
        else { return answer }
        let page = ListPage(pagination.place, start, size: pagination.size.flatMap(text), of: length)
        let numbers = page.elements
        if let past = pagination.past, numbers.isEmpty, length > 0 { return TransportResponse(status: past) }
        body.put(.array(numbers.map { element($0, like: template) }), at: place[...])
        var made = answer
        made.body = Array(body.description.utf8)
        if !fits(made), let last = lastPath {
            // A cursor in the elements is a UUID, or a number.
            let numbered = numbers.map { number in
                var element = element(number, like: template)
                element.put(.number(JSONNumber(number)), at: last[...])
                return element
            }
            body.put(.array(numbered), at: place[...])
            made.body = Array(body.description.utf8)
        }
        if !fits(made) {
            body.put(.array(numbers.map { _ in template }), at: place[...])
        }
        return note(page, body, made, fits)
    }

    /// Adds the total and what leads to the next page.
    private func note(
        _ page: ListPage, _ body: JSONValue, _ answer: TransportResponse, _ fits: (TransportResponse) -> Bool
    ) -> TransportResponse {
        var made = answer
        var body = body
        func put(_ value: JSONValue, at path: String) -> Bool {
            var changed = body
            changed.put(value, at: JSONLocation(dotted: path).steps[...])
            made.body = Array(changed.description.utf8)
            guard fits(made) else { return false }
            body = changed
            return true
        }
        made.body = Array(body.description.utf8)
        switch pagination.style {
        case .page(_, let total?):
            if !put(.number(JSONNumber(page.count)), at: total) { _ = put(.string("\(page.count)"), at: total) }
        case .offset(_, let total?):
            if !put(.number(JSONNumber(length)), at: total) { _ = put(.string("\(length)"), at: total) }
        case .page, .offset: break
        case .cursor(let place, let more):
            if let more, !put(.bool(page.next != nil), at: more) { made.body = Array(body.description.utf8) }
            guard case .response(let path) = place else { break }
            guard let next = page.next else {
                if !put(.null, at: path) { _ = put(.string(""), at: path) }
                break
            }
            // A UUID first: a text takes anything, and a parameter that is a UUID nothing else.
            _ = put(.string(ListPage.uuid(next)), at: path) || put(.number(JSONNumber(next)), at: path)
        case .link(.response(let path), _):
            guard let next = page.next else {
                if !put(.null, at: path) { _ = put(.string(""), at: path) }
                break
            }
            _ = put(.string(ListPage.link(to: next, from: request.url)), at: path)
        case .link(.header(let relation), _):
            guard let next = page.next else { break }
            made.headers.append("Link", "<\(ListPage.link(to: next, from: request.url))>; rel=\"\(relation)\"")
        }
        return made
    }

    // MARK: Where it is

    /// What the request says of its page's place.
    private var start: String? {
        if case .link = pagination.style { return text(ListPage.linkParameter) }
        return pagination.parameter.flatMap(text)
    }

    /// The value of a query parameter.
    private func text(_ name: String) -> String? {
        let query = request.url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if PercentEncoding.decode(parts[0]) == name { return PercentEncoding.decode(parts.dropFirst().first ?? "") }
        }
        return nil
    }

    /// The place of a response's list; nil if it has none, or represents the list by one element.
    private func listPlace(in body: JSONValue) -> [JSONLocation.Step]? {
        let envelope = endpoint.envelope
        let places = pagination.items.map { [$0] } ?? [envelope.list, envelope.data, ""].compactMap { $0 }
        return places.map { JSONLocation(dotted: $0).steps }.first { body.value(at: $0[...])?.array != nil }
    }

    // MARK: The content of a page

    /// The place of the cursor inside an element.
    private var lastPath: [JSONLocation.Step]? {
        guard case .cursor(.lastElement(let path), _) = pagination.style else { return nil }
        return JSONLocation(dotted: path).steps
    }

    /// An element that can be told from the others, with its number in the cursor.
    private func element(_ number: Int, like template: JSONValue) -> JSONValue {
        var element = Self.numbered(number, like: template)
        if let last = lastPath { element.put(.string(ListPage.uuid(number)), at: last[...]) }
        return element
    }

    /// An element that can be told from the others: its `id`, or what is called so, has its number in it.
    private static func numbered(_ number: Int, like template: JSONValue) -> JSONValue {
        switch template {
        case .number: return .number(JSONNumber(number))
        case .string(let text): return .string("\(text) \(number)")
        case .object(let object):
            var made = template
            for (key, value) in object where key == "id" || key.hasSuffix("ID") || key.hasSuffix("Id") {
                switch value {
                case .number: made[key] = .number(JSONNumber(number))
                case .string: made[key] = .string("\(key) \(number)")
                case .null, .bool, .array, .object: break
                }
            }
            return made
        case .null, .bool, .array: return template
        }
    }
}

extension Pagination {
    /// How a request says where its page begins.
    fileprivate var place: ListPage.Place {
        switch style {
        case .page(let first, _): .page(first: first)
        case .offset(let first, _): .offset(first: first)
        case .cursor(.lastElement, _): .lastElement
        case .cursor(.response, _), .link: .cursor
        }
    }
}
