import ContractModel

/// The statements that read JSON into local variables: calls of `JSONReader`, one for each shape and policy.
struct ReadStatements {
    let spelling: TypeSpelling

    /// How a field's value is read, beyond its shape.
    struct Policy {
        var coerces = false
        var skipsInvalid = false
        var acceptsSingle = false

        init() {}

        init(_ field: FieldDefinition) {
            coerces = field.coerces
            skipsInvalid = field.skipsInvalid
            acceptsSingle = field.acceptsSingle
        }
    }

    /// The statement that reads a field, `reader.readInt(&id)`, with what null and the field's options ask for.
    func assignment(of field: FieldDefinition, shape: Shape, to local: String) -> Statement {
        let policy = Policy(field)
        if !field.distinguishesNull, let call = variableCall(shape.wrapped, policy) {
            if shape.isOptional, call != "Strings" { return .expression("reader.readOptional\(call)(&\(local))") }
            let read = Statement.expression("reader.read\(call)(&\(local))")
            if field.defaultValue != nil { return .condition(Self.isNotNull, [read]) }
            if !shape.isOptional { return read }
        }
        let value = value(of: shape.wrapped, policy, reader: "reader")
        let isNull = field.coerces ? "reader.readNullOrEmpty()" : "reader.readNull()"
        if field.distinguishesNull {
            return shape.wrapped.loadsOptional
                ? .nullableRead(into: local, isNull: isNull, value: value)
                : .assignment(name: local, "\(isNull) ? .null : .value(\(value))")
        }
        if shape.isOptional { return .assignment(name: local, "\(isNull) ? nil : \(value)") }
        let read = Statement.assignment(name: local, value)
        // For a field with a default, null means the default, as a missing key does.
        return field.defaultValue == nil ? read : .condition(Self.isNotNull, [read])
    }

    private static let isNotNull = "!reader.readNull()"

    /// The call that reads a value of this shape into a variable, after `read` or `readOptional`; `nil` where there is
    /// none. It is the shortest code there is.
    private func variableCall(_ shape: Shape, _ policy: Policy) -> String? {
        if policy.coerces || policy.skipsInvalid || policy.acceptsSingle { return nil }
        return switch shape {
        case .primitive(let primitive): kind(primitive)
        case .list(.primitive(.string)): "Strings"
        default: nil
        }
    }

    /// The statements that end a `load` of one payload, whose result is optional.
    ///
    /// - Parameter wrap: what is made of the value, as a function's name: `.completed`.
    func payload(of shape: Shape, _ policy: Policy, wrap: String? = nil) -> [Statement] {
        if shape.loadsOptional {
            let value = value(of: shape, policy, reader: "reader")
            return [.expression(wrap.map { "\(value).map(\($0))" } ?? value)]
        }
        if shape.isOptional, wrap == nil { return [.expression(value(of: shape, policy, reader: "reader"))] }
        let value = value(of: shape.wrapped, policy, reader: "reader")
        // Before a JSON value, `nil` would be its null.
        let none = if case .primitive(.json) = shape.wrapped { ".none" } else { "nil" }
        let read = shape.isOptional ? "reader.readNull() ? \(none) : \(value)" : value
        return [
            .constant(name: "value", type: spelling.spelled(shape), read),
            .result("reader.isFaulted ? nil : \(wrap.map { $0 + "(value)" } ?? "value")"),
        ]
    }

    /// A function that reads the data of an error or an outcome.
    func dataLoader(of shape: Shape) -> String { loader(of: shape, Policy()) }

    /// An expression that reads one value that is not null. It is optional where `Shape.loadsOptional` says so.
    func value(of shape: Shape, _ policy: Policy, reader: String) -> String {
        switch shape {
        case .primitive(let primitive): reader + "." + call(primitive, lenient: policy.coerces) + "()"
        case .instant(let format): "\(reader).readTimestamp(\(TextExpressions.arguments(format)))"
        case .structure(let name), .enumeration(let name), .union(let name):
            "\(spelling.type(named: name)).load(from: &\(reader))"
        case .list(let element): "\(reader).\(arrayCall(policy))(\(loader(of: element, policy)))"
        case .map(let element): "\(reader).readMap(\(loader(of: element, policy)))"
        case .optional(let inner): "\(reader).readNullable(\(loader(of: inner, policy)))"
        }
    }

    /// A function that reads one element: a static one if it exists, otherwise a closure.
    private func loader(of shape: Shape, _ policy: Policy) -> String {
        var inner = Policy()
        inner.coerces = policy.coerces
        if let type = selfLoading(shape, inner) { return type + ".load" }
        switch shape {
        case .structure(let name), .enumeration(let name), .union(let name):
            return "\(spelling.type(named: name)).load"
        default: return "{ \(value(of: shape, inner, reader: "$0")) }"
        }
    }

    /// The type's spelling, if the type alone says how it is read.
    private func selfLoading(_ shape: Shape, _ policy: Policy) -> String? {
        switch shape {
        case .primitive(let primitive): primitive.isSelfDescribing && !policy.coerces ? spelling.spelled(shape) : nil
        case .structure, .enumeration, .union: spelling.spelled(shape)
        case .list(let inner), .map(let inner): selfLoading(inner, policy) == nil ? nil : spelling.spelled(shape)
        // `Int?.load` would be found in `Optional`, but its result is optional once more than a loader's.
        case .optional, .instant: nil
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
    func zero(_ spelling: TypeSpelling) -> String? {
        switch self {
        case .primitive(let primitive):
            switch primitive {
            case .string: "\"\""
            case .bool: "false"
            case .int, .int32, .int64, .uint, .double, .float: "0"
            case .decimal: spelling.library("Decimal") + "()"
            case .timestamp, .timestampUnix, .timestampMilliseconds: spelling.library("Date") + ".distantPast"
            case .bytes: "[]"
            case .json: "JSONValue.null"
            case .date, .uuid, .url, .file: nil
            }
        case .instant: spelling.library("Date") + ".distantPast"
        case .list: "[]"
        case .map: "[:]"
        case .structure, .enumeration, .union, .optional: nil
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
        case .timestamp, .date, .uuid, .url, .bytes, .json, .file: false
        }
    }
}
