/// JSON as it is on the wire: numbers keep their text, objects their order and their duplicates.
///
/// The services read requests and write responses with it, so that they share no code with the clients that they test.
public enum WireJSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([WireJSON])
    case object([Member])

    public struct Member: Sendable, Equatable {
        public var name: String
        public var value: WireJSON

        public init(_ name: String, _ value: WireJSON) {
            self.name = name
            self.value = value
        }
    }

    /// The member of that name; nil if the object lacks it, or if this isn't an object.
    public subscript(name: String) -> WireJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    public var numberText: String? {
        if case .number(let text) = self { text } else { nil }
    }

    public var integer: Int? { numberText.flatMap { Int($0) } }

    public var flag: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    public var elements: [WireJSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    public var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The text of a scalar as a query would contain it.
    public var scalarText: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let flag): flag ? "true" : "false"
        default: nil
        }
    }
}

extension WireJSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(String(value)) }
    public init(floatLiteral value: Double) { self = .number(String(value)) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: WireJSON...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, WireJSON)...) {
        self = .object(elements.map(Member.init))
    }

    public static func number(_ value: some BinaryInteger) -> WireJSON { .number(String(value)) }
}

// MARK: Writing

extension WireJSON: CustomStringConvertible {
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let text): text
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[" + elements.map(\.description).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.name) + ":" + $0.value.description }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
