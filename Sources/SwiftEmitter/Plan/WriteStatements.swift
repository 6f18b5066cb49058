import ContractModel

/// The statements that write values as JSON, calls of `JSONWriter`.
struct WriteStatements {
    /// The statement that writes an expression as the next value.
    func value(_ expression: String, of shape: Shape, writer: String = "writer") -> String {
        switch shape {
        case .primitive(let primitive): "\(writer).\(call(primitive))(\(expression))"
        case .structure, .union, .enumeration: "\(expression).write(to: &\(writer))"
        case .list(let element):
            shape.isSelfWriting
                ? "\(expression).write(to: &\(writer))"
                : "\(writer).writeArray(\(expression)) { \(value("$0", of: element, writer: "$1")) }"
        case .map(let element):
            shape.isSelfWriting
                ? "\(expression).write(to: &\(writer))"
                : "\(writer).writeMap(\(expression)) { \(value("$0", of: element, writer: "$1")) }"
        case .optional(let inner):
            shape.isSelfWriting
                ? "\(expression).write(to: &\(writer))"
                : "if let value = \(expression) { \(value("value", of: inner, writer: writer)) } else { \(writer).writeNull() }"
        }
    }

    /// The statements for one key of an object. An optional without a value has no key.
    func field(_ field: FieldDefinition, shape: Shape, property: String) -> String {
        let key = "writer.key(\(SwiftLiteral.string(field.wireName)))"
        if field.distinguishesNull {
            let write = value("value", of: shape.wrapped)
            return
                "switch \(property) { case .absent: break; case .null: \(key); writer.writeNull(); case .value(let value): \(key); \(write) }"
        }
        if shape.isOptional { return "if let value = \(property) { \(key); \(value("value", of: shape.wrapped)) }" }
        return "\(key); \(value(property, of: shape))"
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
        case .structure, .enumeration, .union: true
        case .optional(let inner), .list(let inner), .map(let inner): inner.isSelfWriting
        }
    }
}
