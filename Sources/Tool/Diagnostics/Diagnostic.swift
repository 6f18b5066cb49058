/// The severity of a diagnostic.
package enum Severity: String, Hashable, Sendable, CaseIterable {
    /// Prevents generation.
    case error
    case warning
    case note
}

extension Severity {
    /// A greater severity is more severe.
    package var weight: Int {
        switch self {
        case .error: 3
        case .warning: 2
        case .note: 1
        }
    }
}

/// One finding about a source file: what is wrong, where, and what to write instead.
///
/// Architecture invariant: a diagnostic is plain data. Stages return what they find; only reports print.
package struct Diagnostic: Hashable, Sendable {
    /// The id of its kind or of the lint rule that found it, in kebab case and named after the bad pattern:
    /// `yaml-duplicate-key`.
    package let rule: String
    package let severity: Severity
    /// The problem, as one sentence without a full stop.
    package let message: String
    /// The file it is about, as shown to the reader.
    package private(set) var file: String
    /// Where in the file; `nil` when it is about the file as a whole.
    package private(set) var range: SourceRange?
    /// Other places that explain this one, such as the first of two definitions.
    package let notes: [DiagnosticNote]
    /// The sentence that says what to write instead.
    package let help: String?
    /// The edit that fixes it, if a program can make one.
    package internal(set) var fix: Fix?
    /// The judgments of a finding that has several, such as those of a change of a contract.
    package private(set) var verdicts: [DiagnosticVerdict] = []

    /// A finding at a place.
    package init(
        rule kind: FindingKind,
        severity: Severity? = nil,
        message: String,
        at range: SourceRange,
        notes: [DiagnosticNote] = [],
        help: String? = nil,
        fix: Fix? = nil
    ) {
        self.rule = kind.name
        self.severity = severity ?? kind.severity
        self.message = message
        self.file = range.file
        self.range = range
        self.notes = notes
        self.help = help
        self.fix = fix
    }

    /// A finding about a file as a whole: missing, empty, unreadable.
    package init(
        rule kind: FindingKind,
        severity: Severity? = nil,
        message: String,
        file: String,
        notes: [DiagnosticNote] = [],
        help: String? = nil,
        fix: Fix? = nil
    ) {
        self.rule = kind.name
        self.severity = severity ?? kind.severity
        self.message = message
        self.file = file
        self.range = nil
        self.notes = notes
        self.help = help
        self.fix = fix
    }
}

extension Diagnostic {
    /// A finding of a lint rule: its id is the name of the rule's `kind`, so it has a page.
    package init(
        lintRule: String, severity: Severity, message: String, at range: SourceRange, notes: [DiagnosticNote],
        help: String?, fix: Fix?
    ) {
        self.rule = lintRule
        self.severity = severity
        self.message = message
        self.file = range.file
        self.range = range
        self.notes = notes
        self.help = help
        self.fix = fix
    }

    /// The same finding with its judgments, which a program can read.
    package func judged(_ verdicts: [DiagnosticVerdict]) -> Diagnostic {
        var finding = self
        finding.verdicts = verdicts
        return finding
    }

    /// The same finding about something as a whole that has no text to point into, such as an option.
    package func about(_ file: String) -> Diagnostic {
        var finding = self
        finding.file = file
        finding.range = nil
        return finding
    }

    /// The same finding about files that a reader knows under other names. It has no fix, because a fix is for a file's own name.
    package func renamingFiles(_ name: (String) -> String) -> Diagnostic {
        var finding = Diagnostic(
            rule: rule, severity: severity, message: message,
            notes: notes.map { DiagnosticNote($0.message, at: $0.range?.renamingFile(name)) }, help: help)
        finding.file = name(file)
        finding.range = range?.renamingFile(name)
        finding.verdicts = verdicts
        return finding
    }

    /// The same finding with another weight, and a note that says why.
    package func weighing(_ severity: Severity, because reason: String? = nil) -> Diagnostic {
        copy(severity, notes + (reason.map { [DiagnosticNote($0)] } ?? []))
    }

    /// The same finding with one more note.
    package func noting(_ note: String) -> Diagnostic { copy(severity, notes + [DiagnosticNote(note)]) }

    private func copy(_ severity: Severity, _ notes: [DiagnosticNote]) -> Diagnostic {
        var finding = Diagnostic(rule: rule, severity: severity, message: message, notes: notes, help: help)
        finding.file = file
        finding.range = range
        finding.fix = fix
        finding.verdicts = verdicts
        return finding
    }

    private init(rule: String, severity: Severity, message: String, notes: [DiagnosticNote], help: String?) {
        self.rule = rule
        self.severity = severity
        self.message = message
        self.file = ""
        self.range = nil
        self.notes = notes
        self.help = help
        self.fix = nil
    }

    /// The notes that are about the finding as a whole, for reports without notes.
    var placelessNotes: [String] { notes.filter { $0.range == nil }.map(\.message) }

    /// Whether it was raised as this kind of finding.
    package func isOf(_ kind: FindingKind) -> Bool { rule == kind.name }
}

/// A further place or fact that explains a diagnostic.
package struct DiagnosticNote: Hashable, Sendable {
    package let message: String
    /// The place to look at; `nil` for a fact without a place.
    package let range: SourceRange?

    package init(_ message: String, at range: SourceRange? = nil) {
        self.message = message
        self.range = range
    }
}

/// One of several judgments of a finding: of `wire`, for example, that it `breaks`.
package struct DiagnosticVerdict: Hashable, Sendable {
    package let subject: String
    /// A word, such as `breaks`.
    package let level: String
    /// What follows, as a sentence with its full stop; `nil` if nothing does.
    package let consequence: String?
    /// Which apps it is about, in a word; `nil` if that does not matter.
    package let parties: String?

    package init(subject: String, level: String, consequence: String?, parties: String? = nil) {
        self.parties = parties
        self.subject = subject
        self.level = level
        self.consequence = consequence
    }
}

/// A fix that a program can carry out.
package struct Fix: Hashable, Sendable {
    /// Whether the fix can be made without a person looking at it.
    package enum Applicability: String, Hashable, Sendable {
        /// The fix has the author's intended meaning; `errand lint --fix` makes it unasked.
        case certain
        /// The fix is probably correct. It is shown, and made only when asked for.
        case needsALook
    }

    /// One replacement. An empty range inserts, an empty replacement deletes.
    package struct Edit: Hashable, Sendable {
        package let range: SourceRange
        package let replacement: String

        package init(replacing range: SourceRange, with replacement: String) {
            self.range = range
            self.replacement = replacement
        }

        /// Puts text after the first bytes of a range, which are ASCII and of one line.
        package init(inserting text: String, behind count: Int, of range: SourceRange) {
            let start = range.start
            let place = SourcePosition(line: start.line, column: start.column + count, offset: start.offset + count)
            self.init(replacing: SourceRange(file: range.file, start: place, end: place), with: text)
        }
    }

    /// The action of the fix, as an imperative: "quote the text".
    package let title: String
    package let applicability: Applicability
    /// Edits that do not overlap; together they make the fix.
    package let edits: [Edit]

    package init(title: String, applicability: Applicability, edits: [Edit]) {
        self.title = title
        self.applicability = applicability
        self.edits = edits
    }
}
