/// A day in the Gregorian calendar, without time of day and time zone: a birthday, a due date.
public struct CalendarDate: Sendable, Hashable {
    /// 0 to 9999.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// Nil if no such day exists.
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= DayCount.days(inMonth: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// From `full-date` of RFC 3339 section 5.6: `2026-11-21`, and nothing else.
    public init?(_ text: String) {
        let parsed = Array(text.utf8).withUnsafeBufferPointer { CalendarDate(bytes: $0) }
        guard let parsed else { return nil }
        self = parsed
    }

    init?(bytes: UnsafeBufferPointer<UInt8>) {
        var digits = DigitCursor(bytes)
        guard let year = digits.number(4), digits.take(ASCII.minus), let month = digits.number(2),
            digits.take(ASCII.minus), let day = digits.number(2), digits.isAtEnd
        else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

extension CalendarDate: Comparable {
    /// Earlier days first.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension CalendarDate: CustomStringConvertible {
    /// `2026-11-21`, as JSON has it.
    public var description: String {
        JSONText.text(Self.length, write)
    }

    /// The bytes of the text.
    static var length: Int { 10 }

    /// Writes the text and returns its length.
    func write(to target: UnsafeMutablePointer<UInt8>) -> Int {
        DecimalDigits.writePair(UInt8(truncatingIfNeeded: year / 100), to: target)
        DecimalDigits.writePair(UInt8(truncatingIfNeeded: year % 100), to: target + 2)
        target[4] = ASCII.minus
        DecimalDigits.writePair(UInt8(truncatingIfNeeded: month), to: target + 5)
        target[7] = ASCII.minus
        DecimalDigits.writePair(UInt8(truncatingIfNeeded: day), to: target + 8)
        return Self.length
    }
}

extension CalendarDate: Codable {
    /// From the text that `description` gives.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = CalendarDate(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a calendar date such as 2026-11-21")
        }
        self = date
    }

    /// As the text that `description` gives.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Days in the proleptic Gregorian calendar, counted from 1970-01-01.
///
/// The arithmetic is that of Howard Hinnant, "chrono-compatible low-level date algorithms": years
/// start in March, so that the leap day is the last.
package enum DayCount {
    static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The number of the day; `year` from 0 to 9999.
    package static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // 400 years ahead, so that no division meets a negative number.
        let shifted = (month <= 2 ? year - 1 : year) + 400
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return (era - 1) * 146_097 + dayOfEra - 719_468
    }

    /// The date of a day between 0000-01-01 and 9999-12-31.
    static func date(_ number: Int) -> CalendarDate? {
        let shifted = number + 719_468 + 146_097
        guard shifted >= 0 else { return nil }
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
        return CalendarDate(year: year, month: month, day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
