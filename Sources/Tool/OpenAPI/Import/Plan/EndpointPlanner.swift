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
        let isOdd = path.unicodeScalars.contains { "?#\"<>\\^`| ".unicodeScalars.contains($0) || $0.value < 0x20 }
        guard path.hasPrefix("/"), !isOdd, !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
        else {
            findings.add(
                .openAPIParameterLost,
                "the path `\(path)` has a character that paths cannot contain",
                at: operation.element)
            return false
        }
        let parameters = operation.parameters.filter { $0.place == .path }
        var rest = path[...]
        var before = ""
        var seen = Set<String>()
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { return false }
            before = rest[..<open].split(separator: "/").last.map(String.init) ?? before
            let wire = String(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
            guard !wire.isEmpty, seen.insert(wire).inserted else { return false }
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
            let short = NameText.typeName(wire)
            let isShort = wire.count < 5 || ["sid", "uuid", "name", "slug", "key"].contains(wire.lowercased())
            let origin = isShort && !before.isEmpty ? NameText.singular(before).replacingItem + short : short
            guard let type = pathType(parameter, origin) else { return false }
            endpoint.pathTypes.append((wire, wire, type))
        }
        for parameter in parameters where !seen.contains(parameter.name) {
            findings.add(
                .openAPIParameterLost, "the path `\(path)` does not contain the parameter `\(parameter.name)`",
                at: parameter.element)
        }
        return !rest.contains("}")
    }

    /// The type of a path parameter. Its constraints become an alias, which parameters of the same name share.
    private func pathType(_ parameter: Parameter, _ origin: String) -> PlannedType? {
        let schema = listSchema(parameter.schema)
        let view = types.reader.view(of: [schema])
        if view.isUntyped || types.text(of: view, at: parameter.element) != nil { return .word("string") }
        let use = types.sharedEnum(schema, view, as: origin)
        switch types.shape(of: use.type) {
        case .scalar: break
        case .list:
            // The elements of a path have a text each.
            if case .list(.optional(let inner)) = use.type { return .list(inner) }
        case .structure, .other:
            findings.add(
                .openAPIParameterLost,
                "`\(parameter.name)` is not a single value or a list of them, as a path parameter must be",
                at: parameter.element)
            return nil
        }
        return use.constraints.isEmpty ? use.type : types.shared(use, as: origin, at: schema)
    }

    /// The list of a parameter that is one value or a list of such values. A list of one looks the same.
    private func listSchema(_ schema: Element) -> Element {
        let reader = types.reader
        let view = reader.view(of: [schema])
        guard view.types.isEmpty, view.alternatives.count == 1, let members = view.alternatives.first?.members,
            members.count == 2, let list = members.first(where: { reader.view(of: [$0]).types == ["array"] }),
            let single = members.first(where: { reader.view(of: [$0]).types != ["array"] })
        else { return schema }
        let items = reader.view(of: reader.view(of: [list]).items)
        let one = reader.view(of: [single])
        return one.types.count == 1 && one.types == items.types ? list : schema
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
            if ["accept", "content-type", "authorization"].contains(parameter.name.lowercased()) { return true }
            if planIdempotencyKey(parameter, &endpoint) { return true }
            if Self.headersOfTheTransport.contains(parameter.name.lowercased()) {
                findings.add(
                    .openAPIParameterLost, "the header `\(parameter.name)` is left out, because the transport sets it",
                    at: element)
                return true
            }
        case .query, .cookie: break
        }
        if element.flag("allowReserved") {
            findings.add(
                .openAPIStyleLost,
                "the client percent-encodes all of `\(parameter.name)`, although the document has `allowReserved`",
                at: element)
        }
        guard !parameter.isJSON else {
            findings.add(
                .openAPIStyleLost, "`\(parameter.name)` is JSON in a text, which the app has to write", at: element)
            var field = PlannedField(wire: parameter.name, type: .word("string"), isOptional: !parameter.isRequired)
            field.doc = parameter.description
            return add([field], of: parameter, to: &endpoint)
        }
        let origin: (String) -> PlannedTypeEntry.Origin = { [name] in
            .endpoint(NameText.typeName(name) + NameText.typeName($0), part: $0)
        }
        let place = TypePlanner.FlatPlace(
            origin: origin, style: .init(style: parameter.style, explodes: parameter.explodes))
        guard
            var fields = types.flatFields(
                parameter.name, [parameter.schema], isRequired: parameter.isRequired, in: place, at: element)
        else {
            types.loseField(parameter.name, isRequired: parameter.isRequired, at: element)
            return false
        }
        for position in fields.indices {
            fields[position].doc = fields[position].doc ?? parameter.description
            fields[position].isDeprecated = fields[position].isDeprecated || parameter.isDeprecated
        }
        if parameter.description != nil, fields.count == 1 { fields[0].doc = parameter.description }
        return add(fields, of: parameter, to: &endpoint)
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
            guard fields.count == 1,
                types.shape(of: fields[0].type) == .scalar
                    || parameter.place == .header && fields[0].joining != nil,
                HeaderText.isName(parameter.name)
            else {
                types.loseField(parameter.name, isRequired: parameter.isRequired, at: element)
                return false
            }
            if parameter.place == .cookie { endpoint.cookies += fields } else { endpoint.headers += fields }
        }
        return true
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
