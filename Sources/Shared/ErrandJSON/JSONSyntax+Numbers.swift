/// A validated number: its extent, and its value as far as 64 bits hold it.
struct NumberExtent {
    var start: BytePointer
    /// Just past its last byte; on a syntax error, where to report that.
    var end: BytePointer
    var isNegative = false
    /// The first 19 significant digits.
    var mantissa: UInt64 = 0
    /// The value is `mantissa` × 10 to this power, unless `isTruncated`.
    var exponent: Int64 = 0
    /// The exponent as it is written, 0 without one.
    var writtenExponent: Int64 = 0
    /// Whether digits other than zero did not fit.
    var isTruncated = false

    /// The number as it is in the document.
    var text: String { String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self) }
}

extension JSONSyntax {
    /// A larger exponent than any document can balance with digits, far from overflowing `Int64`.
    private static var exponentBound: Int64 { 1 << 56 }

    /// Validates a number (RFC 8259 section 6) and gathers its digits. `start` may be anything.
    static func scanNumber(
        _ start: BytePointer, _ end: BytePointer, _ syntaxError: inout SyntaxError
    ) -> NumberExtent {
        var number = NumberExtent(start: start, end: start)
        var position = start
        if position < end, position.pointee == ASCII.minus {
            number.isNegative = true
            position += 1
        }
        let integer = position
        var digits = 0
        while position < end, ASCII.isDigit(position.pointee) {
            let digit = UInt64(position.pointee &- ASCII.zero)
            if digits < 19 {
                number.mantissa = number.mantissa &* 10 &+ digit
                if number.mantissa != 0 { digits += 1 }
            } else {
                number.exponent += 1
                if digit != 0 { number.isTruncated = true }
            }
            position += 1
        }
        if position == integer || (integer.pointee == ASCII.zero && position - integer > 1) {
            return broken(number, position, end, &syntaxError)
        }
        if position < end, position.pointee == ASCII.point {
            position += 1
            let fraction = position
            while position < end, ASCII.isDigit(position.pointee) {
                let digit = UInt64(position.pointee &- ASCII.zero)
                if digits < 19 {
                    number.mantissa = number.mantissa &* 10 &+ digit
                    number.exponent -= 1
                    if number.mantissa != 0 { digits += 1 }
                } else if digit != 0 {
                    number.isTruncated = true
                }
                position += 1
            }
            if position == fraction { return broken(number, position, end, &syntaxError) }
        }
        if position < end, position.pointee | 0x20 == 0x65 {
            position += 1
            var isNegative = false
            if position < end, position.pointee == ASCII.minus || position.pointee == ASCII.plus {
                isNegative = position.pointee == ASCII.minus
                position += 1
            }
            let first = position
            var exponent: Int64 = 0
            while position < end, ASCII.isDigit(position.pointee) {
                exponent = min(exponent * 10 + Int64(position.pointee &- ASCII.zero), exponentBound)
                position += 1
            }
            if position == first { return broken(number, position, end, &syntaxError) }
            number.writtenExponent = isNegative ? -exponent : exponent
            number.exponent += number.writtenExponent
        }
        number.end = position
        return number
    }

    /// An integer of at most 18 digits. Nil for any other number, for text that isn't a number, and near the end of the
    /// document.
    @inline(__always)
    static func scanShortInteger(
        _ start: BytePointer, _ end: BytePointer
    ) -> (magnitude: UInt64, isNegative: Bool, next: BytePointer)? {
        guard end - start > DigitRun.reach + 1 else { return nil }
        let isNegative = start.pointee == ASCII.minus
        let first = isNegative ? start + 1 : start
        let (magnitude, count) = DigitRun.read(first)
        let next = first + count
        guard count > 0, count < 19, first.pointee != ASCII.zero || count == 1,
            next.pointee != ASCII.point, next.pointee | 0x20 != 0x65
        else { return nil }
        return (magnitude, isNegative, next)
    }

    /// A number of at most 19 digits with an exponent of at most three; nil for any other, for what is
    /// no number, and near the end of the document.
    @inline(__always)
    static func scanShortNumber(
        _ start: BytePointer, _ end: BytePointer
    ) -> (mantissa: UInt64, exponent: Int64, isNegative: Bool, end: BytePointer)? {
        // A sign, digits, a point, digits, `e`, a sign, digits.
        guard end - start > 3 * DigitRun.reach + 4 else { return nil }
        let isNegative = start.pointee == ASCII.minus
        let first = isNegative ? start + 1 : start
        var (mantissa, count) = DigitRun.read(first)
        guard count > 0, count <= 19, first.pointee != ASCII.zero || count == 1 else { return nil }
        var position = first + count
        var exponent: Int64 = 0
        if position.pointee == ASCII.point {
            let (fraction, places) = DigitRun.read(position + 1)
            // A zero before the point isn't a significant digit.
            guard places > 0, count + places <= 19 || (mantissa == 0 && places <= 19) else { return nil }
            mantissa = mantissa &* DigitRun.power(places) &+ fraction
            count += places
            exponent = -Int64(places)
            position += 1 + places
        }
        if position.pointee | 0x20 == 0x65 {
            position += 1
            let isDown = position.pointee == ASCII.minus
            if isDown || position.pointee == ASCII.plus { position += 1 }
            let (written, digits) = DigitRun.read(position)
            guard digits > 0, digits <= 3 else { return nil }
            exponent += isDown ? -Int64(written) : Int64(written)
            position += digits
        }
        return (mantissa, exponent, isNegative, position)
    }

    private static func broken(
        _ number: NumberExtent, _ position: BytePointer, _ end: BytePointer,
        _ syntaxError: inout SyntaxError
    ) -> NumberExtent {
        var number = number
        number.end = stopNumber(start: number.start, position, end, &syntaxError)
        return number
    }

    /// A broken number is reported at its start, so that the path is that of the value.
    private static func stopNumber(
        start: BytePointer, _ position: BytePointer, _ end: BytePointer,
        _ syntaxError: inout SyntaxError
    ) -> BytePointer {
        // Digits alone are complete at the end of the document.
        let isCutOff = position == end && !(position > start && ASCII.isDigit(position[-1]))
        return stop(isCutOff ? .unexpectedEnd : .invalidNumber, isCutOff ? end : start, &syntaxError)
    }

    /// Validates a number and moves past it, without its value.
    static func skipNumber(
        _ start: BytePointer, _ end: BytePointer, _ syntaxError: inout SyntaxError
    ) -> BytePointer {
        var position = start.pointee == ASCII.minus ? start + 1 : start
        let integer = position
        position = skipDigits(position, end)
        if position == integer || (integer.pointee == ASCII.zero && position - integer > 1) {
            return stopNumber(start: start, position, end, &syntaxError)
        }
        if position < end, position.pointee == ASCII.point {
            let fraction = position + 1
            position = skipDigits(fraction, end)
            if position == fraction {
                return stopNumber(start: start, position, end, &syntaxError)
            }
        }
        if position < end, position.pointee | 0x20 == 0x65 {
            position += 1
            if position < end, position.pointee == ASCII.minus || position.pointee == ASCII.plus {
                position += 1
            }
            let first = position
            position = skipDigits(first, end)
            if position == first {
                return stopNumber(start: start, position, end, &syntaxError)
            }
        }
        return position
    }

    @inline(__always)
    private static func skipDigits(_ start: BytePointer, _ end: BytePointer) -> BytePointer {
        var position = start
        while position < end, ASCII.isDigit(position.pointee) { position += 1 }
        return position
    }
}
