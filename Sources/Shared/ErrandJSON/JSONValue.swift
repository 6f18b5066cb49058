/// Any JSON value, such as that of a `json` field.
///
/// Numbers keep their text and objects their order. Comparisons ignore both.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// From a whole document.
    ///
    /// - Throws: the document's first fault.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        self = try JSON.scan(bytes) { (reader: inout JSONReader) in reader.readValue() }
    }

    /// From a whole document.
    ///
    /// - Throws: the document's first fault.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: Array(text.utf8))
    }

    /// The value of a key; nil if the object doesn't have the key, or if this value isn't an object. Setting a key turns any
    /// other value into an object.
    public subscript(key: String) -> JSONValue? {
        get {
            guard case .object(let object) = self else { return nil }
            return object[key]
        }
        set {
            var object = JSONObject()
            if case .object(let current) = self { object = current }
            // Let go of the old copy first, so that the change happens in place.
            self = .null
            object[key] = newValue
            self = .object(object)
        }
    }

    /// An element; nil if the array doesn't have it, or if this value isn't an array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let list) = self, list.indices.contains(index) else { return nil }
        return list[index]
    }

    /// What kind of value this is.
    public var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// The text of a string; nil for anything else.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The number; nil for anything else.
    public var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The bool; nil for anything else.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements of an array; nil for anything else.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The object; nil for anything else.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String {
        var writer = JSONWriter()
        writer.write(self)
        // A JSONValue holds only values of JSON, so the writer has no fault.
        guard let bytes = try? writer.finish() else { return "null" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }

    public init(booleanLiteral value: Bool) { self = .bool(value) }

    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }

    /// A literal that is not finite is `null`.
    public init(floatLiteral value: Double) {
        self = JSONNumber(value).map(JSONValue.number) ?? .null
    }

    public init(stringLiteral value: String) { self = .string(value) }

    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// The last of several values with one key is kept.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (key, value) in elements { object[key] = value }
        self = .object(object)
    }
}
