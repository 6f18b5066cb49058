import Diagnostics

/// How text is written so that YAML takes it for text.
enum Quoting {
    /// The text in double quotes, or in single ones where it has quotes or backslashes of its own.
    static func quoted(_ text: String) -> String {
        guard text.contains("\"") || text.contains("\\") else { return "\"\(text)\"" }
        return singleQuoted(text)
    }

    /// The text in single quotes, which take everything as it is and write `'` twice.
    static func singleQuoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            result.unicodeScalars.append(scalar)
            if scalar == "'" { result.unicodeScalars.append(scalar) }
        }
        return result + "'"
    }

    /// The text for a message: in `'…'`, cut where it is long.
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
