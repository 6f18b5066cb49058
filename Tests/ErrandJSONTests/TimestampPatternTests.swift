import ErrandJSON
import Foundation
import TestSeeds
import Testing

/// Instants in a service's own spelling, and days to and from Foundation.
@Suite struct TimestampPatternTests {
    /// 2026-11-21T02:57:01Z, a Saturday.
    static let moment = Date(timeIntervalSince1970: 1_795_229_821)

    static let spellings: [(StaticString, Int, String)] = [
        ("yyyy-MM-dd HH:mm:ss", 0, "2026-11-21 02:57:01"), ("yyyy-MM-dd HH:mm:ss", 28_800, "2026-11-21 10:57:01"),
        ("yyyyMMddHHmmss", -19_800, "20261120212701"), ("d/M/yyyy H:m:s", 0, "21/11/2026 2:57:1"),
        ("EEE, dd MMM yyyy HH:mm:ss 'GMT'", 0, "Sat, 21 Nov 2026 02:57:01 GMT"),
        ("EEE MMM dd HH:mm:ss Z yyyy", -18_000, "Fri Nov 20 21:57:01 -0500 2026"),
        ("hh:mm:ss a dd.MM.yyyy", 43_200, "02:57:01 PM 21.11.2026"),
        ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", 0, "2026-11-21T02:57:01.000Z"),
        ("yyyy-MM-dd'T'HH:mm:ssXX", 7200, "2026-11-21T04:57:01+0200"),
        ("'it''s' yyyy''MM''dd H:mm:ss", 0, "it's 2026'11'21 2:57:01"),
        ("yyyy年M月d日 HH:mm:ss", 0, "2026年11月21日 02:57:01"),
    ]

    @Test(arguments: spellings.indices) func aTextIsWrittenAndRead(_ index: Int) throws {
        let (pattern, offset, text) = Self.spellings[index]
        #expect(JSONText.timestamp(Self.moment, pattern, offset: offset) == text)
        #expect(try read("\"\(text)\"") { $0.readTimestamp(pattern, offset: offset) } == Self.moment)
        let written = try JSON.bytes { $0.writeTimestamp(Self.moment, pattern, offset: offset) }
        #expect(String(decoding: written, as: UTF8.self) == "\"\(text)\"")
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21 02:57:01 ", " 2026-11-21 02:57:01", "2026-11-21T02:57:01", "2026-11-21 02:57",
        "2026-11-31 02:57:01", "2026-02-29 02:57:01", "2026-11-21 24:00:00", "2026-11-21 02:60:01",
        "2026-11-21 02:57:60",
        "2026-11-21 2:57:01", "26-11-21 02:57:01", "2026-00-21 02:57:01", "+026-11-21 02:57:01", "2026-11-21 02:57:0１",
    ]) func anotherTextIsRefused(_ text: String) {
        let fault = fault("\"\(text)\"") { $0.readTimestamp("yyyy-MM-dd HH:mm:ss") }
        #expect(fault?.code == .malformedText && fault?.expectation == "yyyy-MM-dd HH:mm:ss")
    }

    @Test(
        arguments: [
            ("00:15 AM", nil), ("12:15 AM", 15), ("12:15 pm", 735), ("11:59 PM", 1439), ("13:00 PM", nil),
            ("1:00 PM", nil),
            ("01:00 XM", nil), ("01:00", nil),
        ] as [(String, Int?)]) func hoursOfHalfADay(_ time: String, _ minutes: Int?)
    {
        let date = try? read("\"2026-11-21 \(time)\"") { $0.readTimestamp("yyyy-MM-dd hh:mm a") }
        #expect(date.map { Int($0.timeIntervalSince1970) / 60 % 1440 } == minutes)
    }

    @Test(
        arguments: [
            ("Z", 0), ("+08:00", -28_800), ("-05:30", 19_800), ("+0800", nil), ("+24:00", nil), ("", nil), ("z", nil),
        ] as [(String, Int?)]) func anOffsetWinsOverTheZone(_ offset: String, _ shift: Int?)
    {
        let date = try? read("\"2026-11-21 02:57:01\(offset)\"") {
            $0.readTimestamp("yyyy-MM-dd HH:mm:ssXXX", offset: 3600)
        }
        #expect(date == shift.map { Self.moment + Double($0) })
    }

    @Test func fractionsAreCut() throws {
        let date = Self.moment + 0.987654
        #expect(JSONText.timestamp(date, "s.S yyyy MM dd HH:mm") == "1.9 2026 11 21 02:57")
        #expect(JSONText.timestamp(date, "s.SSSSSSSSS yyyy MM dd HH:mm") == "1.987654000 2026 11 21 02:57")
        let text = #""2026-11-21 02:57:01.987""#
        #expect(
            abs(try read(text) { $0.readTimestamp("yyyy-MM-dd HH:mm:ss.SSS") }.timeIntervalSince(Self.moment) - 0.987)
                < 1e-6)
        #expect(fault(#""2026-11-21 02:57:01.98""#) { $0.readTimestamp("yyyy-MM-dd HH:mm:ss.SSS") } != nil)
    }

    @Test func aYearBeyondTheCalendarIsNotWritten() {
        for date in [Date.distantFuture + 1e12, Date(timeIntervalSince1970: 253_402_300_799)] {
            #expect(JSONText.timestamp(date, "yyyy-MM-dd HH:mm", offset: 3600) == nil)
        }
        #expect(throws: JSONError.self) {
            try JSON.bytes { $0.writeTimestamp(Date.distantFuture + 1e12, "yyyy-MM-dd HH:mm") }
        }
    }

    /// Held against Foundation's formatter.
    @Test func anyInstantIsSpelledAsFoundationDoes() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.calendar = Calendar(identifier: .gregorian)
        for (pattern, _, _) in Self.spellings {
            formatter.dateFormat = "\(pattern)"
            for _ in 0..<200 {
                let offset = (Int(random.next() % 47) - 23) * 1800
                formatter.timeZone = TimeZone(secondsFromGMT: offset)
                // From 1600: Foundation's Gregorian calendar turns Julian before 1582.
                let date = Date(timeIntervalSince1970: Double(Int64(random.next() % 265_000_000_000) - 11_600_000_000))
                let text = try #require(JSONText.timestamp(date, pattern, offset: offset))
                #expect(text == formatter.string(from: date), "seed \(seed), \(pattern), \(offset)")
                #expect(
                    try read("\"\(text)\"") { $0.readTimestamp(pattern, offset: offset) } == date,
                    "seed \(seed), \(text)")
            }
        }
    }

    // MARK: Days

    @Test func aDayIsThatOfAZone() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let late = Date(timeIntervalSince1970: 1_795_302_000)  // 2026-11-21T23:00:00Z
        #expect(CalendarDate(late, in: berlin)?.description == "2026-11-22")
        #expect(CalendarDate(late, in: tokyo)?.description == "2026-11-22")
        let day = try #require(CalendarDate(year: 2026, month: 11, day: 22))
        #expect(day.date(in: berlin) == late)
        #expect(CalendarDate(Date.distantFuture + 1e12, in: berlin) == nil)
    }

    /// Each day of years in which clocks change, also at midnight: held against Foundation's calendar.
    @Test(arguments: [
        "Europe/Berlin", "America/Sao_Paulo", "Asia/Beirut", "Africa/Cairo", "America/Havana", "Asia/Tokyo",
    ])
    func aDayBeginsWhereTheCalendarSays(_ name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        for year in [2010, 2015, 2017, 2024] {
            var noon = try #require(calendar.date(from: DateComponents(year: year, month: 1, day: 1, hour: 12)))
            for _ in 0..<365 {
                let day = try #require(CalendarDate(noon, in: zone))
                #expect(day.date(in: zone) == calendar.startOfDay(for: noon), "\(day) in \(name)")
                #expect(day.dateComponents == calendar.dateComponents([.year, .month, .day], from: noon))
                noon = try #require(calendar.date(byAdding: .day, value: 1, to: noon))
            }
        }
    }

    @Test func componentsAreADay() {
        #expect(CalendarDate(DateComponents(year: 2026, month: 2, day: 28, hour: 5))?.description == "2026-02-28")
        #expect(CalendarDate(DateComponents(year: 2026, month: 2, day: 29)) == nil)
        #expect(CalendarDate(DateComponents(year: 2026, month: 2)) == nil)
    }
}
