/// A text as UTF-8, with what turns the client's positions into byte offsets and back.
///
/// A line ends at `\n`, `\r\n` or a lone `\r` (LSP 3.17, text documents).
struct DocumentText {
    private(set) var bytes: [UInt8]
    private var lineStarts: [Int]
    /// Where every byte is a unit of any encoding, nothing has to be counted.
    private var isASCII: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        (lineStarts, isASCII) = Self.survey(bytes)
    }

    var lineCount: Int { lineStarts.count }

    /// The line that holds a byte offset, counted from 0.
    func line(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The bytes of a line without its end.
    func content(ofLine line: Int) -> Range<Int> {
        let start = lineStarts[line]
        var end = line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count
        while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        return start..<end
    }

    // MARK: Positions

    /// The byte offset of a position. One after its line's end is the end of the line, one after the text the text's end,
    /// and one inside a character the character's beginning.
    func offset(of position: ClientPosition, _ encoding: PositionEncoding) -> Int {
        guard position.line >= 0 else { return 0 }
        guard position.line < lineStarts.count else { return bytes.count }
        let line = content(ofLine: position.line)
        guard position.character < line.count else {
            // No encoding has more units than bytes.
            return line.upperBound
        }
        let wanted = max(position.character, 0)
        if isASCII { return line.lowerBound + wanted }
        var units = 0
        var offset = line.lowerBound
        while offset < line.upperBound {
            let length = Self.length(of: bytes[offset])
            let next = units + Self.units(of: length, encoding)
            if next > wanted { return offset }
            units = next
            offset = min(offset + length, line.upperBound)
        }
        return offset
    }

    func position(at offset: Int, _ encoding: PositionEncoding) -> ClientPosition {
        let offset = min(max(offset, 0), bytes.count)
        let line = line(at: offset)
        let start = lineStarts[line]
        if isASCII || encoding == .utf8 { return ClientPosition(line: line, character: offset - start) }
        var units = 0
        var index = start
        while index < offset {
            let length = Self.length(of: bytes[index])
            units += Self.units(of: length, encoding)
            index += length
        }
        return ClientPosition(line: line, character: units)
    }

    func range(_ bytes: Range<Int>, _ encoding: PositionEncoding) -> ClientRange {
        ClientRange(start: position(at: bytes.lowerBound, encoding), end: position(at: bytes.upperBound, encoding))
    }

    // MARK: Edits

    /// Replaces the text of a range. A range whose end is before its start is reversed.
    mutating func replace(_ range: ClientRange, with text: String, _ encoding: PositionEncoding) {
        let first = offset(of: range.start, encoding)
        let second = offset(of: range.end, encoding)
        bytes.replaceSubrange(min(first, second)..<max(first, second), with: Array(text.utf8))
        (lineStarts, isASCII) = Self.survey(bytes)
    }

    // MARK: Counting

    private static func survey(_ bytes: [UInt8]) -> ([Int], Bool) {
        var starts = [0]
        var all: UInt8 = 0
        bytes.withUnsafeBufferPointer { bytes in
            for position in 0..<bytes.count {
                let byte = bytes[position]
                all |= byte
                guard byte == 0x0A || byte == 0x0D else { continue }
                if byte == 0x0D, position + 1 < bytes.count, bytes[position + 1] == 0x0A { continue }
                starts.append(position + 1)
            }
        }
        return (starts, all < 0x80)
    }

    private static func length(of lead: UInt8) -> Int {
        switch lead {
        case 0xF0...: 4
        case 0xE0...: 3
        case 0xC0...: 2
        default: 1
        }
    }

    private static func units(of length: Int, _ encoding: PositionEncoding) -> Int {
        encoding == .utf8 ? length : (length == 4 ? 2 : 1)
    }
}
