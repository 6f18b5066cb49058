#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONWriter {
    /// Writes `null`.
    public mutating func writeNull() { writeWord(0x6C6C_756E, 4) }

    /// Writes `true` or `false`.
    public mutating func write(_ value: Bool) {
        if value { writeWord(0x6575_7274, 4) } else { writeWord(0x65_736C_6166, 5) }
    }

    /// Writes an integer.
    public mutating func write(_ value: Int) { write(Int64(value)) }

    /// Writes an integer.
    public mutating func write(_ value: Int32) { write(Int64(value)) }

    /// Writes an integer.
    public mutating func write(_ value: Int64) {
        writeInteger(value.magnitude, isNegative: value < 0)
    }

    /// Writes an integer.
    public mutating func write(_ value: UInt) { writeInteger(UInt64(value), isNegative: false) }

    /// Writes the shortest number that reads back as the same bits. NaN and the infinities are a fault
    /// (RFC 8259 section 6).
    public mutating func write(_ value: Double) {
        guard value.isFinite else { return record(.notWritable, "finite number") }
        writeBytes(ShortestDouble.maximumLength, isQuoted: false) { ShortestDouble.write(value, to: $0) }
    }

    /// Writes the shortest number that reads back as the same bits. NaN and the infinities are a fault.
    public mutating func write(_ value: Float) { write(number: JSONText.of(value)) }

    /// Writes all digits, in plain notation. NaN is a fault.
    public mutating func write(_ value: Decimal) {
        guard let parts = DecimalParts(value), let length = parts.length else {
            return write(number: JSONText.of(value))
        }
        writeBytes(length, isQuoted: false, parts.write)
    }

    /// Writes a string, with the escapes that RFC 8259 section 7 demands and no others.
    public mutating func write(_ value: String) {
        let isWritten: Void? = value.utf8.withContiguousStorageIfAvailable { writeQuoted($0) }
        if isWritten != nil { return }
        var copy = value
        copy.withUTF8 { writeQuoted($0) }
    }

    /// Writes a UUID as a string in lower case.
    public mutating func write(_ value: UUID) {
        writeBytes(UUIDText.length, isQuoted: true) { UUIDText.write(value, to: $0) }
    }

    /// Writes a URL as a string.
    public mutating func write(_ value: URL) { write(JSONText.of(value)) }

    /// Writes bytes as a string in base64, padded (RFC 4648 section 4).
    public mutating func write(_ value: [UInt8]) {
        writeBytes(Base64.length(of: value), isQuoted: true) { Base64.encode(value, to: $0) }
    }

    /// Writes a day as a string: `"2026-11-21"`.
    public mutating func write(_ value: CalendarDate) {
        writeBytes(CalendarDate.length, isQuoted: true, value.write)
    }

    /// Writes a timestamp as a string (RFC 3339 section 5.6), in UTC, to the microsecond. A date
    /// outside the years 0 to 9999 is a fault.
    public mutating func writeTimestamp(_ value: Date) {
        guard let moment = TimestampText.Moment(value) else { return recordDate() }
        writeBytes(TimestampText.maximumLength, isQuoted: true, moment.write)
    }

    /// Writes a timestamp in a service's own spelling, as `readTimestamp(_:offset:)` reads it. Units that are finer than the
    /// pattern's fields are cut off. A date outside the years 0 to 9999 is a fault.
    public mutating func writeTimestamp(_ value: Date, _ pattern: StaticString, offset: Int = 0) {
        guard let text = JSONText.timestamp(value, pattern, offset: offset) else { return recordDate() }
        write(text)
    }

    /// Writes a timestamp as seconds since 1970-01-01 UTC, to the microsecond. A date outside the years
    /// 0 to 9999 is a fault.
    public mutating func writeUnixTimestamp(_ value: Date) {
        guard let moment = TimestampText.Moment(value) else { return recordDate() }
        writeBytes(TimestampText.maximumLength, isQuoted: false, moment.writeSeconds)
    }

    /// Writes a timestamp as whole milliseconds since 1970-01-01 UTC. A date outside the years 0 to
    /// 9999 is a fault.
    public mutating func writeMillisecondTimestamp(_ value: Date) {
        guard let moment = TimestampText.Moment(value) else { return recordDate() }
        let milliseconds = moment.milliseconds
        writeInteger(milliseconds.magnitude, isNegative: milliseconds < 0)
    }

    /// Writes a value of any kind.
    public mutating func write(_ value: JSONValue) {
        switch value {
        case .null: writeNull()
        case .bool(let value): write(value)
        case .number(let value): writeRaw(value.text)
        case .string(let value): write(value)
        case .array(let list): writeArray(list) { $1.write($0) }
        case .object(let object):
            beginObject()
            for (key, value) in object {
                self.key(dynamic: key)
                write(value)
            }
            endObject()
        }
    }

    /// Writes a model.
    @inlinable
    public mutating func write<Value: JSONWritable>(_ value: Value) { value.write(to: &self) }

    /// Writes an array: `writer.writeArray(dates) { $1.writeTimestamp($0) }`.
    @inlinable
    public mutating func writeArray<Element>(
        _ list: [Element], _ element: (Element, inout JSONWriter) -> Void
    ) {
        beginArray()
        for value in list { element(value, &self) }
        endArray()
    }

    /// Writes a map as an object, its keys in the order of their text, so that equal maps give equal
    /// documents.
    @inlinable
    public mutating func writeMap<Value>(
        _ map: [String: Value], _ value: (Value, inout JSONWriter) -> Void
    ) {
        beginObject()
        for (key, item) in map.sorted(by: { $0.key < $1.key }) {
            self.key(dynamic: key)
            value(item, &self)
        }
        endObject()
    }

    private mutating func write(number text: String?) {
        guard let text else { return record(.notWritable, "finite number") }
        writeRaw(text)
    }

    private mutating func recordDate() { record(.notWritable, "date in the years 0 to 9999") }
}
