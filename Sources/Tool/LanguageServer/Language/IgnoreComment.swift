/// `# errand:ignore RULE reason`.
enum IgnoreComment {
    static let mark = "errand:ignore"

    /// The bytes of the rule that the comment at a place names, if the place is at that rule.
    static func rule(at spot: Spot) -> Range<Int>? {
        rule(in: spot.cursor.word, of: spot.text).flatMap {
            $0.lowerBound <= spot.offset && spot.offset <= $0.upperBound ? $0 : nil
        }
    }

    /// The bytes of the rule that a comment names. They are empty if the rule has yet to be written, and `nil` for any other
    /// comment.
    private static func rule(in comment: Range<Int>, of text: DocumentText) -> Range<Int>? {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let inner = text.bytes[comment].dropFirst().drop(while: isBlank)
        guard inner.starts(with: mark.utf8) else { return nil }
        let rest = inner.dropFirst(mark.utf8.count)
        guard let first = rest.first, isBlank(first) else { return nil }
        let rule = rest.drop(while: isBlank)
        return rule.startIndex..<(rule.firstIndex(where: isBlank) ?? rule.endIndex)
    }
}
