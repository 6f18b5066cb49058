import ContractModel

/// The statements that write a command's inputs into its request: calls of `RequestEncoder`.
struct RequestStatements {
    private let emission: Emission

    init(_ emission: Emission) {
        self.emission = emission
    }

    /// The body of `encode(into:)`.
    func body(of endpoint: ResolvedEndpoint) -> [Statement] {
        var statements: [Statement] = []
        if let path = endpoint.path { statements += pathStatements(path) }
        for field in endpoint.query { statements.append(text(field, "query")) }
        for field in endpoint.headers { statements.append(text(field, "header")) }
        if let body = endpoint.body { statements += bodyStatements(body) }
        return statements
    }

    /// The statement for a common parameter.
    func common(_ parameter: CommonParameter, as place: String) -> Statement {
        let name = SwiftLiteral.string(parameter.field.wireName)
        let suffix = sensitive(parameter.field)
        switch parameter.source {
        case .app where place == "parameter": return self.parameter(parameter.field)
        case .app: return self.text(parameter.field, place)
        case .constant(let text): return .expression("request.\(place)(\(name), \(SwiftLiteral.string(text))\(suffix))")
        case .each(.uuid): return .expression("request.\(place)(\(name), request.uuid()\(suffix))")
        case .each(.timestamp):
            let shape = emission.contract.shape(of: parameter.field)
            let value = TextExpressions.value("request.timestamp", of: shape)
            return .expression("request.\(place)(\(name), \(value)\(suffix))")
        }
    }

    /// A common parameter, whose place is known only when the request is made: in the query it is text, in a JSON body a value.
    private func parameter(_ field: FieldDefinition) -> Statement {
        let shape = emission.contract.shape(of: field)
        let property = value(field, prefix: "self.")
        let subject = shape.isOptional ? "value" : property
        let argument: String
        if case .list(let element) = shape.wrapped {
            let mapped = TextExpressions.value("$0", of: element)
            argument = "list: " + (mapped == "$0" ? subject : "\(subject).map { \(mapped) }")
        } else {
            argument = TextExpressions.value(subject, of: shape.wrapped)
        }
        let name = SwiftLiteral.string(field.wireName)
        let call = Statement.expression("request.parameter(\(name), \(argument)\(sensitive(field)))")
        return shape.isOptional ? .binding(name: "value", property, [call]) : call
    }

    // MARK: Path

    private func pathStatements(_ path: PathTemplate) -> [Statement] {
        switch path {
        case .wholeURL(let field): return [.expression("request.wholeURL(\(value(field))\(sensitive(field)))")]
        case .path(let parts):
            return parts.map { part in
                switch part {
                case .text(let text):
                    return .expression("request.path(\(SwiftLiteral.string(Self.percentEncoded(text))))")
                case .parameter(let field):
                    let text = TextExpressions.value(value(field), of: emission.contract.shape(of: field))
                    return .expression("request.segment(\(text)\(sensitive(field)))")
                }
            }
        }
    }

    /// The contract's text in a form that is valid in a URL (RFC 3986 section 3.3). Encoded parts are kept.
    static func percentEncoded(_ text: String) -> String {
        let allowed = Set("/:@!$&'()*+,;=-._~".utf8)
        let bytes = Array(text.utf8)
        var result = ""
        for (position, byte) in bytes.enumerated() {
            let isAlphanumeric =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            let isTriplet =
                byte == 0x25 && bytes.count > position + 2 && isHex(bytes[position + 1]) && isHex(bytes[position + 2])
            if isAlphanumeric || allowed.contains(byte) || isTriplet {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return result
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    // MARK: Text

    /// A field as text under its name: a query parameter, a header, a field of a form. A list is one for each element.
    private func text(_ field: FieldDefinition, _ call: String, prefix: String = "self.") -> Statement {
        let shape = emission.contract.shape(of: field)
        let name = SwiftLiteral.string(field.wireName)
        let property = value(field, prefix: prefix)
        func write(_ expression: String, _ shape: Shape) -> Statement {
            let text = TextExpressions.value(expression, of: shape)
            return .expression("request.\(call)(\(name), \(text)\(sensitive(field)))")
        }
        switch (shape, shape.wrapped) {
        case (.optional, .list(let element)):
            return .loop(name: "value", in: "\(property) ?? []", [write("value", element)])
        case (_, .list(let element)): return .loop(name: "value", in: property, [write("value", element)])
        case (.optional, let inner): return .binding(name: "value", property, [write("value", inner)])
        default: return write(property, shape)
        }
    }

    // MARK: Body

    private func bodyStatements(_ body: BodyDefinition) -> [Statement] {
        let begin = Statement.expression("request.beginBody(.\(body.encoding.rawValue))")
        switch body.content {
        case .bytes(let contentType):
            return [.expression("request.body(self.body, contentType: \(SwiftLiteral.string(contentType)))")]
        case .fields(let fields): return [begin] + fields.map { field($0, body.encoding) }
        case .type(let type, _):
            let shape = emission.contract.shape(of: type)
            if body.encoding == .json { return [wholeJSON(shape)] }
            let fields = emission.contract.structureFields(shape)
            guard shape.isOptional else {
                return [begin] + fields.map { field($0, body.encoding, prefix: "self.body.") }
            }
            return [
                .binding(
                    name: "body", "self.body", [begin] + fields.map { field($0, body.encoding, prefix: "body.") })
            ]
        }
    }

    private func wholeJSON(_ shape: Shape) -> Statement {
        let value = shape.isOptional ? "value" : "self.body"
        let call = Statement.call("request.bodyJSON", emission.writes.value(value, of: shape.wrapped, writer: "$0"))
        return shape.isOptional ? .binding(name: value, "self.body", [call]) : call
    }

    private func field(
        _ field: FieldDefinition, _ encoding: BodyDefinition.Encoding, prefix: String = "self."
    ) -> Statement {
        let shape = emission.contract.shape(of: field)
        let property = value(field, prefix: prefix)
        switch shape.wrapped {
        case .list(.primitive(.file)):
            return .loop(
                name: "value", in: shape.isOptional ? "\(property) ?? []" : property, [file(field, "value")])
        case .list(let element) where encoding == .form && element.isText: return text(field, "field", prefix: prefix)
        case .list(.enumeration) where encoding == .multipart, .list(.instant) where encoding == .multipart:
            return text(field, "field", prefix: prefix)
        case .list(.primitive(let primitive)) where encoding == .multipart && primitive != .json:
            return text(field, "field", prefix: prefix)
        default: break
        }
        func write(_ expression: String) -> Statement {
            if case .primitive(.file) = shape.wrapped { return file(field, expression) }
            return self.write(field, expression, shape.wrapped, encoding)
        }
        if field.distinguishesNull {
            let name = SwiftLiteral.string(field.wireName)
            return .nullable(
                property, null: [.call("request.field(\(name))", .expression("$0.writeNull()"))],
                value: [write("value")])
        }
        return shape.isOptional ? .binding(name: "value", property, [write("value")]) : write(property)
    }

    private func write(
        _ field: FieldDefinition, _ expression: String, _ shape: Shape, _ encoding: BodyDefinition.Encoding
    ) -> Statement {
        let name = SwiftLiteral.string(field.wireName)
        let isText =
            switch shape {
            case .enumeration: true
            case .instant: encoding != .json
            case .primitive(.json): false
            case .primitive(let primitive): encoding != .json || primitive.isSelfDescribing || primitive == .bytes
            default: false
            }
        if isText {
            let text = TextExpressions.value(expression, of: shape)
            return .expression("request.field(\(name), \(text)\(sensitive(field)))")
        }
        return .call(
            "request.field(\(name)\(sensitive(field)))", emission.writes.value(expression, of: shape, writer: "$0"))
    }

    private func file(_ field: FieldDefinition, _ expression: String) -> Statement {
        let type = field.contentType.map { ", contentType: " + SwiftLiteral.string($0.value) } ?? ""
        return .expression("request.file(\(SwiftLiteral.string(field.wireName)), \(expression)\(type))")
    }

    // MARK: Parts

    private func value(_ field: FieldDefinition, prefix: String = "self.") -> String {
        // A deprecated input is kept under another name, see `MemberList`. A body's type keeps its own to itself.
        field.deprecated != nil && prefix == "self." ? "self._" + field.identifier : prefix + field.property
    }

    private func sensitive(_ field: FieldDefinition) -> String { field.isSensitive ? ", sensitive: true" : "" }
}

extension ResolvedContract {
    /// The fields of a structure; none for anything else.
    func structureFields(_ shape: Shape) -> [FieldDefinition] {
        guard case .structure(let name) = shape.wrapped, case .structure(let fields)? = type(named: name)?.form else {
            return []
        }
        return fields
    }
}

extension Shape {
    /// Whether it is a single value that a request sends as text.
    fileprivate var isText: Bool {
        switch self {
        case .enumeration, .instant: true
        case .primitive(let primitive): primitive != .json && primitive != .file
        case .structure, .union, .optional, .list, .map: false
        }
    }
}
