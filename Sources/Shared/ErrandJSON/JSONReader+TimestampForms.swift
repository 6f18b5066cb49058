#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One of several forms in which a service spells instants. ``JSONReader`` reads a value in any form of a list.
public enum TimestampForm: Sendable {
    /// Text in RFC 3339 form, as ``JSONReader/readTimestamp()`` reads it.
    case rfc3339
    /// A number of seconds since 1970-01-01 UTC.
    case unix
    /// A number of milliseconds since 1970-01-01 UTC.
    case milliseconds
    /// Text in a service's own spelling, as ``JSONReader/readTimestamp(_:offset:)`` reads it.
    case pattern(StaticString, offset: Int = 0)

    fileprivate var isNumber: Bool {
        switch self {
        case .unix, .milliseconds: true
        case .rfc3339, .pattern: false
        }
    }

    /// What a fault expects.
    fileprivate var expectation: StaticString {
        switch self {
        case .rfc3339: "RFC 3339 timestamp"
        case .pattern(let pattern, _): pattern
        case .unix, .milliseconds: "number"
        }
    }

    fileprivate func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        switch self {
        case .rfc3339: TimestampText.date(text)
        case .pattern(let pattern, let offset): TimestampPattern.date(text, pattern.buffer, offset: offset)
        case .unix, .milliseconds: nil
        }
    }
}

extension JSONReader {
    /// Reads a timestamp in any of several forms: in the first that fits. A fault names the first form of the value's kind.
    ///
    /// - Parameter forms: at most one of them is a number.
    public mutating func readTimestamp(_ forms: [TimestampForm]) -> Date {
        let number = forms.first(where: \.isNumber)
        let text = forms.first { !$0.isNumber }
        if let number, text == nil || peekKind() == .number {
            if case .milliseconds = number { return readMillisecondTimestamp() }
            return readUnixTimestamp()
        }
        let date = readText(text?.expectation ?? "timestamp") { bytes -> Date? in
            for form in forms {
                if let date = form.date(bytes) { return date }
            }
            return nil
        }
        return date ?? Self.epoch
    }
}
