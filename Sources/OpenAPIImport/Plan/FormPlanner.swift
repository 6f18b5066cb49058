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
        for (name, schemas, isRequired, style) in parts {
            let isMultipart = media.isMultipart
            let found =
                isMultipart
                ? part(name, schemas, isRequired, media.encoding?[name]).map { [$0] }
                : types.flatFields(
                    name, schemas, isRequired: isRequired, in: .init(origin: inner(), style: style, takesInner: true),
                    at: schemas[0])
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
        endpoint.body = .init(encoding: media.isMultipart ? .multipart : .form, content: .fields(fields))
        return true
    }

    /// A part of a multipart body: a file, or any other value.
    private func part(_ name: String, _ schemas: [Element], _ isRequired: Bool, _ encoding: Element?) -> PlannedField? {
        let view = types.reader.view(of: schemas)
        let isBinary =
            view.format?.text == "binary" || view.types == ["file"]
            || schemas[0].text("contentMediaType") != nil && view.contentEncoding == nil
        var use = isBinary ? TypeUse(type: .word("file")) : types.use(of: schemas, as: inner()(name), .request)
        if isBinary { types.describe(&use, view) }
        if !isBinary, use.type.holdsFile { return nil }
        var field = types.field(name, use, isRequired: isRequired, at: schemas[0])
        if isBinary {
            let type = encoding?.text("contentType") ?? schemas[0].text("contentMediaType")
            field.contentType = type.flatMap { $0.contains(",") || $0.contains("*") ? nil : $0 }
            field.defaultValue = nil
            field.documentedDefault = nil
            field.constraints = Constraints()
        }
        return field
    }
}
