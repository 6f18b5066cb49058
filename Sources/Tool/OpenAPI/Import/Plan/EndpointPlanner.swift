import ContractModel
import Diagnostics

/// Turns operations into endpoints: their inputs, their responses, and the responses that are errors.
final class EndpointPlanner {
    let types: TypePlanner
    let errors: ErrorPlanner
    let security: SecurityPlan
    let envelopes: EnvelopePlanner
    let isSwagger2: Bool
    var findings: ImportFindings { types.findings }
    /// The names of the commands' types, for the types that are named later.
    var name = ""

    init(
        types: TypePlanner, errors: ErrorPlanner, security: SecurityPlan, envelopes: EnvelopePlanner, isSwagger2: Bool
    ) {
        self.types = types
        self.errors = errors
        self.security = security
        self.envelopes = envelopes
        self.isSwagger2 = isSwagger2
    }

    /// The endpoint; `nil` if it is left out, which a finding reports.
    func plan(_ operation: Operation, name: String) -> PlannedEndpoint? {
        self.name = name
        guard let method = HTTPMethod(rawValue: operation.method) else { return nil }
        var endpoint = PlannedEndpoint(
            name: name, method: method, path: operation.route, element: operation.element)
        endpoint.tag = operation.tags.first
        endpoint.doc = DocText.joined(operation.summary, operation.description)
        endpoint.notes = operation.reviews.map { "errand:review \($0)" }
        guard planPath(&endpoint, operation), planParameters(&endpoint, operation), planBody(&endpoint, operation)
        else {
            findings.add(
                .openAPIEndpointLost,
                "`\(operation.method.uppercased()) \(operation.path)` is left out, because it needs a part that was lost",
                at: operation.element)
            return nil
        }
        (endpoint.session, endpoint.credentials) = security.proof(of: operation, findings)
        if let scopes = security.scopes(of: operation) { endpoint.notes.append("scopes: \(scopes)") }
        planResponses(&endpoint, operation)
        FieldNames.name(endpoint: &endpoint)
        return endpoint
    }

    // MARK: Path

    private func planPath(_ endpoint: inout PlannedEndpoint, _ operation: Operation) -> Bool {
        let path = operation.route
        func lose(_ problem: String) -> Bool {
            findings.add(.openAPIParameterLost, "the path `\(path)` \(problem)", at: operation.element)
            return false
        }
        guard path.hasPrefix("/") else { return lose("is a whole URL") }
        guard !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else {
            return lose("has `.` or `..` as a segment")
        }
        let parameters = operation.parameters.filter { $0.place == .path }
        var rest = path[...]
        var before = ""
        var seen = Set<String>()
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { return lose("has a `{` that is not closed") }
            before = rest[..<open].split(separator: "/").last.map(String.init) ?? before
            let wire = String(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
            guard !wire.isEmpty else { return lose("has a parameter without a name") }
            guard seen.insert(wire).inserted else { return lose("has the parameter `\(wire)` twice") }
            if wire.hasPrefix("+") || wire.hasSuffix("*") || operation.path.contains("{\(wire)=") {
                findings.add(
                    .openAPIStyleLost,
                    "the client percent-encodes the slashes in `\(wire)`, but the document's path contains plain slashes",
                    at: operation.element)
            }
            guard let parameter = parameters.first(where: { $0.name == wire }) else {
                endpoint.pathTypes.append((wire, wire, .word("string")))
                continue
            }
            guard parameter.style == "simple" else {
                findings.add(
                    .openAPIStyleLost, "contracts do not have the style `\(parameter.style)` for a path",
                    at: parameter.element)
                return false
            }
            loseReserved(wire, parameter.element)
            let short = NameText.typeName(wire)
            let isShort = wire.count < 5 || ["sid", "uuid", "name", "slug", "key"].contains(wire.lowercased())
            let origin = isShort && !before.isEmpty ? NameText.singular(before).replacingItem + short : short
            endpoint.pathTypes.append((wire, wire, pathType(parameter, origin, &endpoint)))
            let example = example(of: parameter) ?? types.reader.view(of: [parameter.schema]).example
            if let example { endpoint.pathExamples.append((wire, PlannedValue(example))) }
        }
        for parameter in parameters where !seen.contains(parameter.name) {
            findings.add(
                .openAPIParameterLost, "the path `\(path)` does not contain the parameter `\(parameter.name)`",
                at: parameter.element)
        }
        return !rest.contains("}") || lose("has a `}` without a `{`")
    }

    /// The type of a path parameter. Its constraints become an alias, which parameters of the same name share.
    private func pathType(_ parameter: Parameter, _ origin: String, _ endpoint: inout PlannedEndpoint) -> PlannedType {
        var schema = parameter.schema
        var view = types.reader.view(of: [schema])
        // A list of one value looks the same as the value.
        if let parts = types.oneOrMany(view) {
            if let common = types.commonType(of: parts.elements, parameter.name, at: parameter.element) {
                return .list(common)
            }
            schema = parts.list
            view = types.reader.view(of: [schema])
        }
        if view.isUntyped || types.text(of: view, at: parameter.element) != nil { return .word("string") }
        if let list = types.textList(of: view, at: parameter.element) { return list.type }
        let use = types.sharedEnum(schema, view, as: origin)
        switch types.shape(of: use.type) {
        case .scalar: break
        case .list:
            // The elements of a path have a text each.
            if case .list(.optional(let inner)) = use.type { return .list(inner) }
        case .structure, .other:
            let review = types.writtenText(parameter.name, in: .path, at: parameter.element)
            endpoint.notes.append("errand:review \(review)")
            return .word("string")
        }
        return use.constraints.saysNothing ? use.type : types.shared(use, as: origin, at: schema)
    }

    private func example(of parameter: Parameter) -> Element? { example(beside: parameter.element, of: "parameters") }

    /// The first example that a parameter or a header has beside its schema.
    func example(beside element: Element, of what: String) -> Element? {
        let examples = NamedExamples(of: element, types.documents)
        for example in examples.all where !example.isNull { findings.see(example: example, of: what) }
        return examples.values.lazy.map(\.value).first { !$0.isNull }
    }

    // MARK: Query and headers

    private func planParameters(_ endpoint: inout PlannedEndpoint, _ operation: Operation) -> Bool {
        for parameter in operation.parameters where parameter.place != .path {
            guard plan(parameter, &endpoint) || !parameter.isRequired else { return false }
        }
        return true
    }

    private static let headersOfTheTransport: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]

    private func plan(_ parameter: Parameter, _ endpoint: inout PlannedEndpoint) -> Bool {
        let element = parameter.element
        if parameter.place == .query, endpoint.method == .query {
            findings.add(
                .openAPIParameterLost,
                "`\(parameter.name)` is left out, because a contract has no parameters in the query of a QUERY request",
                at: element)
            return false
        }
        if let constant = parameter.constant {
            var field = PlannedField(wire: parameter.name, type: .word("string"))
            field.defaultValue = .text(constant, isQuoted: true)
            field.isConstant = true
            endpoint.query.append(field)
            return true
        }
        switch parameter.place {
        case .path: return true
        case .header:
            // OpenAPI says that these three are ignored among parameters.
            if ["accept", "content-type", "authorization"].contains(parameter.name.lowercased())
                || planIdempotencyKey(parameter, &endpoint)
            {
                element.settle()
                return true
            }
            if Self.headersOfTheTransport.contains(parameter.name.lowercased()) {
                findings.add(
                    .openAPIParameterLost, "the header `\(parameter.name)` is left out, because the transport sets it",
                    at: element)
                return true
            }
        case .querystring: return planQuerystring(parameter, &endpoint)
        case .query, .cookie: break
        }
        loseReserved(parameter.name, element)
        guard !parameter.isJSON else {
            findings.add(
                .openAPIStyleLost, "`\(parameter.name)` is JSON in a text, which the app has to write", at: element)
            parameter.schema.settle()
            var field = PlannedField(wire: parameter.name, type: .word("string"), isOptional: !parameter.isRequired)
            field.doc = parameter.description
            field.example = example(of: parameter).map { PlannedValue($0) }
            return add([field], of: parameter, to: &endpoint)
        }
        let origin: (String) -> PlannedTypeEntry.Origin = { [name] in
            .endpoint(NameText.typeName(name) + NameText.typeName($0), part: $0)
        }
        let place = TypePlanner.FlatPlace(
            origin: origin, style: .init(style: parameter.style, explodes: parameter.explodes), kind: parameter.place)
        guard
            var fields = types.flatFields(
                parameter.name, [parameter.schema], isRequired: parameter.isRequired, in: place, at: element)
        else { return addText(parameter, to: &endpoint) }
        for position in fields.indices {
            fields[position].doc = fields[position].doc ?? parameter.description
            fields[position].isDeprecated = fields[position].isDeprecated || parameter.isDeprecated
        }
        if let example = example(of: parameter), fields.count == 1 { fields[0].example = PlannedValue(example) }
        if parameter.description != nil, fields.count == 1 { fields[0].doc = parameter.description }
        return add(fields, of: parameter, to: &endpoint)
    }

    /// Plans a parameter that is the whole query. A form is what the properties of an object are in a query.
    private func planQuerystring(_ parameter: Parameter, _ endpoint: inout PlannedEndpoint) -> Bool {
        let type = parameter.element["content"]?.entries.first?.name ?? ""
        let view = types.reader.view(of: [parameter.schema])
        guard type.hasPrefix("application/x-www-form-urlencoded"), !view.properties.isEmpty else {
            findings.add(
                .openAPIParameterLost,
                "the `querystring` `\(parameter.name)` is left out, because a contract has only named parameters in a query",
                at: parameter.element)
            return false
        }
        findings.add(
            .openAPIParameterLost,
            "the properties of the `querystring` `\(parameter.name)` become parameters of the query, which are the same",
            at: parameter.element, isMinor: true)
        var form = parameter
        (form.place, form.style, form.explodes, form.isJSON) = (.query, "form", true, false)
        return plan(form, &endpoint)
    }

    func loseReserved(_ name: String, _ element: Element) {
        guard element.flag("allowReserved") else { return }
        findings.add(
            .openAPIStyleLost,
            "the client percent-encodes all of `\(name)`, although the document has `allowReserved`", at: element)
    }

    /// Adds the fields of a parameter, if its place can carry them.
    private func add(_ fields: [PlannedField], of parameter: Parameter, to endpoint: inout PlannedEndpoint) -> Bool {
        let element = parameter.element
        if parameter.place == .query {
            // The property of an object may have the name of another parameter.
            for field in fields where endpoint.query.contains(where: { $0.wire == field.wire }) {
                findings.add(
                    .openAPIParameterLost,
                    "`\(field.wire)` of `\(parameter.name)` is left out, because another parameter has this name",
                    at: element)
            }
            endpoint.query += fields.filter { field in !endpoint.query.contains { $0.wire == field.wire } }
        } else {
            guard HeaderText.isName(parameter.name) else {
                findings.add(
                    .openAPIParameterLost,
                    "`\(parameter.name)` is left out, because no \(parameter.place.rawValue) can have this name",
                    at: element)
                return false
            }
            guard fields.count == 1,
                types.shape(of: fields[0].type) == .scalar
                    || parameter.place == .header && fields[0].joining != nil
            else { return addText(parameter, to: &endpoint) }
            if parameter.place == .cookie { endpoint.cookies += fields } else { endpoint.headers += fields }
        }
        return true
    }

    /// Adds a required parameter whose place cannot carry its shape, as a text that the app writes. An optional one is left out.
    private func addText(_ parameter: Parameter, to endpoint: inout PlannedEndpoint) -> Bool {
        guard parameter.isRequired else {
            types.loseField(parameter.name, in: parameter.place, at: parameter.element)
            return false
        }
        var field = types.textField(parameter.name, in: parameter.place, at: parameter.element)
        field.doc = parameter.description
        field.isDeprecated = parameter.isDeprecated
        field.example = example(of: parameter).map { PlannedValue($0) }
        return add([field], of: parameter, to: &endpoint)
    }

    /// A header by which the server recognizes a repeated request.
    private func planIdempotencyKey(_ parameter: Parameter, _ endpoint: inout PlannedEndpoint) -> Bool {
        let name = parameter.name.lowercased()
        let words = (parameter.description ?? "").lowercased()
        let isKey =
            name.contains("idempoten") || words.contains("idempotency key")
            || (name.hasSuffix("request-id") && ["idempoten", "duplicate", "keys for"].contains { words.contains($0) })
        guard isKey, endpoint.method == .post || endpoint.method == .patch else { return false }
        endpoint.effect = IdempotencyKeyDefinition(
            place: name == "idempotency-key" ? nil : .header(Located(parameter.name)))
        if name != "idempotency-key" { endpoint.noteKey("the header `\(parameter.name)`") }
        return true
    }
}

extension String {
    /// The name of one element, without the word that is added to a name without a singular.
    fileprivate var replacingItem: String { hasSuffix("Item") && count > 4 ? String(dropLast(4)) : self }
}

extension FieldNames {
    /// Names all inputs of an endpoint. Swift has them in one parameter list.
    static func name(endpoint: inout PlannedEndpoint) {
        var taken = Set<String>()
        if case .type? = endpoint.body?.content { taken.insert("body") }
        if endpoint.body?.encoding == .bytes { taken.insert("body") }
        for position in endpoint.pathTypes.indices {
            let name = NameText.free(NameText.valueName(endpoint.pathTypes[position].wire), taken)
            endpoint.pathTypes[position].name = name
            taken.insert(NameText.folded(name))
        }
        name(&endpoint.query, taken: &taken, beside: "query")
        name(&endpoint.headers, taken: &taken, beside: "header")
        name(&endpoint.cookies, taken: &taken, beside: "cookie")
        if case .fields(var fields)? = endpoint.body?.content {
            name(&fields, taken: &taken, beside: "new")
            endpoint.body?.content = .fields(fields)
        }
        var takenHeaders = Set<String>()
        name(&endpoint.responseHeaders, taken: &takenHeaders)
        if case .content(.fields(var fields)) = endpoint.response {
            var taken = Set<String>()
            name(&fields, taken: &taken)
            endpoint.response = .content(.fields(fields))
        }
    }
}
