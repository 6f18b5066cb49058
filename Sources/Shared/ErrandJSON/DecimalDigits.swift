/// Whole numbers to decimal digits, two at a time.
enum DecimalDigits {
    /// How many digits a number has; 1 for 0.
    @inline(__always)
    static func count(_ number: UInt64) -> Int {
        // 1233 / 2^12 is a little more than log10(2): one too few where the power is not reached.
        let guess = ((64 - (number | 1).leadingZeroBitCount) * 1233) >> 12
        return guess < 20 && number >= DigitRun.power(guess) ? guess + 1 : max(guess, 1)
    }

    /// Writes all digits and returns their number, at most 20.
    @inline(__always)
    static func write(_ number: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
        write(number, count(number), to: target)
    }

    /// Writes the last `count` digits, with leading zeros if there are fewer, and returns `count`.
    @inline(__always)
    static func write(_ number: UInt64, _ count: Int, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var rest = number
        var position = count
        while position >= 2 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            position -= 2
            writePair(UInt8(truncatingIfNeeded: pair), to: target + position)
            rest = quotient
        }
        if position == 1 { target.pointee = ASCII.zero &+ UInt8(truncatingIfNeeded: rest % 10) }
        return count
    }

    /// Two digits of a number below 100.
    @inline(__always)
    static func writePair(_ number: UInt8, to target: UnsafeMutablePointer<UInt8>) {
        // 205 / 2^11 is a tenth, exact up to 99 with room.
        let ten = UInt8(truncatingIfNeeded: (UInt16(number) &* 205) >> 11)
        target[0] = ASCII.zero &+ ten
        target[1] = ASCII.zero &+ (number &- ten &* 10)
    }
}
