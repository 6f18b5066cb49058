/// The one stretch of whole lines in which a text differs from an earlier version of it.
package struct TextReplacement: Sendable {
    /// Where the stretch begins, in both texts.
    package let start: Int
    /// Where it ended in the earlier text.
    package let earlierEnd: Int
    /// Where it ends now.
    package let end: Int
    /// How many lines more there are than before.
    package let addedLines: Int

    /// How many bytes more there are than before.
    package var addedBytes: Int { end - earlierEnd }

    /// By how much a place outside the stretch has moved; `nil` for one inside.
    package func shift(at offset: Int) -> TextShift? {
        if offset < start { return TextShift(lines: 0, bytes: 0) }
        return offset >= end ? TextShift(lines: addedLines, bytes: addedBytes) : nil
    }

    /// The bytes at both ends that two texts have in common; they do not overlap. What they have in common at the start ends
    /// before the blanks of a line, so that lines that were put in count as lines.
    static func commonEnds(_ one: [UInt8], _ other: [UInt8]) -> (prefix: Int, suffix: Int) {
        let count = min(one.count, other.count)
        return one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                let width = MemoryLayout<UInt64>.size
                var prefix = 0
                while prefix + width <= count,
                    one.loadUnaligned(fromByteOffset: prefix, as: UInt64.self)
                        == other.loadUnaligned(fromByteOffset: prefix, as: UInt64.self)
                {
                    prefix += width
                }
                while prefix < count, one[prefix] == other[prefix] { prefix += 1 }
                var start = prefix
                while start > 0, isBlank(one[start - 1]) { start -= 1 }
                if start == 0 || isLineBreak(one[start - 1]) { prefix = start }
                var suffix = 0
                while prefix + suffix + width <= count,
                    one.loadUnaligned(fromByteOffset: one.count - suffix - width, as: UInt64.self)
                        == other.loadUnaligned(fromByteOffset: other.count - suffix - width, as: UInt64.self)
                {
                    suffix += width
                }
                while prefix + suffix < count, one[one.count - suffix - 1] == other[other.count - suffix - 1] {
                    suffix += 1
                }
                return (prefix, suffix)
            }
        }
    }
}

/// By how much a place has moved since lines before it changed.
package struct TextShift: Sendable, Equatable {
    package let lines: Int
    package let bytes: Int

    package var isZero: Bool { lines == 0 && bytes == 0 }
}
