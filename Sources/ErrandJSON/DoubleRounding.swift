/// Turns digits into binary floating point, rounded to nearest, ties to even, so that every number
/// comes out bit-exact.
///
/// Three ways: both factors exact in a `Double` (one rounding, in hardware); 64-bit digits and a
/// power of ten of at most 19, where a full-width product or quotient is exact; the standard
/// library's correctly rounded parser for the rest.
enum DoubleRounding {
    /// The value of a number; infinite where it is too large.
    static func double(_ number: NumberExtent) -> Double {
        if !number.isTruncated {
            if number.mantissa == 0 { return number.isNegative ? -0.0 : 0.0 }
            if number.mantissa <= 1 << 53, number.exponent >= -22, number.exponent <= 22 {
                let digits = Double(number.mantissa)
                let power = exactPowers[Int(number.exponent.magnitude)]
                let value = number.exponent < 0 ? digits / power : digits * power
                return number.isNegative ? -value : value
            }
            if number.exponent >= -19, number.exponent <= 19 {
                let value = scale(number.mantissa, Int(number.exponent), precision: 53)
                return number.isNegative ? -value : value
            }
        }
        // Never nil: the grammar of JSON's numbers lies inside the standard library's.
        return Double(number.text) ?? .infinity
    }

    /// The value of a number, rounded once, not by way of a `Double`; infinite where it is too large.
    static func float(_ number: NumberExtent) -> Float {
        if !number.isTruncated {
            if number.mantissa == 0 { return number.isNegative ? -0.0 : 0.0 }
            if number.exponent >= -19, number.exponent <= 19 {
                // Exact in a Double, and above the smallest and below the largest Float.
                let value = Float(scale(number.mantissa, Int(number.exponent), precision: 24))
                return number.isNegative ? -value : value
            }
        }
        return Float(number.text) ?? .infinity
    }

    /// `mantissa` × 10^`exponent`, rounded to `precision` bits. The mantissa is not zero, the exponent
    /// between -19 and 19.
    private static func scale(_ mantissa: UInt64, _ exponent: Int, precision: Int) -> Double {
        // The value is `high` × 2^`shift`, and a little more if `isInexact`; the top bit of `high` is set.
        let high: UInt64
        let shift: Int
        let isInexact: Bool
        let power = powersOfTen[abs(exponent)]
        if exponent >= 0 {
            let product = mantissa.multipliedFullWidth(by: power)
            if product.high == 0 {
                let zeros = product.low.leadingZeroBitCount
                (high, shift, isInexact) = (product.low << zeros, -zeros, false)
            } else {
                let zeros = product.high.leadingZeroBitCount
                high = product.high << zeros | product.low >> (64 - zeros)
                (shift, isInexact) = (64 - zeros, product.low << zeros != 0)
            }
        } else {
            let digits = mantissa << mantissa.leadingZeroBitCount
            let divisor = power << power.leadingZeroBitCount
            let balance = power.leadingZeroBitCount - mantissa.leadingZeroBitCount
            // The quotient must fit 64 bits, so the dividend's upper half must be the smaller one.
            let isLarger = digits >= divisor
            let (quotient, remainder) = divisor.dividingFullWidth(
                isLarger ? (digits >> 1, digits << 63) : (digits, 0))
            (high, shift, isInexact) = (quotient, balance - (isLarger ? 63 : 64), remainder != 0)
        }
        let dropped = 64 - precision
        var significand = high >> UInt64(dropped)
        let rest = high & (1 << UInt64(dropped) - 1)
        let half: UInt64 = 1 << UInt64(dropped - 1)
        if rest > half || (rest == half && (isInexact || significand & 1 == 1)) { significand += 1 }
        // Exact: a power of two, far from the ends of the range.
        return Double(significand) * Double(sign: .plus, exponent: shift + dropped, significand: 1)
    }

    private static let exactPowers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    static let powersOfTen: [UInt64] = (0..<20).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power &* 10 }
    }
}
