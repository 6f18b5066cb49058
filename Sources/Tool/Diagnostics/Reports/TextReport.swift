/// Diagnostics for a person at a terminal: place, message and rule, the line of source with carets, notes, help.
///
///     bank.contract.yaml:12:11: error: the key 'wire' occurs twice in this mapping [yaml-duplicate-key]
///        12 |     wire: e_mail
///           |     ^^^^
///     bank.contract.yaml:11:5: note: first here
///        11 |     wire: mail
///           |     ^^^^
///     help: rename one of them, or delete the one that is not meant
///
/// Findings that say the same of the same text, such as of a field that many types have, are shown once with the other lines.
package struct TextReport {
    /// Whether to color, which only a terminal wants.
    package var usesColor = false
    /// How many columns of a source line are shown.
    package var width = 120
    private let source: (String) -> [UInt8]?

    /// `source` gives a file's bytes by the path that the diagnostics show; without them, the excerpt is left out.
    package init(source: @escaping (String) -> [UInt8]?) {
        self.source = source
    }

    /// For sources that are already in memory.
    package init(sources: [String: String]) {
        self.init { path in sources[path].map { Array($0.utf8) } }
    }

    /// The diagnostics in the order given, a blank line between two. Ends with a line break unless there is nothing.
    package func render(_ diagnostics: [Diagnostic]) -> String {
        var cache: [String: [UInt8]] = [:]
        let repeated = repetitions(in: diagnostics, &cache)
        let blocks = diagnostics.enumerated().compactMap { position, diagnostic -> String? in
            guard let group = repeated[position] else { return render(diagnostic, &cache) }
            guard group.first == position else { return nil }
            let lines = group.dropFirst().compactMap { diagnostics[$0].range?.start.line }
            return render(diagnostic, otherLines: lines, &cache)
        }
        return blocks.joined(separator: "\n")
    }

    /// How often a finding has to be repeated to be shown once.
    private static let fewestRepetitions = 4

    /// What findings must have in common to be shown once.
    private struct Repetition: Hashable {
        let file: String
        let rule: String
        let severity: Severity
        let message: String
        let help: String?
        let text: [UInt8]
    }

    /// The positions of findings that are shown once, by each of them.
    private func repetitions(in diagnostics: [Diagnostic], _ cache: inout [String: [UInt8]]) -> [Int: [Int]] {
        var groups: [Repetition: [Int]] = [:]
        for (position, finding) in diagnostics.enumerated() where finding.notes.isEmpty {
            guard let range = finding.range, let bytes = bytes(of: range.file, &cache),
                range.start.offset <= range.end.offset, range.end.offset <= bytes.count,
                range.end.offset - range.start.offset <= width
            else { continue }
            let text = Array(bytes[range.start.offset..<range.end.offset])
            let key = Repetition(
                file: range.file, rule: finding.rule, severity: finding.severity, message: finding.message,
                help: finding.help, text: text)
            groups[key, default: []].append(position)
        }
        var repeated: [Int: [Int]] = [:]
        for group in groups.values where group.count >= Self.fewestRepetitions {
            for position in group { repeated[position] = group }
        }
        return repeated
    }

    private func bytes(of file: String, _ cache: inout [String: [UInt8]]) -> [UInt8]? {
        if cache[file] == nil { cache[file] = source(file) }
        return cache[file]
    }

    private func render(
        _ diagnostic: Diagnostic, otherLines: [Int] = [], _ cache: inout [String: [UInt8]]
    ) -> String {
        var text = header(
            diagnostic.severity, diagnostic.message, place(diagnostic.range, diagnostic.file), diagnostic.rule)
        text += excerpt(diagnostic.range, &cache)
        for note in diagnostic.notes {
            text += header(.note, note.message, note.range.map { place($0, $0.file) }, nil)
            text += excerpt(note.range, &cache)
        }
        if !otherLines.isEmpty {
            let shown = otherLines.prefix(8).map(String.init).joined(separator: ", ")
            let rest = otherLines.count > 8 ? " and \(otherLines.count - 8) more" : ""
            text += header(.note, "the same in \(otherLines.count) more places, in the lines \(shown)\(rest)", nil, nil)
        }
        if let help = diagnostic.help {
            text += "\(paint("help:", .note)) \(oneLine(help))\n"
        } else if let fix = diagnostic.fix {
            text += "\(paint("help:", .note)) \(oneLine(fix.title))\n"
        }
        return text
    }

    private func header(_ severity: Severity, _ message: String, _ place: String?, _ rule: String?) -> String {
        let prefix = place.map { "\($0): " } ?? ""
        let rule = rule.map { " [\($0)]" } ?? ""
        return "\(prefix)\(paint("\(severity.rawValue):", severity)) \(oneLine(message))\(rule)\n"
    }

    private func excerpt(_ range: SourceRange?, _ cache: inout [String: [UInt8]]) -> String {
        guard let range else { return "" }
        guard let bytes = bytes(of: range.file, &cache), let excerpt = SourceExcerpt(range, in: bytes, width: width)
        else {
            return ""
        }
        let number = String(excerpt.line)
        let gutter = String(repeating: " ", count: max(0, 5 - number.count)) + number
        let carets = String(repeating: "^", count: excerpt.caretCount)
        let blank = String(repeating: " ", count: gutter.count)
        return """
            \(gutter) | \(excerpt.text)
            \(blank) | \(String(repeating: " ", count: excerpt.caretColumn))\(paint(carets, nil))

            """
    }

    private func paint(_ text: String, _ severity: Severity?) -> String {
        guard usesColor else { return text }
        let code =
            switch severity {
            case .error: "1;31"
            case .warning: "1;33"
            case .note: "1;36"
            case nil: "1;32"
            }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}

/// "2 errors, 1 warning", or "no problems": the line below a report.
package func summary(of diagnostics: [Diagnostic]) -> String {
    let parts = Severity.allCases.compactMap { severity -> String? in
        let count = diagnostics.lazy.filter { $0.severity == severity }.count
        guard count > 0 else { return nil }
        return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    return parts.isEmpty ? "no problems" : parts.joined(separator: ", ")
}

/// A path, with line and column where there are any.
func place(_ range: SourceRange?, _ file: String) -> String {
    guard let range else { return printable(file) }
    return "\(printable(range.file)):\(range.start.line):\(range.start.column)"
}

/// The printable name of a file. Line breaks and control characters are written as escapes.
package func printable(_ path: String) -> String {
    // Most paths contain no such characters.
    guard path.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return path }
    return path.map { character in
        switch character {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\r\n": "\\r\\n"
        case "\t": "\\t"
        default: DisplayCell(showing: character).text
        }
    }.joined()
}

/// Text in one line. Line breaks and control characters in the text of a contract or of a client are written as escapes.
package func oneLine(_ text: String) -> String {
    text.map { DisplayCell(showing: $0).text }.joined()
}
