/// Diagnostics for a program: one JSON object. `docs/lint.md` describes it.
package struct JSONReport: Sendable {
    package init() {}

    /// The diagnostics in the order given.
    package func render(_ diagnostics: [Diagnostic]) -> String {
        let counts = Severity.allCases.map { severity in
            (key: severity.rawValue + "s", value: ReportValue.number(diagnostics.count { $0.severity == severity }))
        }
        return ReportValue.object([
            ("version", .number(1)),
            ("findings", .list(diagnostics.map(finding))),
            ("summary", .object(counts)),
        ]).json
    }

    private func finding(_ diagnostic: Diagnostic) -> ReportValue {
        var pairs: [(key: String, value: ReportValue)] = [
            ("rule", .text(diagnostic.rule)), ("severity", .text(diagnostic.severity.rawValue)),
            ("message", .text(diagnostic.message)), ("file", .text(diagnostic.file)),
        ]
        if let range = diagnostic.range { pairs.append(("range", self.range(range))) }
        pairs.append(("notes", .list(diagnostic.notes.map(note))))
        if let help = diagnostic.help { pairs.append(("help", .text(help))) }
        if let fix = diagnostic.fix { pairs.append(("fix", self.fix(fix))) }
        if !diagnostic.verdicts.isEmpty {
            pairs.append(("verdicts", .verdicts(diagnostic.verdicts)))
        }
        return .object(pairs)
    }

    private func note(_ note: DiagnosticNote) -> ReportValue {
        var pairs: [(key: String, value: ReportValue)] = [("message", .text(note.message))]
        if let range = note.range { pairs += [("file", .text(range.file)), ("range", self.range(range))] }
        return .object(pairs)
    }

    private func fix(_ fix: Fix) -> ReportValue {
        .object([
            ("title", .text(fix.title)), ("applicability", .text(fix.applicability.rawValue)),
            (
                "edits",
                .list(
                    fix.edits.map { edit in
                        .object([
                            ("file", .text(edit.range.file)), ("range", range(edit.range)),
                            ("replacement", .text(edit.replacement)),
                        ])
                    })
            ),
        ])
    }

    private func range(_ range: SourceRange) -> ReportValue {
        .object([("start", position(range.start)), ("end", position(range.end))])
    }

    private func position(_ position: SourcePosition) -> ReportValue {
        .object([
            ("line", .number(position.line)), ("column", .number(position.column)),
            ("offset", .number(position.offset)),
        ])
    }
}

extension ReportValue {
    /// The judgments of a finding, by their subjects.
    static func verdicts(_ verdicts: [DiagnosticVerdict]) -> ReportValue {
        .object(
            verdicts.map { verdict in
                var pairs: [(key: String, value: ReportValue)] = [("level", .text(verdict.level))]
                if let parties = verdict.parties { pairs.append(("apps", .text(parties))) }
                if let consequence = verdict.consequence { pairs.append(("consequence", .text(consequence))) }
                return (key: verdict.subject, value: .object(pairs))
            })
    }
}
