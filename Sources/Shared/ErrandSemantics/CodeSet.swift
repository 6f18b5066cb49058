/// The codes of one row of a decision table: `"900005"`, `.range(4010...4019)` or `["7", .range(4010...4019)]`.
///
/// Codes are compared as text: `100` and `"100"` are equal. A range takes its integers however
/// they are written: `4010` and `04010`.
public struct CodeSet: Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    private enum Code: Sendable {
        case literal(StaticString)
        case match(CodeMatch)
    }

    private let first: Code
    private let others: [CodeSet]

    private init(_ first: Code, _ others: [CodeSet] = []) {
        self.first = first
        self.others = others
    }

    public init(stringLiteral text: StaticString) { self.init(.literal(text)) }

    public init(arrayLiteral sets: CodeSet...) {
        self.init(sets.first?.first ?? .literal(""), Array(sets.dropFirst()))
    }

    public static func range(_ range: ClosedRange<Int>) -> CodeSet { CodeSet(.match(.range(range))) }

    /// The codes that were read from a contract; nil without any.
    package init?(_ codes: [CodeMatch]) {
        guard let first = codes.first else { return nil }
        self.init(.match(first), codes.count == 1 ? [] : codes.dropFirst().map { CodeSet(.match($0)) })
    }

    /// The codes, in the contract's order.
    package var codes: [CodeMatch] {
        let first: CodeMatch =
            switch first {
            case .literal(let text): .text("\(text)")
            case .match(let match): match
            }
        return [first] + others.flatMap(\.codes)
    }

    /// One code that matches.
    package var example: String {
        switch first {
        case .literal(let text): "\(text)"
        case .match(let match): match.example
        }
    }

    package func contains(_ code: String) -> Bool {
        if code.isEmpty { return false }
        switch first {
        case .literal(let text): if code.isSame(as: text) { return true }
        case .match(let match): if match.matches(code) { return true }
        }
        return !others.isEmpty && others.contains { $0.contains(code) }
    }
}

/// A value that the code of the envelope is compared with.
package enum CodeMatch: Sendable, Hashable {
    case text(String)
    /// Any integer of the range, however it is written: `4010` and `04010`.
    case range(ClosedRange<Int>)

    /// Whether a code is this one, byte by byte.
    package func matches(_ code: String) -> Bool {
        switch self {
        case .text(let text): text.utf8.elementsEqual(code.utf8)
        case .range(let range): Int(code).map(range.contains) ?? false
        }
    }

    package var isRange: Bool {
        if case .range = self { true } else { false }
    }

    /// The spelling of the contract language.
    package var spelling: String {
        switch self {
        case .text(let text): text
        case .range(let range): "\(range.lowerBound)..\(range.upperBound)"
        }
    }

    /// A code that it matches.
    package var example: String {
        switch self {
        case .text(let text): text
        case .range(let range): String(range.lowerBound)
        }
    }

    /// The numbers that it covers; nil for a text that isn't an integer.
    package var numbers: ClosedRange<Int>? {
        switch self {
        case .text(let text): Int(text).map { $0...$0 }
        case .range(let range): range
        }
    }

    /// A code that both lists match; nil if no such code exists.
    package static func shared(_ one: [CodeMatch], _ other: [CodeMatch]) -> String? {
        let texts = Set(other.compactMap { if case .text(let text) = $0 { text } else { nil } })
        for case .text(let text) in one where texts.contains(text) { return text }
        return sharedNumber(one, other) ?? sharedNumber(other, one)
    }

    /// A number of a range of the first list that the second list has, too. Walks both in their order.
    private static func sharedNumber(_ ranges: [CodeMatch], _ codes: [CodeMatch]) -> String? {
        let ranges = ranges.compactMap { if case .range(let range) = $0 { range } else { nil } }.sorted {
            $0.lowerBound < $1.lowerBound
        }
        guard !ranges.isEmpty else { return nil }
        let others = codes.compactMap { code in code.numbers.map { (numbers: $0, code: code) } }.sorted {
            $0.numbers.lowerBound < $1.numbers.lowerBound
        }
        var (left, right) = (0, 0)
        while left < ranges.count, right < others.count {
            let (range, other) = (ranges[left], others[right])
            if range.upperBound < other.numbers.lowerBound {
                left += 1
            } else if other.numbers.upperBound < range.lowerBound {
                right += 1
            } else if case .text(let text) = other.code {
                return text
            } else {
                return String(max(range.lowerBound, other.numbers.lowerBound))
            }
        }
        return nil
    }
}
