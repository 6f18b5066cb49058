import ContractModel

/// The statements that read JSON into local variables: calls of `JSONReader`, one for each shape and policy.
struct ReadStatements {
    let spelling: TypeSpelling
    private let reader = Expression.name("reader")

    init(spelling: TypeSpelling) {
        self.spelling = spelling
    }

    /// How a field's value is read, beyond its shape.
    struct Policy {
        var coerces = false
        var skipsInvalid = false
        var acceptsSingle = false
        /// Whether a wrong value is nil, or an empty list or map.
        var isLenient = false

        init() {}

        init(_ field: FieldDefinition) {
            coerces = field.coerces
            skipsInvalid = field.skipsInvalid
            acceptsSingle = field.acceptsSingle
            isLenient = field.isLenient
            // A list keeps the elements that fit.
            if isLenient { skipsInvalid = true }
        }
    }

    /// The statement that reads a field, `reader.readInt(&id)`, with what null and the field's options ask for.
    func assignment(of field: FieldDefinition, shape: Shape, to local: String) -> Statement {
        let policy = Policy(field)
        if !field.distinguishesNull, let call = variableCall(shape.wrapped, policy) {
            let variable = Expression.reference(.name(local))
            if shape.isOptional, call != "Strings" {
                return .expression(reader.method("readOptional\(call)", variable))
            }
            let read = Statement.expression(reader.method("read\(call)", variable))
            if field.defaultValue != nil { return .condition(.not(readsNull), [read]) }
            if !shape.isOptional { return read }
        }
        let value = policy.isLenient ? substitute(of: shape, policy) : value(of: shape.wrapped, policy, reader: reader)
        let isNull = field.coerces ? reader.method("readNullOrEmpty") : readsNull
        if field.distinguishesNull {
            return shape.wrapped.loadsOptional
                ? .nullableRead(into: local, isNull: isNull, value: value)
                : .assignment(
                    name: local, .conditional(isNull, .implicit("null"), otherwise: .implicit("value", value)))
        }
        if shape.isOptional {
            return .assignment(name: local, .conditional(isNull, .null, otherwise: value))
        }
        let read = Statement.assignment(name: local, value)
        // For a field with a default, null means the default, as a missing key does.
        return field.defaultValue == nil ? read : .condition(.not(readsNull), [read])
    }

    /// The expression that reads a value, or nil or an empty list or map in place of a wrong one.
    private func substitute(of shape: Shape, _ policy: Policy) -> Expression {
        // Only a list or a map has the field's other options.
        let load: Expression =
            switch shape.wrapped {
            case .list, .map: .closure(value(of: shape.wrapped, policy, reader: .parameter(0)))
            default: loader(of: shape.wrapped, policy)
            }
        let value = reader.method("readOrSkip", load)
        switch shape {
        case .list: return .binary(value, .coalescing, .array([]))
        case .map: return .binary(value, .coalescing, .emptyDictionary)
        default: return value
        }
    }

    private var readsNull: Expression { reader.method("readNull") }

    /// The call that reads a value of this shape into a variable, after `read` or `readOptional`; `nil` where there is
    /// none. It is the shortest code there is.
    private func variableCall(_ shape: Shape, _ policy: Policy) -> String? {
        if policy.coerces || policy.skipsInvalid || policy.acceptsSingle || policy.isLenient { return nil }
        return switch shape {
        case .primitive(let primitive): kind(primitive)
        case .list(.primitive(.string)): "Strings"
        default: nil
        }
    }

    /// The statements that end a `load` of one payload, whose result is optional.
    ///
    /// - Parameters:
    ///   - wrap: the function that makes the result of the value.
    ///   - label: the label of the function's argument.
    func payload(
        of shape: Shape, _ policy: Policy, wrap: Expression? = nil, label: String? = nil
    ) -> [Statement] {
        func call(_ function: Expression, _ value: Expression) -> Expression {
            .call(function, [label.map { Argument($0, value) } ?? Argument(value)])
        }
        if shape.loadsOptional {
            let value = value(of: shape, policy, reader: reader)
            guard let wrap else { return [.expression(value)] }
            if label == nil { return [.expression(value.method("map", wrap))] }
            return [.expression(value.method("map", closure: call(wrap, .parameter(0))))]
        }
        if shape.isOptional, wrap == nil { return [.expression(value(of: shape, policy, reader: reader))] }
        let read = self.value(of: shape.wrapped, policy, reader: reader)
        // Before a JSON value, `nil` would be its null.
        let none = if case .primitive(.json) = shape.wrapped { Expression.implicit("none") } else { Expression.null }
        let value = Expression.name("value")
        return [
            .constant(
                name: "value", type: spelling.type(shape),
                shape.isOptional ? .conditional(readsNull, none, otherwise: read) : read),
            .result(
                .conditional(
                    .member(reader, "isFaulted"), .null,
                    otherwise: wrap.map { call($0, value) } ?? value)),
        ]
    }

    /// The expression that reads a value of a type with a function of its own.
    func load(_ type: SwiftType) -> Expression { Self.load(type, from: reader) }

    private static func load(_ type: SwiftType, from reader: Expression) -> Expression {
        type.method("load", [Argument("from", .reference(reader))])
    }

    /// A function that reads the data of an error or an outcome.
    func dataLoader(of shape: Shape) -> Expression { loader(of: shape, Policy()) }

    /// An expression that reads one value that is not null. It is optional where `Shape.loadsOptional` says so.
    func value(of shape: Shape, _ policy: Policy, reader: Expression) -> Expression {
        switch shape {
        case .primitive(let primitive): reader.method(call(primitive, lenient: policy.coerces))
        case .instant(let forms): reader.method("readTimestamp", TextExpressions.forms(forms))
        case .structure(let name), .enumeration(let name), .union(let name):
            Self.load(spelling.type(named: name), from: reader)
        case .list(let element): reader.method(arrayCall(policy), loader(of: element, policy))
        case .map(let element):
            reader.method(policy.skipsInvalid ? "readMapSkippingInvalid" : "readMap", loader(of: element, policy))
        case .optional(let inner): reader.method("readNullable", loader(of: inner, policy))
        }
    }

    /// A function that reads one element: a static one if it exists, otherwise a closure.
    private func loader(of shape: Shape, _ policy: Policy) -> Expression {
        var inner = Policy()
        inner.coerces = policy.coerces
        if isSelfLoading(shape, inner) { return spelling.type(shape).member("load") }
        return .closure(value(of: shape, inner, reader: .parameter(0)))
    }

    /// Whether the type alone says how it is read.
    private func isSelfLoading(_ shape: Shape, _ policy: Policy) -> Bool {
        switch shape {
        case .primitive(let primitive): primitive.isSelfDescribing && !policy.coerces
        case .structure, .enumeration, .union: true
        case .list(let inner), .map(let inner): isSelfLoading(inner, policy)
        // `Int?.load` would be found in `Optional`, but its result is optional once more than a loader's.
        case .optional, .instant: false
        }
    }

    private func arrayCall(_ policy: Policy) -> String {
        switch (policy.acceptsSingle, policy.skipsInvalid) {
        case (false, false): "readArray"
        case (true, false): "readArrayOrSingle"
        case (false, true): "readArraySkippingInvalid"
        case (true, true): "readArrayOrSingleSkippingInvalid"
        }
    }

    private func call(_ primitive: Primitive, lenient: Bool) -> String {
        (lenient && primitive.hasLenientForm ? "readLenient" : "read") + kind(primitive)
    }

    private func kind(_ primitive: Primitive) -> String {
        switch primitive {
        case .string: "String"
        case .bool: "Bool"
        case .int: "Int"
        case .int32: "Int32"
        case .int64: "Int64"
        case .uint: "UInt"
        case .double: "Double"
        case .float: "Float"
        case .decimal: "Decimal"
        case .timestampUnix: "UnixTimestamp"
        case .timestampMilliseconds: "MillisecondTimestamp"
        case .timestamp: "Timestamp"
        case .date: "CalendarDate"
        case .dateOrTimestamp: "DateOrTimestamp"
        case .uuid: "UUID"
        case .url: "URL"
        case .bytes, .file: "Bytes"
        case .json: "Value"
        }
    }
}

extension Shape {
    /// Whether reading it gives an optional, `nil` if the reader has a fault.
    var loadsOptional: Bool {
        switch self {
        case .structure, .enumeration, .union: true
        default: false
        }
    }

    /// The value that a local variable starts with until the key was read; `nil` where only an optional will do.
    func zero(_ spelling: TypeSpelling) -> Expression? {
        switch self {
        case .primitive(let primitive):
            switch primitive {
            case .string: .string("")
            case .bool: .bool(false)
            case .int, .int32, .int64, .uint, .double, .float: .integer(0)
            case .decimal: spelling.library("Decimal").make()
            case .bytes: .array([])
            case .json: SwiftType.named("JSONValue").member("null")
            case .timestamp, .timestampUnix, .timestampMilliseconds, .date, .dateOrTimestamp, .uuid, .url, .file: nil
            }
        case .list: .array([])
        case .map: .emptyDictionary
        case .instant, .structure, .enumeration, .union, .optional: nil
        }
    }
}

extension Primitive {
    /// Whether its Swift type alone says how it looks in JSON.
    var isSelfDescribing: Bool {
        switch self {
        case .timestamp, .timestampUnix, .timestampMilliseconds, .bytes, .file: false
        default: true
        }
    }

    /// Whether `coerce` has a reading of its own for it; the others are strings in any case.
    var hasLenientForm: Bool {
        switch self {
        case .string, .bool, .int, .int32, .int64, .uint, .double, .float, .decimal, .timestampUnix,
            .timestampMilliseconds:
            true
        case .timestamp, .date, .dateOrTimestamp, .uuid, .url, .bytes, .json, .file: false
        }
    }
}
