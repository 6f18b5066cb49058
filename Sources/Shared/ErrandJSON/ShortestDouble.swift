/// The shortest decimal digits that read back as the same `Double`, and of those the closest: Giulietti,
/// "The Schubfach way to render doubles" (2020), with the names of its section 9.
enum ShortestDouble {
    /// The longest text: a sign, 17 digits, a point, `e-324`.
    static let maximumLength = 32

    /// Writes a finite value and returns the number of bytes, at most `maximumLength`. The form is that
    /// of Swift's `description` without a trailing `.0`.
    static func write(_ value: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var output = target
        if value.sign == .minus {
            output.pointee = ASCII.minus
            output += 1
        }
        let magnitude = value.magnitude
        // Whole numbers up to 2^53 are their own digits.
        if magnitude <= 0x1p53, magnitude == magnitude.rounded(.towardZero) {
            output += DecimalDigits.write(UInt64(magnitude), to: output)
            return output - target
        }
        var (digits, exponent) = decimal(magnitude)
        while true {
            let (quotient, rest) = digits.quotientAndRemainder(dividingBy: 10)
            if rest != 0 { break }
            digits = quotient
            exponent += 1
        }
        let count = DecimalDigits.count(digits)
        /// The position of the point: the number of digits before it.
        let point = count + exponent
        if point < -3 || magnitude > 0x1p53 {
            // The first digit moves in front of the point.
            _ = DecimalDigits.write(digits, count, to: output + 1)
            output[0] = output[1]
            output[1] = ASCII.point
            output += count == 1 ? 1 : count + 1
            output += writeExponent(point - 1, to: output)
        } else if point <= 0 {
            output[0] = ASCII.zero
            output[1] = ASCII.point
            for index in 0..<(-point) { output[2 + index] = ASCII.zero }
            output += 2 - point
            output += DecimalDigits.write(digits, count, to: output)
        } else {
            // Not whole, so that digits come after the point. Those before it move forward.
            _ = DecimalDigits.write(digits, count, to: output + 1)
            for index in 0..<point { output[index] = output[index + 1] }
            output[point] = ASCII.point
            output += count + 1
        }
        return output - target
    }

    private static func writeExponent(_ exponent: Int, to target: UnsafeMutablePointer<UInt8>) -> Int {
        target[0] = 0x65
        target[1] = exponent < 0 ? ASCII.minus : ASCII.plus
        let magnitude = UInt64(exponent.magnitude)
        return 2 + DecimalDigits.write(magnitude, max(2, DecimalDigits.count(magnitude)), to: target + 2)
    }

    /// The digits and the power of ten after them of a positive, finite value.
    private static func decimal(_ value: Double) -> (digits: UInt64, exponent: Int) {
        let significand = value.significandBitPattern
        let isNormal = value.exponentBitPattern != 0
        let c = isNormal ? significand | 1 << 52 : significand
        let q = Int(isNormal ? value.exponentBitPattern : 1) - 1075
        let isEven = c & 1 == 0
        // Below a power of two the neighbors are twice as dense.
        let isLowerCloser = significand == 0 && value.exponentBitPattern > 1
        // floor(log10(2^q)), and of three quarters of that.
        let k = (q * 1_262_611 - (isLowerCloser ? 524_031 : 0)) >> 22
        let h = UInt64(truncatingIfNeeded: q + (-k * 1_741_647) >> 19 + 1)
        let power = PowersOfFive.roundedUp(-k)
        let vbl = roundToOdd(power, (4 * c - (isLowerCloser ? 1 : 2)) << h)
        let vb = roundToOdd(power, (4 * c) << h)
        let vbr = roundToOdd(power, (4 * c + 2) << h)
        let lower = isEven ? vbl : vbl + 1
        let upper = isEven ? vbr : vbr - 1
        let s = vb / 4
        if s >= 10 {
            let short = s / 10
            let isBelowInside = lower <= 40 * short
            let isAboveInside = 40 * short + 40 <= upper
            if isBelowInside != isAboveInside { return (isAboveInside ? short + 1 : short, k + 1) }
        }
        let isBelowInside = lower <= 4 * s
        let isAboveInside = 4 * s + 4 <= upper
        if isBelowInside != isAboveInside { return (isAboveInside ? s + 1 : s, k) }
        let middle = 4 * s + 2
        return (vb > middle || (vb == middle && s & 1 == 1) ? s + 1 : s, k)
    }

    /// The upper 64 of 192 bits of a product; the lowest of them is set if something was cut off.
    @inline(__always)
    private static func roundToOdd(_ power: (high: UInt64, low: UInt64), _ factor: UInt64) -> UInt64 {
        let carry = power.low.multipliedFullWidth(by: factor).high
        let product = power.high.multipliedFullWidth(by: factor)
        let (middle, overflow) = product.low.addingReportingOverflow(carry)
        let high = product.high &+ (overflow ? 1 : 0)
        return high | (middle > 1 ? 1 : 0)
    }
}

extension PowersOfFive {
    /// 128 bits of 5 to this power, rounded up where they are not exact.
    @inline(__always)
    static func roundedUp(_ exponent: Int) -> (high: UInt64, low: UInt64) {
        let place = 2 * (exponent - smallest)
        // Exact up to 5^55; rounded up in the table from 5^-27 to 5^-1.
        let isRoundedDown = exponent < -27 || exponent > 55
        let (low, overflow) = words[place + 1].addingReportingOverflow(isRoundedDown ? 1 : 0)
        return (overflow ? words[place] + 1 : words[place], low)
    }
}
