#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Instants in a service's own spelling, by a pattern of Unicode's date fields (UTS #35, part 4): `yyyy-MM-dd HH:mm:ss`. The
/// contract language lists those that are known here.
///
/// The pattern is walked beside the text, so that nothing has to be prepared or kept.
struct TimestampPattern {
    private enum Piece {
        case literal(UInt8)
        case field(UInt8, count: Int)
    }

    private static let quote: UInt8 = 0x27
    private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"
    private static let weekdays: StaticString = "SunMonTueWedThuFriSat"

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var isQuoted = false

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func next() -> Piece? {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == Self.quote {
                index += 1
                if index < bytes.count, bytes[index] == Self.quote {
                    index += 1
                    return .literal(Self.quote)
                }
                isQuoted.toggle()
                continue
            }
            let start = index
            index += 1
            guard !isQuoted, ASCII.isLetter(byte) else { return .literal(byte) }
            while index < bytes.count, bytes[index] == byte { index += 1 }
            return .field(byte, count: index - start)
        }
        return nil
    }

    // MARK: Reading

    /// The instant of a text; nil for one of another form, and for one with a day or a time that there is not.
    static func date(
        _ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>, offset: Int
    ) -> Date? {
        var pieces = TimestampPattern(pattern)
        var digits = DigitCursor(text)
        var moment = Fields(offset: offset)
        while let piece = pieces.next() {
            switch piece {
            case .literal(let byte): guard digits.take(byte) else { return nil }
            case .field(let letter, let count): guard moment.read(letter, count, &digits) else { return nil }
            }
        }
        return digits.isAtEnd ? moment.date : nil
    }

    private struct Fields {
        var year = 1970
        var month = 1
        var day = 1
        var hour = 0
        var minute = 0
        var second = 0
        var nanoseconds = 0
        /// Seconds east of UTC.
        var offset: Int
        /// Whether it is before or after noon; nil if hours are counted to 24.
        var isAfternoon: Bool?

        init(offset: Int) { self.offset = offset }

        mutating func read(_ letter: UInt8, _ count: Int, _ digits: inout DigitCursor) -> Bool {
            switch letter {
            case UInt8(ascii: "y"): return set(&year, digits.number(count))
            case UInt8(ascii: "M"):
                guard count == 3 else { return set(&month, digits.number(padded: count)) }
                return set(&month, digits.name(of: TimestampPattern.months).map { $0 + 1 })
            case UInt8(ascii: "d"): return set(&day, digits.number(padded: count))
            case UInt8(ascii: "H"), UInt8(ascii: "h"): return set(&hour, digits.number(padded: count))
            case UInt8(ascii: "m"): return set(&minute, digits.number(padded: count))
            case UInt8(ascii: "s"): return set(&second, digits.number(padded: count))
            case UInt8(ascii: "S"):
                guard let fraction = digits.number(count) else { return false }
                nanoseconds = (count..<9).reduce(fraction) { value, _ in value * 10 }
                return true
            // The day is known from its number.
            case UInt8(ascii: "E"): return digits.name(of: TimestampPattern.weekdays) != nil
            case UInt8(ascii: "a"):
                guard let half = digits.half() else { return false }
                isAfternoon = half
                return true
            case UInt8(ascii: "X"), UInt8(ascii: "Z"):
                return set(&offset, digits.offset(hasColon: count == 3, takesZ: letter == UInt8(ascii: "X")))
            default: return false
            }
        }

        private func set(_ field: inout Int, _ value: Int?) -> Bool {
            guard let value else { return false }
            field = value
            return true
        }

        var date: Date? {
            guard let day = CalendarDate(year: year, month: month, day: day), minute < 60, second < 60 else {
                return nil
            }
            var hour = hour
            if let isAfternoon {
                guard (1...12).contains(hour) else { return nil }
                hour = hour % 12 + (isAfternoon ? 12 : 0)
            }
            guard hour < 24 else { return nil }
            let dayNumber = Int64(DayCount.number(day.year, day.month, day.day))
            let seconds = dayNumber * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
            return TimestampText.date(seconds: seconds, nanoseconds: nanoseconds)
        }
    }

    // MARK: Writing

    /// The text of an instant; nil outside the years 0 to 9999. Units that are finer than the pattern's fields are cut off.
    static func text(_ date: Date, _ pattern: UnsafeBufferPointer<UInt8>, offset: Int) -> String? {
        guard let moment = TimestampText.Moment(date) else { return nil }
        let local = moment.seconds + Int64(offset)
        let dayNumber = local.flooredDivision(by: 86_400)
        guard let day = DayCount.date(Int(dayNumber)) else { return nil }
        let second = Int(local - dayNumber * 86_400)
        var text: [UInt8] = []
        text.reserveCapacity(pattern.count + 8)
        var pieces = TimestampPattern(pattern)
        while let piece = pieces.next() {
            switch piece {
            case .literal(let byte): text.append(byte)
            case .field(let letter, let count):
                switch letter {
                case UInt8(ascii: "y"): text.append(number: day.year, count)
                case UInt8(ascii: "M") where count == 3: text.append(name: day.month - 1, of: months)
                case UInt8(ascii: "M"): text.append(number: day.month, count)
                case UInt8(ascii: "d"): text.append(number: day.day, count)
                case UInt8(ascii: "H"): text.append(number: second / 3600, count)
                case UInt8(ascii: "h"): text.append(number: (second / 3600 + 11) % 12 + 1, count)
                case UInt8(ascii: "m"): text.append(number: second / 60 % 60, count)
                case UInt8(ascii: "s"): text.append(number: second % 60, count)
                case UInt8(ascii: "S"): text.append(fraction: moment.microseconds, count)
                case UInt8(ascii: "E"): text.append(name: weekday(dayNumber), of: weekdays)
                case UInt8(ascii: "a"): text += second < 43_200 ? "AM".utf8 : "PM".utf8
                default:
                    text.append(offset: offset, hasColon: count == 3, usesZ: letter == UInt8(ascii: "X"))
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// 0 for a Sunday. 1970-01-01 was a Thursday.
    private static func weekday(_ dayNumber: Int64) -> Int {
        let shifted = dayNumber + 4
        return Int(shifted - shifted.flooredDivision(by: 7) * 7)
    }
}

extension [UInt8] {
    /// Digits, with leading zeros if there are fewer.
    fileprivate mutating func append(number: Int, _ digits: Int) {
        let text = String(number).utf8
        for _ in 0..<Swift.max(0, digits - text.count) { append(ASCII.zero) }
        self += text
    }

    /// The first digits of a fraction in microseconds.
    fileprivate mutating func append(fraction microseconds: Int, _ digits: Int) {
        var all: [UInt8] = []
        all.append(number: microseconds, 6)
        for position in 0..<digits { append(position < 6 ? all[position] : ASCII.zero) }
    }

    /// A name of three letters.
    fileprivate mutating func append(name index: Int, of names: StaticString) {
        names.withUTF8Buffer { self += $0[index * 3..<index * 3 + 3] }
    }

    fileprivate mutating func append(offset: Int, hasColon: Bool, usesZ: Bool) {
        if usesZ, offset == 0 { return append(UInt8(ascii: "Z")) }
        append(offset < 0 ? ASCII.minus : ASCII.plus)
        append(number: Int(offset.magnitude) / 3600, 2)
        if hasColon { append(ASCII.colon) }
        append(number: Int(offset.magnitude) / 60 % 60, 2)
    }
}
