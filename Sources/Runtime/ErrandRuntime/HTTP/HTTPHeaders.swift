/// Header fields in the order in which they are sent or came (RFC 9110 section 6.3).
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// One field.
    public struct Field: Sendable {
        public var name: String
        public var value: String
        /// Whether the value must not be printed, and not follow a redirect to another origin.
        public var isSensitive: Bool
        /// Whether the field is written for the URL of the request, and is sent there even if another origin than the
        /// service's is responsible for it (`TransportRequest.isForeign`). It doesn't follow a redirect to a further origin.
        public var isForURL: Bool

        public init(_ name: String, _ value: String, isSensitive: Bool = false, isForURL: Bool = false) {
            self.name = name
            self.value = value
            self.isSensitive = isSensitive
            self.isForURL = isForURL
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

    /// The value of all fields of a name together (RFC 9110 section 5.3); nil without one.
    func combined(_ name: String) -> String? {
        let values = fields.filter { Self.isEqual($0.name, name) }.map { Self.trimmed($0.value) }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Adds a field after those that are there.
    public mutating func append(
        _ name: String, _ value: String, isSensitive: Bool = false, isForURL: Bool = false
    ) {
        fields.append(Field(name, value, isSensitive: isSensitive, isForURL: isForURL))
    }

    /// Puts a field in the place of all others of its name.
    public mutating func set(
        _ name: String, _ value: String, isSensitive: Bool = false, isForURL: Bool = false
    ) {
        fields.removeAll { Self.isEqual($0.name, name) }
        append(name, value, isSensitive: isSensitive, isForURL: isForURL)
    }

    /// Whether two names are the same field (RFC 9110 section 5.1: letter case does not count).
    public static func isEqual(_ first: String, _ second: String) -> Bool {
        first.utf8.count == second.utf8.count
            && zip(first.utf8, second.utf8).allSatisfy { lowercase($0) == lowercase($1) }
    }

    /// Whether the body has a content coding (RFC 9110 section 8.4), so that its bytes are not those of the resource.
    var hasContentCoding: Bool { self["Content-Encoding"].map { !Self.isEqual($0, "identity") } ?? false }

    /// The same fields without optional whitespace around their values (RFC 9110 section 5.5).
    func trimmed() -> HTTPHeaders {
        guard fields.contains(where: { Self.hasPadding($0.value) }) else { return self }
        return HTTPHeaders(
            fields.map { field in
                var field = field
                field.value = Self.trimmed(field.value)
                return field
            })
    }

    /// A value without the spaces and tabs around it, which are not part of it (RFC 9110 section 5.5). A value of nothing else is
    /// empty, and is sent as that.
    package static func trimmed(_ value: String) -> String {
        guard hasPadding(value) else { return value }
        let start = value.utf8.drop(while: isPadding)
        let end = start.lastIndex { !isPadding($0) }.map { start.index(after: $0) } ?? start.startIndex
        return String(value[start.startIndex..<end])
    }

    /// The value of `name=value`; nil for any other text.
    static func value(of name: String, in text: String) -> String? {
        let parts = text.split(separator: "=", maxSplits: 1).map { trimmed(String($0)) }
        return parts.count == 2 && isEqual(parts[0], name) ? parts[1] : nil
    }

    private static func hasPadding(_ value: String) -> Bool {
        value.utf8.first.map(isPadding) ?? false || value.utf8.last.map(isPadding) ?? false
    }

    /// Whether the server says that this is the stored response to an earlier request with the same idempotency key. No standard names
    /// the header; these are what services and server libraries send, Stripe's the first of them.
    var sayReplayed: Bool {
        ["Idempotent-Replayed", "Idempotency-Replayed", "X-Idempotent-Replayed"].contains { name in
            self[name].map { $0.lowercased() == "true" } ?? false
            // That of drf-idempotencykey has the key as its value.
        } || self["Cached-From-Idempotency-Key"] != nil
    }

    /// Whether it is a space or a tab.
    package static func isPadding(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func lowercase(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// Whether text begins with these lowercase letters, in any letter case.
    static func begins(_ text: some Collection<UInt8>, with start: StaticString) -> Bool {
        text.count >= start.utf8CodeUnitCount
            && start.withUTF8Buffer { zip($0, text).allSatisfy { $0 == lowercase($1) } }
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names: values may be secrets.
    public var description: String {
        PrintedText.line(fields.map(\.name).joined(separator: ", "), limit: 4 * PrintedText.limit)
    }
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
    private var printedValue: String {
        isSensitive ? Redaction.mark : PrintedText.line(value, limit: PrintedText.limit)
    }
}
