import Diagnostics

/// A file's tree, its text and its comments.
package final class YAMLDocument: Sendable {
    let source: SourceText
    let table: NodeTable
    let commentOffsets: [Range<UInt32>]

    init(source: SourceText, table: NodeTable, commentOffsets: [Range<UInt32>]) {
        self.source = source
        self.table = table
        self.commentOffsets = commentOffsets
    }

    /// The path as it is shown to the reader.
    package var file: String { source.file }

    /// The number of nodes, each of which has an ``YAMLNode/index`` below it.
    package var nodeCount: Int { table.rows.count }

    /// The node that holds all others.
    package var root: YAMLNode { YAMLNode(document: self, row: 0, alias: nil) }

    /// The text of a range of this document, exactly as it is in the file.
    package func text(of range: SourceRange) -> String {
        text(from: range.start.offset, to: range.end.offset)
    }

    /// The whole file's bytes.
    package var bytes: [UInt8] { source.bytes }

    func text(from start: Int, to end: Int) -> String {
        let upper = min(max(end, 0), source.bytes.count)
        let lower = min(max(start, 0), upper)
        return String(decoding: source.bytes[lower..<upper], as: UTF8.self)
    }

    func range(_ start: UInt32, _ end: UInt32) -> SourceRange {
        source.range(Int(start), Int(end))
    }
}

// MARK: Comments

/// One `# comment`, which never spans lines.
package struct YAMLComment: Hashable, Sendable {
    /// The text after `#`, without the blanks around it.
    package let text: String
    /// From `#` to the end of the line.
    package let range: SourceRange
    /// Whether nothing but blanks is before it on its line.
    package let isAlone: Bool
}

extension YAMLDocument {
    /// Every comment in the order of the text.
    ///
    /// They are found while parsing, in the text between scalars, where a `#` can only begin a comment (inside a plain
    /// scalar a `#` after a blank ends it) and in the first line of a block scalar.
    package var comments: [YAMLComment] {
        commentOffsets.map(comment)
    }

    /// The comment on the line where the node ends, in any position on that line.
    ///
    /// `a: #fff` has such a comment, from which a decoder knows why the value is absent.
    package func trailingComment(after node: YAMLNode) -> YAMLComment? {
        let end = node.aliasRange?.end.offset ?? Int(node.content.end)
        let index = firstComment(from: end)
        guard index < commentOffsets.count else { return nil }
        let found = commentOffsets[index]
        guard Int(found.lowerBound) < source.endOfLine(containing: end) else { return nil }
        return comment(found)
    }

    /// The index of the first comment that begins at or after a byte offset.
    private func firstComment(from offset: Int) -> Int {
        var low = 0
        var high = commentOffsets.count
        while low < high {
            let middle = (low + high) / 2
            if Int(commentOffsets[middle].lowerBound) < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func comment(_ offsets: Range<UInt32>) -> YAMLComment {
        let start = Int(offsets.lowerBound)
        let raw = source.bytes[start..<Int(offsets.upperBound)].dropFirst()
        let blanks: Set<UInt8> = [0x20, 0x09]
        let trimmed = raw.drop { blanks.contains($0) }
        let length = trimmed.reversed().drop { blanks.contains($0) }.count
        let range = range(offsets.lowerBound, offsets.upperBound)
        let before = source.bytes[source.lineStart(range.start.line)..<start]
        return YAMLComment(
            text: String(decoding: trimmed.prefix(length), as: UTF8.self),
            range: range,
            isAlone: before.allSatisfy { blanks.contains($0) }
        )
    }
}
