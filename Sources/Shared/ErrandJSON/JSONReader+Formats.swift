#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONReader {
    /// Reads a timestamp as text (RFC 3339 section 5.6): `2026-11-21T02:57:01.25+02:00`.
    ///
    /// `T` may be a space or lower-case, `Z` lower-case. The fraction is optional and counts to the nanosecond. A leap second
    /// is accepted only at the end of a month in UTC, and is read as the second after it, since `Date` has none.
    public mutating func readTimestamp() -> Date {
        readText("RFC 3339 timestamp", TimestampText.date) ?? Self.epoch
    }

    /// Reads a timestamp in a service's own spelling: `yyyy-MM-dd HH:mm:ss`.
    ///
    /// - Parameters:
    ///   - pattern: the date fields of Unicode (UTS #35) that the contract language accepts.
    ///   - offset: seconds east of UTC, for a pattern without an offset of its own.
    public mutating func readTimestamp(_ pattern: StaticString, offset: Int = 0) -> Date {
        readText(pattern) { TimestampPattern.date($0, pattern.buffer, offset: offset) } ?? Self.epoch
    }

    /// Reads a timestamp as seconds since 1970-01-01 UTC, whole or with a fraction.
    public mutating func readUnixTimestamp() -> Date { readTimestamp(perSecond: 1) }

    /// Reads a timestamp as milliseconds since 1970-01-01 UTC, whole or with a fraction.
    public mutating func readMillisecondTimestamp() -> Date { readTimestamp(perSecond: 1000) }

    /// Reads a day as text, `full-date` of RFC 3339 section 5.6: `2026-11-21`.
    public mutating func readCalendarDate() -> CalendarDate {
        readText("calendar date", CalendarDate.init(bytes:)) ?? CalendarDate.zero
    }

    /// Reads a UUID as text, in either case, with its four hyphens (RFC 9562 section 4).
    public mutating func readUUID() -> UUID {
        readText("UUID", UUIDText.uuid) ?? UUIDText.zero
    }

    /// Reads a URL as text, absolute or relative, as the platform's `URL` accepts it. An empty text is a fault.
    public mutating func readURL() -> URL {
        readText("URL") { URL(string: String(decoding: $0, as: UTF8.self)) } ?? Self.noURL
    }

    /// Reads bytes as text in base64 with the standard alphabet, padded or not (RFC 4648 section 4).
    public mutating func readBytes() -> [UInt8] {
        readText("base64", Base64.decode) ?? []
    }

    private mutating func readTimestamp(perSecond: Int) -> Date {
        guard let number = readNumberExtent("number") else { return Self.epoch }
        return date(number, perSecond: perSecond)
    }

    mutating func date(_ number: NumberExtent, perSecond: Int) -> Date {
        if let date = TimestampText.date(number, perSecond: perSecond) { return date }
        record(.numberOutOfRange, at: number.start, expected: "timestamp")
        return Self.epoch
    }

    /// What calls return after a fault.
    static var epoch: Date { Date(timeIntervalSinceReferenceDate: 0) }
    private static var noURL: URL { URL(fileURLWithPath: "/") }
}

extension CalendarDate {
    /// What calls return after a fault.
    fileprivate static let zero = CalendarDate(unchecked: 1970, 1, 1)

    private init(unchecked year: Int, _ month: Int, _ day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }
}

/// `UUID` from and to text (RFC 9562 section 4).
enum UUIDText {
    static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    static func uuid(_ text: UnsafeBufferPointer<UInt8>) -> UUID? {
        guard text.count == 36 else { return nil }
        var bytes = zero.uuid
        let isValid = withUnsafeMutableBytes(of: &bytes) { bytes in
            var index = 0
            for position in 0..<16 {
                if position == 4 || position == 6 || position == 8 || position == 10 {
                    guard text[index] == ASCII.minus else { return false }
                    index += 1
                }
                guard let high = ASCII.hexValue(text[index]), let low = ASCII.hexValue(text[index + 1])
                else { return false }
                bytes[position] = high << 4 | low
                index += 2
            }
            return true
        }
        return isValid ? UUID(uuid: bytes) : nil
    }

    /// The bytes of the text.
    static var length: Int { 36 }

    /// Writes the text in lower case, as RFC 9562 section 4 recommends, and returns its length.
    static func write(_ value: UUID, to target: UnsafeMutablePointer<UInt8>) -> Int {
        withUnsafeBytes(of: value.uuid) { bytes in
            var output = target
            for position in 0..<16 {
                if position == 4 || position == 6 || position == 8 || position == 10 {
                    output[0] = ASCII.minus
                    output += 1
                }
                output[0] = hexDigit(bytes[position] >> 4)
                output[1] = hexDigit(bytes[position] & 0x0F)
                output += 2
            }
            return length
        }
    }

    @inline(__always)
    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? ASCII.zero &+ value : 0x57 &+ value }
}
