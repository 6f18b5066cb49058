/// The line of source that a diagnostic is about, with carets under the range.
struct SourceExcerpt {
    let line: Int
    /// The line as shown: tabs widened, control characters written out, cut around the range if it is long.
    private(set) var text = ""
    /// The number of columns before the first caret.
    private(set) var caretColumn = 0
    /// At least one: an empty range is a place.
    private(set) var caretCount = 1

    /// Bytes looked at on either side of the range's start, so that a file of one endless line costs no more than others.
    private static let reach = 2048

    /// `nil` if the range is outside the text, which happens if the file was changed meanwhile.
    init?(_ range: SourceRange, in bytes: [UInt8], width: Int) {
        let start = range.start.offset
        guard start >= 0, start <= bytes.count else { return nil }
        line = range.start.line

        var first = start
        while first > 0, start - first < Self.reach, !Self.isLineBreak(bytes[first - 1]) { first -= 1 }
        var last = start
        while last < bytes.count, last - start < Self.reach, !Self.isLineBreak(bytes[last]) { last += 1 }
        var isCutBefore = first > 0 && !Self.isLineBreak(bytes[first - 1])
        var isCutAfter = last < bytes.count && !Self.isLineBreak(bytes[last])
        // Not in the middle of a character.
        while isCutBefore, first < start, bytes[first] & 0xC0 == 0x80 { first += 1 }
        while isCutAfter, last > start, bytes[last] & 0xC0 == 0x80 { last -= 1 }
        if first == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]), start >= 3 { first = 3 }

        let end = max(start, min(range.end.offset, last))
        let cells = Self.cells(bytes[first..<last], from: first)
        var marked = cells.indices.filter { cells[$0].offset < end && cells[$0].offset + cells[$0].length > start }
        if marked.isEmpty {
            marked = [cells.firstIndex { $0.offset >= start } ?? cells.count]
        }
        guard let firstMarked = marked.first, let lastMarked = marked.last else { return nil }

        let shown = Self.window(cells.map(\.cell.width), around: firstMarked, lastMarked, width: max(width, 20))
        isCutBefore = isCutBefore || shown.lowerBound > 0
        isCutAfter = isCutAfter || shown.upperBound < cells.count
        text = (isCutBefore ? "…" : "") + cells[shown].map(\.cell.text).joined() + (isCutAfter ? "…" : "")
        caretColumn = (isCutBefore ? 1 : 0)
        for index in shown.lowerBound..<max(shown.lowerBound, min(firstMarked, shown.upperBound)) {
            caretColumn += cells[index].cell.width
        }
        guard !range.isEmpty else { return }
        let carets = marked.filter { shown.contains($0) }.map { cells[$0].cell.width }.reduce(0, +)
        caretCount = max(1, carets)
    }

    private static func cells(_ bytes: ArraySlice<UInt8>, from start: Int) -> [(
        cell: DisplayCell, offset: Int, length: Int
    )] {
        let decoded = String(decoding: bytes, as: UTF8.self)
        guard decoded.utf8.elementsEqual(bytes) else {
            return bytes.enumerated().map { (DisplayCell(showing: $0.element), start + $0.offset, 1) }
        }
        var offset = start
        return decoded.map { character in
            defer { offset += character.utf8.count }
            return (DisplayCell(showing: character), offset, character.utf8.count)
        }
    }

    /// The cells to show: all of a short line, else a stretch that holds the start of the range and what is before it.
    private static func window(_ widths: [Int], around first: Int, _ last: Int, width: Int) -> Range<Int> {
        guard widths.reduce(0, +) > width else { return 0..<widths.count }
        var lower = min(first, widths.count)
        var room = width / 3
        while lower > 0, widths[lower - 1] <= room {
            lower -= 1
            room -= widths[lower]
        }
        var upper = lower
        room = width
        while upper < widths.count, widths[upper] <= room {
            room -= widths[upper]
            upper += 1
        }
        // Near the end of the line there is room left for more of its beginning.
        while upper == widths.count, lower > 0, widths[lower - 1] <= room {
            lower -= 1
            room -= widths[lower]
        }
        return lower..<upper
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
