/// Numbers as a contract writes them: the one plain spelling, so that text and value say the same.
enum NumberText {
    /// An integer without `+`, leading zeros and underscores.
    static func integer(_ text: String) -> Int? {
        guard let number = Int(text), String(number) == text else { return nil }
        return number
    }

    /// The texts on both sides of `..`, or the whole text without `..`.
    static func ends(of range: String) -> [String] {
        guard let dots = range.firstRange(of: "..") else { return [range] }
        return [String(range[..<dots.lowerBound]), String(range[dots.upperBound...])]
    }

    /// Whether YAML and its readers take a text for a number: a whole one of any length, with or without leading zeros,
    /// or one with a fraction or an exponent (YAML 1.2.2, section 10.3.2).
    static func isNumber(_ text: String) -> Bool {
        // Most words begin with a letter, and matching a regular expression costs more than looking at a byte.
        guard let first = text.utf8.first, first < UInt8(ascii: ":") else { return false }
        return text.wholeMatch(of: /[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?/) != nil
    }

    /// How many digits of a `decimal` are exact, in Swift's `Decimal` and in the literals that are generated.
    static let mostDecimalDigits = 36

    /// How many digits a number has that say something.
    static func digits(of text: String) -> Int {
        text.utf8.drop { !(0x31...0x39).contains($0) }.count { (0x30...0x39).contains($0) }
    }

    /// Whether a number is less than another, by its digits. Numbers with an exponent are compared as doubles.
    static func isLess(_ one: String, _ other: String) -> Bool {
        guard isDecimal(one), isDecimal(other) else { return (Double(one) ?? 0) < (Double(other) ?? 0) }
        let (left, right) = (Digits(one), Digits(other))
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.isLess(than: left) : left.isLess(than: right)
    }

    /// A number's digits without its sign, and without zeros that say nothing.
    private struct Digits {
        let isNegative: Bool
        private let whole: Substring
        private let fraction: Substring

        init(_ text: String) {
            let parts = (text.hasPrefix("-") ? text.dropFirst() : text[...]).split(
                separator: ".", omittingEmptySubsequences: false)
            whole = parts[0].drop { $0 == "0" }
            var rest = parts.count > 1 ? parts[1] : ""
            while rest.last == "0" { rest.removeLast() }
            fraction = rest
            isNegative = text.hasPrefix("-") && !(whole.isEmpty && rest.isEmpty)
        }

        func isLess(than other: Digits) -> Bool {
            if whole.utf8.count != other.whole.utf8.count { return whole.utf8.count < other.whole.utf8.count }
            if whole != other.whole { return whole < other.whole }
            return fraction < other.fraction
        }
    }

    /// Whether it is a number as JSON writes it, without an exponent and of at most 40 characters.
    static func isDecimal(_ text: String) -> Bool {
        guard text.utf8.count <= 40 else { return false }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ part in
                !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
            })
        else { return false }
        return parts[0].count == 1 || !parts[0].hasPrefix("0")
    }
}
