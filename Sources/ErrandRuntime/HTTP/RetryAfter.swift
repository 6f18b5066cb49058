import ErrandJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `Retry-After` in both of its forms (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// How long to wait; nil if the field has neither form. Never negative.
    ///
    /// - Parameter now: the time at the client, for a date. If the response has a `Date` of its own, the difference of the two
    ///   dates counts instead, so that a wrong clock does no harm.
    static func pause(_ headers: HTTPHeaders, now: () -> Date) -> Duration? {
        guard let text = headers["Retry-After"].map(HTTPHeaders.trimmed) else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
            return .seconds(min(Int64(text) ?? .max, longest))
        }
        let today = seconds(now())
        guard let until = HTTPDate.seconds(text, now: today) else { return nil }
        let since = headers["Date"].flatMap { HTTPDate.seconds($0, now: today) } ?? today
        return .seconds(min(max(0, until - since), longest))
    }

    /// A date of any size, `distantPast` included.
    static func seconds(_ date: Date) -> Int64 {
        Int64(min(max(date.timeIntervalSince1970, -1e12), 1e12))
    }

    /// A hundred years, in seconds: more would overflow what it is compared with.
    static let longest: Int64 = 3_153_600_000
}

/// A date in HTTP, in any of its three forms (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`,
/// and from old servers `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970; nil for any other form.
    ///
    /// - Parameter now: the same of the client's clock, by which a year of two digits is placed.
    static func seconds(_ text: String, now: Int64) -> Int64? {
        var words = text.split(separator: " ")
        switch words.count {
        case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
            return seconds(day: words[1], month: words[2], year: words[3], clock: words[4])
        case 5:
            return seconds(day: words[2], month: words[1], year: words[4], clock: words[3])
        case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
            words = words[1].split(separator: "-") + [words[2]]
            guard words.count == 4, words[2].count == 2, let short = Int64(words[2]) else { return nil }
            // The last year with these digits that is at most 50 years ahead.
            let current = 1970 + now / 31_556_952
            var year = current - current % 100 + short
            if year > current + 50 { year -= 100 }
            if year + 100 <= current + 50 { year += 100 }
            return seconds(day: words[0], month: words[1], year: "\(year)", clock: words[3])
        default: return nil
        }
    }

    private static func seconds(
        day: Substring, month: Substring, year: Substring, clock: Substring
    ) -> Int64? {
        guard let day = Int(day), (1...31).contains(day),
            let month = months.firstIndex(of: String(month)),
            let year = Int(year), (1...9999).contains(year)
        else { return nil }
        let clock = clock.split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]),
            (0...60).contains(clock[2])
        else { return nil }
        let days = Int64(DayCount.number(year, month + 1, day))
        return days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }
}
