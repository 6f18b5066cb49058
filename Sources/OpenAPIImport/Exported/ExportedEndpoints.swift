import ContractModel
import Diagnostics

/// An operation of an exported document, as an entry of `endpoints`.
struct ExportedEndpoint {
    var name: String
    /// Everything but what ``ExportedDefaults`` may share.
    var pairs: ExportedContract.Pairs = []
    /// The values that all endpoints may share: `envelope`, `timeout` …
    var shareable: [String: ReportValue] = [:]
    var errors: [String] = []
    /// Errors of the defaults that it lists itself.
    var ownErrors: Set<String> = []
}

struct ExportedEndpoints {
    typealias Pairs = ExportedContract.Pairs

    let root: Element
    let types: ExportedTypes
    let findings: ImportFindings

    /// The endpoints in the order of the contract that was exported.
    var all: [ExportedEndpoint] {
        var endpoints: [ExportedEndpoint] = []
        for (path, item) in root["paths"]?.named ?? [] {
            for (method, operation) in item.entries {
                guard DocumentReader.methods.contains(method) else {
                    findings.add(
                        .openAPIKeywordUnknown, "an exported document has no key `\(method)` in a path",
                        at: operation)
                    continue
                }
                endpoints.append(endpoint(method, path, operation))
            }
        }
        let order = (root["x-errand-order"]?.items ?? []).compactMap(\.text)
        guard !order.isEmpty else { return endpoints }
        let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
        return endpoints.enumerated().sorted { left, right in
            let (one, other) = (places[left.element.name] ?? .max, places[right.element.name] ?? .max)
            return one == other ? left.offset < right.offset : one < other
        }.map(\.element)
    }

    private static let known: Set<String> = [
        "operationId", "description", "deprecated", "parameters", "requestBody", "responses", "security",
    ]

    private func endpoint(_ method: String, _ path: String, _ operation: Element) -> ExportedEndpoint {
        var endpoint = ExportedEndpoint(
            name: operation.text("operationId") ?? EndpointNames.fromPath(method, path))
        for (key, value) in operation.entries where !Self.known.contains(key) && !key.hasPrefix("x-errand-") {
            findings.add(
                .openAPIKeywordUnknown, "an exported document has no key `\(key)` in an operation", at: value)
        }
        endpoint.pairs = types.description(of: operation)
        let parameters = operation["parameters"]?.items ?? []
        endpoint.pairs.append((method, .text(target(path, operation, parameters))))
        addSession(&endpoint, operation)
        addFields(&endpoint, parameters)
        if let body = operation["requestBody"] { addBody(&endpoint, body) }
        addResponse(&endpoint, operation, method)
        endpoint.errors = texts(operation["x-errand-errors"])
        endpoint.ownErrors = Set(texts(operation["x-errand-own-errors"]))
        if let outcomes = operation["x-errand-outcomes"]?.entries, !outcomes.isEmpty {
            let pairs = outcomes.map { ($0.name, ReportValue.object(ExportedService.definition($0.value, types))) }
            endpoint.pairs.append(("outcomes", .object(pairs)))
        }
        // `description(of:)` has read the Swift name.
        for key in EndpointKeys.mapping.extensionNames where key != "swift" {
            guard let value = operation["x-errand-\(key)"] else { continue }
            if ExportedDefaults.keys.contains(key) {
                endpoint.shareable[key] = ReportValue(value)
            } else {
                endpoint.pairs.append((key, ReportValue(value)))
            }
        }
        return endpoint
    }

    private func texts(_ list: Element?) -> [String] { list?.items.compactMap(\.text) ?? [] }

    // MARK: What is sent

    /// The path with the names and types of its parameters.
    private func target(_ path: String, _ operation: Element, _ parameters: [Element]) -> String {
        var path = path
        for parameter in parameters where parameter.text("in") == "path" {
            guard let wire = parameter.text("name"), let schema = parameter["schema"] else { continue }
            let name = schema.text("x-errand-name") ?? wire
            let type = types.spelling(of: schema).text
            path = path.replacing("{\(wire)}", with: type == "string" ? "{\(name)}" : "{\(name):\(type)}")
        }
        return operation.flag("x-errand-whole-url") ? String(path.dropFirst()) : path
    }

    private func addSession(_ endpoint: inout ExportedEndpoint, _ operation: Element) {
        guard root["components"]?["securitySchemes"]?.entries.isEmpty == false else { return }
        let needs = (operation["security"] ?? root["security"])?.items ?? []
        if needs.isEmpty {
            endpoint.pairs.append(("session", .text("none")))
        } else if needs.contains(where: { $0.entries.isEmpty }) {
            endpoint.pairs.append(("session", .text("optional")))
        }
    }

    private func addFields(_ endpoint: inout ExportedEndpoint, _ parameters: [Element]) {
        for (place, key) in [("query", "query"), ("header", "headers")] {
            let fields: Pairs = parameters.compactMap { parameter in
                guard parameter.text("in") == place, !parameter.flag("x-errand-idempotency-key"),
                    let wire = parameter.text("name"), let schema = parameter["schema"]
                else { return nil }
                return types.field(
                    wire, schema, isHeader: place == "header", doc: parameter.text("description"))
            }
            if !fields.isEmpty { endpoint.pairs.append((key, .object(fields))) }
        }
        for parameter in parameters {
            let isRead = ["path", "query", "header"].contains(parameter.text("in") ?? "") && parameter["schema"] != nil
            let isCommon = parameter.text("$ref")?.hasPrefix("#/components/parameters/") == true
            if !isRead, !isCommon {
                findings.add(
                    .openAPIParameterLost, "an exported document has no such parameter", at: parameter)
            }
        }
    }

    private static let encodings: [String: String] = [
        "application/json": "json", "application/x-www-form-urlencoded": "form", "multipart/form-data": "multipart",
    ]

    private func addBody(_ endpoint: inout ExportedEndpoint, _ body: Element) {
        let content = body["content"]?.entries ?? []
        for (type, media) in content.dropFirst() {
            findings.add(.openAPIMediaLost, "`\(type)` is another format of the same body", at: media)
        }
        guard let (type, media) = content.first else { return }
        let isJSON = BodyDefinition.isJSON(mediaType: type) && media["schema"]?.text("format") != "binary"
        guard let encoding = isJSON ? "json" : Self.encodings[type], type != "application/json" || isJSON,
            var schema = media["schema"]
        else {
            var pairs: Pairs = [("encoding", .text("bytes"))]
            if type != "application/octet-stream" { pairs.append(("contentType", .text(type))) }
            endpoint.pairs.append(("body", pairs.count == 1 ? .text("bytes") : .object(pairs)))
            return
        }
        // The field with the idempotency key, which the runtime fills.
        if let parts = schema["allOf"]?.items, parts.count == 2 {
            schema = parts[0]
            if schema["properties"]?.entries.isEmpty == true { return }
        }
        let spelling = types.spelling(of: schema)
        let isFields = spelling.text == "fields"
        let fields =
            isFields
            ? types.fields(of: schema, contentTypes: media["encoding"], hasNull: encoding == "json") : []
        guard encoding == "json" else {
            let inner: (key: String, value: ReportValue) =
                isFields ? ("fields", .object(fields)) : ("type", spelling.value)
            endpoint.pairs.append(("body", .object([("encoding", .text(encoding)), inner])))
            return
        }
        let whole: (key: String, value: ReportValue) =
            isFields ? ("fields", .object(fields)) : ("type", spelling.value)
        let isLong = type != "application/json" || isFields && fields.contains { $0.key == "encoding" }
        guard isLong else {
            endpoint.pairs.append(("body", whole.value))
            return
        }
        var pairs: Pairs = [("encoding", .text("json")), whole]
        if type != "application/json" { pairs.append(("contentType", .text(type))) }
        endpoint.pairs.append(("body", .object(pairs)))
    }

    // MARK: What comes back

    private func addResponse(_ endpoint: inout ExportedEndpoint, _ operation: Element, _ method: String) {
        let responses = operation["responses"]?.entries ?? []
        for (status, response) in responses where response["x-errand-means"] == nil && !status.hasPrefix("2") {
            findings.add(
                .openAPIResponseLost,
                "the response `\(status)` has no `x-errand-means`, which names its error or outcome",
                at: response)
        }
        let success =
            responses.first { $0.name == "2XX" && $0.value["x-errand-means"] == nil }
            ?? responses.first { $0.name.hasPrefix("2") && $0.value["x-errand-payload"] != nil }
            ?? responses.first { $0.name == "200" }
            ?? responses.first { $0.name.hasPrefix("2") && $0.value["x-errand-means"] == nil }
        guard let (_, response) = success, response.text("x-errand-payload") != "none",
            let media = media(of: response)
        else {
            endpoint.pairs.append(("response", .text("none")))
            return
        }
        // The elements of a stream are of the response's type.
        guard ["application/json", "text/event-stream", "application/x-ndjson"].contains(media.name) else {
            endpoint.pairs.append(("response", .text("bytes")))
            return
        }
        guard let schema = payload(response, media.value) else {
            endpoint.pairs.append(("response", .text("json")))
            return
        }
        let spelling = types.spelling(of: schema)
        let flags: Pairs = [("skip-invalid", "skipInvalid"), ("single", "single")].compactMap { key, word in
            response.flag("x-errand-\(key)") ? (word, .flag(true)) : nil
        }
        if spelling.text == "fields" {
            let fields = spelling.fields ?? []
            let marks: Set<String> = ["type", "fields", "skipInvalid", "single"]
            let isLong = fields.isEmpty || fields.contains { marks.contains($0.key) }
            endpoint.pairs.append(("response", .object(isLong ? [("fields", .object(fields))] : fields)))
        } else {
            endpoint.pairs.append(
                ("response", flags.isEmpty ? spelling.value : .object([("type", spelling.value)] + flags)))
        }
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
    typealias Pairs = ExportedContract.Pairs

    let naming: WireNaming
    let shared: [String]

    /// The keys of an endpoint that `defaults` has too.
    static let keys: [String] = SettingsKeys.defaults.extensionNames.filter(
        EndpointKeys.mapping.extensionNames.contains)

    /// The section `defaults`, and the endpoints without what it says.
    func split(_ endpoints: [ExportedEndpoint]) -> (defaults: Pairs, endpoints: Pairs) {
        var defaults: Pairs = []
        var common: [String: String] = [:]
        for key in Self.keys {
            // An endpoint can have `envelope: none`, but cannot exclude a time limit.
            let values = endpoints.compactMap { $0.shareable[key] }
            guard endpoints.count > 1, key == "envelope" || values.count == endpoints.count,
                let value = Self.usual(values), values.count * 2 > endpoints.count
            else { continue }
            common[key] = value.json
            defaults.append((key, value))
        }
        if naming != .asWritten { defaults.append(("naming", .text(naming.rawValue))) }
        if !shared.isEmpty { defaults.append(("errors", .list(shared.map { .text($0) }))) }
        let listed: Pairs = endpoints.map { endpoint in
            var pairs = endpoint.pairs
            for key in Self.keys {
                if let value = endpoint.shareable[key] {
                    if value.json != common[key] { pairs.append((key, value)) }
                } else if key == "envelope", common[key] != nil {
                    pairs.append((key, .text("none")))
                }
            }
            let own = endpoint.errors.filter { !shared.contains($0) || endpoint.ownErrors.contains($0) }
            if !own.isEmpty { pairs.append(("errors", .list(own.map { .text($0) }))) }
            return (endpoint.name, .object(pairs))
        }
        return (defaults, listed)
    }

    /// The value that most have.
    private static func usual(_ values: [ReportValue]) -> ReportValue? {
        var counts: [String: Int] = [:]
        for value in values { counts[value.json, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        return values.first { counts[$0.json] == most }
    }
}
