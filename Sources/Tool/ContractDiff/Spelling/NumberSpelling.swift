/// The one spelling of a number that a contract can write in several ways: `1.50` and `1.5`, `3.0` and `3`.
enum NumberSpelling {
    /// The number without zeros that say nothing; any other text as it is.
    static func number(_ text: String) -> String {
        let isNegative = text.hasPrefix("-")
        let parts = (isNegative ? text.dropFirst() : text[...]).split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return text }
        var fraction = parts.count > 1 ? parts[1] : ""
        while fraction.last == "0" { fraction.removeLast() }
        let number = fraction.isEmpty ? String(parts[0]) : "\(parts[0]).\(fraction)"
        return isNegative && number != "0" ? "-" + number : number
    }

    /// A range of numbers: `1.0..10000.00` as `1..10000`.
    static func bounds(_ text: String) -> String {
        guard let dots = text.firstRange(of: "..") else { return number(text) }
        return number(String(text[..<dots.lowerBound])) + ".." + number(String(text[dots.upperBound...]))
    }

    /// Whether a number is less than another one.
    static func isLess(_ one: String, _ other: String) -> Bool {
        guard let first = digits(of: one), let second = digits(of: other) else {
            // A number with an exponent.
            return (Double(one) ?? 0) < (Double(other) ?? 0)
        }
        guard first.isNegative == second.isNegative else { return first.isNegative }
        return first.isNegative ? isSmaller(second, first) : isSmaller(first, second)
    }

    private typealias Digits = (isNegative: Bool, whole: String, fraction: String)

    /// The digits of a number before and after its point, without zeros that say nothing. Nil for a number with an exponent.
    private static func digits(of text: String) -> Digits? {
        let number = Self.number(text)
        let isNegative = number.hasPrefix("-")
        let parts = (isNegative ? number.dropFirst() : number[...]).split(separator: ".")
        guard let whole = parts.first, parts.count < 3,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return (isNegative, String(whole.drop { $0 == "0" }), parts.count > 1 ? String(parts[1]) : "")
    }

    /// Whether a number without its sign is less than another one.
    private static func isSmaller(_ one: Digits, _ other: Digits) -> Bool {
        if one.whole.count != other.whole.count { return one.whole.count < other.whole.count }
        if one.whole != other.whole { return one.whole < other.whole }
        return one.fraction < other.fraction
    }
}
