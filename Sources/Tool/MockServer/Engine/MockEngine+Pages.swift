import ContractModel
import ErrandService
import JSONTree

extension MockEngine {
    private static let mostPageSize = 10_000

    /// The number of elements of a whole list that comes in pages; nil for other payloads.
    func listLength(_ call: Call) -> Int? { call.endpoint.definition.pagination == nil ? nil : Self.usualPagedItems }

    /// The page of a list that a request asks for. Nil if the endpoint has no pages, or the payload no list.
    ///
    /// - Parameter payload: the payload with the whole list.
    func paged(_ payload: JSONNode?, _ call: Call) -> Handled? {
        guard let pagination = contract.paginationOnWire(of: call.endpoint), let payload else { return nil }
        let prefix = call.composer.payloadPath
        // Paths of pagination are of the whole response.
        var whole = JSONNode.object([])
        if prefix.isEmpty { whole = payload } else { whole.put(payload, at: prefix[...]) }
        let place = pagination.items?.value.keys ?? prefix
        guard var elements = whole.value(at: place[...])?.elements, !elements.isEmpty else { return nil }
        while elements.count < Self.usualPagedItems, resources.places[call.route.endpoint] == nil {
            elements.append(numbered(elements[0], elements.count + 1))
        }
        if case .cursor(_, .lastElement(let path), _) = pagination.style {
            elements = elements.enumerated().map { position, element in
                var element = element
                if let value = element.value(at: path.value.keys[...]), resources.places[call.route.endpoint] == nil {
                    element.put(Self.numbered(position + 1, like: value), at: path.value.keys[...])
                }
                return element
            }
        }
        let page = page(pagination, of: elements, call)
        if let past = pagination.past, page.elements.isEmpty {
            return Handled(response: MockResponse(status: past), result: .failure)
        }
        whole.put(.array(Array(elements[page.elements])), at: place[...])
        let marks = marks(pagination, page, call)
        var handled = success(whole.value(at: prefix[...]), call) { body in
            for (path, value) in marks { body.put(value, at: path[...]) }
        }
        if case .link(.header(let relation), _) = pagination.style, let next = page.next {
            handled.response.headers.append(("Link", "<\(link(to: next, call))>; rel=\"\(relation.value)\""))
        }
        return handled
    }

    /// The total and the way to the next page, by their paths in the response.
    private func marks(
        _ pagination: PaginationDefinition, _ page: ListPage, _ call: Call
    ) -> [([String], JSONNode)] {
        switch pagination.style {
        case .page(_, let total): return total.map { [($0.value.keys, .number(page.count))] } ?? []
        case .offset(_, _, let total): return total.map { [($0.value.keys, .number(page.length))] } ?? []
        case .cursor(let parameter, let place, let more):
            var marks: [([String], JSONNode)] = more.map { [($0.value.keys, .bool(page.next != nil))] } ?? []
            if case .response(let path) = place {
                let type = field(parameter.value, call).flatMap { contract.expanded($0.type.unwrapped).type.primitive }
                marks.append((path.value.keys, page.next.map { Self.cursor($0, type) } ?? .null))
            }
            return marks
        case .link(.response(let path), _):
            let type = contract.pageFields(to: path.value, of: call.endpoint)?.last?.type
            let none: JSONNode = type.map { $0.unwrapped == $0 } ?? false ? .string("") : .null
            return [(path.value.keys, page.next.map { .string(link(to: $0, call)) } ?? none)]
        case .link(.header, _): return []
        }
    }

    private static func cursor(_ number: Int, _ type: Primitive?) -> JSONNode {
        if type?.isNumber == true { return .number(number) }
        return .string(type == .uuid ? ListPage.uuid(number) : ListPage.cursor(number))
    }

    private func link(to next: Int, _ call: Call) -> String {
        let host = call.request.header("Host").map { "http://\(Self.headerText($0))" } ?? ""
        return ListPage.link(to: next, from: "\(host)\(call.request.path)?\(call.request.query)")
    }

    // MARK: What is asked for

    /// - Parameter name: a name on the wire.
    private func field(_ name: String, _ call: Call) -> FieldDefinition? {
        (call.endpoint.query + call.endpoint.headers).first { $0.wireName == name }
    }

    /// The input that seems to say how many elements a page has. It follows from what is on the wire, so another name in the contract
    /// does not change it.
    private func sizeName(_ call: Call) -> String? {
        let inputs = call.endpoint.query + call.endpoint.headers
        return Self.sizeNames.lazy.compactMap { name in
            inputs.first { SwiftIdentifier.folded($0.wireName) == name }?.wireName
        }.first { text($0, call).flatMap { Int($0) } != nil }
    }

    private static let sizeNames = ["size", "pagesize", "limit", "perpage", "count", "maxresults"]

    /// The text of an input, or its default.
    private func text(_ name: String, _ call: Call) -> String? {
        guard let field = field(name, call) else { return nil }
        if let text = call.request.queryValues(field.wireName).first ?? call.request.header(field.wireName) {
            return text
        }
        return input(of: call)[field.wireName]?.scalarText ?? defaultText(field)
    }

    private func defaultText(_ field: FieldDefinition) -> String? { field.defaultValue?.value.scalarText }

    /// The number of the first page or element: the parameter's default, or the least number that it may have.
    private func firstNumber(_ parameter: String, _ call: Call) -> Int? {
        guard let field = field(parameter, call) else { return nil }
        return (defaultText(field) ?? field.constraints.range?.value.lower).flatMap { Int($0) }
    }

    /// The page that a request asks for.
    private func page(_ pagination: PaginationDefinition, of elements: [JSONNode], _ call: Call) -> ListPage {
        var sizeName = sizeName(call)
        if case .offset(_, let size?, _) = pagination.style { sizeName = size.value }
        let size = sizeName.flatMap { text($0, call) }.flatMap { Int($0) == nil ? nil : $0 }
        func page(_ place: ListPage.Place, _ text: String?) -> ListPage {
            ListPage(place, text, size: size, most: Self.mostPageSize, of: elements.count)
        }
        func cursor(_ parameter: Located<String>) -> String? {
            field(parameter.value, call).flatMap { call.request.queryValues($0.wireName).first }
        }
        switch pagination.style {
        case .page(let parameter, _):
            return page(.page(first: firstNumber(parameter.value, call) ?? 1), text(parameter.value, call))
        case .offset(let parameter, _, _):
            return page(.offset(first: firstNumber(parameter.value, call) ?? 0), text(parameter.value, call))
        case .cursor(let parameter, .lastElement(let path), _):
            // The elements may be those that clients have made, so that the cursor is no number of a position.
            guard let given = cursor(parameter) else { return page(.lastElement, nil) }
            let last = elements.firstIndex {
                $0.value(at: path.value.keys[...])?.scalarText.map(ByteText.init) == ByteText(given)
            }
            return page(.lastElement, String(last ?? elements.count))
        case .cursor(let parameter, .response, _): return page(.cursor, cursor(parameter))
        case .link: return page(.cursor, call.request.queryValues(ListPage.linkParameter).first)
        }
    }

    /// An element like another, which can be told from it.
    private func numbered(_ template: JSONNode, _ number: Int) -> JSONNode {
        guard let members = template.members else { return Self.numbered(number, like: template) }
        var element = template
        for member in members where member.name.lowercased() == "id" {
            element[member.name] = Self.numbered(number, like: member.value)
        }
        return element
    }

    // MARK: Streams

    /// How many elements a stream gives, and the pause between two.
    static let streamedElements = 5
    static let streamPause = Duration.milliseconds(300)

    /// The element of a stream with this number, which is its place.
    func element(_ number: Int, of endpoint: ResolvedEndpoint) -> JSONNode {
        var payload = PayloadMaker(contract: contract, seed: settings.seed).payload(of: endpoint) ?? .object([])
        if let members = payload.members {
            for member in members where member.name.lowercased() == "id" {
                payload[member.name] = Self.numbered(number, like: member.value)
            }
        }
        if let position = endpoint.definition.stream?.position?.value,
            let field = responseFields(endpoint).first(where: { $0.name.value == position || $0.wireName == position })
        {
            let isNumber = contract.expanded(field.type.unwrapped).type.primitive?.isNumber == true
            payload[field.wireName] = isNumber ? .number(number) : .string(String(number))
        }
        return payload
    }

    /// A stream, from the place that the request names.
    func stream(_ call: Call) -> Handled {
        let stream = call.endpoint.definition.stream ?? StreamDefinition()
        let maker = PayloadMaker(contract: contract, seed: settings.seed)
        let resumed =
            call.request.header("Last-Event-ID").flatMap { Int($0) }
            ?? stream.resume.flatMap { text($0.value, call) }.flatMap { Int($0) } ?? 0
        var parts: [[UInt8]] = []
        for number in 1...Self.streamedElements where number > resumed {
            let payload = element(number, of: call.endpoint)
            let element = String(decoding: call.composer.success(payload).body.bytes, as: UTF8.self)
            switch stream.format {
            case .events:
                let name = stream.name.flatMap { payload[$0]?.scalarText }.map { "event: \($0)\n" } ?? ""
                parts.append(Array("\(name)id: \(number)\ndata: \(element)\n\n".utf8))
            case .lines, .frames: parts.append(Array((element + "\n").utf8))
            }
        }
        if let end = stream.end {
            parts.append(Array((stream.format == .events ? "data: \(end)\n\n" : end + "\n").utf8))
        }
        let type = stream.format == .events ? "text/event-stream" : "application/x-ndjson"
        var response = MockResponse(
            status: call.endpoint.definition.status?.value ?? 200,
            headers: [("Content-Type", type)] + maker.headers(of: call.endpoint))
        response.body = .elements(parts, pause: Self.streamPause)
        return Handled(response: response, result: .success)
    }
}
