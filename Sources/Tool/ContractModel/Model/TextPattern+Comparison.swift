/// What the tool asks of patterns: how they are written, and what two of them have in common.
extension TextPattern {
    /// The pattern that only this text matches.
    package init(exactly text: String) { self.init(text, before: false, after: false) }

    /// As a contract has it.
    package var spelling: String {
        var text = literal
        if !isOpenAfter, text.hasSuffix("*") { text = text.dropLast() + "\\*" }
        if !isOpenBefore, literal.hasPrefix("*"), literal.utf8.count > 1 || isOpenAfter { text = "\\" + text }
        return (isOpenBefore ? "*" : "") + (literal.isEmpty && isOpenBefore ? "" : text + (isOpenAfter ? "*" : ""))
    }

    /// Whether each text that matches another pattern matches this one.
    package func contains(_ other: TextPattern) -> Bool {
        if !isOpenBefore && other.isOpenBefore || !isOpenAfter && other.isOpenAfter { return false }
        return matches(other.literal)
    }

    /// How narrow it is: a pattern that is contained in another one is greater.
    package var weight: Int {
        isExact ? 1 << 32 : 4 * literal.utf8.count + (isOpenBefore && isOpenAfter ? 0 : 1)
    }

    /// A number of each of its `numberRanges`.
    package var numbers: [String] { numberRanges.map { String($0.lowerBound) } }

    /// The numbers that begin with its digits, a range for each number of further digits; empty for anything but digits with a star
    /// behind them.
    package var numberRanges: [ClosedRange<Int>] {
        guard !isOpenBefore, isOpenAfter, !literal.hasPrefix("0"),
            literal.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let first = Int(literal)
        else { return [] }
        var ranges: [ClosedRange<Int>] = []
        var (low, count) = (first, 1)
        while low <= Int.max / 100 {
            ranges.append(low...(low + count - 1))
            (low, count) = (low * 10, count * 10)
        }
        return ranges
    }

    // MARK: Examples

    /// A text that matches both patterns, and no pattern that contains neither, if no literal has the filler; nil if there is none.
    package static func shared(_ one: TextPattern, _ other: TextPattern, _ filler: String) -> String? {
        if one.contains(other) { return other.example(filler) }
        if other.contains(one) { return one.example(filler) }
        if one.isExact || other.isExact { return nil }
        // Two that are open at one end only, and at the same.
        if !one.isOpenBefore && !other.isOpenBefore || !one.isOpenAfter && !other.isOpenAfter { return nil }
        // What is open at its end only comes first, and what is open at its beginning only comes last.
        let (first, second) = !other.isOpenBefore || !one.isOpenAfter ? (other, one) : (one, other)
        return first.example(filler) + second.example(filler)
    }

    /// A text that none of the literals has.
    package static func filler(apartFrom literals: some Sequence<String>) -> String {
        let all = literals.joined(separator: "\n")
        return ["…", "·", "¦", "‥"].first { !all.utf8.contains($0.utf8) } ?? "…‥…"
    }
}

extension CodeMatch {
    /// A code that all lists and all patterns match; nil if there is none.
    package static func shared(_ lists: [[CodeMatch]], _ patterns: [TextPattern]) -> String? {
        let texts =
            patterns.first(where: \.isExact).map { [$0.literal] }
            ?? lists.first.map { first in patterns.flatMap(\.numbers) + first.flatMap(\.texts) } ?? []
        return texts.first { text in
            patterns.allSatisfy { $0.matches(text) }
                && lists.allSatisfy { list in list.contains { $0.matches(text) } }
        }
    }

    /// The codes that it matches as they are usually written; of a range, the first and the last 10,000, and one with a zero before it.
    package var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .range(let range):
            Self.ends(of: range).flatMap { $0.map { String($0) } } + ["0\(range.lowerBound)"]
        }
    }

    /// The first and the last 10,000 numbers. A range of a contract may have more numbers than an `Int` counts.
    private static func ends(of range: ClosedRange<Int>) -> [ClosedRange<Int>] {
        let (low, isPast) = range.lowerBound.addingReportingOverflow(9_999)
        if isPast || low >= range.upperBound { return [range] }
        return [range.lowerBound...low, max(range.lowerBound, range.upperBound - 9_999)...range.upperBound]
    }
}
