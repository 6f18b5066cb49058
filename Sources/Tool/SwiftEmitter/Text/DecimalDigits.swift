/// The parts of a decimal number that a contract writes: its digits as one integer, and the power of ten.
struct DecimalDigits {
    let isNegative: Bool
    /// Without zeros at the start; empty for zero.
    let digits: Substring
    let exponent: Int

    /// Nil for an exponent that no `Decimal` has.
    init?(_ text: String) {
        var rest = Substring(text)
        isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest = rest.dropFirst() }
        var exponent = 0
        if let mark = rest.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            guard let power = Int(rest[rest.index(after: mark)...]), abs(power) < 100 else { return nil }
            exponent = power
            rest = rest[..<mark]
        }
        let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        self.exponent = exponent - fraction.count
        digits = (parts[0] + fraction).drop { $0 == "0" }
    }
}
