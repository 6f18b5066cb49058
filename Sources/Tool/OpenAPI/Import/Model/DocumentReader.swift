import ContractModel
import Diagnostics

/// Reads a document into operations. It follows references of path items, parameters, bodies and responses, and reports the
/// parts without a place in the contract language.
struct DocumentReader {
    let documents: DocumentSet
    /// The places of the operations to read; nil for all.
    var only: Set<ElementKey>?
    private var findings: ImportFindings { documents.findings }

    static let methods = HTTPMethod.allCases.map(\.rawValue)

    /// The document at a path; `nil` if it isn't one, which the findings of `documents` report.
    func read(_ root: Element) -> APIDocument? {
        if root.text("swagger")?.hasPrefix("2") == true {
            return Swagger2Reader(reader: self).read(root)
        }
        guard let version = root.text("openapi"), version.hasPrefix("3.") else { return nil }
        var document = APIDocument(root: root, version: version.hasPrefix("3.0") ? .openAPI30 : .openAPI31)
        document.servers = root["servers"]?.items ?? []
        document.security = root["security"]?.items ?? []
        let schemes = documents.entered(documents.entered(root["components"])?["securitySchemes"])?.entries ?? []
        document.schemes = schemes.compactMap { name, value in documents.followed(value).map { (name, $0) } }
        for (key, value) in root.entries { rootKey(key, value) }
        for (path, item) in documents.entered(root["paths"])?.named ?? [] {
            guard let item = documents.followed(item), hasWanted(item) else { continue }
            document.operations += operations(path, item)
        }
        orderTags(&document)
        return document
    }

    /// Puts the tags that only label operations behind those that group them, as `kind` of OpenAPI 3.2 tells.
    private func orderTags(_ document: inout APIDocument) {
        let tags = document.root["tags"]?.items ?? []
        let labels = Set(tags.filter { ($0.text("kind") ?? "nav") != "nav" }.compactMap { $0.text("name") })
        guard !labels.isEmpty else { return }
        for position in document.operations.indices {
            let all = document.operations[position].tags
            document.operations[position].tags =
                all.filter { !labels.contains($0) } + all.filter { labels.contains($0) }
        }
    }

    private func rootKey(_ key: String, _ value: Element) {
        if !key.hasPrefix("x-") { value.note(.read) }
        switch key {
        case "openapi", "info", "servers", "paths", "components", "security", "tags", "externalDocs",
            "jsonSchemaDialect", "$self":
            break
        case "webhooks":
            value.settle()
            for (name, hook) in value.entries {
                findings.add(
                    .openAPIFeatureLost,
                    "the webhook `\(name)` is left out, because a contract describes only requests of the app",
                    at: hook)
            }
        default: unknown(key, value, in: "the document")
        }
    }

    func unknown(_ key: String, _ value: Element, in what: String) {
        guard !key.hasPrefix("x-") else { return }  // See `DocumentAccount`.
        findings.add(.openAPIKeywordUnknown, "OpenAPI has no key `\(key)` in \(what)", at: value)
    }

    // MARK: Operations

    func isWanted(_ operation: Element) -> Bool {
        guard let only else { return true }
        return documents.known(operation).map { only.contains($0.key) } ?? false
    }

    /// Whether a path has an operation to read.
    func hasWanted(_ item: Element) -> Bool {
        only == nil
            || (item.entries + (item["additionalOperations"]?.entries ?? [])).contains { isWanted($0.value) }
    }

    private func operations(_ path: String, _ item: Element) -> [Operation] {
        let shared = documents.entered(item["parameters"])?.items ?? []
        var operations: [Operation] = []
        func add(_ method: String, _ value: Element) {
            guard isWanted(value), let value = documents.operation(value) else { return }
            var operation = operation(method, path, value, shared)
            if value["servers"] == nil { operation.servers = item["servers"]?.items ?? [] }
            operation.documentation.description = operation.documentation.description ?? item.text("description")
            operation.summary = operation.summary ?? item.text("summary")
            operations.append(operation)
        }
        for (key, value) in item.entries {
            switch key {
            case _ where Self.methods.contains(key): add(key, value)
            case "additionalOperations":
                for (method, operation) in value.entries {
                    // A tool that knows no key for it writes it here.
                    if method == "QUERY", item["query"] == nil {
                        add("query", operation)
                        continue
                    }
                    findings.add(
                        .openAPIEndpointLost,
                        "`\(method) \(path)` is left out, because contracts do not have this method",
                        at: operation)
                }
            case "options", "trace":
                findings.add(
                    .openAPIEndpointLost,
                    "`\(key.uppercased()) \(path)` is left out, because contracts do not have this method",
                    at: value)
            case "parameters", "servers", "summary", "description", "$ref": break
            default: unknown(key, value, in: "a path")
            }
        }
        return operations
    }

    private func operation(_ method: String, _ path: String, _ element: Element, _ shared: [Element]) -> Operation {
        var operation = Operation(method: method, path: path, element: element)
        var own: [Parameter] = []
        for (key, value) in element.entries {
            if !key.hasPrefix("x-") { value.note(.read) }
            switch key {
            case "operationId": operation.operationID = value.text
            case "tags": operation.tags = value.items.compactMap(\.text)
            case "summary": operation.summary = value.text
            case "description": operation.documentation.description = value.text
            case "deprecated", "x-sunset": break  // See `Element.deprecation`.
            case "parameters": own = documents.entered(value)?.items.compactMap(parameter) ?? []
            case "requestBody": operation.body = body(value)
            case "responses": operation.responses = documents.entered(value)?.named.compactMap(response) ?? []
            case "security": operation.security = value.items
            case "servers": operation.servers = value.items
            case "callbacks":
                value.settle()
                for (name, callback) in value.entries {
                    findings.add(
                        .openAPIFeatureLost,
                        "the callback `\(name)` is left out, because a contract describes only requests of the app",
                        at: callback)
                }
            case "externalDocs": operation.documentation.page = value.text("url")
            default: unknown(key, value, in: "an operation")
            }
        }
        own = Parameter.distinct(own, findings)
        let names = Set(own.map(\.identity))
        operation.parameters =
            shared.compactMap { place in
                guard let parameter = parameter(place) else { return nil }
                guard names.contains(parameter.identity) else { return parameter }
                place.settle()
                return nil
            } + own
        operation.takeParametersOfPath()
        operation.takeQueryOfPath()
        return operation
    }

    private func parameter(_ place: Element) -> Parameter? {
        guard let element = documents.followed(place) else { return nil }
        let description = place.text("description") ?? element.text("description")
        guard let name = element.text("name"), let place = element.text("in").flatMap(Parameter.Place.init) else {
            findings.add(.openAPIParameterLost, "a parameter without `name` or `in` is left out", at: element)
            return nil
        }
        var schema = element["schema"]
        var isJSON = false
        if schema == nil, let (type, media) = element["content"]?.entries.first {
            schema = documents.entered(media)?["schema"]
            isJSON = type.contains("json")
        }
        // A client sends a cookie as it is, in the style `form` too.
        let written = element.text("style").map { place == .cookie && $0 == "cookie" ? "form" : $0 }
        let style = written ?? (place == .query || place == .cookie ? "form" : "simple")
        return Parameter(
            name: name, place: place, schema: schema ?? element, isRequired: element.flag("required") || place == .path,
            style: style, explodes: element.text("explode").map { $0 == "true" } ?? (style == "form"), isJSON: isJSON,
            description: description, isDeprecated: element.flag("deprecated"), element: element)
    }

    private func body(_ place: Element) -> RequestBody? {
        guard let element = documents.followed(place) else { return nil }
        return RequestBody(
            isOptional: element.text("required") == "false", media: media(element["content"]),
            description: place.text("description") ?? element.text("description"), element: element)
    }

    private func response(_ status: String, _ element: Element) -> Response? {
        guard let target = documents.followed(element) else { return nil }
        for (_, link) in target["links"]?.entries ?? [] { findings.count(.openAPIFeatureLost, "links", at: link) }
        let description = element.text("description") ?? target.text("description")
        let texts = [target.text("summary"), description].compactMap { $0 }
        return Response(
            status: status, description: texts.isEmpty ? nil : texts.joined(separator: "\n\n"),
            media: media(target["content"]),
            headers: documents.entered(target["headers"])?.entries ?? [], element: target)
    }

    func media(_ content: Element?) -> [Media] {
        (documents.entered(content)?.entries ?? []).compactMap { key, value in
            guard let value = documents.entered(value) else { return nil }
            let type = key.prefix { $0 != ";" && $0 != "," }.trimmingSpaces().lowercased()
            guard Media.isType(type) else {
                unknown(key, value, in: "`content`")
                return nil
            }
            return Media(
                type: type, schema: value["schema"], itemSchema: value["itemSchema"], encoding: value["encoding"],
                examples: NamedExamples(of: value, documents), element: value)
        }
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    func trimmingSpaces() -> String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
