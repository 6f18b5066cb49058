/// A place in a source file.
package struct SourcePosition: Hashable, Sendable {
    /// The line, counted from 1. A line ends at `\n`, `\r\n` or a lone `\r`, as editors count.
    package var line: Int { Int(lineNumber) }
    /// The column, counted from 1 in Unicode scalars.
    package var column: Int { Int(columnNumber) }
    /// The number of bytes before this place, in the file as it is on disk (a byte order mark counts).
    package var offset: Int { Int(byteOffset) }

    // Ranges are most of what a contract in memory consists of, and no file that is read is longer than these can count.
    private let lineNumber: Int32
    private let columnNumber: Int32
    private let byteOffset: Int32

    package init(line: Int, column: Int, offset: Int) {
        lineNumber = Int32(clamping: line)
        columnNumber = Int32(clamping: column)
        byteOffset = Int32(clamping: offset)
    }

    /// The same place in a text before which lines were put in or taken out.
    package func moved(lines: Int, bytes: Int) -> SourcePosition {
        SourcePosition(line: line + lines, column: column, offset: offset + bytes)
    }
}

extension SourcePosition: Comparable {
    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.offset, left.line, left.column) < (right.offset, right.line, right.column)
    }
}

/// A stretch of a source file, from `start` up to but not including `end`.
package struct SourceRange: Hashable, Sendable {
    /// The file's path as it is shown to the reader, never an absolute path of the machine that ran the tool.
    package let file: String
    package let start: SourcePosition
    package let end: SourcePosition

    /// An `end` before `start` is taken as an empty range at `start`, so that no reader of a range has to check.
    package init(file: String, start: SourcePosition, end: SourcePosition) {
        self.file = file
        self.start = start
        self.end = max(start, end)
    }

    /// Whether the range covers no text: a place where something is missing.
    package var isEmpty: Bool { start.offset == end.offset }

    /// The same place in a file that a reader knows under another name.
    package func renamingFile(_ name: (String) -> String) -> SourceRange {
        SourceRange(file: name(file), start: start, end: end)
    }

    /// The range that begins where this one begins and ends where `other` ends.
    package func joined(with other: SourceRange) -> SourceRange {
        SourceRange(file: file, start: min(start, other.start), end: max(end, other.end))
    }
}

extension SourceRange: CustomStringConvertible {
    /// `file:line:column` of the start, the form that terminals and editors make clickable.
    package var description: String { "\(file):\(start.line):\(start.column)" }
}
