import Diagnostics
import YAMLTree

/// The identity of a finding across edits: its rule, its file, and the keys that lead to it. Lines may move and comments
/// come and go.
package struct Fingerprint: Hashable, Comparable, Sendable {
    /// One line: `verb-in-path contracts/shop.contract.yaml endpoints.getBook.get`.
    package let text: String

    /// `file` is the earlier name of the file, if it differs from the current one.
    package init(_ finding: Diagnostic, in document: YAMLDocument?, file: String? = nil) {
        let place =
            finding.range.flatMap { range in document.map { Self.path(to: range.start.offset, from: $0.root) } } ?? ""
        text = Self.oneLine("\(finding.rule) \(file ?? finding.file) \(place)")
    }

    package init(line: String) {
        text = line
    }

    package static func < (left: Fingerprint, right: Fingerprint) -> Bool { left.text < right.text }

    /// The keys from the top of the file to a place, elements of lists by their text: `endpoints.ask.errors.broken`.
    private static func path(to offset: Int, from root: YAMLNode) -> String {
        var keys: [String] = []
        var node: YAMLNode? = root
        while let current = node {
            node = nil
            if let mapping = current.mapping, let pair = mapping.first(where: { contains(offset, $0.range) }) {
                keys.append(pair.key.text ?? "?")
                if contains(offset, pair.value.range) { node = pair.value }
            } else if let sequence = current.sequence,
                let position = sequence.firstIndex(where: { contains(offset, $0.range) })
            {
                keys.append(sequence[position].text ?? "\(position)")
                node = sequence[position]
            }
        }
        return keys.joined(separator: ".")
    }

    private static func contains(_ offset: Int, _ range: SourceRange) -> Bool {
        (range.start.offset..<max(range.end.offset, range.start.offset + 1)).contains(offset)
    }

    private static func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 }).trimmingTrailingBlanks
    }
}

/// The findings that were there when a baseline was written, so that only new ones count. A text file, one fingerprint a
/// line; what begins with `#` is a comment.
///
/// Only what a rule finds can be in it: what keeps a contract from being generated always counts.
package struct Baseline: Sendable {
    private var counts: [Fingerprint: Int] = [:]

    package init(_ fingerprints: [Fingerprint]) {
        for fingerprint in fingerprints { counts[fingerprint, default: 0] += 1 }
    }

    package init(reading text: String) {
        let lines = text.split(whereSeparator: \.isNewline).map { String($0).trimmingTrailingBlanks }
        self.init(lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map(Fingerprint.init(line:)))
    }

    /// The file's text, in the order of the alphabet.
    package var text: String {
        let lines = counts.sorted { $0.key < $1.key }.flatMap { Array(repeating: $0.key.text + "\n", count: $0.value) }
        return
            "# Findings that errand lint ignores. `errand lint --baseline FILE --update-baseline` writes this file again.\n"
            + lines.joined()
    }

    package var count: Int { counts.values.reduce(0, +) }

    /// Whether the finding is one of these. That entry then matches no other finding.
    package mutating func takes(_ fingerprint: Fingerprint) -> Bool {
        guard let count = counts[fingerprint], count > 0 else { return false }
        counts[fingerprint] = count - 1
        return true
    }

    /// Whether a finding can be in a baseline.
    package static func covers(_ finding: Diagnostic) -> Bool {
        RuleCatalog.lint.contains { $0.name == finding.rule }
    }
}

extension String {
    fileprivate var trimmingTrailingBlanks: String {
        var text = self[...]
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
