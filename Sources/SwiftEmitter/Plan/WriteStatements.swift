import ContractModel

/// The statements that write values as JSON, calls of `JSONWriter`.
struct WriteStatements {
    /// The statement that writes an expression as the next value.
    func value(_ expression: String, of shape: Shape, writer: String = "writer") -> Statement {
        if case .primitive(let primitive) = shape { return .expression("\(writer).\(call(primitive))(\(expression))") }
        if case .instant(let format) = shape {
            return .expression("\(writer).writeTimestamp(\(expression), \(TextExpressions.arguments(format)))")
        }
        if shape.isSelfWriting { return .expression("\(expression).write(to: &\(writer))") }
        switch shape {
        case .list(let element):
            return .call("\(writer).writeArray(\(expression))", value("$0", of: element, writer: "$1"))
        case .map(let element):
            return .call("\(writer).writeMap(\(expression))", value("$0", of: element, writer: "$1"))
        case .optional(let inner):
            return .binding(
                name: "value", expression, [value("value", of: inner, writer: writer)],
                otherwise: [.expression("\(writer).writeNull()")])
        case .primitive, .instant, .structure, .union, .enumeration:
            return .expression("\(expression).write(to: &\(writer))")
        }
    }

    /// The statements for one key of an object. An optional without a value writes no key.
    func field(_ field: FieldDefinition, shape: Shape, property: String) -> [Statement] {
        let key = Statement.expression("writer.key(\(SwiftLiteral.string(field.wireName)))")
        if field.distinguishesNull {
            return [
                .nullable(
                    property, null: [key, .expression("writer.writeNull()")],
                    value: [key, value("value", of: shape.wrapped)])
            ]
        }
        if shape.isOptional {
            return [.binding(name: "value", property, [key, value("value", of: shape.wrapped)])]
        }
        return [key, value(property, of: shape)]
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
