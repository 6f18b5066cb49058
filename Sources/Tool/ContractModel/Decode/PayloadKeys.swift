import Diagnostics
import YAMLTree

/// The keys of a request's body in its long form, as written.
struct BodyKeys: Sendable {
    fileprivate var encoding = BodyDefinition.Encoding.json
    fileprivate var fields: [FieldDefinition]?
    fileprivate var type: Located<TypeReference>?
    fileprivate var contentType: Located<String>?
    fileprivate var nesting = BodyDefinition.Nesting.json
    fileprivate var element: Located<String>?
    fileprivate var range: SourceRange

    fileprivate init(range: SourceRange) { self.range = range }

    fileprivate init(_ body: BodyDefinition) {
        encoding = body.encoding
        nesting = body.nesting
        element = body.element
        range = body.range
        var contentType = body.contentType
        switch body.content {
        case .fields(let fields): self.fields = fields
        case .type(let type, let range): self.type = Located(type, at: range)
        case .bytes(let type): contentType = type == BodyDefinition.anyBytes ? nil : type
        }
        self.contentType = contentType.map { Located($0, at: body.range) }
    }

    /// Nil without a content, which the rules of the mapping report.
    fileprivate var definition: BodyDefinition? {
        let content: BodyDefinition.Content
        if encoding == .bytes {
            content = .bytes(contentType: contentType?.value ?? BodyDefinition.anyBytes)
        } else if let fields {
            content = .fields(fields)
        } else if let type {
            content = .type(type.value, type.range)
        } else {
            return nil
        }
        var body = BodyDefinition(encoding: encoding, content: content, range: range)
        body.nesting = nesting
        if body.isDocument, let contentType, contentType.value != "application/\(encoding.rawValue)" {
            body.contentType = contentType.value
        }
        body.element = element
        return body
    }

    // MARK: The table

    private typealias Key = LanguageKey<BodyKeys>

    static let mapping = LanguageMapping<BodyKeys>(
        "body", "a body in its long form", [encodingKey, fieldsKey, typeKey, elementKey, contentTypeKey, nestingKey],
        rules: [
            .where("encoding", ["bytes"], [.forbidden(["fields", "type"])]).explained(
                conflict: "a body of raw bytes cannot have fields or a type"),
            .where(
                "encoding", ["json", "xml", "form", "multipart"],
                [
                    .exactlyOne(["fields", "type"]).explained(
                        add: "write `fields: {name: string}`", remove: "a body has either fields or one type")
                ]),
            .where(
                "encoding", ["form", "multipart"],
                [
                    .forbidden(["contentType"]).explained(
                        conflict: "`contentType` is not valid with `encoding: form` and `encoding: multipart`",
                        remove: "remove `contentType`; a field of a multipart body has its own")
                ]),
            .where(
                "encoding", ["json", "xml", "form", "bytes"],
                [
                    .forbidden(["nesting"]).explained(
                        conflict: "`nesting` is only valid with `encoding: multipart`",
                        remove: "remove `nesting`; a form always has brackets, and JSON and XML have none")
                ]),
            .where(
                "encoding", ["xml"],
                [
                    .required(["element"]).explained(
                        missing: "the document's element has no name", add: "write `element: order`")
                ]),
            .where(
                "encoding", ["json", "form", "multipart", "bytes"],
                [.forbidden(["element"]).explained(conflict: "`element` is only valid with `encoding: xml`")]),
        ])

    private static let encodingKey = Key(
        required: "encoding", \.encoding, .word, "`json`, `xml`, `form`, `multipart` or `bytes`")
    private static let fieldsKey = Key(
        "fields", \.fields, Codec<[FieldDefinition]>.fields.called("body"), "name → field")
    private static let typeKey = Key(
        "type", \.type, Codec<TypeReference>.type.called("body"), "one type, in place of fields")
    private static let elementKey = Key(
        "element", \.element, .text, "name of the element that a document in XML is: `order`, or `\"{namespace}order\"`"
    )
    private static let contentTypeKey = Key(
        "contentType", .text, "media type of raw bytes, or of the JSON or XML",
        read: { decoder, pair, body in
            guard let type = decoder.text(pair.value, "`contentType`") else { return false }
            if body.encoding != .form, body.encoding != .multipart, !decoder.isHeaderValue(type) { return false }
            if body.encoding == .json || body.encoding == .xml, !decoder.isMediaType(type, of: body.encoding) {
                return false
            }
            body.contentType = type
            return true
        }, write: { body, _ in body.contentType.map { .text($0.value) } })
    private static let nestingKey = Key(
        "nesting", \.nesting, .word,
        "how a multipart body carries lists, maps and structures: `json` (default) or `brackets`", usual: .json)
}

extension BodyDefinition {
    /// The media type of bytes that the contract does not name.
    fileprivate static let anyBytes = "application/octet-stream"
}

extension Codec where Value == BodyDefinition {
    /// Fields, one type, `bytes`, or the long form.
    static var body: Codec {
        let long = Codec.mapping(
            { BodyKeys.mapping }, empty: { BodyKeys(range: $0) }, value: { $1.definition },
            keys: { body, _ in BodyKeys(body) })
        return Codec(
            .either(.type(words: ["bytes"]), .longForm(.body)),
            read: { decoder, node, name in
                let short: BodyDefinition?
                if let mapping = node.mapping {
                    if mapping["encoding"] != nil, decoder.isLongForm(mapping, BodyKeys.mapping.description) {
                        return long.read(&decoder, node, name)
                    }
                    short = BodyDefinition(
                        encoding: .json, content: .fields(decoder.fields(node, of: name.key)), range: node.range)
                } else if node.text == "bytes" {
                    short = BodyDefinition(
                        encoding: .bytes, content: .bytes(contentType: BodyDefinition.anyBytes), range: node.range)
                } else {
                    short = decoder.type(node, name.text).map {
                        BodyDefinition(encoding: .json, content: .type($0, node.range), range: node.range)
                    }
                }
                return short.map { Located($0, at: node.range) }
            },
            writeIn: { body, scope in
                switch body.content {
                case .bytes(BodyDefinition.anyBytes): return .text("bytes")
                case .fields(let fields):
                    let isShort = !fields.contains { $0.name.value == "encoding" }
                    if body.isPlainJSON, isShort { return Codec<[FieldDefinition]>.fields.write(fields, scope) }
                case .type(let type, _):
                    if body.isPlainJSON, type != .primitive(.bytes) { return .type(type.spelling) }
                case .bytes: break
                }
                return long.write(body, scope)
            })
    }
}

extension BodyDefinition {
    fileprivate var isPlainJSON: Bool { encoding == .json && contentType == nil }
}

/// What a contract says of a response.
struct DeclaredResponse: Sendable {
    var payload: ResponseDefinition
    var headers: [FieldDefinition] = []
    /// Whether the payload is in a document in XML.
    var isXML = false
}

/// The keys of a response in its long form, as written.
struct ResponseKeys: Sendable {
    private enum Encoding: String, Sendable, CaseIterable { case bytes, xml }

    fileprivate var type: TypeReference?
    fileprivate var fields: [FieldDefinition]?
    fileprivate var headers: [FieldDefinition]?
    private var encoding: Encoding?
    fileprivate var skipsInvalid = false
    fileprivate var acceptsSingle = false

    fileprivate init() {}

    fileprivate init(_ response: DeclaredResponse) {
        headers = response.headers.isEmpty ? nil : response.headers
        switch response.payload {
        case .none: break
        case .bytes: encoding = .bytes
        case .type(let type, let skips, let single): (self.type, skipsInvalid, acceptsSingle) = (type, skips, single)
        case .fields(let fields): self.fields = fields
        }
        if response.isXML { encoding = .xml }
    }

    /// Nil if no part of it could be read.
    fileprivate var definition: DeclaredResponse? {
        let payload: ResponseDefinition? =
            type.map { .type($0, skipsInvalid: skipsInvalid, acceptsSingle: acceptsSingle) } ?? fields.map {
                .fields($0)
            }
            ?? (encoding == .bytes ? .bytes : nil)
        guard payload != nil || headers != nil else { return nil }
        return DeclaredResponse(payload: payload ?? .none, headers: headers ?? [], isXML: encoding == .xml)
    }

    // MARK: The table

    private typealias Key = LanguageKey<ResponseKeys>

    static let mapping = LanguageMapping<ResponseKeys>(
        "response", "a response in its long form", [typeKey, fieldsKey, headersKey, encodingKey, skipInvalid, single],
        rules: [
            .atLeastOne(["type", "fields", "headers"]).explained(add: "write `type: User`"),
            .atMostOne(["type", "fields"]).explained(remove: "a response has either fields or one type"),
            .excludes("fields", ["skipInvalid", "single"]).explained(
                remove: "write it at the field with the list: `{type: [User], skipInvalid: true}`"),
            .where(
                "encoding", ["bytes"],
                [
                    .forbidden(["type", "fields", "skipInvalid", "single"]).explained(
                        conflict: "a response of raw bytes has no other payload"),
                    .required(["headers"]).explained(
                        missing: "`encoding: bytes` is only needed beside `headers`",
                        add: "write `response: bytes`, or add `headers`"),
                ]),
            .where(
                "encoding", ["xml"],
                [
                    .atLeastOne(["type", "fields"]).explained(
                        missing: "the document has no type", add: "write `type: Feed`")
                ]),
            .onlyWith("skipInvalid", "type").explained(remove: "it is only valid for a list"),
            .onlyWith("single", "type").explained(remove: "it is only valid for a list"),
        ])

    private static let typeKey = Key(
        "type", \.type, Codec<TypeReference>.type.called("response"), "the payload's type")
    private static let fieldsKey = Key(
        "fields", \.fields, Codec<[FieldDefinition]>.fields.called("response"), "name → field, in place of a type")
    private static let headersKey = Key(
        "headers", \.headers, Codec<[FieldDefinition]>.fields.called("headers"),
        "name → field: headers that the app reads; without a type or fields, they are the response")
    private static let encodingKey = Key(
        "encoding", \.encoding, .word,
        "`xml`: the document is XML; or `bytes`, in place of a type: the body as it is, beside `headers`")
    private static let skipInvalid = Key(
        "skipInvalid", \.skipsInvalid, .flag,
        "`true`: an invalid element is skipped, and the rest of the list is kept", usual: false)
    private static let single = Key(
        "single", \.acceptsSingle, .flag, "`true`: a single object counts as a list of one element", usual: false)
}

extension Codec where Value == DeclaredResponse {
    /// A type, fields, `none`, `bytes`, or the long form. A response that cannot be read is none.
    static var response: Codec {
        Codec(
            .either(.type(words: ["none", "bytes"]), .longForm(.response)),
            read: { decoder, node, name in
                decoder.response(node, name) ?? Located(DeclaredResponse(payload: .none), at: node.range)
            },
            writeIn: { response, scope in
                let long = { PrintedNode.mapping(ResponseKeys.mapping.pairs(of: ResponseKeys(response), scope)) }
                guard response.headers.isEmpty, !response.isXML else { return long() }
                switch response.payload {
                case .none: return .text("none")
                case .bytes: return .text("bytes")
                case .type(let type, skipsInvalid: false, acceptsSingle: false) where type != .primitive(.bytes):
                    return .type(type.spelling)
                case .fields(let fields) where !fields.contains(where: ContractDecoder.needsLongResponse):
                    return Codec<[FieldDefinition]>.fields.write(fields, scope)
                case .type, .fields: return long()
                }
            })
    }
}

extension Codec where Value == ErrorData {
    /// The payload of an error or an outcome: fields, or one type.
    static var data: Codec {
        Codec(
            .payload,
            read: { decoder, node, name in
                let data: ErrorData? =
                    node.kind == .mapping
                    ? .fields(decoder.fields(node, of: name.key))
                    : decoder.type(node, name.text).map { .type($0, node.range) }
                return data.map { Located($0, at: node.range) }
            },
            writeIn: { data, scope in
                switch data {
                case .fields(let fields): Codec<[FieldDefinition]>.fields.write(fields, scope)
                case .type(let type, _): .type(type.spelling)
                }
            })
    }
}

extension ContractDecoder {
    /// Whether it is a media type of documents in JSON or XML; reports it if not.
    fileprivate mutating func isMediaType(_ type: Located<String>, of encoding: BodyDefinition.Encoding) -> Bool {
        let isRight =
            encoding == .xml
            ? BodyDefinition.isXML(mediaType: type.value) : BodyDefinition.isJSON(mediaType: type.value)
        if isRight { return true }
        let format = encoding.rawValue
        report(
            .invalidHeader, "\(quoted(type.value)) is not a media type of \(format.uppercased())", at: type.range,
            help: "write `application/\(format)` or a type that ends with `+\(format)`")
        return false
    }

    /// Whether a field cannot be beside the others without `fields` above it.
    fileprivate static func needsLongResponse(_ field: FieldDefinition) -> Bool {
        LongForm.response.marks.contains(field.name.value) || isStatus(field.name.value)
    }

    fileprivate mutating func response(_ node: YAMLNode, _ name: ValueName) -> Located<DeclaredResponse>? {
        func short(_ payload: ResponseDefinition) -> Located<DeclaredResponse> {
            Located(DeclaredResponse(payload: payload), at: node.range)
        }
        if let mapping = node.mapping {
            if reportStatuses(mapping) { return nil }
            guard LongForm.response.marks.contains(where: { mapping[$0] != nil }),
                isLongForm(mapping, ResponseKeys.mapping.description)
            else { return short(.fields(fields(node, of: name.key))) }
            var keys = ResponseKeys()
            _ = read(node, as: ResponseKeys.mapping, into: &keys)
            return keys.definition.map { Located($0, at: pair(mapping, "type")?.value.range ?? node.range) }
        }
        switch node.text {
        case "none": return short(.none)
        case "bytes": return short(.bytes)
        case _ where node.isNullLiteral:
            report(
                .unknownType, "there is no type \(quoted(node.text ?? ""))", at: node.range,
                help: "write `response: none`")
            return nil
        default:
            return type(node, name.text).map { short(.type($0, skipsInvalid: false, acceptsSingle: false)) }
        }
    }

    /// Whether a mapping that has a mark of the long form is one, and not fields one of which happens to have that name:
    /// where all its keys belong to the long form, or something in it cannot be a field, so that a misspelled key is
    /// called one.
    fileprivate func isLongForm(_ mapping: YAMLMapping, _ description: MappingDescription) -> Bool {
        if mapping.keys.allSatisfy({ description.allows($0) }) { return true }
        if let encoding = mapping["encoding"]?.text, encoding == "form" || encoding == "multipart" { return true }
        return mapping.contains { pair in
            if let field = pair.value.mapping {
                return field["type"] == nil && field["fields"] == nil && !field.isEmpty
            }
            return pair.value.text == "true" || pair.value.text == "false"
        }
    }
}
