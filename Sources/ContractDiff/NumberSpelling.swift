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
}
