import Diagnostics

/// Changes as Markdown: a table for a pull request, or a list for a changelog.
package struct ChangeMarkdown: Sendable {
    /// How many changes are shown of one service.
    package static let mostShown = 1_000

    package init() {}

    /// A table with the three columns, and below it the consequences.
    package func table(of changes: [Change], service: String) -> String {
        let shown = Self.ordered(changes).filter { $0.verdict.level > .none }
        var text = "## \(service)\n\n"
        guard !shown.isEmpty else {
            return text + "\(counted(changes.count, "change")), and none of them breaks an app.\n"
        }
        text += "| change | source | wire | behavior |\n|---|---|---|---|\n"
        for change in shown.prefix(Self.mostShown) {
            let columns = change.verdict.columns.map { Self.word(for: $0.judgment, change) }
            text += "| \(Self.cell(change.summary)) | \(columns.joined(separator: " | ")) |\n"
        }
        text += "\n"
        for change in shown.prefix(Self.mostShown) {
            text += "- \(Self.line(change.summary))\(change.range.map { " (\(Self.place($0)))" } ?? "")\n"
            for (name, judgment) in change.verdict.columns {
                if let sentence = judgment.sentence { text += "  - \(name): \(Self.line(sentence))\n" }
            }
            if let acceptance = change.acceptance { text += "  - \(Self.line(acceptance))\n" }
        }
        return text + Self.rest(shown.count)
    }

    /// The changes by their severity, without consequences for those that have none.
    package func changelog(of changes: [Change], service: String) -> String {
        var text = "## \(service)\n"
        let groups: [(ChangeVerdict.Level, String)] = [
            (.breaks, "Breaks"), (.warns, "To review"), (.none, "Compatible"),
        ]
        for (level, title) in groups {
            let group = changes.filter { $0.verdict.level == level }
            guard !group.isEmpty else { continue }
            text += "\n### \(title)\n\n"
            for change in group.prefix(Self.mostShown) {
                var sentences = change.verdict.columns.compactMap(\.judgment.sentence).map(Self.line)
                if let acceptance = change.acceptance { sentences.append("(\(Self.line(acceptance)))") }
                text += "- \(([Self.line(change.summary) + "."] + sentences).joined(separator: " "))\n"
            }
            text += Self.rest(group.count)
        }
        return changes.isEmpty ? text + "\nNo changes.\n" : text
    }

    /// The breaks first, in the order of the contract.
    private static func ordered(_ changes: [Change]) -> [Change] {
        changes.enumerated().sorted {
            ($1.element.verdict.level, $0.offset) < ($0.element.verdict.level, $1.offset)
        }.map(\.element)
    }

    private static func rest(_ count: Int) -> String {
        count > mostShown ? "\n\(count - mostShown) more changes are not shown.\n" : ""
    }

    /// Findings that are not about a change, such as a sign-off that has ended.
    package func others(_ findings: [Diagnostic]) -> String {
        guard !findings.isEmpty else { return "" }
        let lines = findings.prefix(Self.mostShown).map { finding in
            let place = finding.range.map(Self.place) ?? "`\(Self.line(finding.file))`"
            return "- \(Self.line(finding.severity.rawValue)): \(Self.line(finding.message)) (\(place))\n"
        }
        return "## Other findings\n\n" + lines.joined() + Self.rest(findings.count)
    }

    private static func word(for judgment: ChangeVerdict.Judgment, _ change: Change) -> String {
        switch judgment {
        case .none: "–"
        case .warns: "review"
        // A break that does not fail is not as loud as one that does.
        case .breaks: change.acceptance == nil ? "**breaks**" : "breaks (accepted)"
        }
    }

    /// The line of a place, as a link if it is in a file below the working folder. Those of a commit, and of a contract that was
    /// imported for the comparison, are no files.
    private static func place(_ range: SourceRange) -> String {
        let name = "`\(line(range.file).replacing(scalar: "`", with: "'")):\(range.start.line)`"
        let isFile = !range.file.hasPrefix("/") && !range.file.hasPrefix("git:")
        guard isFile, !range.file.split(separator: "/").contains("..") else { return name }
        let address = range.file.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "-._~/".contains(character))
            return isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return "[\(name)](\(address.joined())#L\(range.start.line))"
    }

    /// Text that can be in a cell of a table.
    private static func cell(_ text: String) -> String { line(text).replacing(scalar: "|", with: "\\|") }

    /// Text of one line in which a value of a contract is code, whatever it contains.
    private static func line(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar -> Character in
                scalar.value < 0x20 || scalar.value == 0x7F || scalar == "\u{2028}" || scalar == "\u{2029}"
                    ? " " : Character(scalar)
            })
    }

    private func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
