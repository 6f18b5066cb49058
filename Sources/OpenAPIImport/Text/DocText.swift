/// Descriptions of a document as the contract prints them.
enum DocText {
    private static let width = 110

    /// A summary and a description, of which one may say the other.
    static func joined(_ summary: String?, _ description: String?) -> String? {
        let summary = summary.map { $0.trimmingSpaces() } ?? ""
        let description = description.map { $0.trimmingSpaces() } ?? ""
        if summary.isEmpty { return description.isEmpty ? nil : description }
        if description.isEmpty || description == summary { return summary }
        if description.hasPrefix(summary) { return description }
        let end = ".!?:".contains(summary.last ?? "x") ? "" : "."
        return "\(summary)\(end)\n\n\(description)"
    }

    /// Whether YAML takes a character as it is.
    private static func isPrinted(_ scalar: Unicode.Scalar) -> Bool {
        !(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0xFEFF
            || (0xFFFE...0xFFFF).contains(scalar.value))
    }

    /// Lines of at most so many characters, cut between words; lines of the text stay lines. Without control characters.
    static func lines(_ text: String, width: Int = width) -> [String] {
        var lines: [String] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let clean = String(String.UnicodeScalarView(line.unicodeScalars.map { isPrinted($0) ? $0 : " " }))
            let trimmed = clean.trimmingTrailingSpaces()
            if trimmed.isEmpty, lines.last?.isEmpty ?? true { continue }
            guard trimmed.count > width else {
                lines.append(trimmed)
                continue
            }
            var current = ""
            for word in trimmed.split(separator: " ", omittingEmptySubsequences: false) {
                if !current.isEmpty, current.count + 1 + word.count > width {
                    lines.append(current.trimmingTrailingSpaces())
                    current = String(word)
                } else {
                    current += (current.isEmpty && lines.isEmpty || current.isEmpty ? "" : " ") + word
                }
            }
            if !current.isEmpty { lines.append(current.trimmingTrailingSpaces()) }
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}

extension String {
    fileprivate func trimmingTrailingSpaces() -> String {
        var text = self[...]
        while let last = text.last, last == " " { text.removeLast() }
        return String(text)
    }
}
