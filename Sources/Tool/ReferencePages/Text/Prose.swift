import ContractModel

/// Texts of a contract and sentences about it, as the parts of a paragraph.
struct Prose {
    /// How much of each list and of each text a page has.
    let limits: PageLimits

    /// The paragraphs of a text. Empty lines separate them.
    func paragraphs(_ text: String?) -> [Paragraph] {
        guard let text else { return [] }
        var paragraphs: [[Substring]] = [[]]
        for line in Self.bounded(text, limits.text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        {
            if line.allSatisfy(\.isWhitespace) {
                paragraphs.append([])
            } else {
                paragraphs[paragraphs.count - 1].append(line)
            }
        }
        return paragraphs.filter { !$0.isEmpty }.map { Paragraph(runs: Self.runs($0.joined(separator: " "))) }
    }

    /// That something should not be used any more; empty if it may be.
    func deprecation(_ deprecation: Deprecation?) -> [Paragraph] {
        guard let deprecation else { return [] }
        return [Paragraph(runs: [.text("Deprecated. ")] + (deprecation.sentence.map(line) ?? []))]
    }

    /// A text in one paragraph.
    func line(_ text: String) -> [Run] { Self.line(Self.bounded(text, limits.text)) }

    /// The same of a text that is not the contract's.
    static func line(_ text: String) -> [Run] {
        runs(text.split { $0 == " " || $0.isNewline }.joined(separator: " "))
    }

    /// A sentence with a capital and a period, of one that continues a line.
    static func sentence(_ text: String) -> Paragraph {
        guard let first = text.first else { return Paragraph(runs: []) }
        let end = text.hasSuffix(".") ? "" : "."
        return Paragraph(runs: line(first.uppercased() + text.dropFirst() + end))
    }

    /// Text and, between backticks, code.
    private static func runs(_ text: String) -> [Run] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        // An odd backtick is a character like any other.
        guard parts.count % 2 == 1 else { return [.text(text)] }
        return parts.enumerated().compactMap { position, part in
            if part.isEmpty { return nil }
            return position % 2 == 1 ? .code(String(part)) : .text(String(part))
        }
    }

    /// A text that says how much of it is missing, if it is longer.
    static func bounded(_ text: String, _ longest: Int) -> String {
        guard text.utf8.count > longest else { return text }
        let start = text.unicodeScalars.prefix(longest)
        let rest = text.unicodeScalars[start.endIndex...].count
        if rest == 0 { return text }
        return String(start) + " … (\(rest) more \(rest == 1 ? "character" : "characters") in the contract)"
    }

    /// The beginning of a text that is whole on another page.
    static func shortened(_ text: String, _ longest: Int) -> String {
        let start = text.unicodeScalars.prefix(longest)
        return start.endIndex == text.unicodeScalars.endIndex ? text : String(start) + " …"
    }
}
