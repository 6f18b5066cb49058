#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A JSON number as it is in the document, without a decision on its type.
///
/// Numbers are compared by value: `1`, `1.0` and `10e-1` are equal, and so are such numbers of any size.
public struct JSONNumber: Sendable {
    /// The number as JSON (RFC 8259 section 6).
    public let text: String

    /// Nil if the text isn't a JSON number.
    public init?(text: String) {
        guard Self.parse(text, { _ in true }) == true else { return nil }
        self.text = text
    }

    /// An integer.
    public init(_ value: Int) { text = JSONText.of(value) }

    /// A binary floating-point number; nil for NaN and infinities.
    public init?(_ value: Double) {
        guard let text = JSONText.of(value) else { return nil }
        self.text = text
    }

    /// A decimal number; nil for NaN.
    public init?(_ value: Decimal) {
        guard let text = JSONText.of(value) else { return nil }
        self.text = text
    }

    init(validated text: String) { self.text = text }

    /// The number, if it is whole and fits.
    public var int: Int? {
        Self.parse(text) { number -> Int? in
            guard case .magnitude(let magnitude) = WholeNumber(number) else { return nil }
            if !number.isNegative { return Int(exactly: magnitude) }
            if magnitude == Int.min.magnitude { return Int.min }
            return Int(exactly: magnitude).map { -$0 }
        } ?? nil
    }

    /// The number, correctly rounded; nil if it would be infinite.
    public var double: Double? {
        guard let value = Self.parse(text, DoubleRounding.double), value.isFinite else { return nil }
        return value
    }

    /// The number with all its digits; nil if a `Decimal` cannot hold them.
    public var decimal: Decimal? { Self.parse(text, DecimalText.decimal) ?? nil }

    /// Lends the number's digits; nil if the text isn't a number.
    private static func parse<Value>(_ text: String, _ body: (NumberExtent) -> Value) -> Value? {
        var text = text
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var syntaxError = SyntaxError.none
            let number = JSONSyntax.scanNumber(base, base + bytes.count, &syntaxError)
            guard syntaxError == .none, number.end == base + bytes.count else { return nil }
            return body(number)
        }
    }

    /// Sign, digits without zeros at either end, and the power of ten after them.
    private struct Canonical: Hashable {
        var isNegative = false
        var digits: [UInt8] = []
        var exponent: Int64 = 0
    }

    private var canonical: Canonical {
        var result = Canonical()
        var position = text.utf8.startIndex
        let end = text.utf8.firstIndex { $0 | 0x20 == 0x65 } ?? text.utf8.endIndex
        var isInFraction = false
        while position < end {
            let byte = text.utf8[position]
            position = text.utf8.index(after: position)
            if byte == ASCII.minus { result.isNegative = true }
            if byte == ASCII.point { isInFraction = true }
            guard ASCII.isDigit(byte) else { continue }
            if isInFraction { result.exponent -= 1 }
            if byte != ASCII.zero || !result.digits.isEmpty { result.digits.append(byte) }
        }
        while result.digits.last == ASCII.zero {
            result.digits.removeLast()
            result.exponent += 1
        }
        if result.digits.isEmpty { return Canonical() }
        result.exponent += Self.parse(text) { $0.writtenExponent } ?? 0
        return result
    }
}

extension JSONNumber: Hashable {
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.text == right.text || left.canonical == right.canonical
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}

extension JSONNumber: CustomStringConvertible {
    /// The number as JSON.
    public var description: String { text }
}
