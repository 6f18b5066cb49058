/// Puts entries that were read on their own in the place of those that they replace.
struct TreeSplice {
    private let earlier: YAMLDocument
    private let entries: EntryStretch
    private let piece: TreePiece
    private let replacement: TextReplacement
    /// The rows of the entries that go.
    private let rows: Range<Int>

    init(_ earlier: YAMLDocument, _ entries: EntryStretch, _ piece: TreePiece, _ replacement: TextReplacement) {
        self.earlier = earlier
        self.entries = entries
        self.piece = piece
        self.replacement = replacement
        let table = earlier.table
        let first = Int(table.rows[entries.mapping].first)
        let start = Int(table.children[first + 2 * entries.pairs.lowerBound])
        // A node's row comes before those of what is in it.
        var last = Int(table.children[first + 2 * entries.pairs.upperBound - 1])
        while table.rows[last].kind != .scalar, table.rows[last].count > 0 {
            last = Int(table.children[Int(table.rows[last].first + table.rows[last].count) - 1])
        }
        rows = start..<(last + 1)
    }

    /// The whole document, whose text this is.
    func document(_ bytes: [UInt8]) -> YAMLDocument {
        let earlierSource = earlier.source
        let shift = UInt32(bitPattern: Int32(replacement.addedBytes))
        let start = UInt32(replacement.start)
        var lineStarts = earlierSource.lineStarts.filter { $0 < start }
        lineStarts += piece.source.lineStarts.map { $0 + start }
        if entries.bytes.upperBound < earlierSource.bytes.count {
            lineStarts += earlierSource.lineStarts.lazy.filter { $0 > UInt32(entries.bytes.upperBound) }.map {
                $0 &+ shift
            }
        }
        var comments = earlier.commentOffsets.filter { $0.lowerBound < start }
        comments += piece.comments.map { ($0.lowerBound + start)..<($0.upperBound + start) }
        comments += earlier.commentOffsets.lazy.filter { $0.lowerBound >= UInt32(entries.bytes.upperBound) }
            .map { ($0.lowerBound &+ shift)..<($0.upperBound &+ shift) }
        let isASCII = piece.source.isASCII && (earlierSource.isASCII || bytes.allSatisfy { $0 < 0x80 })
        let source = SourceText(file: earlier.file, bytes: bytes, lineStarts: lineStarts, isASCII: isASCII)
        return YAMLDocument(source: source, table: table(shift), commentOffsets: comments, isPlain: true)
    }

    // MARK: Rows

    private func table(_ shift: UInt32) -> NodeTable {
        let old = earlier.table
        let added = piece.table.rows.count - 1  // without the mapping that stands for the entries' own
        let rowShift = added - rows.count
        var table = NodeTable()
        table.values = old.values + piece.table.values
        table.rows.reserveCapacity(old.rows.count + rowShift)
        table.children.reserveCapacity(old.children.count + piece.table.children.count)
        table.rows += old.rows[..<rows.lowerBound]
        for row in piece.table.rows[1...] { table.rows.append(inserted(row)) }
        for row in old.rows[rows.upperBound...] {
            var row = row
            row.start &+= shift
            row.end &+= shift
            if row.kind == .scalar, !row.isDecoded { row.first &+= shift }
            table.rows.append(row)
        }
        addChildren(to: &table, rowShift)
        addIndexes(to: &table, rowShift)
        for mapping in entries.depth > 0 ? [entries.mapping, 0] : [0] {
            table.rows[mapping].end = end(of: mapping, table)
        }
        return table
    }

    private func inserted(_ row: NodeTable.Row) -> NodeTable.Row {
        var row = row
        row.start += UInt32(replacement.start)
        row.end += UInt32(replacement.start)
        if row.kind == .scalar { row.first += UInt32(row.isDecoded ? earlier.table.values.count : replacement.start) }
        return row
    }

    /// The children of each collection, as many as it has now.
    private func addChildren(to table: inout NodeTable, _ rowShift: Int) {
        let old = earlier.table
        func moved(_ row: UInt32) -> UInt32 { Int(row) < rows.lowerBound ? row : UInt32(Int(row) + rowShift) }
        func insert(_ row: UInt32) -> UInt32 { UInt32(Int(row) + rows.lowerBound - 1) }
        for position in old.rows.indices where !rows.contains(position) && old.rows[position].kind != .scalar {
            let row = old.rows[position]
            let slots = Int(row.first)..<(Int(row.first) + Int(row.count))
            let new = position < rows.lowerBound ? position : position + rowShift
            table.rows[new].first = UInt32(table.children.count)
            guard position == entries.mapping else {
                for slot in slots { table.children.append(moved(old.children[slot])) }
                continue
            }
            let from = slots.lowerBound + 2 * entries.pairs.lowerBound
            let to = slots.lowerBound + 2 * entries.pairs.upperBound
            let root = piece.table.rows[0]
            table.children += old.children[slots.lowerBound..<from]
            for slot in Int(root.first)..<Int(root.first + root.count) {
                table.children.append(insert(piece.table.children[slot]))
            }
            for slot in to..<slots.upperBound { table.children.append(moved(old.children[slot])) }
            table.rows[new].count = UInt32(table.children.count) - table.rows[new].first
        }
        for position in piece.table.rows.indices.dropFirst() where piece.table.rows[position].kind != .scalar {
            let row = piece.table.rows[position]
            table.rows[Int(insert(UInt32(position)))].first = UInt32(table.children.count)
            for slot in Int(row.first)..<Int(row.first + row.count) {
                table.children.append(insert(piece.table.children[slot]))
            }
        }
    }

    private func addIndexes(to table: inout NodeTable, _ rowShift: Int) {
        for (row, index) in earlier.table.keyIndexes where !rows.contains(Int(row)) {
            table.keyIndexes[Int(row) < rows.lowerBound ? row : UInt32(Int(row) + rowShift)] = index
        }
        for (row, index) in piece.table.keyIndexes where row > 0 {
            table.keyIndexes[UInt32(Int(row) + rows.lowerBound - 1)] = index
        }
        guard let index = table.keyIndexes.removeValue(forKey: UInt32(entries.mapping)) else { return }
        table.keyIndexes[UInt32(entries.mapping)] = hasSameKeys ? index : nil
    }

    /// Whether the entries have the keys of those that they replace, so that what finds keys stays as it is.
    private var hasSameKeys: Bool {
        let old = earlier.table
        let mapping = old.rows[entries.mapping]
        let root = piece.table.rows[0]
        guard Int(root.count) == 2 * entries.pairs.count else { return false }
        return entries.pairs.indices.allSatisfy { pair in
            let before = old.rows[Int(old.children[Int(mapping.first) + 2 * pair])]
            let after = piece.table.rows[
                Int(piece.table.children[Int(root.first) + 2 * (pair - entries.pairs.lowerBound)])]
            return old.text(of: before, in: earlier.source) == piece.table.text(of: after, in: piece.source)
        }
    }

    /// A collection in lines ends with the last of its nodes.
    private func end(of mapping: Int, _ table: NodeTable) -> UInt32 {
        let row = table.rows[mapping]
        return (Int(row.first)..<Int(row.first + row.count)).reduce(row.start) {
            max($0, table.rows[Int(table.children[$1])].end)
        }
    }
}
