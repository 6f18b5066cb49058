/// A service's own spelling of instants: `yyyy-MM-dd HH:mm:ss`.
///
/// A pattern has some of Unicode's date fields (UTS #35, part 4): those that one instant can be read from without knowing a
/// language, and of which each has one meaning.
package struct TimestampFormat: Sendable, Hashable {
    package let pattern: String
    /// The zone of a pattern without an offset, in seconds east of UTC.
    package let offset: Int
    private let pieces: [Piece]

    /// A pattern's problem, and its UTF-8 position.
    package struct Problem: Error {
        package let message: String
        package let help: String
        package let range: Range<Int>
    }

    private enum Piece: Hashable {
        case literal(UInt8)
        case field(Field, count: Int)
    }

    private enum Field: Character, CaseIterable {
        case year = "y"
        case month = "M"
        case day = "d"
        case hour = "H"
        case halfDayHour = "h"
        case half = "a"
        case minute = "m"
        case second = "s"
        case fraction = "S"
        case weekday = "E"
        case offset = "X"
        case plainOffset = "Z"

        var counts: ClosedRange<Int> {
            switch self {
            case .year: 4...4
            case .month: 1...3
            case .day, .hour, .halfDayHour, .minute, .second: 1...2
            case .fraction: 1...9
            case .weekday: 3...3
            case .half, .plainOffset: 1...1
            case .offset: 2...3
            }
        }

        /// The field that this one requires.
        var needed: Field? {
            switch self {
            case .minute: .hour
            case .second: .minute
            case .fraction: .second
            case .half: .halfDayHour
            case .halfDayHour: .half
            default: nil
            }
        }

        func spelling(_ count: Int) -> String { String(repeating: rawValue, count: count) }
    }

    /// As long as no spelling of an instant is.
    private static let mostCharacters = 64
    private static let fields =
        "the fields are `yyyy`, `M`, `MM`, `MMM`, `d`, `dd`, `H`, `HH`, `h`, `hh`, `a`, `m`, `mm`, `s`, `ss`, `S` to `SSSSSSSSS`, `EEE`, `Z`, `XX` and `XXX`; quote other letters: `'T'`"

    package init(_ pattern: String, offset: Int = 0) throws(Problem) {
        self.pattern = pattern
        self.offset = offset
        pieces = try Self.read(pattern)
    }

    // MARK: Reading a pattern

    private static func read(_ pattern: String) throws(Problem) -> [Piece] {
        let bytes = Array(pattern.utf8)
        let whole = 0..<bytes.count
        guard pattern.count <= mostCharacters else {
            throw Problem(
                message: "a format can have at most \(mostCharacters) characters", help: fields, range: whole)
        }
        var pieces: [Piece] = []
        var places: [Field: Range<Int>] = [:]
        var index = 0
        var quote: Int?
        while index < bytes.count {
            let byte = bytes[index]
            let start = index
            index += 1
            if byte == UInt8(ascii: "'") {
                if index < bytes.count, bytes[index] == byte {
                    index += 1
                    pieces.append(.literal(byte))
                } else {
                    quote = quote == nil ? start : nil
                }
                continue
            }
            guard byte >= 0x20, byte != 0x7F else {
                throw Problem(message: "a format cannot have control characters", help: fields, range: start..<index)
            }
            let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            guard quote == nil, isLetter else {
                pieces.append(.literal(byte))
                continue
            }
            while index < bytes.count, bytes[index] == byte { index += 1 }
            let field = try field(byte, start..<index)
            if let earlier = places.updateValue(start..<index, forKey: field) {
                throw Problem(
                    message: "`\(field.rawValue)` occurs twice", help: "write each field once",
                    range: max(earlier.lowerBound, start)..<index)
            }
            pieces.append(.field(field, count: index - start))
        }
        if let quote {
            throw Problem(
                message: "the quote that opens here is never closed", help: "write `''` for the character itself",
                range: quote..<bytes.count)
        }
        try checkFields(places, whole)
        try checkNeighbors(pieces, whole)
        return pieces
    }

    private static func field(_ letter: UInt8, _ range: Range<Int>) throws(Problem) -> Field {
        let character = Character(Unicode.Scalar(letter))
        let written = String(repeating: character, count: range.count)
        guard let field = Field(rawValue: character) else {
            let help =
                switch character {
                case "Y": "write `yyyy`: `Y` is the year of a week"
                case "D": "write `dd`: `D` counts the days of a year"
                case "z": "write `Z`, `XX` or `XXX`, or a quoted name: `'GMT'`"
                default: fields
                }
            throw Problem(message: "`\(written)` is not a field of a format", help: help, range: range)
        }
        guard field.counts.contains(range.count) else {
            let counts = field.counts.map { "`\(field.spelling($0))`" }
            throw Problem(
                message: "`\(written)` is not a field of a format",
                help:
                    "write \(counts.count > 3 ? "\(counts[0]) to \(counts[counts.count - 1])" : counts.joined(separator: " or "))",
                range: range)
        }
        return field
    }

    /// An instant needs a day and a time, each said once.
    private static func checkFields(_ places: [Field: Range<Int>], _ whole: Range<Int>) throws(Problem) {
        let has = { (field: Field) in places[field] != nil }
        let required: [(field: Field, what: String)] = [(.year, "`yyyy`"), (.month, "`MM`"), (.day, "`dd`")]
        for (field, what) in required where !has(field) {
            throw Problem(message: "a timestamp needs \(what)", help: fields, range: whole)
        }
        guard has(.hour) || has(.halfDayHour) else {
            throw Problem(
                message: "a timestamp needs a time of day", help: "write `HH`, or read the field as a `string`",
                range: whole)
        }
        for (one, other) in [(Field.hour, Field.halfDayHour), (.hour, .half), (.offset, .plainOffset)] where has(one) {
            guard let place = places[other] else { continue }
            throw Problem(
                message: "`\(one.rawValue)` and `\(other.rawValue)` cannot be used together",
                help: "remove one of them",
                range: place)
        }
        for field in Field.allCases {
            guard let place = places[field], let needed = field.needed, !has(needed) else { continue }
            if field == .minute, has(.halfDayHour) { continue }
            throw Problem(
                message: "`\(field.rawValue)` needs `\(needed.rawValue)`", help: "add it, or remove this field",
                range: place)
        }
    }

    /// A number of one or two digits has an ambiguous end if another digit follows it.
    private static func checkNeighbors(_ pieces: [Piece], _ whole: Range<Int>) throws(Problem) {
        for (piece, next) in zip(pieces, pieces.dropFirst()) {
            guard case .field(let field, 1) = piece, field.counts == 1...2 || field == .month else { continue }
            let isDigit =
                switch next {
                case .literal(let byte): (0x30...0x39).contains(byte)
                case .field(.month, let count): count < 3
                case .field(let other, _): ![.half, .weekday, .offset, .plainOffset].contains(other)
                }
            if isDigit {
                throw Problem(
                    message: "`\(field.rawValue)` can have one or two digits, so its end is ambiguous",
                    help: "write `\(field.spelling(2))`, or write a separator after it", range: whole)
            }
        }
    }

    // MARK: Examples

    /// Whether the text itself says its offset from UTC.
    package var hasOffset: Bool {
        for case .field(let field, _) in pieces where field == .offset || field == .plainOffset { return true }
        return false
    }

    /// The numbers of the pattern, in their order. Two patterns with different orders read different instants from one text.
    var order: String {
        String(
            pieces.compactMap { piece in
                guard case .field(let field, let count) = piece else { return nil }
                switch field {
                case .year, .day, .minute, .second: return field.rawValue
                case .month: return count < 3 ? field.rawValue : nil
                case .hour, .halfDayHour: return Field.hour.rawValue
                case .fraction, .half, .weekday, .offset, .plainOffset: return nil
                }
            })
    }

    /// Whether a text has the form of the pattern. Whether there is such a day, it does not say.
    package func fits(_ text: String) -> Bool {
        var rest = text.utf8[...]
        func digits(_ counts: ClosedRange<Int>) -> Bool {
            let found = min(rest.prefix { (0x30...0x39).contains($0) }.count, counts.upperBound)
            rest = rest.dropFirst(found)
            return counts.contains(found)
        }
        func letters(_ count: Int) -> Bool {
            let found = rest.prefix(count).prefix { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }.count
            rest = rest.dropFirst(found)
            return found == count
        }
        for piece in pieces {
            let isThere: Bool
            switch piece {
            case .literal(let byte): isThere = rest.popFirst() == byte
            case .field(.half, _): isThere = letters(2)
            case .field(.weekday, _), .field(.month, 3): isThere = letters(3)
            case .field(.offset, _) where rest.first == UInt8(ascii: "Z"): isThere = rest.popFirst() != nil
            case .field(.offset, let count), .field(.plainOffset, let count):
                let sign = rest.popFirst()
                let isSigned = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
                isThere =
                    isSigned && digits(2...2) && (count < 3 || rest.popFirst() == UInt8(ascii: ":")) && digits(2...2)
            case .field(.year, let count), .field(.fraction, let count): isThere = digits(count...count)
            case .field(_, let count): isThere = digits(count...2)
            }
            if !isThere { return false }
        }
        return rest.isEmpty
    }

    /// 2026-11-21, eight o'clock in the morning, a Saturday.
    package var sample: String {
        var text: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let byte): text.append(byte)
            case .field(let field, let count):
                switch field {
                case .year: text += "2026".utf8
                case .month: text += (count == 3 ? "Nov" : "11").utf8
                case .day: text += "21".utf8
                case .hour, .halfDayHour: text += (count == 1 ? "8" : "08").utf8
                case .half: text += "AM".utf8
                case .weekday: text += "Sat".utf8
                case .minute, .second: text += String(repeating: "0", count: count).utf8
                case .fraction: text += String(repeating: "0", count: count).utf8
                case .offset: text += "Z".utf8
                case .plainOffset: text += "+0000".utf8
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
