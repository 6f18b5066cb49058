#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The parts of a `Decimal`. Its text by way of `description` costs thirty times as much, and the other public ways divide
/// digit by digit as well.
///
/// The layout is that of `NSDecimal`: an exponent of eight bits, four bits of length, one for the sign, and from the fifth byte
/// on eight units of the mantissa, the lowest first, of which the length gives the used number. C fills a byte from its lowest
/// bit, swift-foundation from its highest. Neither order is promised, so samples are checked first. If they fail, no parts are
/// used, and `description` takes their place.
struct DecimalParts {
    private let isNegative: Bool
    private let mantissa: UInt64
    private let exponent: Int

    /// Nil for NaN, for more than 64 bits of digits, and where the layout is another.
    init?(_ value: Decimal) {
        guard let layout = Self.layout, !value.isNaN, let parts = layout.read(value) else { return nil }
        self = parts
    }

    /// How many bytes `write` takes at most; nil if the exponent is too far from zero to count on.
    var length: Int? { exponent.magnitude <= 40 ? 64 : nil }

    /// Writes plain notation, without an exponent and without zeros that say nothing, and returns its
    /// length.
    func write(to target: UnsafeMutablePointer<UInt8>) -> Int {
        if mantissa == 0 {
            target.pointee = ASCII.zero
            return 1
        }
        var (digits, exponent) = (mantissa, exponent)
        while exponent < 0 {
            let (quotient, rest) = digits.quotientAndRemainder(dividingBy: 10)
            if rest != 0 { break }
            (digits, exponent) = (quotient, exponent + 1)
        }
        var output = target
        if isNegative {
            output.pointee = ASCII.minus
            output += 1
        }
        let count = DecimalDigits.count(digits)
        let point = count + exponent
        if exponent >= 0 {
            output += DecimalDigits.write(digits, count, to: output)
            for _ in 0..<exponent {
                output.pointee = ASCII.zero
                output += 1
            }
        } else if point > 0 {
            // The digits in front of the point move forward, to make room for it.
            _ = DecimalDigits.write(digits, count, to: output + 1)
            for index in 0..<point { output[index] = output[index + 1] }
            output[point] = ASCII.point
            output += count + 1
        } else {
            output[0] = ASCII.zero
            output[1] = ASCII.point
            for index in 0..<(-point) { output[2 + index] = ASCII.zero }
            output += 2 - point
            output += DecimalDigits.write(digits, count, to: output)
        }
        return output - target
    }

    private init(_ isNegative: Bool, _ mantissa: UInt64, _ exponent: Int) {
        self.isNegative = isNegative
        self.mantissa = mantissa
        self.exponent = exponent
    }

    /// The positions of length and sign in the second byte.
    private struct Layout {
        var lengthShift: UInt8
        var signMask: UInt8

        func read(_ value: Decimal) -> DecimalParts? {
            withUnsafeBytes(of: value) { bytes in
                guard bytes.count == 20 else { return nil }
                let length = Int(bytes[1] >> lengthShift & 0x0F)
                guard length <= 4 else { return nil }
                var mantissa: UInt64 = 0
                for index in 0..<length {
                    let unit = bytes.loadUnaligned(fromByteOffset: 4 + 2 * index, as: UInt16.self)
                    mantissa |= UInt64(unit) << UInt64(16 * index)
                }
                return DecimalParts(bytes[1] & signMask != 0, mantissa, Int(Int8(bitPattern: bytes[0])))
            }
        }

        /// Whether samples of all lengths and both signs are correct.
        var isRight: Bool {
            let samples: [(FloatingPointSign, Int, UInt64)] = [
                (.plus, 0, 0), (.plus, 0, 1), (.minus, -2, 12_345), (.plus, 3, 7_654_321),
                (.minus, -17, 1_234_567_890_123_456_789), (.plus, -20, 0x1234_5678_9ABC), (.minus, 0, .max),
            ]
            return samples.allSatisfy { sign, exponent, significand in
                let value = Decimal(sign: sign, exponent: exponent, significand: Decimal(significand))
                guard let parts = read(value) else { return false }
                return parts.isNegative == (sign == .minus) && parts.mantissa == significand
                    && parts.exponent == exponent
            }
        }
    }

    private static let layout: Layout? = [
        Layout(lengthShift: 0, signMask: 0x10), Layout(lengthShift: 4, signMask: 0x08),
    ].first { $0.isRight }
}
