#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `coerce: true`: servers that send a number as a string, or the reverse. The text must be a JSON
/// number as a whole (RFC 8259 section 6), without white space.
extension JSONReader {
    /// Reads `true` or `false`, `1` or `0`, or one of those four as a string.
    public mutating func readLenientBool() -> Bool {
        let kind = peekKind()
        if kind == .bool { return readBool() }
        let before = cursor
        guard kind == .number || kind == .string, let extent = readScalarExtent() else {
            recordMismatch("bool")
            return false
        }
        let index = Self.bools.table.index(of: extent)
        if index < 0 { record(.typeMismatch(found: kind), at: before, expected: "bool") }
        return index == 0 || index == 1
    }

    /// Reads an integer, or one as a string; see `readInt`.
    public mutating func readLenientInt() -> Int { readLenientInteger("int") }

    /// Reads an integer of 32 bits, or one as a string; see `readInt`.
    public mutating func readLenientInt32() -> Int32 { readLenientInteger("int32") }

    /// Reads an integer of 64 bits, or one as a string; see `readInt`.
    public mutating func readLenientInt64() -> Int64 { readLenientInteger("int64") }

    /// Reads an integer that is not negative, or one as a string; see `readInt`.
    public mutating func readLenientUInt() -> UInt { readLenientInteger("uint") }

    /// Reads a number, or one as a string; see `readDouble`.
    public mutating func readLenientDouble() -> Double {
        withLenientNumber("number") { reader, number in
            reader.checked(DoubleRounding.double(number), number)
        } ?? 0
    }

    /// Reads a number, or one as a string; see `readFloat`.
    public mutating func readLenientFloat() -> Float {
        withLenientNumber("number") { reader, number in
            reader.checked(DoubleRounding.float(number), number)
        } ?? 0
    }

    /// Reads a decimal number, or one as a string; see `readDecimal`.
    public mutating func readLenientDecimal() -> Decimal {
        let value = withLenientNumber("decimal") { reader, number in
            if let value = DecimalText.decimal(number) { return value }
            reader.record(.numberOutOfRange, at: number.start, expected: "decimal")
            return Decimal(0)
        }
        return value ?? 0
    }

    /// Reads a string, or a number or bool as its text in the document.
    public mutating func readLenientString() -> String {
        guard let extent = readScalarExtent() else { return "" }
        return JSONSyntax.makeString(extent)
    }

    /// Reads seconds since 1970-01-01 UTC, or those as a string.
    public mutating func readLenientUnixTimestamp() -> Date {
        withLenientNumber("number") { $0.date($1, perSecond: 1) } ?? Self.epoch
    }

    /// Reads milliseconds since 1970-01-01 UTC, or those as a string.
    public mutating func readLenientMillisecondTimestamp() -> Date {
        withLenientNumber("number") { $0.date($1, perSecond: 1000) } ?? Self.epoch
    }

    // MARK: Steps

    private static let bools = JSONTokens(["true", "1", "false", "0"])

    private mutating func readLenientInteger<Number: FixedWidthInteger>(
        _ expectation: StaticString
    ) -> Number {
        if peekKind() != .string { return readInteger(expectation) }
        return withLenientNumber(expectation) { $0.integer($1, expectation) } ?? 0
    }

    /// Consumes a number, or a string that holds one, and lends it. A fault raised from within is at the value, even if the
    /// number's bytes are elsewhere.
    private mutating func withLenientNumber<Value>(
        _ expectation: StaticString, _ body: (inout JSONReader, NumberExtent) -> Value
    ) -> Value? {
        guard peekKind() == .string else {
            guard let number = readNumberExtent(expectation) else { return nil }
            return body(&self, number)
        }
        let first = cursor
        guard let extent = readStringExtent(expectation) else { return nil }
        // No server escapes digits, and a fault in an unescaped copy would have no position in the document.
        guard !extent.isEscaped else {
            record(.typeMismatch(found: .string), at: first, expected: expectation)
            return nil
        }
        var syntaxError = SyntaxError.none
        let number = JSONSyntax.scanNumber(extent.start, extent.close, &syntaxError)
        guard syntaxError == .none, number.end == extent.close else {
            record(.typeMismatch(found: .string), at: first, expected: expectation)
            return nil
        }
        return body(&self, number)
    }
}
