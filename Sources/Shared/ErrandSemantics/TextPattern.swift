/// A text that a condition compares with one of a response: `busy`, `quota*` or `*connection failure*`.
///
/// A star at the beginning or at the end stands for any text there, also for none. `\*` there is a star. Everything else stands for
/// itself, byte by byte.
public struct TextPattern: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The text without the stars that stand for others.
    package let literal: String
    package let isOpenBefore: Bool
    package let isOpenAfter: Bool

    package init(_ literal: String, before: Bool, after: Bool) {
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

    /// Whether only one text matches.
    package var isExact: Bool { !isOpenBefore && !isOpenAfter }

    /// Whether a text matches.
    package func matches(_ text: String) -> Bool {
        switch (isOpenBefore, isOpenAfter) {
        case (false, false): text.utf8.elementsEqual(literal.utf8)
        case (false, true): text.utf8.starts(with: literal.utf8)
        case (true, false): text.utf8.reversed().starts(with: literal.utf8.reversed())
        case (true, true): literal.isEmpty || text.utf8.contains(literal.utf8)
        }
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

    /// A text that matches it, and no pattern that does not contain it, if no literal of those has the filler.
    package func example(_ filler: String) -> String {
        (isOpenBefore ? filler : "") + literal + (isOpenAfter && !literal.isEmpty ? filler : "")
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
