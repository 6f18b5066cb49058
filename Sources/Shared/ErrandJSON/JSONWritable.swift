#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that writes itself as JSON. Generated models conform to it.
public protocol JSONWritable {
    /// Writes exactly one value.
    func write(to writer: inout JSONWriter)
}

// `Date` and `[UInt8]` are left out on purpose: the contract says in which form they travel.

extension String: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Bool: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int32: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int64: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension UInt: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Double: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Float: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Decimal: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension UUID: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension URL: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension CalendarDate: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension JSONValue: JSONWritable {
    /// See `JSONWriter.write`.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Array: JSONWritable where Element: JSONWritable {
    /// See `JSONWriter.writeArray`.
    @inlinable
    public func write(to writer: inout JSONWriter) {
        writer.writeArray(self) { $0.write(to: &$1) }
    }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
    /// See `JSONWriter.writeMap`.
    @inlinable
    public func write(to writer: inout JSONWriter) {
        writer.writeMap(self) { $0.write(to: &$1) }
    }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    /// Writes the value or null.
    @inlinable
    public func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.writeNull() }
    }
}
