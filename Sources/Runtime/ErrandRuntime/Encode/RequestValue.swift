#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that can be part of a path, a query, a header, a form or a JSON body.
public protocol RequestValue: Sendable {
    /// The value as text; nil for a value without a text form, such as NaN.
    var requestText: String? { get }
    /// Writes the value as JSON.
    func write(to writer: inout JSONWriter)
}

extension String: RequestValue {
    public var requestText: String? { self }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int: RequestValue {
    public var requestText: String? { JSONText.of(self) }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int32: RequestValue {
    public var requestText: String? { JSONText.of(self) }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int64: RequestValue {
    public var requestText: String? { JSONText.of(self) }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension UInt: RequestValue {
    public var requestText: String? { JSONText.of(self) }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Double: RequestValue {
    public var requestText: String? { JSONText.of(self) }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Float: RequestValue {
    public var requestText: String? { JSONText.of(self) }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Bool: RequestValue {
    public var requestText: String? { JSONText.of(self) }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Decimal: RequestValue {
    public var requestText: String? { JSONText.of(self) }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension UUID: RequestValue {
    public var requestText: String? { JSONText.of(self) }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension URL: RequestValue {
    public var requestText: String? { JSONText.of(self) }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension CalendarDate: RequestValue {
    public var requestText: String? { JSONText.of(self) }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension DateOrTimestamp: RequestValue {
    /// Nil for an instant outside the years 0 to 9999.
    public var requestText: String? { text }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension [UInt8]: RequestValue {
    /// Base64 (RFC 4648 section 4).
    public var requestText: String? { JSONText.of(self) }
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

/// An instant as seconds since 1970 (`timestamp(unix)`): a number in a JSON body, its text elsewhere.
public struct UnixTimestamp: RequestValue {
    private let date: Date

    public init(_ date: Date) { self.date = date }

    /// Nil outside the years 0 to 9999.
    public var requestText: String? { JSONText.unixTimestamp(date) }
    public func write(to writer: inout JSONWriter) { writer.writeUnixTimestamp(date) }
}

/// An instant as milliseconds since 1970 (`timestamp(milliseconds)`): a number in a JSON body, its text elsewhere.
public struct MillisecondTimestamp: RequestValue {
    private let date: Date

    public init(_ date: Date) { self.date = date }

    /// Nil outside the years 0 to 9999.
    public var requestText: String? { JSONText.millisecondTimestamp(date) }
    public func write(to writer: inout JSONWriter) { writer.writeMillisecondTimestamp(date) }
}
