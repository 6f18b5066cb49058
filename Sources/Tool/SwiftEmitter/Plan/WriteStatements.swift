import ContractModel

/// The statements that write values as JSON, calls of `JSONWriter`.
struct WriteStatements {
    private let writer = Expression.name("writer")
    /// The value of an optional, in the statements that its binding holds.
    private let present = Expression.name("value")

    /// The statement that writes an expression as the next value.
    func value(_ expression: Expression, of shape: Shape) -> Statement { value(expression, of: shape, writer: writer) }

    func value(_ expression: Expression, of shape: Shape, writer: Expression) -> Statement {
        let shape = shape.written
        if case .primitive(let primitive) = shape { return .expression(writer.method(call(primitive), expression)) }
        if case .instant(let forms) = shape {
            let arguments = [Argument(expression)] + TextExpressions.pattern(of: forms)
            return .expression(writer.method("writeTimestamp", arguments))
        }
        if shape.isSelfWriting { return writeItself(expression, writer) }
        switch shape {
        case .list(let element):
            return .call(
                writer.method("writeArray", expression), value(.parameter(0), of: element, writer: .parameter(1)))
        case .map(let element):
            return .call(
                writer.method("writeMap", expression), value(.parameter(0), of: element, writer: .parameter(1)))
        case .optional(let inner):
            return .binding(
                name: "value", expression, [value(present, of: inner, writer: writer)],
                otherwise: [.expression(writer.method("writeNull"))])
        case .primitive, .instant, .structure, .union, .enumeration: return writeItself(expression, writer)
        }
    }

    private func writeItself(_ expression: Expression, _ writer: Expression) -> Statement {
        .expression(expression.method("write", [Argument("to", .reference(writer))]))
    }

    /// The statements for one key of an object. An optional without a value writes no key, unless it is always present.
    func field(_ field: FieldDefinition, shape: Shape, property: Expression) -> [Statement] {
        let key = Statement.expression(writer.method("key", .string(field.wireName)))
        if field.distinguishesNull {
            return [
                .nullable(
                    property, null: [key, .expression(writer.method("writeNull"))],
                    value: [key, value(present, of: shape.wrapped)])
            ]
        }
        if shape.isOptional, !field.writesNull {
            return [.binding(name: "value", property, [key, value(present, of: shape.wrapped)])]
        }
        return [key, value(property, of: shape)]
    }

    /// The statement for the members of an object that have no key in the contract.
    func members(_ map: Expression, of element: Shape, except keys: [String]) -> Statement {
        let arguments = [Argument(map), Argument("except", .array(keys.map { .string($0) }))]
        return .call(
            writer.method("writeMembers", arguments), value(.parameter(0), of: element, writer: .parameter(1)))
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
