/// Descriptions of a document as the contract prints them.
enum DocText {
    private static let width = 110

    /// A summary and a description, one of which may repeat the other.
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
        // Nearly all texts are plain ASCII, in which each character is one byte.
        let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == UInt8(ascii: "\n") }
        let parts =
            isPlain
            ? text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Substring($0) }
            : text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        func count(_ text: Substring) -> Int { isPlain ? text.utf8.count : text.count }
        var lines: [String] = []
        for line in parts {
            let clean =
                isPlain
                ? line
                : Substring(String(String.UnicodeScalarView(line.unicodeScalars.map { isPrinted($0) ? $0 : " " })))
            let trimmed = clean.trimmingTrailingSpaces()
            if trimmed.isEmpty, lines.last?.isEmpty ?? true { continue }
            guard count(trimmed) > width else {
                lines.append(String(trimmed))
                continue
            }
            var start = trimmed.startIndex
            var end = start
            var length = 0
            for bytes in trimmed.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
                let word = Substring(bytes)
                let size = count(word)
                if length > 0, length + 1 + size > width {
                    lines.append(String(trimmed[start..<end].trimmingTrailingSpaces()))
                    (start, length) = (word.startIndex, size)
                } else if length > 0 {
                    length += 1 + size
                } else {
                    (start, length) = (word.startIndex, size)
                }
                end = word.endIndex
            }
            if length > 0 { lines.append(String(trimmed[start..<end].trimmingTrailingSpaces())) }
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}

extension Substring {
    fileprivate func trimmingTrailingSpaces() -> Substring {
        var text = self
        while text.utf8.last == UInt8(ascii: " ") { text = Substring(text.utf8.dropLast()) }
        return text
    }
}
