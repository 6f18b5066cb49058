import ContractModel
import Diagnostics

/// An operation of an exported document, as an entry of `endpoints`.
struct ExportedEndpoint {
    /// Everything but the keys that ``ExportedDefaults`` may share, and the errors.
    var definition: EndpointDefinition
    let operation: Element
    var errors: [String] = []
    /// Errors of the defaults that it lists itself.
    var ownErrors: Set<String> = []

    var name: String { definition.name.value }
}

struct ExportedEndpoints {
    let root: Element
    let types: ExportedTypes
    let findings: ImportFindings

    /// The endpoints in the order of the contract that was exported.
    func all(_ reader: inout ExtensionReader) -> [ExportedEndpoint] {
        var endpoints: [ExportedEndpoint] = []
        for (path, item) in root["paths"]?.named ?? [] {
            for (method, operation) in item.entries {
                guard let method = HTTPMethod(rawValue: method) else {
                    findings.add(
                        .openAPIKeywordUnknown, "an exported document has no key `\(method)` in a path",
                        at: operation)
                    continue
                }
                for single in singles(of: operation) {
                    endpoints.append(endpoint(method, single.text("x-errand-path") ?? path, single, &reader))
                }
            }
        }
        for (name, operation) in root["x-errand-frames"]?.entries ?? [] {
            guard let frame = operation["x-errand-frame"].flatMap({ reader.frame($0.node) }) else {
                findings.add(
                    .openAPIFeatureLost, "`\(name)` is left out, because it has no `x-errand-frame`", at: operation)
                continue
            }
            endpoints.append(endpoint(named: name, .frame(frame), operation, [], &reader))
        }
        let order = (root["x-errand-order"]?.items ?? []).compactMap(\.text)
        guard !order.isEmpty else { return endpoints }
        let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
        return endpoints.enumerated().sorted { left, right in
            let (one, other) = (places[left.element.name] ?? .max, places[right.element.name] ?? .max)
            return one == other ? left.offset < right.offset : one < other
        }.map(\.element)
    }

    /// The endpoints that share an operation, each as one of its own. What the operation says beside them is the same again, so
    /// an addition there belongs to none of them.
    private func singles(of operation: Element) -> [Element] {
        guard let singles = operation["x-errand-operations"]?.items, !singles.isEmpty else { return [operation] }
        reportUnknown(operation)
        func report(_ rule: FindingKind, _ what: String, _ parts: (Element) -> [(name: String, value: Element)]) {
            let known = Set(singles.flatMap { parts($0).map(\.name) })
            for (name, element) in parts(operation) where !known.contains(name) {
                findings.add(
                    rule, "\(what) `\(name)` is left out, because none of `x-errand-operations` has it", at: element)
            }
        }
        let common = root["components"]?["parameters"]
        report(.openAPIParameterLost, "the parameter") { operation in
            (operation["parameters"]?.items ?? []).compactMap { parameter in
                guard parameter.text("in") != "path" else { return nil }
                // The operation has a common parameter itself if some of the endpoints lack it.
                let referred = parameter.text("$ref").map { reference in
                    common?[String(reference.split(separator: "/").last ?? "")]?.text("name") ?? reference
                }
                return (referred ?? parameter.text("name")).map { ($0, parameter) }
            }
        }
        report(.openAPIResponseLost, "the response") { $0["responses"]?.entries ?? [] }
        report(.openAPIMediaLost, "the media type") { $0["requestBody"]?["content"]?.entries ?? [] }
        return singles
    }

    private static let known = ExportedTypes.Description.keys.union([
        "operationId", "tags", "parameters", "requestBody", "responses", "security", "servers",
    ])

    private func endpoint(
        _ method: HTTPMethod, _ path: String, _ operation: Element, _ reader: inout ExtensionReader
    ) -> ExportedEndpoint {
        let name = operation.text("operationId") ?? EndpointNames.fromPath(method.rawValue, path)
        types.owner = .endpoint(name)
        let parameters = operation["parameters"]?.items ?? []
        let target = EndpointDefinition.Target.http(
            method, Located(template(path, operation, parameters), at: operation.range))
        return endpoint(named: name, target, operation, parameters, &reader)
    }

    private func endpoint(
        named name: String, _ target: EndpointDefinition.Target, _ operation: Element, _ parameters: [Element],
        _ reader: inout ExtensionReader
    ) -> ExportedEndpoint {
        reportUnknown(operation)
        types.owner = .endpoint(name)
        var endpoint = EndpointDefinition(
            name: Located(name, at: operation.range), target: target, response: Located(.none, at: operation.range))
        let said = ExportedTypes.Description(operation)
        endpoint.doc = said.doc
        endpoint.deprecated = said.deprecated
        if let tag = operation["tags"]?.items.first, let name = tag.text {
            endpoint.group = Located(name, at: tag.range)
        }
        endpoint.session = sessionNeed(operation).map { Located($0, at: operation.range) }
        endpoint.query = fields(parameters, in: "query")
        endpoint.headers = fields(parameters, in: "header")
        endpoint.cookies = fields(parameters, in: "cookie")
        reportOthers(parameters)
        endpoint.body = operation["requestBody"].flatMap(body)
        types.owner = .response(of: name)
        endpoint.response = Located(response(operation), at: operation.range)
        if let success = success(of: operation), media(of: success)?.name == "application/xml" {
            endpoint.xmlResponse = success.range
        }
        endpoint.responseHeaders = (success(of: operation)?["headers"]?.entries ?? []).compactMap { wire, header in
            header["schema"].map { types.field(wire, $0, isHeader: true, doc: header.text("description")) }
        }
        endpoint.hasResponse = true
        for (outcome, element) in operation["x-errand-outcomes"]?.entries ?? [] {
            types.owner = .outcome(outcome, of: name)
            endpoint.outcomes.append(ExportedErrors(types: types).outcome(outcome, element, &reader))
        }
        reader.read(operation.node, as: EndpointKeys.mapping, prefix: "x-errand-", into: &endpoint) {
            !ExportedDefaults.keys.contains($0)
        }
        return ExportedEndpoint(
            definition: endpoint, operation: operation, errors: texts(operation["x-errand-errors"]),
            ownErrors: Set(texts(operation["x-errand-own-errors"])))
    }

    private func reportUnknown(_ operation: Element) {
        for (key, value) in operation.entries where !Self.known.contains(key) && !key.hasPrefix("x-errand-") {
            findings.add(
                .openAPIKeywordUnknown, "an exported document has no key `\(key)` in an operation", at: value)
        }
    }

    private func texts(_ list: Element?) -> [String] { list?.items.compactMap(\.text) ?? [] }

    // MARK: What is sent

    /// The path with the names and types of its parameters.
    private func template(_ path: String, _ operation: Element, _ parameters: [Element]) -> PathTemplate {
        func field(_ wire: String) -> FieldDefinition {
            let parameter = parameters.first { $0.text("in") == "path" && $0.text("name") == wire }
            let range = parameter?.range ?? operation.range
            let schema = parameter?["schema"]
            return FieldDefinition(
                name: Located(schema?.text("x-errand-name") ?? wire, at: range),
                type: schema.map { types.type(of: $0) } ?? .primitive(.string), typeRange: range)
        }
        var parts: [PathTemplate.Part] = []
        var rest = path[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            parts.append(.parameter(field(String(rest[rest.index(after: open)..<close]))))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        // The path of a whole URL is `/{url}`.
        if operation.flag("x-errand-whole-url"), case .parameter(let url)? = parts.last { return .wholeURL(url) }
        return .path(parts)
    }

    private func sessionNeed(_ operation: Element) -> SessionUse? {
        let schemes = root["components"]?["securitySchemes"]?.entries ?? []
        guard let session = schemes.first(where: { !$0.value.flag("x-errand-credential") })?.name else { return nil }
        let needs = (operation["security"] ?? root["security"])?.items ?? []
        let count = needs.count { $0[session] != nil }
        if count == 0 { return SessionUse.none }
        return count < needs.count ? .optional : nil
    }

    private func fields(_ parameters: [Element], in place: String) -> [FieldDefinition] {
        parameters.compactMap { parameter in
            guard parameter.text("in") == place, !parameter.flag("x-errand-idempotency-key"),
                let wire = parameter.text("name"), let schema = parameter["schema"]
            else { return nil }
            return types.field(wire, schema, isHeader: place != "query", doc: parameter.text("description"))
        }
    }

    private func reportOthers(_ parameters: [Element]) {
        for parameter in parameters {
            let isRead =
                ["path", "query", "header", "cookie"].contains(parameter.text("in") ?? "") && parameter["schema"] != nil
            let isCommon = parameter.text("$ref")?.hasPrefix("#/components/parameters/") == true
            if !isRead, !isCommon {
                findings.add(
                    .openAPIParameterLost, "an exported document has no such parameter", at: parameter)
            }
        }
    }

    private static let encodings: [String: BodyDefinition.Encoding] = [
        "application/json": .json, "application/x-www-form-urlencoded": .form, "multipart/form-data": .multipart,
    ]

    private func body(_ body: Element) -> BodyDefinition? {
        let content = body["content"]?.entries ?? []
        for (type, media) in content.dropFirst() {
            findings.add(.openAPIMediaLost, "`\(type)` is another format of the same body", at: media)
        }
        guard let (type, media) = content.first else { return nil }
        let isJSON = BodyDefinition.isJSON(mediaType: type) && media["schema"]?.text("format") != "binary"
        let element = media.text("x-errand-element")
        guard let encoding = isJSON ? .json : element == nil ? Self.encodings[type] : .xml, encoding != .json || isJSON,
            var schema = media["schema"]
        else { return BodyDefinition(encoding: .bytes, content: .bytes(contentType: type), range: body.range) }
        // The field with the idempotency key, which the runtime fills.
        if let parts = schema["allOf"]?.items, parts.count == 2 {
            schema = parts[0]
            if schema["properties"]?.entries.isEmpty == true { return nil }
        }
        let fields = types.payloadFields(
            of: schema, contentTypes: media["encoding"], hasNull: encoding == .json || encoding == .xml)
        var definition = BodyDefinition(
            encoding: encoding, content: fields.map { .fields($0) } ?? .type(types.type(of: schema), schema.range),
            range: body.range)
        definition.nesting = media.text("x-errand-nesting").flatMap(BodyDefinition.Nesting.init(rawValue:)) ?? .json
        if definition.isDocument, type != "application/\(encoding.rawValue)" { definition.contentType = type }
        definition.element = element.map { Located($0, at: media.range) }
        return definition
    }

    // MARK: What comes back

    private func response(_ operation: Element) -> ResponseDefinition {
        let responses = operation["responses"]?.entries ?? []
        for (status, response) in responses where response["x-errand-means"] == nil && !status.hasPrefix("2") {
            findings.add(
                .openAPIResponseLost,
                "the response `\(status)` has no `x-errand-means`, which names its error or outcome",
                at: response)
        }
        guard let response = success(of: operation), response.text("x-errand-payload") != "none",
            let media = media(of: response)
        else { return .none }
        // The elements of a stream are of the response's type.
        guard ["application/json", "application/xml", "text/event-stream", "application/x-ndjson"].contains(media.name)
        else {
            return .bytes
        }
        guard let schema = payload(response, media.value) else {
            return .type(.primitive(.json), skipsInvalid: false, acceptsSingle: false)
        }
        if let fields = types.payloadFields(of: schema) { return .fields(fields) }
        return .type(
            types.type(of: schema), skipsInvalid: response.flag("x-errand-skip-invalid"),
            acceptsSingle: response.flag("x-errand-single"))
    }

    private func success(of operation: Element) -> Element? {
        let responses = operation["responses"]?.entries ?? []
        let status = operation.text("x-errand-status")
        let found =
            responses.first { $0.name == status }
            ?? responses.first { $0.name == "2XX" && $0.value["x-errand-means"] == nil }
            ?? responses.first { $0.name.hasPrefix("2") && $0.value["x-errand-payload"] != nil }
            ?? responses.first { $0.name == "200" }
            ?? responses.first { $0.name.hasPrefix("2") && $0.value["x-errand-means"] == nil }
        return found?.value
    }

    /// The content of a success: bytes come before the JSON of an outcome with the same status.
    private func media(of response: Element) -> (name: String, value: Element)? {
        let content = response["content"]?.entries ?? []
        return content.first { $0.name == "application/octet-stream" } ?? content.first
    }

    /// The schema of the payload, which may be inside of an envelope.
    private func payload(_ response: Element, _ media: Element) -> Element? {
        guard var schema = media["schema"] else { return nil }
        for step in response.text("x-errand-payload")?.split(separator: "/").prefix(200) ?? [] {
            let token = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
            guard let next = schema[token] ?? Int(token).flatMap({ schema.item($0) }) else {
                findings.add(
                    .openAPIBrokenReference, "`x-errand-payload` is not a path in the schema of the response",
                    at: response)
                return nil
            }
            schema = next
        }
        return schema
    }
}

/// The common values of an exported document's endpoints, written once.
struct ExportedDefaults {
    /// The keys of an endpoint that `defaults` has too.
    static let keys: [String] = SettingsKeys.defaults.extensionNames.filter(
        EndpointKeys.mapping.extensionNames.contains)

    let naming: WireNaming
    let shared: [String]

    /// The section `defaults`, and the endpoints without what it says.
    func split(
        _ endpoints: [ExportedEndpoint], _ reader: inout ExtensionReader
    ) -> (defaults: EndpointDefaults, endpoints: [EndpointDefinition]) {
        var defaults = EndpointDefaults()
        var common: [String: String] = [:]
        for key in Self.keys {
            // An endpoint can have `envelope: none`, but cannot exclude a time limit.
            let values = endpoints.compactMap { endpoint in
                endpoint.operation["x-errand-\(key)"].map { (text: $0.fingerprint(depth: 0), endpoint.operation) }
            }
            guard endpoints.count > 1, key == "envelope" || values.count == endpoints.count,
                let (text, operation) = Self.usual(values), values.count * 2 > endpoints.count
            else { continue }
            common[key] = text
            reader.read(operation.node, as: SettingsKeys.defaults, prefix: "x-errand-", into: &defaults) { $0 == key }
        }
        defaults.naming = naming
        defaults.errors = shared.map { Located($0) }
        let definitions = endpoints.map { endpoint in
            let operation = endpoint.operation
            var definition = endpoint.definition
            reader.read(operation.node, as: EndpointKeys.mapping, prefix: "x-errand-", into: &definition) { key in
                Self.keys.contains(key) && operation["x-errand-\(key)"]?.fingerprint(depth: 0) != common[key]
            }
            if common["envelope"] != nil, operation["x-errand-envelope"] == nil {
                definition.envelope = Located("none", at: operation.range)
            }
            definition.errors = endpoint.errors.filter { !shared.contains($0) || endpoint.ownErrors.contains($0) }
                .map { Located($0, at: operation.range) }
            return definition
        }
        return (defaults, definitions)
    }

    /// The value that most have.
    private static func usual(_ values: [(text: String, operation: Element)]) -> (text: String, operation: Element)? {
        var counts: [String: Int] = [:]
        for value in values { counts[value.text, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        return values.first { counts[$0.text] == most }
    }
}
