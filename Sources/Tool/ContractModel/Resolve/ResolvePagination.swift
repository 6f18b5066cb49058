import Diagnostics

// Whether the pages of a list can be turned as `paginate` says.
extension Resolution {
    mutating func check(_ pagination: Located<PaginationDefinition>, of endpoint: ResolvedEndpoint) {
        guard isWalkable(pagination, endpoint) else { return }
        checkPast(pagination)
        let place = PayloadPlace(endpoint, envelope(of: endpoint), self)
        switch pagination.value.style {
        case .page(let parameter, let total):
            checkNumber(parameter, of: endpoint)
            checkPath(total, "total", in: place) { $0.isTotal($1) }
        case .offset(let parameter, let size, let total):
            checkNumber(parameter, of: endpoint)
            if let size { checkNumber(size, of: endpoint) }
            checkPath(total, "total", in: place) { $0.isTotal($1) }
        case .cursor(let parameter, let next, let more):
            checkPath(more, "flag", in: place, wanted: "a `bool`") { $0.isFlag($1) }
            guard let field = field(parameter, of: endpoint) else { break }
            guard let kind = cursorKind(field) else {
                reportMismatch(
                    field, "a cursor must be a `string`, an integer or a `uuid`", at: parameter.range)
                break
            }
            let wanted = "a `\(field.type.unwrapped.spelling)`"
            switch next {
            case .response(let path):
                if refuseURL(path, of: parameter, in: place) { break }
                checkPath(path, "next cursor", in: place, wanted: wanted) { $0.cursorKind($1) == kind }
            case .lastElement(let path):
                checkElementPath(path, pagination.value.items, in: place, wanted: wanted) {
                    $0.cursorKind($1) == kind
                }
            }
        case .link(.response(let path), _):
            if refuseRequiredURL(path, in: place) { break }
            checkPath(path, "next URL", in: place, wanted: "a `string` or a `url`") {
                let primitive = $0.primitive($1)
                return primitive == .string || primitive == .url
            }
        case .link(.header, _): break
        }
        checkItems(pagination, of: endpoint, place)
    }

    /// Checks that a response can be a page.
    private mutating func isWalkable(_ pagination: Located<PaginationDefinition>, _ endpoint: ResolvedEndpoint) -> Bool
    {
        func refuse(_ message: String, _ help: String, notes: [DiagnosticNote] = []) -> Bool {
            report(.pagesNotWalkable, message, at: pagination.range, notes: notes, help: help)
            return false
        }
        if let outcome = endpoint.outcomes.first {
            return refuse(
                "`\(endpoint.name.value)` has outcomes, and an outcome is not a page of a list",
                "make it an error, or remove `paginate`", notes: [DiagnosticNote("an outcome", at: outcome.name.range)])
        }
        if endpoint.effect.isUnsafe {
            return refuse(
                "`\(endpoint.name.value)` does not only read, and loading pages sends it repeatedly",
                "write `effect: read` if it only reads")
        }
        if endpoint.delivery != .reply {
            return refuse(
                "`\(endpoint.name.value)` does not have a single response, which a page of a list needs",
                "remove `paginate` or `delivery`")
        }
        guard case .http(let method, _) = endpoint.target else { return true }
        if method == .query {
            return refuse(
                "a QUERY has no parameters in the query, where the client asks for a page",
                "use `get`, or `post` with `effect: read`")
        }
        if case .link = pagination.value.style {
            if method != .get {
                return refuse(
                    "the client can follow a link to the next page only with a GET", "use `page`, `offset` or `cursor`")
            }
            if contract.signing != nil {
                return refuse(
                    "the requests of this service are signed, and the client cannot sign a link from the server",
                    "use `page`, `offset` or `cursor`")
            }
        }
        return true
    }

    // MARK: Parameters

    private mutating func field(_ parameter: Located<String>, of endpoint: ResolvedEndpoint) -> FieldDefinition? {
        let name = parameter.value
        let field =
            endpoint.query.first { $0.name.value == name } ?? endpoint.query.first { $0.wireName == name }
        if let field { return field }
        let near = NearSpelling(of: name, among: endpoint.query.map(\.name.value))
        report(
            .pageParameterMissing,
            "`\(endpoint.name.value)` has no query parameter `\(name)` for its pages", at: parameter.range,
            help: near.map { "did you mean `\($0.candidate)`?" } ?? "add it under `query`",
            fix: near.map { replacement(of: parameter, with: $0.candidate) })
        return nil
    }

    private mutating func checkNumber(_ parameter: Located<String>, of endpoint: ResolvedEndpoint) {
        guard let field = field(parameter, of: endpoint) else { return }
        guard primitive(field)?.isWholeNumber == true else {
            return reportMismatch(field, "the number of a page must be an integer", at: parameter.range)
        }
    }

    private mutating func reportMismatch(_ field: FieldDefinition, _ reason: String, at range: SourceRange) {
        report(
            .pageTypeMismatch, "`\(field.name.value)` is a `\(field.type.spelling)`, but \(reason)", at: range,
            notes: [DiagnosticNote("the field", at: field.typeRange)],
            help: "name another parameter, or change its type")
    }

    /// The type of a cursor; all integers count as one type.
    private func cursorKind(_ field: FieldDefinition) -> Primitive? {
        guard let primitive = primitive(field) else { return nil }
        if primitive.isWholeNumber { return .int }
        return primitive == .string || primitive == .uuid ? primitive : nil
    }

    private func isFlag(_ field: FieldDefinition) -> Bool { primitive(field) == .bool }

    private func isTotal(_ field: FieldDefinition) -> Bool {
        primitive(field).map { $0.isWholeNumber || $0 == .string } ?? false
    }

    /// The built-in type of a field in which null says nothing of its own.
    private func primitive(_ field: FieldDefinition) -> Primitive? {
        guard !field.distinguishesNull, case .primitive(let primitive)? = expanded(field.type.unwrapped)?.unwrapped
        else {
            return nil
        }
        return primitive
    }

    /// Reports a status that says something else of any response.
    private mutating func checkPast(_ pagination: Located<PaginationDefinition>) {
        guard let past = pagination.value.past, [401, 403, 407, 408, 425, 429].contains(past) else { return }
        report(
            .pageTypeMismatch, "status \(past) does not say that a list has ended", at: pagination.range,
            help: "write the status of a page after the last one, such as `past: 404`")
    }

    /// Reports a URL that no page may lack: the last page has none.
    private mutating func refuseRequiredURL(_ path: Located<FieldPath>, in place: PayloadPlace) -> Bool {
        guard case .found(let way) = place.search(path.value, self), let last = way.last, primitive(last) == .url,
            way.allSatisfy({ $0.type.unwrapped == $0.type })
        else { return false }
        report(
            .pageTypeMismatch, "`\(last.name.value)` is required, but the last page has no next URL", at: path.range,
            notes: [DiagnosticNote("the field", at: last.typeRange)], help: "write `url?`")
        return true
    }

    /// Reports a cursor that is the URL of the next page: a service would get the whole URL as the value of the parameter.
    private mutating func refuseURL(
        _ path: Located<FieldPath>, of parameter: Located<String>, in place: PayloadPlace
    ) -> Bool {
        guard case .found(let way) = place.search(path.value, self), let last = way.last, primitive(last) == .url
        else { return false }
        report(
            .pageTypeMismatch,
            "`\(last.name.value)` is the URL of the next page, and not a cursor for `\(parameter.value)`",
            at: path.range, notes: [DiagnosticNote("the field", at: last.typeRange)],
            help: "remove `cursor: \(parameter.value)`, and the client follows the URL")
        return true
    }

    // MARK: Paths

    func envelope(of endpoint: ResolvedEndpoint) -> EnvelopeDefinition? {
        guard let name = endpoint.envelope, case .found(let found) = scope.envelope(name) else { return nil }
        return found.definition
    }

    private mutating func checkPath(
        _ path: Located<FieldPath>?, _ what: String, in place: PayloadPlace, wanted: String = "an integer",
        _ fits: (Resolution, FieldDefinition) -> Bool
    ) {
        guard let path else { return }
        switch place.search(path.value, self) {
        case .found(let way):
            readStrictly(way, "it leads to the \(what) of the pages")
            guard let last = way.last, !fits(self, last) else { return }
            reportMismatch(last, "the \(what) is \(wanted)", at: path.range)
        case .unknown: reportOutside(path, what, in: place) { fits($0, $1) }
        case .missing(let position, let fields): reportMissing(path, what, at: position, among: fields, in: place)
        }
    }

    /// Checks the path of a cursor inside the elements. The list itself is checked by `checkItems`.
    private mutating func checkElementPath(
        _ path: Located<FieldPath>, _ items: Located<FieldPath>?, in place: PayloadPlace, wanted: String,
        _ fits: (Resolution, FieldDefinition) -> Bool
    ) {
        let endpoint = place.endpoint
        guard let element = elementType(items, in: place) else { return }
        guard let fields = structureFields(element) else {
            switch expanded(element)?.unwrapped {
            case .primitive(.json)?, .map?, .named?, nil: return
            case .primitive?, .list?, .optional?:
                report(
                    .pageTypeMismatch,
                    "an element of `\(endpoint.name.value)` is a `\(element.spelling)`, so it has no field `\(path.value.text)`",
                    at: path.range, notes: [DiagnosticNote("the response", at: endpoint.response.range)],
                    help: "write the path of the next cursor in the response with `next`")
            }
            return
        }
        switch FieldSearch.of(path.value.keys[...], in: fields, expand: expanded, structure: structureFields) {
        case .found(let way):
            readStrictly(way, "it leads to the cursor of the pages")
            guard let last = way.last, !fits(self, last) else { return }
            reportMismatch(last, "the cursor in the last element is \(wanted)", at: path.range)
        case .unknown: break
        case .missing(let position, let others):
            reportMissing(
                path, "cursor", at: position, among: others, in: place, owner: "an element of `\(endpoint.name.value)`",
                hint: "write a path inside an element, such as `id`")
        }
    }

    private func elementType(_ items: Located<FieldPath>?, in place: PayloadPlace) -> TypeReference? {
        var list: TypeReference?
        if place.isList {
            if case .type(let type, _, _) = place.endpoint.response.value { list = type }
        } else if let items, case .found(let way) = place.search(items.value, self) {
            list = way.last?.type
        }
        guard let list, case .list(let element)? = expanded(list.unwrapped)?.unwrapped else { return nil }
        return element
    }

    /// Reports a path outside of the payload that no page has: one without the envelope's keys, whose field is in the payload, or
    /// one through the mark of a failure.
    ///
    /// - Returns: Whether it was reported. Other paths may be those of members beside the payload, which no type describes.
    @discardableResult
    private mutating func reportOutside(
        _ path: Located<FieldPath>, _ what: String, in place: PayloadPlace,
        _ fits: (Resolution, FieldDefinition) -> Bool
    ) -> Bool {
        if let field = place.field(at: path.value, self), fits(self, field) {
            let payload = FieldPath(place.root).text
            let meant = FieldPath(place.root + path.value.keys).text
            report(
                .unknownPath,
                "the field `\(path.value.text)` of `\(place.endpoint.name.value)` is inside `\(payload)`, so this path does not find the \(what)",
                at: path.range, notes: [DiagnosticNote("the field", at: field.name.range)],
                help: "write the path from the root of the response: `\(meant)`",
                fix: replacement(of: path.map(\.text), with: meant))
            return true
        }
        guard let error = envelope(of: place.endpoint)?.error, path.value.keys.starts(with: error.value.keys) else {
            return false
        }
        report(
            .unknownPath,
            "a response with `\(error.value.text)` is a failure, so no page has the \(what) `\(path.value.text)`",
            at: path.range, notes: [DiagnosticNote("the envelope", at: error.range)],
            help: "write the path of a field that a success has")
        return true
    }

    private mutating func reportMissing(
        _ path: Located<FieldPath>, _ what: String, at position: Int, among fields: [FieldDefinition],
        in place: PayloadPlace, owner: String? = nil,
        hint: String = "write the path from the root of the response, with the envelope's keys"
    ) {
        let keys = path.value.keys
        let near =
            keys.indices.contains(position)
            ? NearSpelling(of: keys[position], among: fields.map(\.wireName))?.candidate : nil
        var corrected = keys
        if let near { corrected[position] = near }
        let text = corrected.joined(separator: ".")
        report(
            .unknownPath,
            "\(owner ?? "the response of `\(place.endpoint.name.value)`") has no field `\(path.value.text)` for the \(what)",
            at: path.range, notes: [DiagnosticNote("the endpoint", at: place.endpoint.name.range)],
            help: near.map { _ in "did you mean `\(text)`?" } ?? hint,
            fix: near.map { _ in replacement(of: path.map { _ in path.value.text }, with: text) })
    }

    // MARK: Elements

    private mutating func checkItems(
        _ pagination: Located<PaginationDefinition>, of endpoint: ResolvedEndpoint, _ place: PayloadPlace
    ) {
        guard let items = pagination.value.items else {
            guard !place.isList else { return }
            let lists = place.fields.filter { isList($0) }.map { (place.root + [$0.wireName]).joined(separator: ".") }
            report(
                .pageTypeMismatch, "the response of `\(endpoint.name.value)` is not a list, so it has no pages",
                at: pagination.range, notes: [DiagnosticNote("the response", at: endpoint.response.range)],
                help: lists.first.map { "write the path of the elements: `items: \($0)`" }
                    ?? "write the path of the elements with `items`")
            return
        }
        guard !place.isList else {
            if place.list == items.value.keys { return }
            report(
                .pageTypeMismatch,
                "the response of `\(endpoint.name.value)` is itself the list, so `items: \(items.value.text)` leads nowhere",
                at: items.range, notes: [DiagnosticNote("the response", at: endpoint.response.range)],
                help: "remove `items`")
            return
        }
        switch place.search(items.value, self) {
        case .found(let way):
            readStrictly(way, "it leads to the elements of the pages")
            if let last = way.last, isList(last), !way.contains(where: \.distinguishesNull) { return }
            if let last = way.last { reportMismatch(last, "the elements must be a list", at: items.range) }
        case .unknown:
            if reportOutside(items, "list", in: place, { $0.isList($1) }) { return }
            report(
                .pageTypeMismatch, "`\(items.value.text)` is not a list with a type in the contract", at: items.range,
                notes: [DiagnosticNote("the response", at: endpoint.response.range)],
                help: "name a field of the response that is a list")
        case .missing(let position, let fields): reportMissing(items, "list", at: position, among: fields, in: place)
        }
    }

    private func isList(_ field: FieldDefinition) -> Bool {
        expanded(field.type.unwrapped)?.isList == true
    }
}

/// Where the payload of an endpoint is in the whole response, and what is known of it.
struct PayloadPlace {
    let endpoint: ResolvedEndpoint
    /// The keys that lead to the payload.
    let root: [String]
    /// The keys that lead to the list that the payload is.
    let list: [String]
    let isList: Bool
    /// The fields of a payload that is a structure.
    let fields: [FieldDefinition]
    private let isStructure: Bool
    /// Whether other members may be beside the payload.
    private let hasList: Bool

    init(_ endpoint: ResolvedEndpoint, _ envelope: EnvelopeDefinition?, _ resolution: Resolution) {
        self.endpoint = endpoint
        root = envelope?.data?.value.keys ?? []
        list = envelope?.list?.value.keys ?? root
        hasList = envelope?.list != nil
        switch endpoint.response.value {
        case .none, .bytes:
            (isList, fields, isStructure) = (false, [], false)
        case .fields(let own):
            (isList, fields, isStructure) = (false, own, true)
        case .type(let type, _, _):
            isList = resolution.expanded(type.unwrapped)?.isList == true
            let own = resolution.structureFields(type)
            (fields, isStructure) = (own ?? [], own != nil)
        }
    }

    /// The field that a path without the keys of the payload finds in the payload; nil if the payload is the whole response.
    func field(at path: FieldPath, _ resolution: Resolution) -> FieldDefinition? {
        guard !root.isEmpty, isStructure,
            case .found(let way) = FieldSearch.of(
                path.keys[...], in: fields, expand: resolution.expanded, structure: resolution.structureFields)
        else { return nil }
        return way.last
    }

    /// The result of searching a path in the whole response.
    func search(_ path: FieldPath, _ resolution: Resolution) -> FieldSearch {
        guard path.keys.count > root.count, path.keys.starts(with: root) else {
            // The payload, or a structure on the path to it, is neither a number nor a text.
            return root.starts(with: path.keys) ? .missing(position: path.keys.count, among: []) : .unknown
        }
        if isList {
            // A list has a sibling only where the envelope says that it is deeper.
            return hasList && path.keys != list ? .unknown : .missing(position: path.keys.count, among: [])
        }
        guard isStructure else { return .unknown }
        let found = FieldSearch.of(
            path.keys[root.count...], in: fields, expand: resolution.expanded, structure: resolution.structureFields)
        if case .missing(let position, let others) = found {
            return .missing(position: position + root.count, among: others)
        }
        return found
    }
}
