import ContractModel

/// The only place where text from a contract becomes part of a comment.
///
/// Architecture invariant: each line of the text gets its own `///`, after any kind of line break, and invisible characters are
/// replaced. No part of the text can leave the comment.
struct DocComment: Sendable {
    /// The comment's lines with their slashes; none without a text.
    private(set) var lines: [String] = []

    init(_ text: String? = nil) {
        guard let text else { return }
        var lines = Self.split(text)[...]
        while let first = lines.first, first.isEmpty { lines.removeFirst() }
        while let last = lines.last, last.isEmpty { lines.removeLast() }
        self.lines = lines.map { $0.isEmpty ? "///" : "/// " + $0 }
    }

    /// The comment with a line break after each of its lines.
    var layout: Layout {
        var layout = Layout()
        for line in lines {
            layout.add(.comment(line))
            layout.add(.newline)
        }
        return layout
    }

    /// The text as one line, for a comment that has no more room.
    static func oneLine(_ text: String) -> String {
        split(text).filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func split(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if HiddenCharacter.endsLine(scalar) {
                if !(previous == "\r" && scalar == "\n") {
                    lines.append(stripped(line))
                    line = ""
                }
            } else if scalar == "\t" {
                line += " "
            } else {
                line.unicodeScalars.append(HiddenCharacter.contains(scalar) ? "\u{FFFD}" : scalar)
            }
            previous = scalar
        }
        lines.append(stripped(line))
        return lines
    }

    private static func stripped(_ line: String) -> String {
        var line = line
        while line.unicodeScalars.last == " " { line.unicodeScalars.removeLast() }
        return line
    }
}
