import CLibYAML
import Diagnostics

// Reading a text again that was changed in one place, as it is after each key in an editor.
//
// The lines of a mapping's entries can be read on their own: each begins at the mapping's column, and nothing of the entry
// before it is open there. So the entries around the change are read, and what was known of the others is moved.
//
// Architecture invariant: the tree is the one that reading the whole text gives. Wherever that is not certain (problems,
// anchors, tags, directives, a change outside all entries), the answer is nil, and the whole text has to be read.
extension YAMLParser {
    /// Reads a text whose earlier version is known; `nil` where it has to be read as a whole.
    package func parse(_ bytes: [UInt8], editing earlier: YAMLDocument) -> (
        document: YAMLDocument, replacement: TextReplacement
    )? {
        guard earlier.isPlain, bytes.count <= min(limits.bytes, Int(Int32.max)),
            LibraryDiagnostics.tooOld(EventReader.version, file: earlier.file) == nil,
            // Values of entries that went are kept; reading the whole text lets go of them.
            earlier.table.values.count <= earlier.source.bytes.count
        else { return nil }
        let ends = TextReplacement.commonEnds(earlier.source.bytes, bytes)
        let change = ends.prefix..<(earlier.source.bytes.count - ends.suffix)
        guard let entries = EntryStretch(around: change, in: earlier) else { return nil }
        let end = entries.bytes.upperBound + bytes.count - earlier.source.bytes.count
        guard end > entries.bytes.lowerBound,
            let piece = read(bytes[entries.bytes.lowerBound..<end], of: entries, isLast: end == bytes.count),
            !entries.repeats(a: piece.table, piece.source)
        else { return nil }
        let replacement = TextReplacement(
            start: entries.bytes.lowerBound, earlierEnd: entries.bytes.upperBound, end: end,
            addedLines: piece.source.lineCount - 1 - entries.lineBreaks
        )
        let splice = TreeSplice(earlier, entries, piece, replacement)
        return (splice.document(bytes), replacement)
    }

    /// The entries' text as a document of its own; `nil` where it is anything but entries of the same column.
    private func read(_ bytes: ArraySlice<UInt8>, of entries: EntryStretch, isLast: Bool) -> TreePiece? {
        let text = Array(bytes)
        guard isLast || text.last == UInt8(ascii: "\n") else { return nil }
        let survey = TextSurvey(text)
        guard survey.flawCount == 0, !EntryStretch.hasMarks(text, lineStarts: survey.lineStarts) else { return nil }
        let source = SourceText(file: entries.file, bytes: text, survey: survey)
        var limits = limits
        limits.depth -= entries.depth
        var builder = TreeBuilder(source: source, limits: limits)
        let isComplete = text.withUnsafeBufferPointer { feed(&builder, $0) }
        guard isComplete, builder.diagnostics.isEmpty, builder.root == 0, builder.end == text.count,
            builder.table.anchors.isEmpty, builder.table.tags.isEmpty
        else { return nil }
        let root = builder.table.rows[0]
        guard root.kind == .mapping, !root.isFlow, Int(root.start) == entries.column else { return nil }
        let comments = CommentScan.comments(in: text, rows: builder.table.rows, upTo: text.count)
        return TreePiece(source: source, table: builder.table, comments: comments)
    }
}

/// Entries of a mapping that were read on their own.
struct TreePiece {
    let source: SourceText
    let table: NodeTable
    let comments: [Range<UInt32>]
}

/// Neighbouring entries of a mapping in lines, with all lines from the first one's key up to the next key.
struct EntryStretch {
    let file: String
    /// The row of the mapping.
    let mapping: Int
    /// How many collections the entries stand in beside their own mapping.
    let depth: Int
    /// The pairs, by their positions in the mapping.
    let pairs: Range<Int>
    /// From the start of the first one's line.
    let bytes: Range<Int>
    /// How many blanks stand before a key.
    let column: Int
    /// How many lines end in the stretch.
    let lineBreaks: Int
    private let document: YAMLDocument

    /// The fewest entries that hold a change: of a mapping in the top mapping, or of the top mapping.
    init?(around change: Range<Int>, in document: YAMLDocument) {
        let root = document.table.rows[0]
        guard root.kind == .mapping, !root.isFlow,
            let outer = Self.find(change, mapping: 0, limit: document.source.bytes.count, document)
        else { return nil }
        var found = (mapping: 0, depth: 0, stretch: outer)
        if outer.pairs.count == 1 {
            let value = Int(document.table.children[Int(root.first) + 2 * outer.pairs.lowerBound + 1])
            if let inner = Self.find(change, mapping: value, limit: outer.bytes.upperBound, document) {
                found = (value, 1, inner)
            }
        }
        file = document.file
        self.document = document
        mapping = found.mapping
        depth = found.depth
        pairs = found.stretch.pairs
        bytes = found.stretch.bytes
        column = found.stretch.column
        lineBreaks = document.source.line(at: bytes.upperBound) - document.source.line(at: bytes.lowerBound)
    }

    private static func find(
        _ change: Range<Int>, mapping: Int, limit: Int, _ document: YAMLDocument
    ) -> (pairs: Range<Int>, bytes: Range<Int>, column: Int)? {
        let content = document.table.rows[mapping]
        guard content.kind == .mapping, !content.isFlow, content.count > 0 else { return nil }
        let count = Int(content.count) / 2
        func start(_ pair: Int) -> Int {
            Int(document.table.rows[Int(document.table.children[Int(content.first) + 2 * pair])].start)
        }
        func line(_ pair: Int) -> Int { document.source.lineStart(document.source.line(at: start(pair))) }
        // Keys stand in the order of the text. What comes right before a key may belong to the entry above.
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if line(middle) < change.lowerBound { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let first = low - 1
        var end = low
        while end < count, line(end) < change.upperBound { end += 1 }
        let bytes = line(first)..<(end < count ? line(end) : limit)
        let column = start(first) - bytes.lowerBound
        guard change.upperBound <= bytes.upperBound, bytes.lowerBound > 4,
            isIndented(document, bytes.lowerBound, by: column),
            end == count || isIndented(document, bytes.upperBound, by: column)
        else { return nil }
        return (first..<end, bytes, column)
    }

    private static func isIndented(_ document: YAMLDocument, _ line: Int, by column: Int) -> Bool {
        document.source.bytes[line..<min(line + column, document.source.bytes.count)].allSatisfy {
            $0 == UInt8(ascii: " ")
        }
    }

    /// Whether a line may be a directive, the border of a document, or a key behind `?`, which ends where the next one begins.
    static func hasMarks(_ bytes: [UInt8], lineStarts: [UInt32]) -> Bool {
        lineStarts.contains { start in
            let line = bytes[Int(start)...]
            guard let first = line.first else { return false }
            if first == UInt8(ascii: "%") || first == UInt8(ascii: "-") || first == UInt8(ascii: ".") { return true }
            return line.first { !isBlank($0) } == UInt8(ascii: "?")
        }
    }

    /// Whether entries that replace these have a key that another entry of the mapping has.
    func repeats(a table: NodeTable, _ source: SourceText) -> Bool {
        let node = YAMLMapping(node: YAMLNode(document: document, row: UInt32(mapping), alias: nil))
        return (0..<Int(table.rows[0].count) / 2).contains { position in
            let key = table.rows[Int(table.children[Int(table.rows[0].first) + 2 * position])]
            return node.position(ofKey: table.text(of: key, in: source)).map { !pairs.contains($0) } ?? false
        }
    }
}
