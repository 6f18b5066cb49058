import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// The three forms of a date in HTTP, and nothing else (RFC 9110 section 5.6.7), in every field that has one.
@Suite struct HTTPDateTests {
    /// 1994-11-06 08:49:37
    private static let example: Int64 = 784_111_777
    private static let forms = [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ]
    /// The start of 2026.
    private static let now: Int64 = 1_767_225_600

    @Test(arguments: forms) func eachFormIsRead(_ text: String) {
        #expect(HTTPDate.seconds(text, now: Self.now) == Self.example)
    }

    /// Much like a date, and none.
    static let others = [
        "", "0", "-1", "784111777", "1994-11-06T08:49:37Z", "06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37 gmt",
        "sun, 06 nov 1994 08:49:37 GMT", "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 08:49:37 GMT+",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sunday, 06 Nov 94 08:49:37 GMT", "Sunday, 6-Nov-94 08:49:37 GMT", "Sunday, 29-Feb-95 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun Nov 06 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT", "Nov  6 08:49:37 1994",
        "Sun Nov  66 08:49:37 1994", "x Nov 06 08:49:37 1994",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
    ]

    @Test(arguments: others) func nothingElseIs(_ text: String) {
        #expect(HTTPDate.seconds(text, now: Self.now) == nil)
    }

    /// Every moment that is written in a form is read in it. The seed is printed on failure.
    @Test func whatIsWrittenIsRead() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for _ in 0..<2_000 {
            let seconds = Int64.random(in: Self.now - 49 * 31_536_000...Self.now + 49 * 31_536_000, using: &generator)
            let date = Date(timeIntervalSince1970: Double(seconds))
            let forms = [
                "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM dd HH:mm:ss yyyy",
            ]
            for form in forms {
                formatter.dateFormat = form
                var text = formatter.string(from: date)
                if form.hasPrefix("EEE MMM") { text = text.replacing(#/ 0(\d) /#) { "  \($0.output.1) " } }
                #expect(HTTPDate.seconds(text, now: Self.now) == seconds, "seed \(seed): \(text)")
            }
        }
    }

    /// A year of two digits is the latest one that is at most 50 years ahead.
    @Test func twoDigitsAreOfTheLatestYear() {
        func year(_ digits: String) -> Int? {
            HTTPDate.seconds("Sunday, 15-Jun-\(digits) 00:00:00 GMT", now: Self.now)
                .map { 1970 + Int((Double($0) / 31_556_952).rounded(.down)) }
        }
        #expect(year("26") == 2026 && year("75") == 2075 && year("76") == 1976 && year("94") == 1994)
        #expect(year("00") == 2000)
        for moment in [Int64.min / 2_000_000, -1_000_000_000_000, 1_000_000_000_000] {
            #expect(HTTPDate.seconds(Self.forms[1], now: moment) == nil)
        }
    }

    // MARK: The fields

    @Test(arguments: forms) func eachFieldTakesEachForm(_ text: String) throws {
        let today = Date(timeIntervalSince1970: Double(Self.example - 60))
        for name in ["Retry-After", "X-RateLimit-Reset"] {
            let pause = RequestedPause.duration(status: 429, HTTPHeaders([.init(name, text)]), nil, now: { today })
            #expect(pause == .seconds(60), "\(name)")
        }
        let headers: HTTPHeaders = ["Retry-After": "Sun, 06 Nov 1994 08:50:37 GMT", "Date": text]
        #expect(RetryAfter.pause(headers, now: { today }) == .seconds(60))
    }

    @Test(arguments: others) func noFieldTakesAnother(_ text: String) throws {
        let today = Date(timeIntervalSince1970: Double(Self.example - 60))
        // A number has a meaning of its own, and spaces around a value are not part of it.
        let isOther = Int(text) == nil && HTTPHeaders.trimmed(text) == text
        for name in ["Retry-After", "X-RateLimit-Reset"] where isOther {
            let pause = RequestedPause.duration(status: 429, HTTPHeaders([.init(name, text)]), nil, now: { today })
            #expect(pause == nil, "\(name)")
        }
        let rule = CacheRule(offline: nil)
        for headers in [["Expires": text], ["Last-Modified": text]] as [HTTPHeaders] {
            let freshness = Freshness(CacheControl(headers), headers, rule, delay: .zero, date: Self.now)
            #expect(freshness.lifetime == .zero, "\(headers)")
        }
    }
}
