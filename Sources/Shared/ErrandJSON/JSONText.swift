#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The text of values outside JSON: in queries, paths, headers and forms. What JSON writes between
/// quotes, or as a number, is the same text, so that a value has one form in all places.
public enum JSONText {
    /// `true` or `false`.
    public static func of(_ value: Bool) -> String { value ? "true" : "false" }

    /// The digits of an integer.
    public static func of<Number: BinaryInteger>(_ value: Number) -> String { String(value) }

    /// The shortest text that reads back as the same bits; `1` for 1.0. Nil for NaN and infinities.
    public static func of(_ value: Double) -> String? {
        value.isFinite ? text(ShortestDouble.maximumLength) { ShortestDouble.write(value, to: $0) } : nil
    }

    /// The shortest text that reads back as the same bits. Nil for NaN and infinities.
    public static func of(_ value: Float) -> String? {
        value.isFinite ? withoutPoint(value.description) : nil
    }

    /// All digits in plain notation, without trailing zeros. Nil for NaN.
    public static func of(_ value: Decimal) -> String? { DecimalText.text(value) }

    /// The text itself.
    public static func of(_ value: String) -> String { value }

    /// Lower case, with hyphens (RFC 9562 section 4).
    public static func of(_ value: UUID) -> String {
        text(UUIDText.length) { UUIDText.write(value, to: $0) }
    }

    /// The URL's text.
    public static func of(_ value: URL) -> String { value.absoluteString }

    /// Base64, padded (RFC 4648 section 4).
    public static func of(_ value: [UInt8]) -> String {
        text(Base64.length(of: value)) { Base64.encode(value, to: $0) }
    }

    /// `2026-11-21`.
    public static func of(_ value: CalendarDate) -> String { value.description }

    /// RFC 3339 in UTC, to the microsecond: `2026-11-21T02:57:01Z`, with three or six digits of
    /// fraction if it has one. Nil outside the years 0 to 9999.
    public static func timestamp(_ value: Date) -> String? {
        TimestampText.Moment(value).map { text(TimestampText.maximumLength, $0.write) }
    }

    /// An instant in a service's own spelling, as `JSONReader.readTimestamp(_:offset:)` reads it. Nil outside the years 0 to 9999.
    public static func timestamp(_ value: Date, _ pattern: StaticString, offset: Int = 0) -> String? {
        TimestampPattern.text(value, pattern.buffer, offset: offset)
    }

    /// The same by a pattern that is known at run time only.
    package static func timestamp(_ value: Date, pattern: String, offset: Int = 0) -> String? {
        Array(pattern.utf8).withUnsafeBufferPointer { TimestampPattern.text(value, $0, offset: offset) }
    }

    /// Seconds since 1970-01-01 UTC, to the microsecond. Nil outside the years 0 to 9999.
    public static func unixTimestamp(_ value: Date) -> String? {
        TimestampText.Moment(value).map { text(TimestampText.maximumLength, $0.writeSeconds) }
    }

    /// Whole milliseconds since 1970-01-01 UTC. Nil outside the years 0 to 9999.
    public static func millisecondTimestamp(_ value: Date) -> String? {
        TimestampText.Moment(value).map { of($0.milliseconds) }
    }

    /// Text of at most `length` bytes. The closure writes the bytes and returns their number.
    static func text(_ length: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) -> String {
        String(unsafeUninitializedCapacity: length) { $0.baseAddress.map(write) ?? 0 }
    }

    /// JSON has one kind of number: `1.0` is a longer way to write `1`.
    private static func withoutPoint(_ text: String) -> String {
        text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
