#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONReader {
    /// Reads an integer. `1.0` and `1e2` are whole, since JSON has one kind of number (RFC 8259
    /// section 6); a fraction is a type mismatch, and what does not fit is out of range.
    public mutating func readInt() -> Int { readInteger("int") }

    /// Reads an integer of 32 bits; see `readInt`.
    public mutating func readInt32() -> Int32 { readInteger("int32") }

    /// Reads an integer of 64 bits; see `readInt`.
    public mutating func readInt64() -> Int64 { readInteger("int64") }

    /// Reads an integer that is not negative; see `readInt`.
    public mutating func readUInt() -> UInt { readInteger("uint") }

    /// Reads a number, correctly rounded. One that would overflow to infinity is out of range; one
    /// too small for a `Double` is zero.
    public mutating func readDouble() -> Double {
        cursor = JSONSyntax.skipWhitespace(cursor, end)
        if let number = JSONSyntax.scanShortNumber(cursor, end) {
            let value = DoubleRounding.double(number.mantissa, number.exponent, isNegative: number.isNegative)
            if value.isFinite {
                cursor = number.end
                return value
            }
        }
        return readUnusualDouble()
    }

    @inline(never)
    private mutating func readUnusualDouble() -> Double {
        guard let number = readNumberExtent("number") else { return 0 }
        return checked(DoubleRounding.double(number), number)
    }

    /// Reads a number, rounded once from its text; see `readDouble`.
    public mutating func readFloat() -> Float {
        guard let number = readNumberExtent("number") else { return 0 }
        return checked(DoubleRounding.float(number), number)
    }

    /// Reads a number digit by digit, never through binary floating point. One with more than 38
    /// significant digits is out of range, not rounded.
    public mutating func readDecimal() -> Decimal {
        guard let number = readNumberExtent("decimal") else { return 0 }
        if let value = DecimalText.decimal(number) { return value }
        record(.numberOutOfRange, at: number.start, expected: "decimal")
        return 0
    }

    // MARK: Steps

    @inline(__always)
    mutating func readInteger<Number: FixedWidthInteger>(_ expectation: StaticString) -> Number {
        cursor = JSONSyntax.skipWhitespace(cursor, end)
        if let (magnitude, isNegative, next) = JSONSyntax.scanShortInteger(cursor, end) {
            let value = isNegative ? -Int64(magnitude) : Int64(magnitude)
            if let number = Number(exactly: value) {
                cursor = next
                return number
            }
        }
        return readUnusualInteger(expectation)
    }

    /// Reads long numbers, numbers with a fraction or an exponent, numbers out of range, and values that aren't numbers.
    @inline(never)
    private mutating func readUnusualInteger<Number: FixedWidthInteger>(
        _ expectation: StaticString
    ) -> Number {
        guard let number = readNumberExtent(expectation) else { return 0 }
        return integer(number, expectation)
    }

    /// The whole value of a number; a fault if it has a fraction or doesn't fit.
    mutating func integer<Number: FixedWidthInteger>(
        _ number: NumberExtent, _ expectation: StaticString
    ) -> Number {
        switch WholeNumber(number) {
        case .fraction: record(.typeMismatch(found: .number), at: number.start, expected: expectation)
        case .tooLarge: record(.numberOutOfRange, at: number.start, expected: expectation)
        case .magnitude(let magnitude):
            if let value: Number = Self.signed(magnitude, number.isNegative) { return value }
            record(.numberOutOfRange, at: number.start, expected: expectation)
        }
        return 0
    }

    private static func signed<Number: FixedWidthInteger>(
        _ magnitude: UInt64, _ isNegative: Bool
    ) -> Number? {
        if !isNegative { return Number(exactly: magnitude) }
        if magnitude == Int64.min.magnitude { return Number(exactly: Int64.min) }
        return Int64(exactly: magnitude).flatMap { Number(exactly: -$0) }
    }

    /// Validates and consumes a number.
    mutating func readNumberExtent(_ expectation: StaticString) -> NumberExtent? {
        cursor = JSONSyntax.skipWhitespace(cursor, end)
        guard cursor < end, cursor.pointee == ASCII.minus || ASCII.isDigit(cursor.pointee) else {
            recordMismatch(expectation)
            return nil
        }
        var syntaxError = SyntaxError.none
        let number = JSONSyntax.scanNumber(cursor, end, &syntaxError)
        guard syntaxError == .none else {
            record(syntaxError.code, at: number.end, expected: expectation)
            return nil
        }
        cursor = number.end
        return number
    }

    mutating func checked<Number: BinaryFloatingPoint>(
        _ value: Number, _ number: NumberExtent
    ) -> Number {
        if value.isFinite { return value }
        record(.numberOutOfRange, at: number.start, expected: "number")
        return 0
    }
}

/// A number looked at as a whole one.
enum WholeNumber {
    case magnitude(UInt64)
    case fraction
    case tooLarge

    init(_ number: NumberExtent) {
        if number.mantissa == 0 {
            self = number.isTruncated ? .tooLarge : .magnitude(0)
        } else if number.isTruncated {
            self = Self.long(number)
        } else if number.exponent >= 0 {
            guard number.exponent < 20 else {
                self = .tooLarge
                return
            }
            let power = DigitRun.powersOfTen[Int(number.exponent)]
            let (product, overflow) = number.mantissa.multipliedReportingOverflow(by: power)
            self = overflow ? .tooLarge : .magnitude(product)
        } else if number.exponent <= -20 {
            self = .fraction
        } else {
            let power = DigitRun.powersOfTen[Int(-number.exponent)]
            let (quotient, rest) = number.mantissa.quotientAndRemainder(dividingBy: power)
            self = rest == 0 ? .magnitude(quotient) : .fraction
        }
    }

    /// More than 19 significant digits: 64 bits hold only some with 20 and no fraction.
    private static func long(_ number: NumberExtent) -> WholeNumber {
        guard let decimal = DecimalText.decimal(number), let text = DecimalText.text(decimal) else {
            return .tooLarge
        }
        if text.utf8.contains(ASCII.point) { return .fraction }
        let digits = number.isNegative ? text.dropFirst() : Substring(text)
        return UInt64(digits).map { .magnitude($0) } ?? .tooLarge
    }
}
