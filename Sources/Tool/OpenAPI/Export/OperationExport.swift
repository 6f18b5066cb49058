import ContractModel
import Diagnostics

/// An endpoint as an operation.
struct OperationExport {
    typealias Pairs = OpenAPIExport.Pairs

    private let contract: ResolvedContract
    private let service: ServiceExport
    private let schemas: SchemaExport
    private let errors: ErrorExport

    init(_ contract: ResolvedContract, _ service: ServiceExport) {
        self.contract = contract
        self.service = service
        schemas = SchemaExport(contract)
        errors = ErrorExport(contract)
    }

    /// A path with its parameters in braces. A whole URL is under `/`, with a server of its own (``originOfURL``).
    func path(of template: PathTemplate) -> String {
        switch template {
        case .wholeURL(let field): "/{\(field.wireName)}"
        case .path(let parts):
            parts.map { part in
                switch part {
                case .text(let text): text
                case .parameter(let field): "{\(field.wireName)}"
                }
            }.joined()
        }
    }

    /// - Parameter path: the endpoint's path, if it differs from the one that the operation is under.
    func operation(
        _ endpoint: ResolvedEndpoint, _ template: PathTemplate, path: String?
    ) -> ReportValue {
        var pairs: Pairs = [("operationId", .text(endpoint.name.value))]
        if let path { pairs.append((SharedOperation.pathKey, .text(path))) }
        if let group = endpoint.group { pairs.append(("tags", .list([.text(group.value)]))) }
        if let doc = endpoint.doc { pairs.append(("description", .text(doc))) }
        pairs += SchemaExport.deprecation(endpoint.deprecated)
        let parameters =
            template.parameters.map { parameter($0, in: "path") } + endpoint.query.map { parameter($0, in: "query") }
            + endpoint.headers.map { parameter($0, in: "header") }
            + endpoint.cookies.map { parameter($0, in: "cookie") }
            + Self.keyParameter(of: endpoint)
            + service.commonParameters(of: endpoint)
        if !parameters.isEmpty { pairs.append(("parameters", .list(parameters))) }
        if let body = requestBody(of: endpoint) { pairs.append(("requestBody", body)) }
        pairs.append(("responses", .object(errors.withDefault(responses(of: endpoint), of: endpoint))))
        if !service.securitySchemes.isEmpty { pairs.append(("security", security(of: endpoint))) }
        if case .wholeURL = template {
            pairs.append(("servers", .list([Self.originOfURL])))
        } else if let role = endpoint.server, !contract.servers.isEmpty {
            pairs.append(("servers", .list(contract.servers.map { service.server($0, role.value) })))
        }
        return .object(pairs + extensions(of: endpoint, template))
    }

    /// The server of a request to a whole URL, which is none of the document's. OpenAPI has no URL that a response contains, so the origin
    /// is a variable, whose default leads nowhere (RFC 2606).
    private static let originOfURL = ReportValue.object([
        ("url", .text("{origin}")),
        ("description", .text("The origin of the URL, of which the parameter is the rest.")),
        ("variables", .object([("origin", .object([("default", .text("https://origin.invalid"))]))])),
    ])

    /// An endpoint of a connection. It has no place of its own in OpenAPI.
    func operation(_ endpoint: ResolvedEndpoint, _ frame: FrameTarget) -> ReportValue {
        var pairs: Pairs = []
        if let group = endpoint.group { pairs.append(("tags", .list([.text(group.value)]))) }
        if let doc = endpoint.doc { pairs.append(("description", .text(doc))) }
        pairs += SchemaExport.deprecation(endpoint.deprecated)
        pairs.append(("x-errand-frame", frame.printed.json))
        if let body = requestBody(of: endpoint) { pairs.append(("requestBody", body)) }
        pairs.append(("responses", .object(responses(of: endpoint))))
        if !service.securitySchemes.isEmpty { pairs.append(("security", security(of: endpoint))) }
        return .object(pairs + extensions(of: endpoint, nil))
    }

    private func parameter(_ field: FieldDefinition, in place: String) -> ReportValue {
        var pairs: Pairs = [
            ("name", .text(field.wireName)), ("in", .text(place)),
            ("required", .flag(place == "path" || field.isRequired)),
        ]
        if let doc = field.doc { pairs.append(("description", .text(doc))) }
        if place == "query", let joining = field.joining?.value { pairs += Self.style(of: joining) }
        pairs.append(("schema", schemas.schema(of: field)))
        return .object(pairs)
    }

    /// The alternatives, each with the session and without it, as the endpoint has it.
    private func security(of endpoint: ResolvedEndpoint) -> ReportValue {
        let need = contract.session == nil ? SessionUse.none : endpoint.session
        let credentials = endpoint.credentials.isEmpty ? [[]] : endpoint.credentials.map(\.names)
        let withSession = need == .none ? [] : credentials.map { [ServiceExport.sessionName] + $0 }
        let all = withSession + (need == .required ? [] : credentials)
        if all == [[]] { return .list([]) }
        return .list(all.map { names in .object(names.map { ($0, .list([])) }) })
    }

    // MARK: Bodies

    /// The header that carries the idempotency key of a `keyed` endpoint.
    private static func keyParameter(of endpoint: ResolvedEndpoint) -> [ReportValue] {
        guard endpoint.effect == .keyed else { return [] }
        let name: String
        switch endpoint.keyPlace {
        case .field?: return []
        case .header(let header)?: name = header.value
        case nil: name = IdempotencyKeyDefinition.standardHeader
        }
        return [
            .object([
                ("name", .text(name)), ("in", .text("header")), ("required", .flag(true)),
                ("description", .text(keyDescription)),
                ("schema", .object([("type", .text("string")), ("minLength", .number(1))])),
                ("x-errand-idempotency-key", .flag(true)),
            ])
        ]
    }

    private static let keyDescription =
        "Created once for each command. All attempts of the command have the same value."

    /// The body, with the fields that the client fills by itself: the idempotency key, and the common parameters.
    private func requestBody(of endpoint: ResolvedEndpoint) -> ReportValue? {
        var fields: Pairs = []
        if endpoint.effect == .keyed, case .field(let name)? = endpoint.keyPlace {
            fields.append(
                (
                    name.value,
                    .object([
                        ("type", .text("string")), ("minLength", .number(1)),
                        ("description", .text(Self.keyDescription)), ("x-errand-idempotency-key", .flag(true)),
                    ])
                ))
        }
        var required = fields.map(\.key)
        for parameter in service.commonFields(of: endpoint) {
            fields.append((parameter.field.wireName, service.schema(of: parameter)))
            if parameter.field.isRequired { required.append(parameter.field.wireName) }
        }
        guard !fields.isEmpty else { return endpoint.body.map { requestBody($0, alsoWith: nil) } }
        var more: Pairs = [("type", .text("object")), ("properties", .object(fields))]
        if !required.isEmpty { more.append(("required", .list(required.map { .text($0) }))) }
        let body = endpoint.body ?? BodyDefinition(encoding: .json, content: .fields([]), range: endpoint.name.range)
        return requestBody(body, alsoWith: .object(more))
    }

    private func requestBody(_ body: BodyDefinition, alsoWith more: ReportValue?) -> ReportValue {
        let mediaType: String
        var content: Pairs
        switch body.content {
        case .bytes(let contentType):
            mediaType = contentType
            // Without a format, bytes of a type such as `application/geo+json` would be JSON.
            let isJSON = BodyDefinition.isJSON(mediaType: contentType)
            content = [("schema", .object(isJSON ? [("type", .text("string")), ("format", .text("binary"))] : []))]
        case .type(let type, _):
            mediaType = body.contentType ?? Self.mediaType(body.encoding)
            content = [("schema", schemas.schema(of: type))]
            content += encoding(of: contract.structure(type)?.fields ?? [], body)
        case .fields(let fields):
            mediaType = body.contentType ?? Self.mediaType(body.encoding)
            content = [("schema", .object(schemas.object(fields)))]
            content += encoding(of: fields, body)
        }
        if body.nesting != .json { content.append(("x-errand-nesting", .text(body.nesting.rawValue))) }
        if let element = body.element { content.append((Self.elementKey, .text(element.value))) }
        if let more, let index = content.firstIndex(where: { $0.key == "schema" }) {
            content[index].value = .object([("allOf", .list([content[index].value, more]))])
        }
        return .object([
            ("required", .flag(more?["required"] != nil || isRequired(body.content))),
            ("content", .object([(mediaType, .object(content))])),
        ])
    }

    /// Whether a request needs the body. A client sends a body of optional fields in any case, and other tools may leave it out.
    private func isRequired(_ content: BodyDefinition.Content) -> Bool {
        switch content {
        case .bytes: true
        case .fields(let fields): fields.contains(where: \.isRequired)
        case .type(let type, _):
            !type.isOptional && contract.structure(type)?.fields.contains(where: \.isRequired) != false
        }
    }

    /// The name of the element of a body in XML. A schema that several documents share has none.
    private static let elementKey = "x-errand-element"

    /// The encoding of fields that differ from OpenAPI's defaults.
    private func encoding(of fields: [FieldDefinition], _ body: BodyDefinition) -> Pairs {
        let hasBrackets = body.encoding == .form || body.nesting == .brackets
        let pairs: Pairs = fields.compactMap { field in
            if let type = field.contentType { return (field.wireName, .object([("contentType", .text(type.value))])) }
            if body.encoding == .form, let joining = field.joining?.value {
                return (field.wireName, .object(Self.style(of: joining)))
            }
            guard hasBrackets, hasInner(field.type) else { return nil }
            return (field.wireName, .object([("style", .text("deepObject")), ("explode", .flag(true))]))
        }
        return pairs.isEmpty ? [] : [("encoding", .object(pairs))]
    }

    private static func style(of joining: Joining) -> Pairs {
        [("style", .text(joining.style)), ("explode", .flag(false))]
    }

    /// Whether a value contains names or indices. A list of single values doesn't.
    private func hasInner(_ type: TypeReference, isElement: Bool = false) -> Bool {
        switch contract.expanded(type.unwrapped).type {
        case .list(let element): isElement || hasInner(element, isElement: true)
        case .map: true
        case .named: contract.structure(type) != nil
        case .primitive, .optional: false
        }
    }

    private static func mediaType(_ encoding: BodyDefinition.Encoding) -> String {
        switch encoding {
        case .json: "application/json"
        case .xml: "application/xml"
        case .form: "application/x-www-form-urlencoded"
        case .multipart: "multipart/form-data"
        case .bytes: "application/octet-stream"
        }
    }

    // MARK: Responses

    private func responses(of endpoint: ResolvedEndpoint) -> Pairs {
        let success = success(of: endpoint)
        var others = errors.responses(of: endpoint)
        guard let index = others.firstIndex(where: { $0.key == success.key }) else {
            return [(success.key, .object(success.value))] + others
        }
        // An outcome with the status of the success, told apart by the body.
        let other = others.remove(at: index).value
        return [(success.key, Self.either(success.value, other))] + others
    }

    /// The response of a success that may be something else too.
    private static func either(_ success: Pairs, _ other: ReportValue) -> ReportValue {
        var pairs = success
        func change(_ key: String, _ change: (ReportValue) -> ReportValue) {
            guard let index = pairs.firstIndex(where: { $0.key == key }) else { return }
            pairs[index].value = change(pairs[index].value)
        }
        if case .text(let second)? = other["description"] {
            change("description") { first in
                guard case .text(let first) = first else { return first }
                return .text("\(first)\n\(second)")
            }
        }
        if let schema = other["content"]?["application/json"]?["schema"] {
            var isEither = false
            if !success.contains(where: { $0.key == "content" }) {
                pairs += [
                    ("content", .object([("application/json", .object([("schema", schema)]))])),
                    (payloadKey, .text("none")),
                ]
            } else {
                change("content") { content in
                    guard case .object(var media) = content else { return content }
                    if let index = media.firstIndex(where: { $0.key == "application/json" }) {
                        isEither = true
                        let schemas = [media[index].value["schema"] ?? .object([]), schema]
                        media[index].value = .object([("schema", .object([("anyOf", .list(schemas))]))])
                    } else {
                        media.append(("application/json", .object([("schema", schema)])))
                    }
                    return .object(media)
                }
            }
            if isEither {
                var path = "/anyOf/0"
                if case .text(let inner)? = ReportValue.object(success)[payloadKey] { path += inner }
                pairs.removeAll { $0.key == payloadKey }
                pairs.append((payloadKey, .text(path)))
            }
        }
        if case .object(let all) = other { pairs += all.filter { $0.key.hasPrefix("x-") } }
        return .object(pairs)
    }

    /// Where the schema of the payload is in the schema of the response, as a JSON pointer (RFC 6901); `none` where
    /// the schema is that of an outcome alone.
    private static let payloadKey = "x-errand-payload"

    private func success(of endpoint: ResolvedEndpoint) -> (key: String, value: Pairs) {
        let envelope = endpoint.envelope.flatMap { contract.envelope(named: $0) }
        var pairs: Pairs = [("description", .text("Success."))]
        var schema: ReportValue?
        var mediaType = "application/json"
        var isList = false
        let status = endpoint.definition.status.map { String($0.value) }
        switch endpoint.response.value {
        case .none: return (status ?? "2XX", pairs + headers(of: endpoint))
        case .bytes:
            mediaType = "application/octet-stream"
            schema = .object([])
        case .fields(let fields): schema = .object(schemas.object(fields))
        case .type(let type, let skips, let single):
            schema = schemas.schema(of: type)
            if case .list = contract.expanded(type.unwrapped).type { isList = true }
            if skips { pairs.append(("x-errand-skip-invalid", .flag(true))) }
            if single { pairs.append(("x-errand-single", .flag(true))) }
        }
        if let envelope, mediaType == "application/json" {
            schema = .object(ErrorExport.success(schema, isList: isList, envelope))
            var place = ""
            if let failure = ErrorExport.failureWithStatusOfSuccess(envelope), let success = schema {
                schema = .object([("anyOf", .list([success, .object(failure)]))])
                place = "/anyOf/0"
            }
            for key in ErrorExport.payloadPath(isList: isList, envelope)?.keys ?? [] {
                place += "/properties/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
            }
            if !place.isEmpty { pairs.append((Self.payloadKey, .text(place))) }
        }
        if endpoint.isXMLResponse { mediaType = "application/xml" }
        switch endpoint.stream?.format {
        case .events: mediaType = "text/event-stream"
        case .lines: mediaType = "application/x-ndjson"
        case .frames, nil: break
        }
        pairs += headers(of: endpoint)
        if let schema { pairs.append(("content", .object([(mediaType, .object([("schema", schema)]))]))) }
        return (status ?? "200", pairs)
    }

    /// The declared headers of a success.
    private func headers(of endpoint: ResolvedEndpoint) -> Pairs {
        let headers: Pairs = endpoint.responseHeaders.map { field in
            var pairs: Pairs = []
            if let doc = field.doc { pairs.append(("description", .text(doc))) }
            pairs += [("required", .flag(field.isRequired)), ("schema", schemas.schema(of: field))]
            return (field.wireName, .object(pairs))
        }
        return headers.isEmpty ? [] : [("headers", .object(headers))]
    }

    // MARK: Extensions

    private func extensions(of endpoint: ResolvedEndpoint, _ template: PathTemplate?) -> Pairs {
        var pairs: Pairs = EndpointKeys.mapping.extensions(of: endpoint.concise).map { ("x-errand-\($0)", $1) }
        if !endpoint.errors.isEmpty { pairs.append(("x-errand-errors", .list(endpoint.errors.map { .text($0) }))) }
        let own = Set(endpoint.table.rows.filter(\.isEndpointSpecific).map(\.verdict.name))
        let repeated = endpoint.errors.filter { own.contains($0) && contract.sharedErrors.contains($0) }
        if !repeated.isEmpty { pairs.append(("x-errand-own-errors", .list(repeated.map { .text($0) }))) }
        if !endpoint.outcomes.isEmpty {
            pairs.append(
                ("x-errand-outcomes", .object(endpoint.outcomes.map { ($0.name.value, errors.definition(of: $0)) })))
        }
        if case .wholeURL? = template { pairs.append(("x-errand-whole-url", .flag(true))) }
        return pairs
    }
}
