#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `Decimal` from and to text, digit by digit, never through binary floating point.
enum DecimalText {
    /// The value of a validated number, or nil if a `Decimal` cannot be trusted with all its
    /// digits: more than 38 of them, or an exponent outside -128 to 127.
    static func decimal(_ number: NumberExtent) -> Decimal? {
        if !number.isTruncated { return make(number.isNegative, 0, number.mantissa, number.exponent) }
        var high: UInt64 = 0
        var low: UInt64 = 0
        // Zeros count only when another digit follows them: 1.50 and 1.5 are one value.
        var zeros: Int64 = 0
        var exponent = number.writtenExponent
        var isInFraction = false
        var position = number.start
        while position < number.end, position.pointee | 0x20 != 0x65 {
            let byte = position.pointee
            position += 1
            guard ASCII.isDigit(byte) else {
                isInFraction = byte == ASCII.point
                continue
            }
            if isInFraction { exponent -= 1 }
            if byte == ASCII.zero {
                zeros += 1
                continue
            }
            while zeros > 0, high != 0 || low != 0 {
                guard append(0, &high, &low) else { return nil }
                zeros -= 1
            }
            zeros = 0
            guard append(UInt64(byte &- ASCII.zero), &high, &low) else { return nil }
        }
        return make(number.isNegative, high, low, exponent + zeros)
    }

    /// Plain notation, without an exponent and without zeros that say nothing; nil for NaN.
    static func text(_ value: Decimal) -> String? {
        if value.isNaN { return nil }
        if let parts = DecimalParts(value), let length = parts.length { return JSONText.text(length, parts.write) }
        var text = value.description[...]
        if text.utf8.contains(ASCII.point) {
            while text.last == "0" { text.removeLast() }
            if text.last == "." { text.removeLast() }
        }
        return String(text)
    }

    // MARK: 128 bits

    /// Appends a decimal digit; false on overflow.
    private static func append(_ digit: UInt64, _ high: inout UInt64, _ low: inout UInt64) -> Bool {
        let lower = low.multipliedFullWidth(by: 10)
        let upper = high.multipliedReportingOverflow(by: 10)
        let carried = upper.partialValue.addingReportingOverflow(lower.high)
        let sum = lower.low.addingReportingOverflow(digit)
        let total = carried.partialValue.addingReportingOverflow(sum.overflow ? 1 : 0)
        if upper.overflow || carried.overflow || total.overflow { return false }
        (high, low) = (total.partialValue, sum.partialValue)
        return true
    }

    private static func make(
        _ isNegative: Bool, _ high: UInt64, _ low: UInt64, _ exponent: Int64
    ) -> Decimal? {
        if high == 0, low == 0 { return Decimal(0) }
        var (high, low, exponent) = (high, low, exponent)
        while exponent > 127 {
            guard append(0, &high, &low) else { return nil }
            exponent -= 1
        }
        while exponent < -128 {
            // Only zeros may go.
            let (quotient, rest) = divide(high, low, by: 10)
            guard rest == 0 else { return nil }
            (high, low) = quotient
            exponent += 1
        }
        // At most 38 digits: two halves of 19, which Decimal joins without rounding.
        let (upper, lower) = divide(high, low, by: half)
        guard upper.0 == 0, upper.1 < half else { return nil }
        var significand = Decimal(lower)
        if upper.1 > 0 { significand += Decimal(sign: .plus, exponent: 19, significand: Decimal(upper.1)) }
        return Decimal(
            sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: significand)
    }

    private static var half: UInt64 { 10_000_000_000_000_000_000 }

    private static func divide(
        _ high: UInt64, _ low: UInt64, by divisor: UInt64
    ) -> (quotient: (UInt64, UInt64), remainder: UInt64) {
        let upper = high.quotientAndRemainder(dividingBy: divisor)
        let lower = divisor.dividingFullWidth((upper.remainder, low))
        return ((upper.quotient, lower.quotient), lower.remainder)
    }
}
