#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `Date` from and to text (RFC 3339 section 5.6). A formatter of Foundation would cost 55 to 150 µs
/// a date.
enum TimestampText {
    /// From 1970-01-01 to 2001-01-01, in seconds: `Date` counts from the latter. Seconds are `Int64`
    /// here, since `Int` has 32 bits on some watches.
    private static let referenceOffset: Int64 = 978_307_200

    /// `date-time` of RFC 3339: `T`, `t` or a space between date and time, any number of digits in the
    /// fraction (of which nine count), `Z`, `z` or an offset.
    ///
    /// A leap second, `:60`, is accepted only at the end of a month in UTC, and is read as the second after it, since `Date`
    /// has none.
    static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        var digits = DigitCursor(bytes)
        guard let year = digits.number(4), digits.take(ASCII.minus), let month = digits.number(2),
            digits.take(ASCII.minus), let day = digits.number(2),
            let date = CalendarDate(year: year, month: month, day: day),
            digits.take(0x54) || digits.take(0x74) || digits.take(ASCII.space),
            let hour = digits.number(2), hour < 24, digits.take(ASCII.colon),
            let minute = digits.number(2), minute < 60, digits.take(ASCII.colon),
            let second = digits.number(2), second <= 60
        else { return nil }
        var fraction = 0.0
        if digits.take(ASCII.point) {
            guard let nanoseconds = digits.nanoseconds() else { return nil }
            fraction = Double(nanoseconds) / 1e9
        }
        guard let offset = offset(&digits), digits.isAtEnd else { return nil }
        let dayNumber = Int64(DayCount.number(date.year, date.month, date.day))
        let seconds = dayNumber * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
        if second == 60 {
            // The second after it must begin a month.
            guard seconds.isMultiple(of: 86_400), DayCount.date(Int(seconds / 86_400))?.day == 1 else {
                return nil
            }
        }
        return Date(timeIntervalSinceReferenceDate: Double(seconds - referenceOffset) + fraction)
    }

    /// The instant so long after 1970-01-01.
    static func date(seconds: Int64, nanoseconds: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(seconds - referenceOffset) + Double(nanoseconds) / 1e9)
    }

    /// The longest text: microseconds, or a sign and all seconds since 1970 with microseconds.
    static let maximumLength = 27

    /// A date from a number of seconds, or of thousandths of them, since 1970-01-01.
    static func date(_ number: NumberExtent, perSecond: Int) -> Date? {
        // Whole numbers stay exact: the step to Date's own zero is made on integers.
        if case .magnitude(let magnitude) = WholeNumber(number), magnitude < 1 << 53 {
            let value = number.isNegative ? -Int64(magnitude) : Int64(magnitude)
            let (seconds, rest) = value.quotientAndRemainder(dividingBy: Int64(perSecond))
            return Date(
                timeIntervalSinceReferenceDate: Double(seconds - referenceOffset)
                    + Double(rest) / Double(perSecond))
        }
        let value = DoubleRounding.double(number)
        return value.isFinite ? Date(timeIntervalSince1970: value / Double(perSecond)) : nil
    }

    /// `time-offset` in seconds.
    private static func offset(_ digits: inout DigitCursor) -> Int? {
        if digits.take(0x5A) || digits.take(0x7A) { return 0 }
        let isNegative = digits.take(ASCII.minus)
        guard isNegative || digits.take(ASCII.plus), let hour = digits.number(2), hour < 24,
            digits.take(ASCII.colon), let minute = digits.number(2), minute < 60
        else { return nil }
        let offset = hour * 3600 + minute * 60
        return isNegative ? -offset : offset
    }
}

extension TimestampText {
    /// A date in whole seconds since 1970-01-01 and microseconds after them.
    struct Moment {
        private(set) var seconds: Int64
        private(set) var microseconds: Int

        /// Nil outside the years 0 to 9999.
        init?(_ date: Date) {
            let interval = date.timeIntervalSinceReferenceDate
            // Far enough for all of them, near enough for `Int`; false for NaN.
            guard interval.magnitude < 1e12 else { return nil }
            let whole = interval.rounded(.down)
            seconds = Int64(whole) + referenceOffset
            microseconds = Int(((interval - whole) * 1e6).rounded())
            if microseconds == 1_000_000 { (seconds, microseconds) = (seconds + 1, 0) }
            if seconds < -62_167_219_200 || seconds > 253_402_300_799 { return nil }
        }

        /// Milliseconds since 1970-01-01.
        var milliseconds: Int64 { seconds * 1000 + Int64((microseconds + 500) / 1000) }

        /// Writes RFC 3339 in UTC, to the microsecond, and returns its length: `2026-11-21T02:57:01Z`,
        /// with three or six digits of fraction if it has one.
        func write(to target: UnsafeMutablePointer<UInt8>) -> Int {
            let dayNumber = seconds.flooredDivision(by: 86_400)
            let second = Int(seconds - dayNumber * 86_400)
            // Never nil: the years were looked at.
            var output = target + (DayCount.date(Int(dayNumber))?.write(to: target) ?? 0)
            output[0] = 0x54
            DecimalDigits.writePair(UInt8(truncatingIfNeeded: second / 3600), to: output + 1)
            output[3] = ASCII.colon
            DecimalDigits.writePair(UInt8(truncatingIfNeeded: second / 60 % 60), to: output + 4)
            output[6] = ASCII.colon
            DecimalDigits.writePair(UInt8(truncatingIfNeeded: second % 60), to: output + 7)
            output += 9
            if microseconds != 0 {
                output[0] = ASCII.point
                let isMilliseconds = microseconds.isMultiple(of: 1000)
                output += 1
                output += DecimalDigits.write(
                    UInt64(isMilliseconds ? microseconds / 1000 : microseconds), isMilliseconds ? 3 : 6, to: output)
            }
            output[0] = 0x5A
            return output + 1 - target
        }

        /// Writes seconds since 1970-01-01, to the microsecond, and returns the length: `1763693821.25`.
        func writeSeconds(to target: UnsafeMutablePointer<UInt8>) -> Int {
            var (seconds, microseconds) = (seconds, microseconds)
            var output = target
            if seconds < 0 {
                if microseconds > 0 { (seconds, microseconds) = (seconds + 1, 1_000_000 - microseconds) }
                output[0] = ASCII.minus
                output += 1
            }
            output += DecimalDigits.write(seconds.magnitude, to: output)
            if microseconds == 0 { return output - target }
            output[0] = ASCII.point
            output += 1 + DecimalDigits.write(UInt64(microseconds), 6, to: output + 1)
            while output[-1] == ASCII.zero { output -= 1 }
            return output - target
        }
    }
}

extension Int64 {
    /// Division rounded toward negative infinity.
    func flooredDivision(by divisor: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
