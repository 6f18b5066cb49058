import ContractModel
import Diagnostics

// Bodies of fields that are not JSON: forms and multipart bodies.
extension EndpointPlanner {
    func planForm(_ media: Media, _ body: RequestBody, _ endpoint: inout PlannedEndpoint) -> Bool {
        var fields: [PlannedField] = []
        var parts: [(name: String, schemas: [Element], isRequired: Bool, style: TypePlanner.FlatStyle)] = []
        if !body.formParameters.isEmpty {
            for parameter in body.formParameters {
                let isList = parameter.text("type") == "array"
                parts.append(
                    (
                        parameter.text("name") ?? "", [parameter], parameter.flag("required"),
                        .init(
                            style: Swagger2Reader.style(of: parameter),
                            explodes: !isList || parameter.text("collectionFormat") == "multi")
                    ))
            }
        } else if let schema = media.schema {
            let view = types.reader.view(of: [schema])
            if view.properties.isEmpty, !view.alternatives.isEmpty || !view.additional.isEmpty {
                findings.add(.openAPIBodyLost, "a contract cannot have a form without declared fields", at: schema)
                return false
            }
            for (name, schemas) in view.properties {
                let style = media.encoding?[name]
                let text = style?.text("style") ?? "form"
                parts.append(
                    (
                        name, schemas, view.required.contains(name),
                        .init(style: text, explodes: style?.text("explode").map { $0 == "true" } ?? (text == "form"))
                    ))
            }
        }
        /// The wire names of the values that are spelled with brackets.
        var bracketed = Set<String>()
        for (name, schemas, isRequired, style) in parts {
            let isPart = media.isMultipart && style.style != "deepObject"
            let found =
                isPart
                ? part(name, schemas, isRequired, media.encoding?[name]).map { [$0] }
                : types.flatFields(
                    name, schemas, isRequired: isRequired, in: .init(origin: inner(), style: style, takesInner: true),
                    at: schemas[0])
            if media.isMultipart, !isPart {
                for field in found ?? [] where !isText(field.type) { bracketed.insert(field.wire) }
            }
            guard let found else {
                types.loseField(name, isRequired: isRequired, at: schemas[0])
                if isRequired { return false }
                continue
            }
            for field in found {
                guard !fields.contains(where: { $0.wire == field.wire }) else {
                    findings.add(
                        .openAPIParameterLost,
                        "`\(field.wire)` of `\(name)` is left out, because another field has this name", at: schemas[0])
                    continue
                }
                fields.append(field)
            }
        }
        guard !fields.isEmpty else { return true }
        if !bracketed.isEmpty {
            for index in fields.indices where isJSON(fields[index]) && !bracketed.contains(fields[index].wire) {
                fields[index].contentType = fields[index].contentType ?? "application/json"
            }
        }
        endpoint.body = .init(
            encoding: media.isMultipart ? .multipart : .form, content: .fields(fields),
            nesting: bracketed.isEmpty ? .json : .brackets)
        return true
    }

    /// Whether a part of a multipart body is JSON.
    private func isJSON(_ field: PlannedField) -> Bool { !field.type.holdsFile && !isText(field.type) }

    /// Whether a value is text, or a list of texts.
    private func isText(_ type: PlannedType) -> Bool {
        switch types.shape(of: type) {
        case .scalar, .list: true
        case .structure, .other: false
        }
    }

    /// A part of a multipart body: a file, files, or any other value.
    private func part(_ name: String, _ schemas: [Element], _ isRequired: Bool, _ encoding: Element?) -> PlannedField? {
        let view = types.reader.view(of: schemas)
        guard let file = MultipartFiles(types.reader).type(of: schemas) else {
            let use = types.use(of: schemas, as: inner()(name), .request)
            if use.type.holdsFile { return nil }
            var field = types.field(name, use, isRequired: isRequired, at: schemas[0])
            setContentType(&field, encoding)
            return field
        }
        var use = TypeUse(type: file)
        types.describe(&use, view)
        if view.types == ["array"] {
            let items = types.use(of: schemas, as: inner()(name), .request).constraints.items
            if case .list = file { use.constraints.items = items }
        }
        var field = types.field(name, use, isRequired: isRequired, at: schemas[0])
        let type =
            encoding?.text("contentType") ?? (view.items.first ?? schemas[0]).text("contentMediaType")
        field.contentType = type.flatMap { $0.contains(",") || $0.contains("*") ? nil : $0 }
        field.defaultValue = nil
        field.documentedDefault = nil
        return field
    }

    /// The media type that the document declares, if it isn't the one that the part has anyway.
    private func setContentType(_ field: inout PlannedField, _ encoding: Element?) {
        guard let place = encoding?["contentType"], let type = place.text, !type.contains(","), !type.contains("*")
        else { return }
        let isText = isText(field.type)
        if type == (isText ? "text/plain" : "application/json") { return }
        let isJSON = BodyDefinition.isJSON(mediaType: type)
        let fits =
            switch types.expanded(field.type) {
            case .word("bytes"): false
            case .list(let element) where isText: isJSON || types.expanded(element) != .word("bytes")
            default: isText || isJSON
            }
        if fits {
            field.contentType = type
        } else {
            findings.add(
                .openAPIMediaLost, "`\(field.wire)` is not sent as `\(type)`, which its type cannot be in a contract",
                at: place)
        }
    }
}
