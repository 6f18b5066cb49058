/// A text that a condition compares with one of a response: `busy`, `quota*` or `*connection failure*`.
///
/// A star at the beginning or at the end stands for any text there, also for none. `\*` there is a star. Everything else stands for
/// itself, byte by byte.
public struct TextPattern: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The text without the stars that stand for others.
    package let literal: String
    package let isOpenBefore: Bool
    package let isOpenAfter: Bool

    private init(_ literal: String, before: Bool, after: Bool) {
        let isAny = literal.isEmpty && (before || after)
        self.literal = literal
        isOpenBefore = before || isAny
        isOpenAfter = after || isAny
    }

    public init(stringLiteral text: String) { self.init(text) }

    /// From its spelling in a contract.
    package init(_ spelling: String) {
        var rest = spelling[...]
        var start = ""
        var isOpenBefore = false
        if rest.hasPrefix("\\*") {
            start = "*"
            rest = rest.dropFirst(2)
        } else if rest.hasPrefix("*") {
            isOpenBefore = true
            rest = rest.dropFirst()
        }
        if rest.hasSuffix("\\*") {
            self.init(start + rest.dropLast(2) + "*", before: isOpenBefore, after: false)
        } else if rest.hasSuffix("*") {
            self.init(start + rest.dropLast(), before: isOpenBefore, after: true)
        } else {
            self.init(start + rest, before: isOpenBefore, after: false)
        }
    }

    /// The pattern that only this text matches.
    package init(exactly text: String) { self.init(text, before: false, after: false) }

    /// Whether only one text matches.
    package var isExact: Bool { !isOpenBefore && !isOpenAfter }

    /// As a contract has it.
    package var spelling: String {
        var text = literal
        if !isOpenAfter, text.hasSuffix("*") { text = text.dropLast() + "\\*" }
        if !isOpenBefore, literal.hasPrefix("*"), literal.utf8.count > 1 || isOpenAfter { text = "\\" + text }
        return (isOpenBefore ? "*" : "") + (literal.isEmpty && isOpenBefore ? "" : text + (isOpenAfter ? "*" : ""))
    }

    /// Whether a text matches.
    package func matches(_ text: String) -> Bool {
        switch (isOpenBefore, isOpenAfter) {
        case (false, false): text.utf8.elementsEqual(literal.utf8)
        case (false, true): text.utf8.starts(with: literal.utf8)
        case (true, false): text.utf8.reversed().starts(with: literal.utf8.reversed())
        case (true, true): literal.isEmpty || text.utf8.contains(literal.utf8)
        }
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

    /// So many bytes of a body that is text are compared. What gateways say is shorter, and begins their pages.
    private static let mostBytes = 8 << 10

    /// The part of a body that is compared if it is text: its beginning, without the blanks around it; nil for blanks alone.
    package static func compared(_ body: [UInt8]) -> String? {
        let beginning = body.prefix(mostBytes)
        guard let first = beginning.firstIndex(where: { !isBlank($0) }),
            let last = beginning.lastIndex(where: { !isBlank($0) })
        else { return nil }
        return String(decoding: beginning[first...last], as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// The numbers that begin with it: where such numbers begin, and where they end, for each number of further digits; empty for
    /// anything but digits with a star behind them.
    package var numbers: [String] { numberRanges.map { String($0.lowerBound) } }

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

    /// A text that matches it, and no pattern that does not contain it, if no literal of those has the filler.
    package func example(_ filler: String) -> String {
        (isOpenBefore ? filler : "") + literal + (isOpenAfter && !literal.isEmpty ? filler : "")
    }

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

extension Collection where Element == UInt8 {
    /// Whether another sequence of bytes is in it.
    fileprivate func contains(_ other: some Collection<UInt8>) -> Bool {
        var start = startIndex
        while start != endIndex {
            if self[start...].starts(with: other) { return true }
            formIndex(after: &start)
        }
        return other.isEmpty
    }
}
