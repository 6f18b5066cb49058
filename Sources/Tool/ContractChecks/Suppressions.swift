import ContractModel
import Diagnostics
import YAMLTree

/// The comments with which a contract's author ignores findings.
///
///     # errand:ignore verb-in-path the path is the server's
///     find: {get: /getBook}
///
/// A comment on a line of its own applies to the next line that isn't a comment. If that line has the name of a definition (an
/// error, a type, an endpoint), the comment applies to the whole definition. A comment after other text applies to its own line.
/// It applies only to findings of lint, of changes and of recordings: errors that prevent generation cannot be ignored.
package struct Suppressions {
    fileprivate struct Suppression {
        let comment: YAMLComment
        let rule: String
        let reason: String
        /// The lines that it is about: one, or those of a definition.
        let lines: ClosedRange<Int>

        /// Whether it is about what `errand diff` finds, and not about a finding of lint.
        var isOfChange: Bool { FindingKind.consequences.contains { $0.name == rule } }

        func applies(to finding: Diagnostic) -> Bool { finding.range.map { lines.contains($0.start.line) } ?? false }
    }

    private static let mark = "errand:ignore"
    private let document: YAMLDocument
    private let all: [Suppression]

    package init(in document: YAMLDocument) {
        self.document = document
        let comments = document.comments
        var all: [Suppression] = []
        lazy var definitions = Dictionary(
            Self.definitions(in: document).map { ($0.lines.lowerBound, $0.lines.upperBound) }, uniquingKeysWith: max)
        for (position, comment) in comments.enumerated() where comment.text.hasPrefix(Self.mark) {
            var line = comment.range.start.line
            if comment.isAlone {
                line += 1
                for next in comments[(position + 1)...] where next.isAlone && next.range.start.line == line {
                    line += 1
                }
            }
            let words = comment.text.dropFirst(Self.mark.count).split(separator: " ", maxSplits: 1)
            let reason = words.count > 1 ? words[1].drop { $0 == " " } : ""
            all.append(
                Suppression(
                    comment: comment, rule: words.first.map(String.init) ?? "", reason: String(reason),
                    lines: line...max(line, comment.isAlone ? definitions[line] ?? line : line)))
        }
        self.all = all
    }

    fileprivate struct Definition {
        /// `endpoints.find`
        let name: String
        let lines: ClosedRange<Int>
    }

    /// The definitions, with the lines from that of the name to the last one.
    private static func definitions(in document: YAMLDocument) -> [Definition] {
        var found: [Definition] = []
        for section in document.root.mapping.map(Array.init) ?? [] {
            for definition in section.value.mapping.map(Array.init) ?? [] {
                let line = definition.key.range.start.line
                let end = definition.value.range.end
                // A block ends where the next line begins.
                let last = max(line, end.column == 1 ? end.line - 1 : end.line)
                found.append(
                    Definition(name: "\(section.key.text ?? "").\(definition.key.text ?? "")", lines: line...last))
            }
        }
        return found
    }

    /// Whether the rule that a comment must mean finds something there.
    private func isMisspelled(_ suppression: Suppression, _ findings: [Diagnostic]) -> Bool {
        guard let near = nearestSpelling(of: suppression.rule, among: RuleCatalog.all.map { $0.name }) else {
            return false
        }
        return findings.contains { $0.rule == near && suppression.applies(to: $0) }
    }

    /// Where a comment names its rule.
    private func name(in suppression: Suppression) -> SourceRange? {
        let range = suppression.comment.range
        let text = document.text(of: range)
        guard let mark = text.firstRange(of: Self.mark),
            let name = text[mark.upperBound...].firstRange(of: suppression.rule), !name.isEmpty
        else { return nil }
        // The text before it is ASCII.
        let before = text.utf8.distance(from: text.startIndex, to: name.lowerBound)
        let count = suppression.rule.unicodeScalars.count
        func place(_ columns: Int, _ bytes: Int) -> SourcePosition {
            SourcePosition(
                line: range.start.line, column: range.start.column + columns, offset: range.start.offset + bytes)
        }
        return SourceRange(
            file: range.file, start: place(before, before),
            end: place(before + count, before + suppression.rule.utf8.count))
    }

    /// Whether a comment is about the finding.
    package func apply(to finding: Diagnostic) -> Bool {
        all.contains { $0.rule == finding.rule && $0.applies(to: finding) }
    }

    /// What a comment of theirs is about is not known without another version, or a recording.
    private static let ofOthers = Set((FindingKind.consequences + FindingKind.kindsOfRecordings).map(\.name))

    /// The findings that are not suppressed, and what is wrong with the suppressions themselves.
    ///
    /// - Parameters:
    ///   - isWhole: Whether reading found no error. After an error, rules that conclude from absence report nothing, so a
    ///     suppression without a finding may be valid.
    ///   - severity: what the two rules about suppressions weigh here; `nil` if they are off.
    func remaining(
        of findings: [Diagnostic], isWhole: Bool, _ severity: (any Rule.Type) -> Severity?
    ) -> [Diagnostic] {
        guard !all.isEmpty else { return findings }
        var used = Set<Int>()
        var remaining = findings.filter { finding in
            let matches = all.indices.filter {
                all[$0].rule == finding.rule && all[$0].applies(to: finding)
            }
            used.formUnion(matches)
            return matches.isEmpty
        }
        used.formUnion(all.indices.filter { Self.ofOthers.contains(all[$0].rule) })
        if isWhole, let severity = severity(StaleSuppression.self) {
            var report = RuleReport(StaleSuppression.self, severity: severity)
            let rules = RuleCatalog.all.map { $0.name }
            for (position, suppression) in all.enumerated() where !used.contains(position) {
                StaleSuppression.report(
                    rule: suppression.rule, among: rules, at: suppression.comment.range,
                    name: isMisspelled(suppression, findings) ? name(in: suppression) : nil,
                    fix: removal(of: suppression.comment), &report)
            }
            remaining += report.findings
        }
        if let severity = severity(SuppressionWithoutReason.self) {
            var report = RuleReport(SuppressionWithoutReason.self, severity: severity)
            for (position, suppression) in all.enumerated() where used.contains(position) && suppression.reason.isEmpty
            {
                SuppressionWithoutReason.report(rule: suppression.rule, at: suppression.comment.range, &report)
            }
            remaining += report.findings
        }
        return remaining
    }

    /// Removes the comment: its whole line if the line has nothing else, otherwise the comment and the blanks before
    /// it.
    private func removal(of comment: YAMLComment) -> Fix {
        let bytes = document.bytes
        var start = comment.range.start.offset
        var end = comment.range.end.offset
        while start > 0, bytes[start - 1] == UInt8(ascii: " ") || bytes[start - 1] == UInt8(ascii: "\t") { start -= 1 }
        if comment.isAlone {
            if end < bytes.count, bytes[end] == UInt8(ascii: "\r") { end += 1 }
            if end < bytes.count, bytes[end] == UInt8(ascii: "\n") { end += 1 }
        }
        let place = comment.range
        let from = SourcePosition(
            line: place.start.line, column: place.start.column - (place.start.offset - start), offset: start)
        let isWholeLine = end > place.end.offset
        let to = isWholeLine ? SourcePosition(line: place.end.line + 1, column: 1, offset: end) : place.end
        let edit = Fix.Edit(replacing: SourceRange(file: place.file, start: from, end: to), with: "")
        return Fix(title: "remove the comment", applicability: .certain, edits: [edit])
    }
}

/// The comments of a contract that ignore what `errand diff` says of a change.
///
/// A comment counts in the change that adds it. The old contract of the next change has it too, so it hides no later break. It ignores
/// what is found in its line, and not in a whole definition, because a break that is found beside it may be another one.
package struct IgnoredChanges {
    private let comments: [Suppressions.Comment]
    /// All comments of the new contract; nil if it cannot be read.
    private let suppressions: Suppressions?

    /// - Parameters:
    ///   - new: The contract after the changes.
    ///   - old: The contract before them.
    package init(in new: ContractExamination, since old: ContractExamination) {
        suppressions = new.document.map { Suppressions(in: $0) }
        guard let suppressions else {
            comments = []
            return
        }
        let earlier = old.document.map { Suppressions(in: $0) }
        let known = Set(earlier?.ofChanges.map(\.place) ?? [])
        // The definition may have another name now.
        let definitions = suppressions.definitionNames
        let moved = Set(known.filter { !definitions.contains($0.definition) }.map(\.text))
        comments = suppressions.ofChanges.filter { !known.contains($0.place) && !moved.contains($0.place.text) }
    }

    /// Why a comment ignores the finding; nil without such a comment, or without a reason in it.
    package func reason(toIgnore finding: Diagnostic) -> String? {
        comments.first { $0.ignores(finding) }?.reason
    }

    /// A finding for each comment that ignores none of these.
    package func unused(among findings: [Diagnostic]) -> [Diagnostic] {
        suppressions?.stale(comments.filter { comment in !findings.contains { comment.ignores($0) } }) ?? []
    }
}

extension Suppressions {
    /// A comment about a change.
    struct Comment {
        /// Where a comment is, whatever lines are above it.
        struct Place: Hashable {
            let definition: String
            /// The whole comment.
            let text: String
        }

        let place: Place
        let reason: String
        fileprivate let suppression: Suppression

        func ignores(_ finding: Diagnostic) -> Bool {
            suppression.rule == finding.rule && finding.range?.file == suppression.comment.range.file
                && finding.range?.start.line == suppression.lines.lowerBound
        }
    }

    /// The comments about changes that have a reason.
    var ofChanges: [Comment] {
        let comments = all.filter { $0.isOfChange && !$0.reason.isEmpty }
        guard !comments.isEmpty else { return [] }
        let definitions = Self.definitions(in: document)
        return comments.map { suppression in
            let line = suppression.lines.lowerBound
            let definition = definitions.first { $0.lines.contains(line) }?.name ?? ""
            return Comment(
                place: Comment.Place(definition: definition, text: suppression.comment.text),
                reason: suppression.reason, suppression: suppression)
        }
    }

    /// The names of all definitions, and the empty one of what is outside of them.
    fileprivate var definitionNames: Set<String> { Set(Self.definitions(in: document).map(\.name)).union([""]) }

    /// The findings about comments that ignore nothing.
    fileprivate func stale(_ comments: [Comment]) -> [Diagnostic] {
        var report = RuleReport(StaleSuppression.self, severity: StaleSuppression.severity)
        for suppression in comments.map(\.suppression) {
            StaleSuppression.report(
                ofChange: suppression.rule, at: suppression.comment.range, fix: removal(of: suppression.comment),
                &report)
        }
        return report.findings
    }
}
