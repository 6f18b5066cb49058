/// A walk over the document up to an offset that knows the path there. It trusts nothing: the
/// document may be malformed at the offset, never before it.
struct PathWalk {
    private struct Level {
        var isObject: Bool
        /// The key last seen, with its quotes.
        var key: Range<Int>?
        var index = 0
        /// Whether the walk has passed the value of that key or index.
        var isPastValue = false
        var isAwaitingKey: Bool
        /// Whether this level is in the value of a sensitive key.
        var isSecret: Bool
    }

    private let bytes: BytePointer
    private let count: Int
    private let report: FaultReport
    private var levels: [Level] = []
    private var position = 0
    private var target = 0

    /// Where the string, number or literal starts that the target is in, if it does.
    private(set) var scalarStart: Int?

    init(bytes: BytePointer, count: Int, _ report: FaultReport) {
        self.bytes = bytes
        self.count = count
        self.report = report
    }

    /// Goes on to `offset`, which must not lie before the last one.
    mutating func advance(to offset: Int) {
        target = offset
        if let start = scalarStart, start < offset { position = start }
        scalarStart = nil
        while position < offset {
            switch bytes[position] {
            case ASCII.openBrace: open(isObject: true)
            case ASCII.openBracket: open(isObject: false)
            case ASCII.closeBrace, ASCII.closeBracket:
                _ = levels.popLast()
                noteValue()
                position += 1
            case ASCII.comma:
                noteComma()
                position += 1
            case ASCII.colon, ASCII.space, ASCII.tab, ASCII.lineFeed, ASCII.carriageReturn: position += 1
            default:
                let stop = endOfScalar()
                // The target is inside: its path is this scalar's.
                if stop > offset || stop >= count && isOpenString(stop) {
                    scalarStart = position
                    return
                }
                noteScalar(position..<stop)
                position = stop
            }
        }
        if position < count, !Self.isDelimiter(bytes[position]) { scalarStart = position }
    }

    /// The path of the value at the target; the path of the container if the target is between values.
    var path: String {
        var steps: [String] = []
        for level in levels {
            if level.isPastValue { break }
            if !level.isObject {
                steps.append("[\(level.index)]")
            } else if let key = level.key {
                steps.append(level.isSecret ? Self.blankStep : step(key))
            } else {
                break
            }
        }
        return "$" + Self.bounded(steps).joined()
    }

    /// The ends of a path tell most: what kind of document it is, and what is wrong in it. No step is cut, since the half of
    /// a key could be the half of a secret, which a search for the secret would not find.
    private static func bounded(_ steps: [String]) -> [String] {
        var room = maximumSize
        var (front, back) = (0, steps.count)
        while front < back {
            let takesFront = front <= steps.count - back
            room -= steps[takesFront ? front : back - 1].utf8.count
            if room < 0 { return steps[..<front] + ["…"] + steps[back...] }
            if takesFront { front += 1 } else { back -= 1 }
        }
        return steps
    }

    /// Whether the target is at the place of an object's key.
    var isAtKey: Bool { levels.last.map { $0.isObject && $0.isAwaitingKey } ?? false }

    /// Whether the target is in or just after the value of a sensitive key.
    var isSensitive: Bool {
        guard !report.sensitive.isEmpty, let last = levels.last else { return false }
        return last.isSecret || isSensitive(last)
    }

    /// Structure and white space: what ends a number or a word.
    static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case ASCII.openBrace, ASCII.openBracket, ASCII.closeBrace, ASCII.closeBracket, ASCII.comma,
            ASCII.colon, ASCII.space, ASCII.tab, ASCII.lineFeed, ASCII.carriageReturn:
            true
        default: false
        }
    }

    // MARK: Steps

    private mutating func open(isObject: Bool) {
        let isSecret = isSensitive
        levels.append(Level(isObject: isObject, isAwaitingKey: isObject, isSecret: isSecret))
        position += 1
    }

    private mutating func noteComma() {
        guard let last = levels.indices.last else { return }
        levels[last].isPastValue = false
        levels[last].key = nil
        levels[last].isAwaitingKey = levels[last].isObject
        levels[last].index += 1
    }

    private mutating func noteScalar(_ range: Range<Int>) {
        guard let last = levels.indices.last else { return }
        if levels[last].isAwaitingKey {
            levels[last].key = range
            levels[last].isAwaitingKey = false
        } else {
            noteValue()
        }
    }

    private mutating func noteValue() {
        guard let last = levels.indices.last else { return }
        levels[last].isPastValue = true
    }

    /// The end of the string, number or word at the position.
    private func endOfScalar() -> Int {
        var index = position + 1
        if bytes[position] == ASCII.quote {
            while index < count, bytes[index] != ASCII.quote {
                index += bytes[index] == ASCII.backslash ? 2 : 1
            }
            return min(index + 1, count)
        }
        while index < count, !Self.isDelimiter(bytes[index]), bytes[index] != ASCII.quote { index += 1 }
        return index
    }

    /// Whether the string at the position never ends.
    private func isOpenString(_ stop: Int) -> Bool {
        guard bytes[position] == ASCII.quote else { return false }
        var syntaxError = SyntaxError.none
        _ = JSONSyntax.scanString(bytes + position + 1, bytes + stop, &syntaxError)
        return syntaxError == .unexpectedEnd
    }

    private func isSensitive(_ level: Level) -> Bool {
        guard !report.sensitive.isEmpty, let key = level.key else { return false }
        return report.sensitive.contains(name(key))
    }

    private func name(_ key: Range<Int>) -> String {
        var syntaxError = SyntaxError.none
        let extent = JSONSyntax.scanString(bytes + key.lowerBound + 1, bytes + key.upperBound, &syntaxError)
        return syntaxError == .none ? JSONSyntax.makeString(extent) : "�"
    }

    /// How long a path may become, and a key that it names, in bytes.
    private static let maximumSize = 900
    private static let maximumKeySize = 100
    private static let blankStep = "['\(Excerpt.blank)']"

    private func step(_ key: Range<Int>) -> String {
        // An escape takes six bytes for one.
        if key.count > 6 * Self.maximumKeySize { return report.declared == nil ? "['…']" : Self.blankStep }
        let name = name(key)
        if let declared = report.declared, !declared.contains(name) { return Self.blankStep }
        // The half of a key could be the half of a secret, which no search would find in it.
        return name.utf8.count > Self.maximumKeySize ? "['…']" : Self.step(name)
    }

    private static func step(_ name: String) -> String {
        let isIdentifier =
            !name.isEmpty
            && name.utf8.enumerated().allSatisfy { index, byte in
                byte == 0x5F || (byte | 0x20) &- 0x61 < 26 || (index > 0 && ASCII.isDigit(byte))
            }
        if isIdentifier { return ".\(name)" }
        let escaped = name.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "'": "\\'"
            case "\\": "\\\\"
            case _ where PrintedText.isUnprintable(scalar): "\u{FFFD}"
            default: String(scalar)
            }
        }
        return "['\(escaped.joined())']"
    }
}
