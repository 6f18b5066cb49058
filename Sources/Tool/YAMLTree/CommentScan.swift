/// Finds the comments of a file whose tree is known.
///
/// Between two scalars a `#` can only begin a comment: neither an indicator nor an anchor, alias or tag may contain one.
/// Inside a scalar it is part of the text, except on the first line of a block scalar, after the indicator.
enum CommentScan {
    static func comments(in bytes: [UInt8], rows: [NodeTable.Row], upTo end: Int) -> [Range<UInt32>] {
        bytes.withUnsafeBufferPointer { bytes in
            var found: [Range<UInt32>] = []
            var position = 0
            for row in rows where row.kind == .scalar && row.end > row.start {
                scan(bytes, from: position, to: Int(row.start), &found)
                position = Int(row.end)
                if row.style == .literal || row.style == .folded {
                    var headerEnd = Int(row.start)
                    while headerEnd < Int(row.end), !isLineBreak(bytes[headerEnd]) { headerEnd += 1 }
                    scan(bytes, from: Int(row.start), to: headerEnd, &found)
                }
            }
            scan(bytes, from: position, to: end, &found)
            return found
        }
    }

    private static func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, _ found: inout [Range<UInt32>]
    ) {
        var position = start
        while position < end {
            guard bytes[position] == UInt8(ascii: "#") else {
                position += 1
                continue
            }
            let first = position
            while position < end, !isLineBreak(bytes[position]) { position += 1 }
            found.append(UInt32(first)..<UInt32(position))
        }
    }
}
