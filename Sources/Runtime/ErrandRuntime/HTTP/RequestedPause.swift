#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How long a failed response asks the client to wait: by `Retry-After`, or by the fields of a rate limit.
package enum RequestedPause {
    /// How long to wait; nil if the response doesn't ask for a pause, or its unit cannot be told. Never negative.
    ///
    /// On a 429, `Retry-After` and `retry-after-ms` count. Without them, the limit with the least requests left counts, or one that
    /// doesn't say how many are left. On any other status, those two count, and so does each limit of which nothing remains. If several
    /// count, the longest pause does.
    ///
    /// A `Retry-After` that repeats the end of a limit with requests left counts on a 429 only. Some limiters add it to every
    /// response, so that a service that was unavailable for a moment would seem to ask for an hour (`retry-after-of-an-open-limit`).
    ///
    /// - Parameters:
    ///   - rule: the header of the contract, which is read in no other way; nil for the usual fields.
    ///   - now: the time at the client, for a point in time. If the response has a `Date`, that counts instead.
    package static func duration(
        status: Int, _ headers: HTTPHeaders, _ rule: RateLimitRule?, now: () -> Date
    ) -> Duration? {
        let windows = RateLimitWindow.all(in: headers, rule, now: now)
        var asked: [Duration] = []
        if rule?.isReset("Retry-After") != true, let pause = RetryAfter.pause(headers, now: now),
            status == 429 || !windows.contains(where: { $0.isOpen(until: pause) })
        {
            asked.append(pause)
        }
        if rule?.isReset("retry-after-ms") != true, let number = ResetNumber(headers["retry-after-ms"]) {
            asked.append(number.milliseconds)
        }
        // A limiter that refuses says best when the next request may come. Its other fields may say when the whole limit is free.
        if status == 429, let longest = asked.max() { return longest }
        asked += windows.filter { $0.remaining == 0 }.compactMap(\.reset)
        if let longest = asked.max() { return longest }
        // Something refused the request: the window with the least left, or one that doesn't say what is left.
        guard status == 429 else { return nil }
        let least = windows.compactMap(\.remaining).min()
        return windows.filter { $0.remaining == least }.compactMap(\.reset).max()
    }
}

/// One limit on the number of requests, as a response describes it.
struct RateLimitWindow: Sendable, Hashable {
    /// How many requests are left; nil if the response doesn't say.
    var remaining: Int64?
    /// How long until there are more; nil if the response doesn't say, or in no clear unit.
    var reset: Duration?

    /// Whether requests are left, and the limit ends when a pause does. Times in whole seconds, of two clocks, differ by up to two.
    fileprivate func isOpen(until pause: Duration) -> Bool {
        guard let remaining, let reset else { return false }
        return remaining > 0 && abs((reset - pause) / .seconds(1)) <= 2
    }

    /// The prefixes of the separate fields, of which each service uses one.
    private static let prefixes = ["RateLimit", "X-RateLimit", "X-Rate-Limit"]
    /// More text than this isn't read.
    private static let longestText = 4_096

    /// The limits of a response. The response states them as a list of items (draft-ietf-httpapi-ratelimit-headers-08 and later), as
    /// a dictionary (drafts 03 to 07), in separate fields (drafts 00 to 02, and the services before them), or in the contract's
    /// header.
    static func all(in headers: HTTPHeaders, _ rule: RateLimitRule?, now: () -> Date) -> [RateLimitWindow] {
        var windows: [RateLimitWindow] = []
        if rule?.isReset("RateLimit") != true { windows = combined(headers, now) }
        guard let rule else { return windows + prefixes.compactMap { separate($0, headers, now) } }
        let remaining =
            rule.remaining.map { ResetNumber(headers[$0])?.whole }
            ?? prefixes.lazy.compactMap { ResetNumber(headers["\($0)-Remaining"])?.whole }.first
        let reset = ResetNumber(headers[rule.reset]).flatMap { number -> Duration? in
            switch rule.unit {
            case .seconds: number.seconds
            case .milliseconds: number.milliseconds
            case .timestamp: number.since(today(headers, now))
            }
        }
        // A date says its unit itself.
        windows.append(RateLimitWindow(remaining: remaining, reset: reset ?? date(headers[rule.reset], headers, now)))
        return windows
    }

    /// `X-RateLimit-Remaining` and `X-RateLimit-Reset`.
    private static func separate(_ prefix: String, _ headers: HTTPHeaders, _ now: () -> Date) -> RateLimitWindow? {
        guard let text = headers["\(prefix)-Reset"] else { return nil }
        let reset = ResetNumber(text)?.guess(today(headers, now)) ?? date(text, headers, now)
        return RateLimitWindow(remaining: ResetNumber(headers["\(prefix)-Remaining"])?.whole, reset: reset)
    }

    /// `RateLimit: "hour";r=0;t=30` and `RateLimit: limit=10, remaining=0, reset=30`.
    private static func combined(_ headers: HTTPHeaders, _ now: () -> Date) -> [RateLimitWindow] {
        let fields = headers.fields.filter { HTTPHeaders.isEqual($0.name, "RateLimit") }
        let text = fields.map(\.value).joined(separator: ",")
        guard !text.isEmpty, text.utf8.count <= longestText else { return [] }
        var dictionary = RateLimitWindow()
        var windows: [RateLimitWindow] = []
        for member in split(text, at: ",") {
            let parts = split(member, at: ";").map(trimmed)
            guard let name = parts.first else { continue }
            if let value = HTTPHeaders.value(of: "remaining", in: name) {
                dictionary.remaining = ResetNumber(value)?.whole
            }
            if let value = HTTPHeaders.value(of: "reset", in: name) {
                dictionary.reset = ResetNumber(value)?.guess(today(headers, now))
            }
            let remaining = parts.dropFirst().lazy.compactMap { HTTPHeaders.value(of: "r", in: $0) }.first
            let reset = parts.dropFirst().lazy.compactMap { HTTPHeaders.value(of: "t", in: $0) }.first
            guard let remaining else { continue }
            windows.append(
                RateLimitWindow(
                    remaining: ResetNumber(remaining)?.whole, reset: reset.flatMap { ResetNumber($0)?.seconds }))
        }
        return dictionary.reset == nil ? windows : windows + [dictionary]
    }

    /// Splits at a separator that isn't inside quotes.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var parts = [""]
        var (isQuoted, isEscaped) = (false, false)
        for character in text {
            if character == separator, !isQuoted {
                parts.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && isQuoted && !isEscaped
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    private static func trimmed(_ text: String) -> String { HTTPHeaders.trimmed(text) }

    /// The time until a date in HTTP.
    private static func date(_ text: String?, _ headers: HTTPHeaders, _ now: () -> Date) -> Duration? {
        let today = today(headers, now)
        guard let text, let until = HTTPDate.seconds(trimmed(text), now: today) else { return nil }
        return .seconds(min(max(0, until - today), RetryAfter.longest))
    }

    /// The server's time in seconds since 1970, or else the client's.
    private static func today(_ headers: HTTPHeaders, _ now: () -> Date) -> Int64 {
        let own = RetryAfter.seconds(now())
        return headers["Date"].flatMap { HTTPDate.seconds($0, now: own) } ?? own
    }
}

/// A number in a header, whose unit may have to be guessed.
private struct ResetNumber {
    private let number: Double

    /// Nil for any text but digits, with or without a fraction.
    init?(_ text: String?) {
        guard let text = text.map(HTTPHeaders.trimmed), !text.isEmpty, text.utf8.count <= 32 else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let number = Double(text)
        else { return nil }
        self.number = number
    }

    var whole: Int64 { Int64(min(number.rounded(.down), 1e15)) }
    var seconds: Duration { Self.duration(number * 1_000) }
    var milliseconds: Duration { Self.duration(number) }

    /// The time until a point in time, in seconds or milliseconds since 1970.
    func since(_ today: Int64) -> Duration {
        let moment = number >= Self.milliseconds1973 ? number / 1_000 : number
        return Self.duration((moment - Double(today)) * 1_000)
    }

    /// A number of seconds, or a point in time of this day or the next year. The unit of other numbers isn't clear.
    func guess(_ today: Int64) -> Duration? {
        if number <= Self.longestSeconds { return seconds }
        let moment = number >= Self.milliseconds1973 ? number / 1_000 : number
        let distance = moment - Double(today)
        return distance >= -86_400 && distance <= 366 * 86_400 ? since(today) : nil
    }

    /// Thirty days: a point in time has a larger number, and a pause of milliseconds that is as large would be shorter than an hour.
    private static let longestSeconds = 2_592_000.0
    /// A day in 1973 in milliseconds, or of the year 5138 in seconds.
    private static let milliseconds1973 = 1e11

    private static func duration(_ milliseconds: Double) -> Duration {
        .milliseconds(Int64(min(max(0, milliseconds.rounded(.up)), Double(RetryAfter.longest) * 1_000)))
    }
}
