#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that reads itself from JSON. Generated models conform to it.
public protocol JSONReadable {
    /// Reads one value, and consumes it. Nil if the reader is at fault.
    static func load(from reader: inout JSONReader) -> Self?
}

// `Date` and `[UInt8]` are left out on purpose: the contract says in which form they travel.

extension String: JSONReadable {
    /// See `JSONReader.readString`.
    public static func load(from reader: inout JSONReader) -> String? {
        let value = reader.readString()
        return reader.isFaulted ? nil : value
    }
}

extension Bool: JSONReadable {
    /// See `JSONReader.readBool`.
    public static func load(from reader: inout JSONReader) -> Bool? {
        let value = reader.readBool()
        return reader.isFaulted ? nil : value
    }
}

extension Int: JSONReadable {
    /// See `JSONReader.readInt`.
    public static func load(from reader: inout JSONReader) -> Int? {
        let value = reader.readInt()
        return reader.isFaulted ? nil : value
    }
}

extension Int32: JSONReadable {
    /// See `JSONReader.readInt32`.
    public static func load(from reader: inout JSONReader) -> Int32? {
        let value = reader.readInt32()
        return reader.isFaulted ? nil : value
    }
}

extension Int64: JSONReadable {
    /// See `JSONReader.readInt64`.
    public static func load(from reader: inout JSONReader) -> Int64? {
        let value = reader.readInt64()
        return reader.isFaulted ? nil : value
    }
}

extension UInt: JSONReadable {
    /// See `JSONReader.readUInt`.
    public static func load(from reader: inout JSONReader) -> UInt? {
        let value = reader.readUInt()
        return reader.isFaulted ? nil : value
    }
}

extension Double: JSONReadable {
    /// See `JSONReader.readDouble`.
    public static func load(from reader: inout JSONReader) -> Double? {
        let value = reader.readDouble()
        return reader.isFaulted ? nil : value
    }
}

extension Float: JSONReadable {
    /// See `JSONReader.readFloat`.
    public static func load(from reader: inout JSONReader) -> Float? {
        let value = reader.readFloat()
        return reader.isFaulted ? nil : value
    }
}

extension Decimal: JSONReadable {
    /// See `JSONReader.readDecimal`.
    public static func load(from reader: inout JSONReader) -> Decimal? {
        let value = reader.readDecimal()
        return reader.isFaulted ? nil : value
    }
}

extension UUID: JSONReadable {
    /// See `JSONReader.readUUID`.
    public static func load(from reader: inout JSONReader) -> UUID? {
        let value = reader.readUUID()
        return reader.isFaulted ? nil : value
    }
}

extension URL: JSONReadable {
    /// See `JSONReader.readURL`.
    public static func load(from reader: inout JSONReader) -> URL? {
        let value = reader.readURL()
        return reader.isFaulted ? nil : value
    }
}

extension CalendarDate: JSONReadable {
    /// See `JSONReader.readCalendarDate`.
    public static func load(from reader: inout JSONReader) -> CalendarDate? {
        let value = reader.readCalendarDate()
        return reader.isFaulted ? nil : value
    }
}

extension JSONValue: JSONReadable {
    /// See `JSONReader.readValue`.
    public static func load(from reader: inout JSONReader) -> JSONValue? {
        let value = reader.readValue()
        return reader.isFaulted ? nil : value
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    /// See `JSONReader.readArray`.
    @inlinable
    public static func load(from reader: inout JSONReader) -> [Element]? {
        let list = reader.readArray(Element.load)
        return reader.isFaulted ? nil : list
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    /// See `JSONReader.readMap`.
    @inlinable
    public static func load(from reader: inout JSONReader) -> [String: Value]? {
        let map = reader.readMap(Value.load)
        return reader.isFaulted ? nil : map
    }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
    /// Reads a value or null.
    @inlinable
    public static func load(from reader: inout JSONReader) -> Wrapped?? {
        reader.readNullable(Wrapped.load)
    }
}
