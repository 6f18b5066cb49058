import Diagnostics

/// How messages show YAML texts, and how fixes quote them.
enum Quoting {
    /// The text for a message: in `'…'`, cut if it is long.
    static func shown(_ text: String) -> String {
        let limit = 60
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        let isCut = line.count > limit || line != text
        return "'\(line.prefix(limit))\(isCut ? "…" : "")'"
    }

    static func fix(_ range: SourceRange, _ quoted: String, _ applicability: Fix.Applicability) -> Fix {
        Fix(title: "quote the text", applicability: applicability, edits: [.init(replacing: range, with: quoted)])
    }
}
