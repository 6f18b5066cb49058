#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `Retry-After` in both of its forms (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// How long to wait; nil where the field is neither form. Never negative.
    ///
    /// - Parameter now: the time at the client, for a date. Where the answer has a `Date` of its own,
    ///   the difference of the two is taken instead, so that a wrong clock does no harm.
    static func pause(_ headers: HTTPHeaders, now: () -> Date) -> Duration? {
        guard let text = headers["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
            return .seconds(min(Int64(text) ?? .max, longest))
        }
        guard let until = HTTPDate.seconds(text) else { return nil }
        let since = headers["Date"].flatMap(HTTPDate.seconds) ?? Int64(now().timeIntervalSince1970)
        return .seconds(min(max(0, until - since), longest))
    }

    /// A hundred years, in seconds: more would overflow what it is compared with.
    private static let longest: Int64 = 3_153_600_000
}

/// The preferred form of a date in HTTP, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970; nil for anything that is not of that form.
    static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT",
            let day = Int64(words[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[2])),
            let year = Int64(words[3]), (1...9999).contains(year)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]),
            (0...60).contains(clock[2])
        else { return nil }
        let days = daysSince1970(year: year, month: Int64(month) + 1, day: day)
        return days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    /// Days of the Gregorian calendar, counted in eras of 400 years that start in March.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
