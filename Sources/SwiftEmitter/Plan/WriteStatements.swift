import ContractModel

/// The statements that write values as JSON, calls of `JSONWriter`.
struct WriteStatements {
    /// The statements that write an expression as the next value.
    func value(_ expression: String, of shape: Shape, writer: String = "writer") -> [String] {
        if case .primitive(let primitive) = shape { return ["\(writer).\(call(primitive))(\(expression))"] }
        if case .instant(let format) = shape {
            return ["\(writer).writeTimestamp(\(expression), \(TextExpressions.arguments(format)))"]
        }
        if shape.isSelfWriting { return ["\(expression).write(to: &\(writer))"] }
        switch shape {
        case .list(let element):
            return Block.closure("\(writer).writeArray(\(expression))", value("$0", of: element, writer: "$1"))
        case .map(let element):
            return Block.closure("\(writer).writeMap(\(expression))", value("$0", of: element, writer: "$1"))
        case .optional(let inner):
            return ["if let value = \(expression) {"] + value("value", of: inner, writer: writer)
                + ["} else {", "\(writer).writeNull()", "}"]
        case .primitive, .instant, .structure, .union, .enumeration: return ["\(expression).write(to: &\(writer))"]
        }
    }

    /// The statements for one key of an object. An optional without a value has no key.
    func field(_ field: FieldDefinition, shape: Shape, property: String) -> [String] {
        let key = "writer.key(\(SwiftLiteral.string(field.wireName)))"
        if field.distinguishesNull {
            return ["switch \(property) {", "case .absent:", "break", "case .null:", key, "writer.writeNull()"]
                + ["case .value(let value):", key] + value("value", of: shape.wrapped) + ["}"]
        }
        if shape.isOptional {
            return Block.lines("if let value = \(property)", [key] + value("value", of: shape.wrapped))
        }
        return [key] + value(property, of: shape)
    }

    private func call(_ primitive: Primitive) -> String {
        switch primitive {
        case .timestamp: "writeTimestamp"
        case .timestampUnix: "writeUnixTimestamp"
        case .timestampMilliseconds: "writeMillisecondTimestamp"
        default: "write"
        }
    }
}

extension Shape {
    /// Whether the Swift type alone says how it is written.
    var isSelfWriting: Bool {
        switch self {
        case .primitive(let primitive): primitive.isSelfDescribing
        case .instant: false
        case .structure, .enumeration, .union: true
        case .optional(let inner), .list(let inner), .map(let inner): inner.isSelfWriting
        }
    }
}
