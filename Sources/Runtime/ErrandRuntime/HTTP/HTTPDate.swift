import ErrandJSON

/// A date in HTTP, in one of its three forms (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, and from old servers
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longWeekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// The average of the calendar.
    private static let secondsPerYear: Int64 = 31_556_952

    /// Seconds since 1970; nil for any other text, however much like a date it is, and for a day that no month has.
    ///
    /// - Parameter now: the same of the client's clock, by which a year of two digits is placed.
    static func seconds(_ text: String, now: Int64) -> Int64? {
        fixdate(text) ?? rfc850Date(text, now) ?? asctimeDate(text)
    }

    private static func fixdate(_ text: String) -> Int64? {
        var scanner = DateScanner(text)
        guard scanner.skip(oneOf: weekdays) != nil, scanner.skip(", "), let day = scanner.number(2), scanner.skip(" "),
            let month = scanner.skip(oneOf: months), scanner.skip(" "), let year = scanner.number(4),
            scanner.skip(" "), let time = scanner.time(), scanner.skip(" GMT"), scanner.isAtEnd
        else { return nil }
        return seconds(year, month, day, time)
    }

    private static func rfc850Date(_ text: String, _ now: Int64) -> Int64? {
        var scanner = DateScanner(text)
        guard scanner.skip(oneOf: longWeekdays) != nil, scanner.skip(", "), let day = scanner.number(2),
            scanner.skip("-"), let month = scanner.skip(oneOf: months), scanner.skip("-"),
            let short = scanner.number(2), scanner.skip(" "), let time = scanner.time(), scanner.skip(" GMT"),
            scanner.isAtEnd
        else { return nil }
        // The latest one with these digits that is at most 50 years ahead.
        let current = Int(1970 + now / secondsPerYear)
        let century = current - current % 100
        return [century + 100, century, century - 100].compactMap { seconds($0 + short, month, day, time) }
            .first { $0 - now <= 50 * secondsPerYear }
    }

    private static func asctimeDate(_ text: String) -> Int64? {
        var scanner = DateScanner(text)
        guard scanner.skip(oneOf: weekdays) != nil, scanner.skip(" "), let month = scanner.skip(oneOf: months),
            scanner.skip(" "), let day = scanner.skip(" ") ? scanner.number(1) : scanner.number(2), scanner.skip(" "),
            let time = scanner.time(), scanner.skip(" "), let year = scanner.number(4), scanner.isAtEnd
        else { return nil }
        return seconds(year, month, day, time)
    }

    /// - Parameter month: from 0.
    private static func seconds(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> Int64? {
        guard let date = CalendarDate(year: year, month: month + 1, day: day) else { return nil }
        return Int64(DayCount.number(date.year, date.month, date.day)) * 86_400 + Int64(time)
    }
}

/// What is left of a date to be read.
private struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips a text; false, and nothing is skipped, if another one comes.
    mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// Skips one of several texts, and returns which.
    mutating func skip(oneOf texts: [String]) -> Int? {
        for (index, text) in texts.enumerated() where skip(text) { return index }
        return nil
    }

    /// Reads a number of so many digits.
    mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    /// Reads `08:49:37`, as the seconds of a day. It may have a leap second.
    mutating func time() -> Int? {
        guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"),
            let second = number(2), second <= 60
        else { return nil }
        return (hour * 60 + minute) * 60 + second
    }
}
