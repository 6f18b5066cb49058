/// Diagnostics in the Static Analysis Results Interchange Format (SARIF 2.1.0, OASIS 2020).
package struct SARIFReport: Sendable {
    private let version: String
    private let rules: [FindingPage]

    /// `version` is the tool's; `rules` are those with a page, in the order in which the report lists them.
    package init(version: String, rules: [FindingPage]) {
        self.version = version
        self.rules = rules
    }

    /// The diagnostics in the order given.
    package func render(_ diagnostics: [Diagnostic]) -> String {
        let indexes = Dictionary(rules.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let driver = ReportValue.object([
            ("name", .text("Errand")), ("semanticVersion", .text(version)), ("rules", .list(rules.map(rule))),
        ])
        return ReportValue.object([
            (
                "$schema",
                .text("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
            ),
            ("version", .text("2.1.0")),
            (
                "runs",
                .list([
                    .object([
                        ("tool", .object([("driver", driver)])),
                        ("columnKind", .text("unicodeCodePoints")),
                        ("results", .list(diagnostics.map { result($0, indexes) })),
                    ])
                ])
            ),
        ]).json
    }

    private func rule(_ rule: FindingPage) -> ReportValue {
        .object([
            ("id", .text(rule.name)),
            ("shortDescription", message(rule.summary)),
            ("help", .object([("text", .text(rule.page)), ("markdown", .text(rule.page))])),
            ("defaultConfiguration", .object([("level", .text(rule.severity.rawValue))])),
        ])
    }

    private func result(_ diagnostic: Diagnostic, _ indexes: [String: Int]) -> ReportValue {
        var text = [diagnostic.message, diagnostic.help].compactMap { $0 }.joined(separator: ": ")
        // The format has no place for a judgment, so its sentence is a part of the text.
        if !diagnostic.verdicts.isEmpty { text = ([text] + diagnostic.placelessNotes).joined(separator: "\n") }
        var pairs: [(key: String, value: ReportValue)] = [("ruleId", .text(diagnostic.rule))]
        if let index = indexes[diagnostic.rule] { pairs.append(("ruleIndex", .number(index))) }
        pairs += [
            ("level", .text(diagnostic.severity.rawValue)),
            ("message", message(text)),
            ("locations", .list([.object([("physicalLocation", place(diagnostic.file, diagnostic.range))])])),
        ]
        // The format wants each of them once.
        var seen = Set<DiagnosticNote>()
        let related = diagnostic.notes.filter { seen.insert($0).inserted }.compactMap { note in
            note.range.map {
                ReportValue.object([("physicalLocation", place($0.file, $0)), ("message", message(note.message))])
            }
        }
        if !related.isEmpty { pairs.append(("relatedLocations", .list(related))) }
        if let fix = diagnostic.fix { pairs.append(("fixes", .list([self.fix(fix)]))) }
        if !diagnostic.verdicts.isEmpty {
            pairs.append(("properties", .object([("verdicts", .verdicts(diagnostic.verdicts))])))
        }
        return .object(pairs)
    }

    private func fix(_ fix: Fix) -> ReportValue {
        let files = Set(fix.edits.map(\.range.file)).sorted()
        let changes = files.map { file in
            let replacements = fix.edits.filter { $0.range.file == file }.map { edit in
                ReportValue.object([
                    ("deletedRegion", region(edit.range)), ("insertedContent", message(edit.replacement)),
                ])
            }
            return ReportValue.object([("artifactLocation", location(file)), ("replacements", .list(replacements))])
        }
        return .object([("description", message(fix.title)), ("artifactChanges", .list(changes))])
    }

    private func message(_ text: String) -> ReportValue { .object([("text", .text(text))]) }

    private func place(_ file: String, _ range: SourceRange?) -> ReportValue {
        var pairs: [(key: String, value: ReportValue)] = [("artifactLocation", location(file))]
        if let range { pairs.append(("region", region(range))) }
        return .object(pairs)
    }

    private func region(_ range: SourceRange) -> ReportValue {
        .object([
            ("startLine", .number(range.start.line)), ("startColumn", .number(range.start.column)),
            ("endLine", .number(range.end.line)), ("endColumn", .number(range.end.column)),
        ])
    }

    /// A path as a relative URI reference (RFC 3986); a `:` in it would be taken for a scheme.
    private func location(_ file: String) -> ReportValue {
        let allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@".utf8
        let uri = file.utf8.map { byte -> String in
            if allowed.contains(byte) { return String(Unicode.Scalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
        return .object([("uri", .text(uri))])
    }
}
