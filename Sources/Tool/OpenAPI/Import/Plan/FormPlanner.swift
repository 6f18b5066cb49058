import ContractModel
import Diagnostics

// Bodies of fields that are not JSON: forms and multipart bodies.
extension EndpointPlanner {
    func planForm(_ media: Media, _ body: RequestBody, _ endpoint: inout PlannedEndpoint) -> Bool {
        let parts = FormParts(types, media, body).all
        guard !parts.isEmpty else {
            planUndeclared(media, body, &endpoint)
            return true
        }
        var fields: [PlannedField] = []
        /// The wire names of the values that are spelled with brackets.
        var bracketed = Set<String>()
        for part in parts {
            let isPart = media.isMultipart && part.style.style != "deepObject"
            let found = self.fields(of: part, in: media, isPart: isPart)
            if media.isMultipart, !isPart {
                for field in found ?? [] where !isText(field.type) { bracketed.insert(field.wire) }
            }
            guard let found else {
                guard part.isRequired else {
                    types.loseField(part.name, at: part.schemas[0])
                    continue
                }
                fields.append(types.textField(part.name, in: nil, at: part.schemas[0]))
                continue
            }
            for field in found {
                guard !fields.contains(where: { $0.wire == field.wire }) else {
                    findings.add(
                        .openAPIParameterLost,
                        "`\(field.wire)` of `\(part.name)` is left out, because another field has this name",
                        at: part.schemas[0])
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

    /// Whether the document says that a form has no fields. Some documents have such a form at every operation.
    func isEmpty(_ body: RequestBody, _ media: Media) -> Bool {
        guard media.isForm || media.isMultipart, !body.element.flag("required"), body.formParameters.isEmpty,
            let schema = media.schema.map({ types.documents.followed($0) ?? $0 }),
            schema["properties"]?.entries.isEmpty == true || schema.text("additionalProperties") == "false"
        else { return false }
        let view = types.reader.view(of: [schema])
        return view.properties.isEmpty && view.alternatives.isEmpty && view.additional.isEmpty
    }

    private func fields(of part: FormParts.Part, in media: Media, isPart: Bool) -> [PlannedField]? {
        if let word = part.commonType {
            let use = TypeUse(type: word)
            return [
                types.field(
                    part.name, use, isRequired: part.isRequired, as: inner()(part.name), at: part.schemas[0])
            ]
        }
        if isPart {
            return self.part(part.name, part.schemas, part.isRequired, media.encoding?[part.name]).map { [$0] }
        }
        return types.flatFields(
            part.name, part.schemas, isRequired: part.isRequired,
            in: .init(origin: inner(), style: part.style, takesInner: true), at: part.schemas[0])
    }

    // MARK: Without declared fields

    /// The boundary of a multipart body that the app writes.
    private static let boundary = "errand-boundary-of-parts"

    /// A body whose fields the document does not name: a multipart body of one file or several, or what the app writes.
    private func planUndeclared(_ media: Media, _ body: RequestBody, _ endpoint: inout PlannedEndpoint) {
        let view = media.schema.map { types.reader.view(of: [$0]) } ?? SchemaView()
        media.schema?.settle()  // The parts have no names, so the app alone knows what they are.
        let isRequired = body.element.flag("required")
        if media.isMultipart, view.additional.isEmpty, !view.takesAdditional || !view.items.isEmpty {
            let isList =
                view.types == ["array"] || media.schema.flatMap { files.type(of: [$0]) } == .list(.word("file"))
            let file = PlannedType.word("file")
            var field = PlannedField(
                wire: isList ? "files" : "file", type: isList ? .list(file) : file, isOptional: !isRequired)
            field.isRequired = isRequired
            field.doc = view.description
            if isList {
                field.constraints.items = types.counts(of: view, "minItems", "maxItems")
            }
            field.review = "the document does not name the parts of the body, and `\(field.wire)` is a guess"
            endpoint.body = .init(encoding: .multipart, content: .fields([field]))
            return
        }
        let isKnown = !view.additional.isEmpty || view.takesAdditional || !view.types.allSatisfy { $0 == "object" }
        guard isRequired || isKnown else {
            findings.add(
                .openAPIBodyLost, "the body is left out, because the document declares no field of the form",
                at: media.element)
            return
        }
        endpoint.notes.append(
            "errand:review the document does not name the fields of the body, so the app writes the whole "
                + (media.isMultipart ? "body, with the boundary in `contentType`" : "form: `name=value&other=value`"))
        endpoint.body = .init(
            encoding: .bytes, content: nil,
            contentType: media.isMultipart ? "\(media.type); boundary=\(Self.boundary)" : media.type)
    }

    private var files: MultipartFiles { MultipartFiles(types.reader) }

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
        let origin = inner()(name)
        guard let file = files.type(of: schemas) else {
            let use = types.use(of: schemas, as: origin, .request)
            if use.type.holdsFile { return nil }
            var field = types.field(name, use, isRequired: isRequired, as: origin, at: schemas[0])
            setContentType(&field, encoding)
            return field
        }
        var use = TypeUse(type: file)
        types.describe(&use, view)
        types.loseBounds(view, except: ["minItems", "maxItems", "uniqueItems"], "a `file`")
        if view.types == ["array"] {
            let items = types.use(of: schemas, as: origin, .request).constraints.items
            if case .list = file { use.constraints.items = items }
        }
        if schemas.contains(where: { types.reader.isNullable($0) }) {
            findings.add(
                .openAPIConstraintLost, "`\(name)` is never null, because a part of a multipart body has no null",
                at: schemas[0])
        }
        var field = types.field(name, use, isRequired: isRequired, as: origin, at: schemas[0])
        let type = encoding?["contentType"] ?? (view.items.first ?? schemas[0])["contentMediaType"]
        field.contentType = mediaType(type)
        field.defaultValue = nil
        field.documentedDefault = nil
        return field
    }

    /// The media type of a part; nil for several of them, and for a text that is none, which is reported.
    private func mediaType(_ place: Element?) -> String? {
        guard let place, let type = place.text, !type.contains(","), !type.contains("*") else { return nil }
        if Media.isType(type.prefix { $0 != ";" }.trimmingSpaces()),
            type.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        {
            return type
        }
        findings.add(.openAPIMediaLost, "`\(type)` is left out, because it is no media type", at: place)
        return nil
    }

    /// The media type that the document declares, if it isn't the one that the part has anyway.
    private func setContentType(_ field: inout PlannedField, _ encoding: Element?) {
        guard let place = encoding?["contentType"], let type = mediaType(place) else { return }
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
