import ContractModel

/// The statements that write a command's inputs into its request: calls of `RequestEncoder`.
struct RequestStatements {
    private let emission: Emission

    init(_ emission: Emission) {
        self.emission = emission
    }

    /// The body of `encode(into:)`.
    func body(of endpoint: ResolvedEndpoint) -> [String] {
        var lines: [String] = []
        if let path = endpoint.path { lines += pathLines(path) }
        for field in endpoint.query { lines += self.text(field, "query") }
        for field in endpoint.headers { lines += self.text(field, "header") }
        if let body = endpoint.body { lines += bodyLines(body) }
        return lines
    }

    /// The statements for a common parameter.
    func common(_ parameter: CommonParameter, as place: String) -> [String] {
        let name = SwiftLiteral.string(parameter.field.wireName)
        let suffix = sensitive(parameter.field)
        switch parameter.source {
        case .app where place == "parameter": return self.parameter(parameter.field)
        case .app: return self.text(parameter.field, place)
        case .constant(let text): return ["request.\(place)(\(name), \(SwiftLiteral.string(text))\(suffix))"]
        case .each(.uuid): return ["request.\(place)(\(name), request.uuid()\(suffix))"]
        case .each(.timestamp):
            let shape = emission.contract.shape(of: parameter.field)
            return ["request.\(place)(\(name), \(TextExpressions.value("request.timestamp", of: shape))\(suffix))"]
        }
    }

    /// A common parameter, whose place is known only when the request is made: in the query it is text, in a JSON body a value.
    private func parameter(_ field: FieldDefinition) -> [String] {
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
        let call = ["request.parameter(\(name), \(argument)\(sensitive(field)))"]
        return shape.isOptional ? Block.lines("if let value = \(property)", call) : call
    }

    // MARK: Path

    private func pathLines(_ path: PathTemplate) -> [String] {
        switch path {
        case .wholeURL(let field): return ["request.wholeURL(\(value(field))\(sensitive(field)))"]
        case .path(let parts):
            return parts.map { part in
                switch part {
                case .text(let text): "request.path(\(SwiftLiteral.string(Self.percentEncoded(text))))"
                case .parameter(let field):
                    "request.segment(\(TextExpressions.value(value(field), of: emission.contract.shape(of: field)))\(sensitive(field)))"
                }
            }
        }
    }

    /// The contract's text as it can stand in a URL (RFC 3986 section 3.3). What is encoded already stays.
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
    private func text(_ field: FieldDefinition, _ call: String, prefix: String = "self.") -> [String] {
        let shape = emission.contract.shape(of: field)
        let name = SwiftLiteral.string(field.wireName)
        let property = value(field, prefix: prefix)
        func write(_ expression: String, _ shape: Shape) -> [String] {
            ["request.\(call)(\(name), \(TextExpressions.value(expression, of: shape))\(sensitive(field)))"]
        }
        switch (shape, shape.wrapped) {
        case (.optional, .list(let element)):
            return Block.lines("for value in \(property) ?? []", write("value", element))
        case (_, .list(let element)): return Block.lines("for value in \(property)", write("value", element))
        case (.optional, let inner): return Block.lines("if let value = \(property)", write("value", inner))
        default: return write(property, shape)
        }
    }

    // MARK: Body

    private func bodyLines(_ body: BodyDefinition) -> [String] {
        switch body.content {
        case .bytes(let contentType):
            return ["request.body(self.body, contentType: \(SwiftLiteral.string(contentType)))"]
        case .fields(let fields):
            return ["request.beginBody(.\(body.encoding.rawValue))"] + fields.flatMap { field($0, body.encoding) }
        case .type(let type, _):
            let shape = emission.contract.shape(of: type)
            if body.encoding == .json { return wholeJSON(shape) }
            let begin = "request.beginBody(.\(body.encoding.rawValue))"
            let fields = emission.contract.structureFields(shape)
            guard shape.isOptional else {
                return [begin] + fields.flatMap { field($0, body.encoding, prefix: "self.body.") }
            }
            return Block.lines(
                "if let body = self.body", [begin] + fields.flatMap { field($0, body.encoding, prefix: "body.") })
        }
    }

    private func wholeJSON(_ shape: Shape) -> [String] {
        let write = emission.writes.value(shape.isOptional ? "value" : "self.body", of: shape.wrapped, writer: "$0")
        let call = Block.closure("request.bodyJSON", write)
        return shape.isOptional ? Block.lines("if let value = self.body", call) : call
    }

    private func field(_ field: FieldDefinition, _ encoding: BodyDefinition.Encoding, prefix: String = "self.")
        -> [String]
    {
        let shape = emission.contract.shape(of: field)
        let property = value(field, prefix: prefix)
        if case .primitive(.file) = shape.wrapped { return file(field, shape, property) }
        switch shape.wrapped {
        case .list(.primitive(.file)):
            return Block.lines(
                "for value in \(property)\(shape.isOptional ? " ?? []" : "")", [fileCall(field, "value")])
        case .list where encoding == .form: return text(field, "field", prefix: prefix)
        case .list(.enumeration) where encoding == .multipart, .list(.instant) where encoding == .multipart:
            return text(field, "field", prefix: prefix)
        case .list(.primitive(let primitive)) where encoding == .multipart && primitive != .json:
            return text(field, "field", prefix: prefix)
        default: break
        }
        let inner = shape.wrapped
        if field.distinguishesNull {
            let name = SwiftLiteral.string(field.wireName)
            return ["switch \(property) {", "case .absent:", "break"]
                + ["case .null:", "request.field(\(name)) { $0.writeNull() }"]
                + ["case .value(let value):"] + write(field, "value", inner, encoding) + ["}"]
        }
        return shape.isOptional
            ? Block.lines("if let value = \(property)", write(field, "value", inner, encoding))
            : write(field, property, inner, encoding)
    }

    private func write(
        _ field: FieldDefinition, _ expression: String, _ shape: Shape, _ encoding: BodyDefinition.Encoding
    ) -> [String] {
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
            return ["request.field(\(name), \(TextExpressions.value(expression, of: shape))\(sensitive(field)))"]
        }
        return Block.closure(
            "request.field(\(name)\(sensitive(field)))", emission.writes.value(expression, of: shape, writer: "$0"))
    }

    private func file(_ field: FieldDefinition, _ shape: Shape, _ property: String) -> [String] {
        shape.isOptional
            ? Block.lines("if let value = \(property)", [fileCall(field, "value")]) : [fileCall(field, property)]
    }

    private func fileCall(_ field: FieldDefinition, _ expression: String) -> String {
        let type = field.contentType.map { ", contentType: " + SwiftLiteral.string($0.value) } ?? ""
        return "request.file(\(SwiftLiteral.string(field.wireName)), \(expression)\(type))"
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
