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
        // A field that a library sends twice arrives as one value over URLSession (quart-rate-limiter 0.12: `2, 2`).
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { HTTPHeaders.trimmed(String($0)) }
        if parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }) {
            return .seconds(min(parts.map { Int64($0) ?? .max }.max() ?? 0, longest))
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
