/// Some of the kinds of JSON values.
public struct JSONKinds: OptionSet, Sendable, Hashable {
    /// One bit for each kind.
    public let rawValue: UInt8

    /// The kinds with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Strings.
    public static let string = JSONKinds(rawValue: 1)
    /// Numbers without a fraction, such as `3` and `3.0`.
    public static let integer = JSONKinds(rawValue: 2)
    /// Numbers. Together with ``integer``, those with a fraction, and those that no integer type holds.
    public static let number = JSONKinds(rawValue: 4)
    /// `true` and `false`.
    public static let bool = JSONKinds(rawValue: 8)
    /// Arrays.
    public static let array = JSONKinds(rawValue: 16)
    /// Objects.
    public static let object = JSONKinds(rawValue: 32)

    private static let names = ["string", "integer", "number", "bool", "array", "object"]

    /// The expectation of a fault: `string`, or `one of string, object`.
    var expectation: String {
        let names = Self.names.indices.filter { rawValue & (1 << $0) != 0 }.map { Self.names[$0] }
        return (names.count == 1 ? "" : "one of ") + names.joined(separator: ", ")
    }
}

extension JSONReader {
    /// Looks ahead at the next value, which is not consumed, and returns which of `kinds` it has. Unions by kinds use it to identify
    /// their case. Returns no kind for a value of another kind. A null and the end of the document are faults.
    public mutating func peekKind(among kinds: JSONKinds) -> JSONKinds {
        let found: JSONKinds
        switch peekKind() {
        case .string: found = .string
        case .number: found = kinds.contains(.integer) ? kindOfNumber(kinds) : .number
        case .bool: found = .bool
        case .array: found = .array
        case .object: found = .object
        case .null, .end:
            recordOtherKind(kinds)
            return []
        }
        if kinds.contains(found) { return found }
        if completeAbove != .max { recordOtherKind(kinds) }
        return []
    }

    /// A broken number is a number, and a fault once it is read.
    private func kindOfNumber(_ kinds: JSONKinds) -> JSONKinds {
        var syntaxError = SyntaxError.none
        let number = JSONSyntax.scanNumber(cursor, end, &syntaxError)
        guard syntaxError == .none else { return .number }
        switch WholeNumber(number) {
        case .magnitude: return .integer
        case .fraction: return .number
        case .tooLarge: return kinds.contains(.number) ? .number : .integer
        }
    }

    private mutating func recordOtherKind(_ kinds: JSONKinds) {
        guard cursor < end else { return recordMismatch("value") }
        let found = JSONSyntax.kind(startingWith: cursor.pointee)
        record(
            PendingFault(
                code: found == .end ? .invalidSyntax : .typeMismatch(found: found), offset: cursor - start,
                expectation: .text(kinds.expectation)))
    }
}
