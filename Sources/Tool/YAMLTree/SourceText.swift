import Diagnostics

/// A file's bytes, with the data that converts a byte offset into line and column, and libyaml's marks into offsets.
///
/// Both conversions cost a binary search and a count over a short stretch, for any length of file and line.
package struct SourceText: Sendable {
    let file: String
    let bytes: [UInt8]
    /// Byte offsets; the first line begins after a byte order mark.
    let lineStarts: [UInt32]
    /// The line, counted from 0, that holds the first byte of each stretch of `lineStride` bytes.
    private let linesOfStretches: [UInt32]
    /// How many scalars begin before each stretch of `stride` bytes; `nil` where every byte is a scalar.
    private let scalarCounts: [UInt32]?
    private static let stride = 64
    private static let lineStride = 128

    /// A text of any format.
    package init(file: String, bytes: [UInt8]) { self.init(file: file, bytes: bytes, survey: TextSurvey(bytes)) }

    init(file: String, bytes: [UInt8], survey: TextSurvey) {
        self.init(file: file, bytes: bytes, lineStarts: survey.lineStarts, isASCII: survey.isASCII)
    }

    init(file: String, bytes: [UInt8], lineStarts: [UInt32], isASCII: Bool) {
        self.file = file
        self.bytes = bytes
        self.lineStarts = lineStarts
        linesOfStretches = Self.findLines(lineStarts, count: bytes.count)
        scalarCounts = isASCII ? nil : Self.countScalars(bytes)
    }

    /// Whether every byte is a character of ASCII.
    var isASCII: Bool { scalarCounts == nil }

    var lineCount: Int { lineStarts.count }

    /// The byte offset where a line (counted from 1) begins.
    func lineStart(_ line: Int) -> Int {
        Int(lineStarts[min(max(line, 1), lineStarts.count) - 1])
    }

    /// The line that holds a byte offset, counted from 1.
    func line(at offset: Int) -> Int {
        lineStarts.withUnsafeBufferPointer { starts in
            var line = Int(linesOfStretches[min(max(offset, 0) / Self.lineStride, linesOfStretches.count - 1)]) + 1
            while line < starts.count, Int(starts[line]) <= offset { line += 1 }
            return line
        }
    }

    /// Where the line that holds a byte offset ends, before its line break.
    func endOfLine(containing offset: Int) -> Int {
        let line = line(at: offset)
        guard line < lineStarts.count else { return bytes.count }
        var end = Int(lineStarts[line])
        while end > lineStart(line), isLineBreak(bytes[end - 1]) { end -= 1 }
        return end
    }

    func position(at offset: Int) -> SourcePosition {
        let offset = min(max(offset, 0), bytes.count)
        return position(at: offset, line: line(at: offset))
    }

    private func position(at offset: Int, line: Int) -> SourcePosition {
        let column = scalarIndex(at: offset) - scalarIndex(at: lineStart(line)) + 1
        return SourcePosition(line: line, column: max(column, 1), offset: offset)
    }

    /// The place of a stretch of bytes.
    package func range(_ start: Int, _ end: Int) -> SourceRange {
        let start = position(at: start)
        let end = min(max(end, 0), bytes.count)
        // Most end on the line on which they begin.
        let isOneLine = end >= start.offset && (start.line == lineStarts.count || end < Int(lineStarts[start.line]))
        return SourceRange(
            file: file, start: start, end: isOneLine ? position(at: end, line: start.line) : position(at: end))
    }

    /// How many Unicode scalars begin before a byte offset.
    private func scalarIndex(at offset: Int) -> Int {
        guard let scalarCounts else { return offset }
        let block = offset / Self.stride
        var index = Int(scalarCounts[block])
        for position in (block * Self.stride)..<offset where !isContinuation(bytes[position]) { index += 1 }
        return index
    }

    /// The byte offset of libyaml's mark, which counts scalars and leaves a byte order mark out.
    func offset(ofMark index: Int) -> Int {
        let first = lineStart(1)
        guard let scalarCounts else { return min(index + first, bytes.count) }
        let wanted = index + (first > 0 ? 1 : 0)
        var low = 0
        var high = scalarCounts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(scalarCounts[middle]) <= wanted { low = middle } else { high = middle }
        }
        var position = low * Self.stride
        var remaining = wanted - Int(scalarCounts[low])
        while position < bytes.count {
            if !isContinuation(bytes[position]) {
                if remaining == 0 { return position }
                remaining -= 1
            }
            position += 1
        }
        return bytes.count
    }

    /// The byte offset of a mark at or after a place whose mark and offset are known. Events come in the order of the
    /// text, so that this walks a few bytes where ``offset(ofMark:)`` searches.
    func offset(ofMark index: Int, after known: (mark: Int, offset: Int)) -> Int {
        let steps = index - known.mark
        guard scalarCounts != nil, steps >= 0, steps <= 2 * Self.stride else { return offset(ofMark: index) }
        return bytes.withUnsafeBufferPointer { bytes in
            var position = known.offset
            for _ in 0..<steps where position < bytes.count {
                position += 1
                while position < bytes.count, isContinuation(bytes[position]) { position += 1 }
            }
            return position
        }
    }

    private static func findLines(_ starts: [UInt32], count: Int) -> [UInt32] {
        var lines: [UInt32] = []
        lines.reserveCapacity(count / lineStride + 1)
        var line = 0
        for offset in Swift.stride(from: 0, through: count, by: lineStride) {
            while line + 1 < starts.count, Int(starts[line + 1]) <= offset { line += 1 }
            lines.append(UInt32(line))
        }
        return lines
    }

    private static func countScalars(_ bytes: [UInt8]) -> [UInt32] {
        var counts: [UInt32] = []
        counts.reserveCapacity(bytes.count / stride + 2)
        var count: UInt32 = 0
        bytes.withUnsafeBufferPointer { bytes in
            for position in 0..<bytes.count {
                if position % stride == 0 { counts.append(count) }
                if !isContinuation(bytes[position]) { count += 1 }
            }
            // An offset at the very end may begin a stretch of its own.
            if bytes.count % stride == 0 { counts.append(count) }
        }
        return counts
    }
}

@inline(__always)
func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

@inline(__always)
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

@inline(__always)
private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
