/// Numbers as a contract writes them: the one plain spelling, so that text and value say the same.
enum NumberText {
    /// A whole number without `+`, leading zeros and underscores.
    static func integer(_ text: String) -> Int? {
        guard let number = Int(text), String(number) == text else { return nil }
        return number
    }

    /// The texts on both sides of `..`, or the one text where there is none.
    static func ends(of range: String) -> [String] {
        guard let dots = range.firstRange(of: "..") else { return [range] }
        return [String(range[..<dots.lowerBound]), String(range[dots.upperBound...])]
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
