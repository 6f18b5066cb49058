/// Header fields in the order in which they are sent or came (RFC 9110 section 6.3).
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// One field.
    public struct Field: Sendable {
        public var name: String
        public var value: String
        /// Whether the value must not be printed, and not follow a redirect to another origin.
        public var isSensitive: Bool

        public init(_ name: String, _ value: String, isSensitive: Bool = false) {
            self.name = name
            self.value = value
            self.isSensitive = isSensitive
        }
    }

    public private(set) var fields: [Field] = []

    public init() {}

    public init(_ fields: [Field]) { self.fields = fields }

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0.0, $0.1) }
    }

    /// The value of the first field of this name, in any letter case.
    public subscript(_ name: String) -> String? {
        fields.first { Self.isEqual($0.name, name) }?.value
    }

    /// Adds a field after those that are there.
    public mutating func append(_ name: String, _ value: String, isSensitive: Bool = false) {
        fields.append(Field(name, value, isSensitive: isSensitive))
    }

    /// Puts a field in the place of all others of its name.
    public mutating func set(_ name: String, _ value: String, isSensitive: Bool = false) {
        fields.removeAll { Self.isEqual($0.name, name) }
        append(name, value, isSensitive: isSensitive)
    }

    /// Whether two names are the same field (RFC 9110 section 5.1: letter case does not count).
    public static func isEqual(_ first: String, _ second: String) -> Bool {
        first.utf8.count == second.utf8.count
            && zip(first.utf8, second.utf8).allSatisfy { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names: values may be secrets.
    public var description: String { PrintedText.line(fields.map(\.name).joined(separator: ", "), limit: 4 * PrintedText.limit) }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["names": fields.map(\.name)], displayStyle: .struct)
    }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(PrintedText.line(name, limit: PrintedText.limit)): \(printedValue)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(
            self, children: ["name": PrintedText.line(name, limit: PrintedText.limit), "value": printedValue],
            displayStyle: .struct)
    }
    private var printedValue: String { isSensitive ? Redaction.mark : PrintedText.line(value, limit: PrintedText.limit) }
}
