/// A set of Unicode scalars: ranges, general categories, or everything but these.
struct ScalarSet: Hashable, Sendable {
    /// Sorted, and neither overlapping nor adjacent.
    private(set) var ranges: [ClosedRange<UInt32>]
    /// One bit for each general category, see ``GeneralCategory``.
    private(set) var categories: UInt32
    private(set) var isNegated: Bool

    init(_ ranges: [ClosedRange<UInt32>] = [], categories: UInt32 = 0, isNegated: Bool = false) {
        self.ranges = Self.normalized(ranges)
        self.categories = categories
        self.isNegated = isNegated
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        if holds(scalar.value) { return !isNegated }
        guard categories != 0 else { return isNegated }
        return (categories & GeneralCategory.bit(of: scalar) != 0) != isNegated
    }

    private func holds(_ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if value < ranges[middle].lowerBound {
                high = middle
            } else if value > ranges[middle].upperBound {
                low = middle + 1
            } else {
                return true
            }
        }
        return false
    }

    /// The scalars that a class escape such as `\D` or `\P{L}` adds to a class: the ranges or the categories outside of it.
    var complement: ScalarSet {
        if categories != 0 { return ScalarSet(categories: ~categories & GeneralCategory.all) }
        var outside: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { outside.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= Self.last { outside.append(next...Self.last) }
        return ScalarSet(outside)
    }

    private static let last: UInt32 = 0x10FFFF

    private static func normalized(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        guard ranges.count > 1 else { return ranges }
        var result: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard let before = result.last, range.lowerBound <= before.upperBound + 1 else {
                result.append(range)
                continue
            }
            result[result.count - 1] = before.lowerBound...max(before.upperBound, range.upperBound)
        }
        return result
    }
}

extension ScalarSet {
    init(_ scalar: Unicode.Scalar) {
        self.init([scalar.value...scalar.value])
    }

    /// `\d`, of ASCII as in ECMAScript.
    static let digits = ScalarSet([0x30...0x39])
    /// `\w`, of ASCII as in ECMAScript.
    static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// `\s`, as in ECMAScript: white space and line terminators of all of Unicode, and the byte order mark.
    static let space = ScalarSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F,
        0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    /// `.`: everything but the line terminators of ECMAScript.
    static let dot = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029], isNegated: true)
}

/// The general categories of Unicode by their short names.
enum GeneralCategory {
    private static let order: [(name: String, category: Unicode.GeneralCategory)] = [
        ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter), ("Lm", .modifierLetter),
        ("Lo", .otherLetter),
        ("Mn", .nonspacingMark), ("Mc", .spacingMark), ("Me", .enclosingMark),
        ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber),
        ("Pc", .connectorPunctuation), ("Pd", .dashPunctuation), ("Ps", .openPunctuation), ("Pe", .closePunctuation),
        ("Pi", .initialPunctuation), ("Pf", .finalPunctuation), ("Po", .otherPunctuation),
        ("Sm", .mathSymbol), ("Sc", .currencySymbol), ("Sk", .modifierSymbol), ("So", .otherSymbol),
        ("Zs", .spaceSeparator), ("Zl", .lineSeparator), ("Zp", .paragraphSeparator),
        ("Cc", .control), ("Cf", .format), ("Cs", .surrogate), ("Co", .privateUse), ("Cn", .unassigned),
    ]

    static let count = order.count
    static let all: UInt32 = 1 << UInt32(count) - 1

    private static let indexes = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1.category, $0) })

    static func index(of scalar: Unicode.Scalar) -> Int {
        indexes[scalar.properties.generalCategory] ?? 0
    }

    static func bit(of scalar: Unicode.Scalar) -> UInt32 {
        1 << UInt32(index(of: scalar))
    }

    /// The categories of `L` or `Lu`; nil for another name.
    static func bits(named name: String) -> UInt32? {
        guard name.utf8.count == 1 || name.utf8.count == 2 else { return nil }
        let bits = order.enumerated().filter { $1.name == name || (name.utf8.count == 1 && $1.name.hasPrefix(name)) }
            .reduce(0 as UInt32) { $0 | 1 << UInt32($1.offset) }
        return bits == 0 ? nil : bits
    }
}
