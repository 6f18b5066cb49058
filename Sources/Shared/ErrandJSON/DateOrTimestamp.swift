#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A day or an instant, as calendars and planners have it: an event that lasts all day begins on a day, and any other at an
/// instant.
///
/// A day is no instant: when it begins depends on the time zone. The two therefore have no order.
public enum DateOrTimestamp: Sendable, Hashable {
    /// A day without a time of day and a time zone: `2026-11-21` on the wire.
    case date(CalendarDate)
    /// An instant: `2026-11-21T08:00:00Z` on the wire.
    case timestamp(Date)

    /// From `full-date` or `date-time` of RFC 3339 section 5.6, and nothing else.
    public init?(_ text: String) {
        let parsed = Array(text.utf8).withUnsafeBufferPointer { DateOrTimestamp(bytes: $0) }
        guard let parsed else { return nil }
        self = parsed
    }

    init?(bytes: UnsafeBufferPointer<UInt8>) {
        if let day = CalendarDate(bytes: bytes) {
            self = .date(day)
        } else if let instant = TimestampText.date(bytes) {
            self = .timestamp(instant)
        } else {
            return nil
        }
    }

    /// The text that JSON has. Nil for an instant outside the years 0 to 9999.
    public var text: String? {
        switch self {
        case .date(let day): JSONText.of(day)
        case .timestamp(let instant): JSONText.timestamp(instant)
        }
    }
}

extension DateOrTimestamp: Codable {
    /// From the text that `text` gives.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = DateOrTimestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a date such as 2026-11-21, and not an RFC 3339 timestamp")
        }
        self = value
    }

    /// As the text that `text` gives.
    public func encode(to encoder: any Encoder) throws {
        guard let text else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "not in the years 0 to 9999"))
        }
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension DateOrTimestamp: JSONReadable {
    /// See `JSONReader.readDateOrTimestamp`.
    public static func load(from reader: inout JSONReader) -> DateOrTimestamp? {
        let value = reader.readDateOrTimestamp()
        return reader.isFaulted ? nil : value
    }
}

extension DateOrTimestamp: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension JSONReader {
    /// Reads a day or an instant as text, `full-date` or `date-time` of RFC 3339 section 5.6: `2026-11-21`,
    /// `2026-11-21T02:57:01Z`.
    public mutating func readDateOrTimestamp() -> DateOrTimestamp {
        readText("date or RFC 3339 timestamp", DateOrTimestamp.init(bytes:)) ?? .timestamp(Self.epoch)
    }

    /// Reads a day or an instant; see `readDateOrTimestamp()`.
    @inline(never) public mutating func readDateOrTimestamp(_ value: inout DateOrTimestamp?) {
        value = readDateOrTimestamp()
    }

    /// Reads a day or an instant or null; see `readDateOrTimestamp()`.
    @inline(never) public mutating func readOptionalDateOrTimestamp(_ value: inout DateOrTimestamp?) {
        value = readNull() ? nil : readDateOrTimestamp()
    }
}

extension JSONWriter {
    /// Writes a day or an instant as a string (RFC 3339 section 5.6), an instant as `writeTimestamp(_:)` does.
    public mutating func write(_ value: DateOrTimestamp) {
        switch value {
        case .date(let day): write(day)
        case .timestamp(let instant): writeTimestamp(instant)
        }
    }
}
