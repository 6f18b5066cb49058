/// Reads a document of Swagger 2.0 into the same operations as one of OpenAPI 3.
struct Swagger2Reader {
    let reader: DocumentReader
    private var documents: DocumentSet { reader.documents }
    private var findings: ImportFindings { documents.findings }

    func read(_ root: Element) -> APIDocument? {
        var document = APIDocument(root: root, version: .swagger2)
        document.security = root["security"]?.items ?? []
        document.schemes = root["securityDefinitions"]?.entries ?? []
        for (key, value) in root.entries {
            if key != "schemes", !key.hasPrefix("x-") { value.note(.read) }
            switch key {
            case "swagger", "info", "host", "basePath", "schemes", "consumes", "produces", "paths", "definitions",
                "parameters", "responses", "securityDefinitions", "security", "tags", "externalDocs":
                break
            default: reader.unknown(key, value, in: "the document")
            }
        }
        for (path, item) in documents.entered(root["paths"])?.named ?? [] {
            guard let item = documents.followed(item), reader.hasWanted(item) else { continue }
            let shared = documents.entered(item["parameters"])?.items ?? []
            for (method, value) in item.entries {
                guard DocumentReader.methods.contains(method) else {
                    if ["options", "trace"].contains(method) {
                        findings.add(
                            .openAPIEndpointLost,
                            "`\(method.uppercased()) \(path)` is left out, because contracts do not have this method",
                            at: value)
                    }
                    continue
                }
                guard reader.isWanted(value), let value = documents.operation(value) else { continue }
                document.operations.append(operation(method, path, value, shared: shared, in: root))
            }
        }
        return document
    }

    /// The server of the service. A document without a host is about the host that serves it, and then this is the path there. None
    /// if that is all paths.
    static func servers(of root: Element) -> [(url: String, place: Element)] {
        guard let host = root["host"], let name = host.text else {
            root["schemes"]?.settle()  // Nothing follows from it without a host.
            guard let path = root["basePath"], let text = path.text, text != "/", !text.isEmpty else { return [] }
            return [(text, path)]
        }
        let schemes = root["schemes"]?.items.compactMap(\.text) ?? []
        let scheme = schemes.contains("https") || schemes.isEmpty ? "https" : schemes.first { $0 == "http" } ?? "https"
        return [("\(scheme)://\(name)\(root.text("basePath") ?? "")", host)]
    }

    private func operation(
        _ method: String, _ path: String, _ element: Element, shared: [Element], in root: Element
    ) -> Operation {
        var operation = Operation(method: method, path: path, element: element)
        operation.operationID = element.text("operationId")
        operation.tags = element["tags"]?.items.compactMap(\.text) ?? []
        operation.summary = element.text("summary")
        operation.documentation.description = element.text("description")
        operation.documentation.page = element["externalDocs"]?.text("url")
        operation.security = element["security"]?.items
        let produces = types(element["produces"] ?? root["produces"])
        let consumes = types(element["consumes"] ?? root["consumes"])
        var seen = Set<String>()
        var form: [Element] = []
        for raw in (documents.entered(element["parameters"])?.items ?? []) + shared {
            guard let parameter = documents.followed(raw), let name = parameter.text("name"),
                let place = parameter.text("in"),
                seen.insert("\(place) \(place == "header" ? name.lowercased() : name)").inserted
            else { continue }
            switch place {
            case "body":
                let media = consumes.map { Media(type: $0, schema: parameter["schema"], element: parameter) }
                operation.body = RequestBody(
                    isOptional: parameter.text("required") == "false", media: media,
                    description: parameter.text("description"), element: parameter)
            case "formData": form.append(parameter)
            default:
                guard let place = Parameter.Place(rawValue: place) else { continue }
                let explodes = parameter.text("collectionFormat") == "multi"
                let isList = parameter.text("type") == "array"
                operation.parameters.append(
                    Parameter(
                        name: name, place: place, schema: parameter,
                        isRequired: parameter.flag("required") || place == .path,
                        style: place == .query ? Self.style(of: parameter) : "simple", explodes: explodes || !isList,
                        description: parameter.text("description"), isDeprecated: false, element: parameter))
            }
        }
        operation.takeParametersOfPath()
        operation.takeQueryOfPath()
        if !form.isEmpty { operation.body = self.form(form, consumes) }
        for (status, raw) in documents.entered(element["responses"])?.named ?? [] {
            guard let response = documents.followed(raw) else { continue }
            let media = response["schema"].map { schema in
                produces.map { type in
                    var examples = NamedExamples()
                    if let example = response["examples"]?[type] { examples.values = [("example", example)] }
                    return Media(type: type, schema: schema, examples: examples, element: response)
                }
            }
            operation.responses.append(
                Response(
                    status: status, description: response.text("description"), media: media ?? [],
                    headers: response["headers"]?.entries ?? [], element: response))
        }
        return operation
    }

    /// The style of a parameter in a query or a form, as OpenAPI 3 calls it. That version has no name for tabs.
    static func style(of parameter: Element) -> String {
        switch parameter.text("collectionFormat") {
        case "ssv": "spaceDelimited"
        case "tsv": "tabDelimited"
        case "pipes": "pipeDelimited"
        default: "form"
        }
    }

    /// The fields of a form are among the parameters, and are read there.
    private func form(_ parameters: [Element], _ consumes: [String]) -> RequestBody {
        let hasFile = parameters.contains { $0.text("type") == "file" } || consumes.contains("multipart/form-data")
        let type = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded"
        let place = parameters[0]
        var body = RequestBody(
            isOptional: false, media: [Media(type: type, schema: nil, element: place)], description: nil, element: place
        )
        body.formParameters = parameters
        return body
    }

    private func types(_ list: Element?) -> [String] {
        let types = (list?.items ?? []).compactMap { item -> String? in
            let type = (item.text ?? "").prefix { $0 != ";" && $0 != "," }.trimmingSpaces().lowercased()
            if Media.isType(type) { return type }
            findings.add(.openAPIMediaLost, "`\(item.text ?? "")` is left out, because it is no media type", at: item)
            return nil
        }
        return types.isEmpty ? ["application/json"] : types
    }
}
