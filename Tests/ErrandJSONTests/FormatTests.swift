import ErrandJSON
import Foundation
import TestSeeds
import Testing

@Suite struct FormatTests {
    static let base = "2026-11-21T02:57:01Z"
    /// 2026-11-21T02:57:01Z.
    static let moment = 1_795_229_821.0

    @Test(arguments: [
        ("2026-11-21T02:57:01Z", 0.0), ("2026-11-21t02:57:01z", 0), ("2026-11-21 02:57:01Z", 0),
        ("2026-11-21T02:57:01.5Z", 0.5), ("2026-11-21T02:57:01.250Z", 0.25),
        ("2026-11-21T02:57:01.000000000000001Z", 0), ("2026-11-21T04:57:01+02:00", 0),
        ("2026-11-20T21:27:01-05:30", 0), ("2026-11-21T02:57:01-00:00", 0),
        ("2026-11-21T02:57:01+00:00", 0),
    ]) func timestamp(_ text: String, _ fraction: Double) throws {
        let date = try read("\"\(text)\"") { $0.readTimestamp() }
        #expect(date.timeIntervalSince1970 == Self.moment + fraction)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T02:57Z", "2026-11-21T02:57:01", "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-11-00T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T02:60:01Z", "2026-11-21T02:57:61Z",
        "2026-11-21T02:57:60Z", "2026-11-21T23:59:60Z", "2026-11-21T02:57:01.Z", "2026-11-21T02:57:01,5Z",
        "2026-11-21T02:57:01+0200", "2026-11-21T02:57:01+24:00", "2026-11-21T02:57:01+02:60",
        "2026-11-21T02:57:01Z ", " 2026-11-21T02:57:01Z", "26-11-21T02:57:01Z", "+026-11-21T02:57:01Z",
        "2026-11-21T02:57:01Zjunk", "20261121T025701Z", "2026-11-21T02:57:0１Z", "2026-1-21T02:57:01Z",
    ]) func notATimestamp(_ text: String) {
        #expect(fault("\"\(text)\"") { $0.readTimestamp() }?.code == .malformedText)
    }

    @Test func leapSeconds() throws {
        let date = try read(#""2016-12-31T23:59:60Z""#) { $0.readTimestamp() }
        #expect(JSONText.timestamp(date) == "2017-01-01T00:00:00Z")
        let local = try read(#""2017-01-01T00:59:60+01:00""#) { $0.readTimestamp() }
        #expect(local == date)
        #expect(fault(#""2016-12-30T23:59:60Z""#) { $0.readTimestamp() } != nil)
    }

    @Test func escapedTimestamp() throws {
        let date = try read(#""2026\u002d11-21T02:57:01Z""#) { $0.readTimestamp() }
        #expect(date.timeIntervalSince1970 == Self.moment)
    }

    @Test func everyDayAgainstTheCalendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            // 1600 to 9999: Foundation's Gregorian calendar turns Julian before 1582.
            let seconds = Int64(random.next() % 265_000_000_000) - 11_600_000_000
            let date = Date(timeIntervalSince1970: Double(seconds))
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            func padded(_ number: Int?, _ digits: Int) -> String {
                let text = "\(number ?? -1)"
                return String(repeating: "0", count: max(0, digits - text.count)) + text
            }
            let wanted =
                "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))T"
                + "\(padded(parts.hour, 2)):\(padded(parts.minute, 2)):\(padded(parts.second, 2))Z"
            #expect(JSONText.timestamp(date) == wanted, "seed \(seed)")
            #expect(try read("\"\(wanted)\"") { $0.readTimestamp() } == date, "seed \(seed)")
        }
    }

    @Test func theEndsOfTime() throws {
        for text in [
            "0000-01-01T00:00:00Z", "0000-02-29T12:00:00Z", "9999-12-31T23:59:59Z", "1969-12-31T23:59:59.500Z",
        ] {
            let date = try read("\"\(text)\"") { $0.readTimestamp() }
            #expect(JSONText.timestamp(date) == text)
        }
        for date in [
            Date.distantFuture.addingTimeInterval(1e12), Date(timeIntervalSince1970: -62_167_219_201),
            Date(timeIntervalSince1970: 253_402_300_800), Date(timeIntervalSince1970: .nan),
            Date(timeIntervalSince1970: -.infinity),
        ] {
            #expect(JSONText.timestamp(date) == nil)
            #expect(JSONText.unixTimestamp(date) == nil)
            #expect(JSONText.millisecondTimestamp(date) == nil)
        }
    }

    @Test func fractionsSurvive() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let microseconds = Int64(random.next() % 4_000_000_000_000_000) - 1_000_000_000_000_000
            let date = Date(
                timeIntervalSinceReferenceDate: Double(microseconds / 1_000_000 - 978_307_200)
                    + Double(microseconds % 1_000_000) / 1e6)
            for (text, again) in [
                (try JSON.bytes { $0.writeTimestamp(date) }, { (reader: inout JSONReader) in reader.readTimestamp() }),
                (
                    try JSON.bytes { $0.writeUnixTimestamp(date) },
                    { (reader: inout JSONReader) in reader.readUnixTimestamp() }
                ),
            ] {
                let back = try JSON.scan(text, again)
                #expect(abs(back.timeIntervalSince(date)) < 6e-7, "seed \(seed)")
            }
            let text = try JSON.bytes { $0.writeMillisecondTimestamp(date) }
            let back = try JSON.scan(text) { $0.readMillisecondTimestamp() }
            #expect(abs(back.timeIntervalSince(date)) <= 0.000_501, "seed \(seed)")
        }
    }

    @Test func numericTimestamps() throws {
        #expect(try read("1795229821") { $0.readUnixTimestamp() }.timeIntervalSince1970 == Self.moment)
        #expect(try read("1795229821.5") { $0.readUnixTimestamp() }.timeIntervalSince1970 == Self.moment + 0.5)
        #expect(try read("1795229821500") { $0.readMillisecondTimestamp() }.timeIntervalSince1970 == Self.moment + 0.5)
        #expect(try read(#""1795229821""#) { $0.readLenientUnixTimestamp() }.timeIntervalSince1970 == Self.moment)
        #expect(
            try read(#""1795229821500""#) { $0.readLenientMillisecondTimestamp() }.timeIntervalSince1970 == Self.moment
                + 0.5)
        #expect(JSONText.unixTimestamp(Date(timeIntervalSince1970: -0.25)) == "-0.25")
        #expect(JSONText.unixTimestamp(Date(timeIntervalSince1970: -1.25)) == "-1.25")
        #expect(JSONText.unixTimestamp(Date(timeIntervalSince1970: Self.moment + 0.123)) == "1795229821.123")
        #expect(JSONText.millisecondTimestamp(Date(timeIntervalSince1970: Self.moment + 0.123)) == "1795229821123")
        #expect(fault(#""1""#) { $0.readUnixTimestamp() }?.code == .typeMismatch(found: .string))
        #expect(fault("1e999") { $0.readUnixTimestamp() }?.code == .numberOutOfRange)
    }

    @Test func calendarDates() throws {
        #expect(try read(#""2026-11-21""#) { $0.readCalendarDate() } == CalendarDate(year: 2026, month: 11, day: 21))
        #expect(CalendarDate("2024-02-29")?.description == "2024-02-29")
        #expect(CalendarDate("0007-01-02")?.description == "0007-01-02")
        for text in ["2026-02-29", "2026-1-1", "2026-11-21T", "", "2026/11/21", "2026-11-31", "10000-01-01"] {
            #expect(CalendarDate(text) == nil)
            #expect(fault("\"\(text)\"") { $0.readCalendarDate() }?.code == .malformedText)
        }
        let early = try #require(CalendarDate("2026-11-21"))
        let late = try #require(CalendarDate("2027-01-01"))
        #expect(early < late)
        #expect(try JSON.bytes { $0.write(early) } == Array(#""2026-11-21""#.utf8))
        #expect(try JSONDecoder().decode([CalendarDate].self, from: JSONEncoder().encode([early])) == [early])
    }

    @Test func base64() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
            let text = JSONText.of(bytes)
            #expect(text == Data(bytes).base64EncodedString(), "seed \(seed)")
            #expect(try read("\"\(text)\"") { $0.readBytes() } == bytes, "seed \(seed)")
            let bare = text.replacingOccurrences(of: "=", with: "").replacingOccurrences(of: "/", with: "\\/")
            #expect(try read("\"\(bare)\"") { $0.readBytes() } == bytes, "seed \(seed)")
        }
        for text in [
            "A", "AAAAA", "A===", "AA=", "AAA==", "====", "=", "AB==", "AAB=", "AAB", "AB", "A A=", "AA\\nAA", "A-_A",
            "AA==AA==", "AAAA=", "AAAA==", "AAAA===", "AAAA====",
        ] {
            #expect(fault("\"\(text)\"") { $0.readBytes() }?.code == .malformedText, "\(text)")
        }
    }

    @Test func identifiersAndURLs() throws {
        let id = UUID()
        #expect(try read("\"\(id.uuidString)\"") { $0.readUUID() } == id)
        #expect(try read("\"\(id.uuidString.lowercased())\"") { $0.readUUID() } == id)
        #expect(try JSON.bytes { $0.write(id) } == Array("\"\(id.uuidString.lowercased())\"".utf8))
        for text in [
            "", "6ba7b810-9dad-11d1-80b4-00c04fd430c", "6ba7b8109dad11d180b400c04fd430c8",
            "6ba7b810-9dad-11d1-80b4-00c04fd430cg", "{6ba7b810-9dad-11d1-80b4-00c04fd430c8}",
            "6ba7b810-9dad-11d1-80b4x00c04fd430c8",
        ] {
            #expect(fault("\"\(text)\"") { $0.readUUID() }?.code == .malformedText)
        }
        let url = try read(#""https:\/\/a.example\/x?y=1""#) { $0.readURL() }
        #expect(url.absoluteString == "https://a.example/x?y=1")
        #expect(try JSON.bytes { $0.write(url) } == Array(#""https://a.example/x?y=1""#.utf8))
        #expect(fault(#""""#) { $0.readURL() }?.code == .malformedText)
    }
}
