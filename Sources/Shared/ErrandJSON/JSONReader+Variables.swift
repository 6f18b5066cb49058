#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Reading into a variable: what generated models do for most of their fields. Each call is one branch of a `switch` and
// nothing else, so that a model costs the compiler little; a value that is returned costs a store, a release of what was
// there before, and a way for each variable through all the branches. They are not inlined, or that would come back.
//
// After a fault a variable holds a zero value, as the calls that return one do.

extension JSONReader {
    /// Reads a string; see `readString()`.
    @inline(never) public mutating func readString(_ value: inout String) { value = readString() }

    /// Reads `true` or `false`; see `readBool()`.
    @inline(never) public mutating func readBool(_ value: inout Bool) { value = readBool() }

    /// Reads an integer; see `readInt()`.
    @inline(never) public mutating func readInt(_ value: inout Int) { value = readInt() }

    /// Reads an integer of 32 bits; see `readInt32()`.
    @inline(never) public mutating func readInt32(_ value: inout Int32) { value = readInt32() }

    /// Reads an integer of 64 bits; see `readInt64()`.
    @inline(never) public mutating func readInt64(_ value: inout Int64) { value = readInt64() }

    /// Reads an integer that is not negative; see `readUInt()`.
    @inline(never) public mutating func readUInt(_ value: inout UInt) { value = readUInt() }

    /// Reads a number; see `readDouble()`.
    @inline(never) public mutating func readDouble(_ value: inout Double) { value = readDouble() }

    /// Reads a number of 32 bits; see `readFloat()`.
    @inline(never) public mutating func readFloat(_ value: inout Float) { value = readFloat() }

    /// Reads a decimal number; see `readDecimal()`.
    @inline(never) public mutating func readDecimal(_ value: inout Decimal) { value = readDecimal() }

    /// Reads a timestamp as text; see `readTimestamp()`.
    @inline(never) public mutating func readTimestamp(_ value: inout Date?) { value = readTimestamp() }

    /// Reads a timestamp as seconds; see `readUnixTimestamp()`.
    @inline(never) public mutating func readUnixTimestamp(_ value: inout Date?) { value = readUnixTimestamp() }

    /// Reads a timestamp as milliseconds; see `readMillisecondTimestamp()`.
    @inline(never) public mutating func readMillisecondTimestamp(_ value: inout Date?) {
        value = readMillisecondTimestamp()
    }

    /// Reads a day; see `readCalendarDate()`.
    @inline(never) public mutating func readCalendarDate(_ value: inout CalendarDate?) { value = readCalendarDate() }

    /// Reads a UUID; see `readUUID()`.
    @inline(never) public mutating func readUUID(_ value: inout UUID?) { value = readUUID() }

    /// Reads a URL; see `readURL()`.
    @inline(never) public mutating func readURL(_ value: inout URL?) { value = readURL() }

    /// Reads bytes in base64; see `readBytes()`.
    @inline(never) public mutating func readBytes(_ value: inout [UInt8]) { value = readBytes() }

    /// Reads any value; see `readValue()`.
    @inline(never) public mutating func readValue(_ value: inout JSONValue) { value = readValue() }

    /// Reads an array of strings.
    @inline(never) public mutating func readStrings(_ value: inout [String]) { value = readArray(String.load) }
}

// MARK: A value or null

extension JSONReader {
    /// Reads a string or null; see `readString()`.
    @inline(never) public mutating func readOptionalString(_ value: inout String?) {
        value = readNull() ? nil : readString()
    }

    /// Reads `true` or `false` or null; see `readBool()`.
    @inline(never) public mutating func readOptionalBool(_ value: inout Bool?) { value = readNull() ? nil : readBool() }

    /// Reads an integer or null; see `readInt()`.
    @inline(never) public mutating func readOptionalInt(_ value: inout Int?) { value = readNull() ? nil : readInt() }

    /// Reads an integer of 32 bits or null; see `readInt32()`.
    @inline(never) public mutating func readOptionalInt32(_ value: inout Int32?) {
        value = readNull() ? nil : readInt32()
    }

    /// Reads an integer of 64 bits or null; see `readInt64()`.
    @inline(never) public mutating func readOptionalInt64(_ value: inout Int64?) {
        value = readNull() ? nil : readInt64()
    }

    /// Reads an integer that is not negative or null; see `readUInt()`.
    @inline(never) public mutating func readOptionalUInt(_ value: inout UInt?) { value = readNull() ? nil : readUInt() }

    /// Reads a number or null; see `readDouble()`.
    @inline(never) public mutating func readOptionalDouble(_ value: inout Double?) {
        value = readNull() ? nil : readDouble()
    }

    /// Reads a number of 32 bits or null; see `readFloat()`.
    @inline(never) public mutating func readOptionalFloat(_ value: inout Float?) {
        value = readNull() ? nil : readFloat()
    }

    /// Reads a decimal number or null; see `readDecimal()`.
    @inline(never) public mutating func readOptionalDecimal(_ value: inout Decimal?) {
        value = readNull() ? nil : readDecimal()
    }

    /// Reads a timestamp as text or null; see `readTimestamp()`.
    @inline(never) public mutating func readOptionalTimestamp(_ value: inout Date?) {
        value = readNull() ? nil : readTimestamp()
    }

    /// Reads a timestamp as seconds or null; see `readUnixTimestamp()`.
    @inline(never) public mutating func readOptionalUnixTimestamp(_ value: inout Date?) {
        value = readNull() ? nil : readUnixTimestamp()
    }

    /// Reads a timestamp as milliseconds or null; see `readMillisecondTimestamp()`.
    @inline(never) public mutating func readOptionalMillisecondTimestamp(_ value: inout Date?) {
        value = readNull() ? nil : readMillisecondTimestamp()
    }

    /// Reads a day or null; see `readCalendarDate()`.
    @inline(never) public mutating func readOptionalCalendarDate(_ value: inout CalendarDate?) {
        value = readNull() ? nil : readCalendarDate()
    }

    /// Reads a UUID or null; see `readUUID()`.
    @inline(never) public mutating func readOptionalUUID(_ value: inout UUID?) { value = readNull() ? nil : readUUID() }

    /// Reads a URL or null; see `readURL()`.
    @inline(never) public mutating func readOptionalURL(_ value: inout URL?) { value = readNull() ? nil : readURL() }

    /// Reads bytes in base64 or null; see `readBytes()`.
    @inline(never) public mutating func readOptionalBytes(_ value: inout [UInt8]?) {
        value = readNull() ? nil : readBytes()
    }

    /// Reads any value or null, which is nil; see `readValue()`.
    @inline(never) public mutating func readOptionalValue(_ value: inout JSONValue?) {
        // Not `readNull() ? nil : …`, where `nil` is the JSON value null.
        if readNull() { value = .none } else { value = readValue() }
    }
}
