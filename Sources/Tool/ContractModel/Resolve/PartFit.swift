import Diagnostics

// The fields of multipart bodies: files, texts, values in brackets, and JSON.
extension Resolution {
    mutating func checkPart(_ field: FieldDefinition, _ type: TypeReference, _ nesting: BodyDefinition.Nesting) {
        if let contentType = field.contentType,
            !HeaderText.isValue(contentType.value) || contentType.value.contains("\t")
        {
            report(
                .invalidHeader, "the media type of `\(field.name.value)` cannot be the value of a header",
                at: contentType.range,
                help: "write a media type, such as `image/jpeg`")
            return
        }
        let element: TypeReference? = if case .list(let element) = type { expanded(element) } else { nil }
        if type == .primitive(.file) || element == .primitive(.file) { return }
        guard !type.holdsFile else {
            report(
                .misplacedFile,
                "a multipart body carries a file or a list of files, and `\(field.type.spelling)` is neither",
                at: field.typeRange, help: "write `file` or `\"[file]\"`")
            return
        }
        guard let contentType = field.contentType else {
            if nesting == .brackets { checkBracketed(field, type) }
            return
        }
        // With a media type of JSON, a list of single values is one part. A single value is text under any media type.
        if element != nil, BodyDefinition.isJSON(mediaType: contentType.value) { return }
        let single = element ?? type
        if single == .primitive(.bytes) {
            report(
                .conflictingKeys,
                "`contentType` is not valid for a `\(field.type.spelling)`, which is sent as base64 text",
                at: contentType.range, help: "change the type to `file`, or remove `contentType`")
        } else if !isScalar(single), !BodyDefinition.isJSON(mediaType: contentType.value) {
            report(
                .conflictingKeys,
                "a `\(field.type.spelling)` is sent as JSON, and `\(contentType.value)` is not a media type of JSON",
                at: contentType.range, help: "write `application/json` or a type that ends with `+json`")
        }
    }
}
