/// Turns digits into binary floating point, rounded to nearest, ties to even, so that every number is bit-exact.
///
/// Three ways: both factors exact in a `Double` (one rounding, in hardware); Eisel and Lemire's product with 128 bits
/// of a power of five (Lemire, "Number Parsing at a Gigabyte per Second", 2021, which Mushtak and Lemire, "Fast Number
/// Parsing Without Fallback", 2023, prove exact for up to 64 bits of digits); the standard library's parser if more
/// digits are significant.
enum DoubleRounding {
    /// The value of a number; infinite if it is too large.
    static func double(_ number: NumberExtent) -> Double {
        if !number.isTruncated { return double(number.mantissa, number.exponent, isNegative: number.isNegative) }
        // The digits left out make the value no larger than the next mantissa does.
        let lower = bits(number.mantissa, number.exponent, .double)
        if lower == bits(number.mantissa + 1, number.exponent, .double) {
            return signed(Double(bitPattern: lower), number.isNegative)
        }
        // Never nil: the standard library's grammar includes that of JSON's numbers.
        return Double(number.text) ?? .infinity
    }

    /// `mantissa` × 10^`exponent`; infinite if it is too large.
    @inline(__always)
    static func double(_ mantissa: UInt64, _ exponent: Int64, isNegative: Bool) -> Double {
        if mantissa <= 1 << 53, exponent.magnitude < exactPowers.count {
            let digits = Double(Int64(truncatingIfNeeded: mantissa))
            let power = exactPowers[Int(exponent.magnitude)]
            return signed(exponent < 0 ? digits / power : digits * power, isNegative)
        }
        return signed(Double(bitPattern: bits(mantissa, exponent, .double)), isNegative)
    }

    /// The value of a number, rounded once, not by way of a `Double`; infinite if it is too large.
    static func float(_ number: NumberExtent) -> Float {
        let lower = UInt32(truncatingIfNeeded: bits(number.mantissa, number.exponent, .float))
        if number.isTruncated, lower != bits(number.mantissa + 1, number.exponent, .float) {
            return Float(number.text) ?? .infinity
        }
        let value = Float(bitPattern: lower)
        return number.isNegative ? -value : value
    }

    @inline(__always)
    private static func signed(_ value: Double, _ isNegative: Bool) -> Double { isNegative ? -value : value }

    /// The parameters of a binary format (IEEE 754 section 3.6).
    private struct Format {
        /// Without the leading one.
        var significandBits: Int
        var bias: Int
        /// The biased exponent of infinity.
        var infinity: Int
        /// The powers of ten with which a product can lie halfway between two values.
        var tiePowers: ClosedRange<Int64>

        static let double = Format(significandBits: 52, bias: 1023, infinity: 0x7FF, tiePowers: -4...23)
        static let float = Format(significandBits: 23, bias: 127, infinity: 0xFF, tiePowers: -17...10)
    }

    /// The bits of `mantissa` × 10^`exponent` without the sign.
    private static func bits(_ mantissa: UInt64, _ exponent: Int64, _ format: Format) -> UInt64 {
        // Beyond the table all values are zero or infinite.
        if mantissa == 0 || exponent < Int64(PowersOfFive.smallest) { return 0 }
        let infinity = UInt64(format.infinity) << UInt64(format.significandBits)
        if exponent > Int64(PowersOfFive.largest) { return infinity }
        let zeros = mantissa.leadingZeroBitCount
        let digits = mantissa << UInt64(zeros)
        let place = 2 * (Int(exponent) - PowersOfFive.smallest)
        var (high, low) = digits.multipliedFullWidth(by: PowersOfFive.words[place])
        // Only if the bits to drop are all ones can the lower half of the power matter.
        let unsure = UInt64.max >> UInt64(format.significandBits + 3)
        if high & unsure == unsure {
            let (carry, overflow) = low.addingReportingOverflow(
                digits.multipliedFullWidth(by: PowersOfFive.words[place + 1]).high)
            low = carry
            if overflow { high += 1 }
        }
        let upperBit = Int(high >> 63)
        let dropped = UInt64(upperBit + 64 - format.significandBits - 3)
        var significand = high >> dropped
        // 217,706 / 2^16 is a little more than log2(10).
        var power = Int((217_706 * exponent) >> 16) + 63 + upperBit - zeros + format.bias
        if power <= 0 {
            // Subnormal, or zero.
            if power < -62 { return 0 }
            significand >>= UInt64(1 - power)
            return (significand + significand & 1) >> 1
        }
        if low <= 1, format.tiePowers.contains(exponent), significand & 3 == 1, significand << dropped == high {
            // Halfway exactly, and the even neighbor is below.
            significand &= ~1
        }
        significand = (significand + significand & 1) >> 1
        if significand >> UInt64(format.significandBits + 1) != 0 {
            significand >>= 1
            power += 1
        }
        if power >= format.infinity { return infinity }
        let leadingOne: UInt64 = 1 << UInt64(format.significandBits)
        return UInt64(power) << UInt64(format.significandBits) | significand & (leadingOne - 1)
    }

    private static let exactPowers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
