import Diagnostics
import Pipeline

/// The findings of `errand lint` for the open contracts. The server sends them whenever they change.
extension LanguageServer {
    func publishDiagnostics() {
        let found = allFindings()
        for path in Set(found.keys).union(published.keys).union(workspace.openContracts).sorted() {
            let open = workspace.texts[path]
            let uri = workspace.texts.uri(of: path)
            let new = PublishedDiagnostics(uri: uri, version: open?.version, diagnostics: found[path] ?? [])
            let old = published[path]
            guard new != old, old != nil || open != nil || !new.diagnostics.isEmpty else { continue }
            published[path] = open == nil && new.diagnostics.isEmpty ? nil : new
            connection.send(Outgoing.notification("textDocument/publishDiagnostics", new))
        }
    }

    /// By path, each finding once: two contracts that import a third find the same in it.
    private func allFindings() -> [String: [ClientDiagnostic]] {
        let contracts = Dictionary(grouping: workspace.openContracts) { workspace.project(of: $0).root }
        var found: [String: [ClientDiagnostic]] = [:]
        for project in workspace.openProjects {
            var bag = DiagnosticBag(project.configurationFindings)
            var texts = [ProjectConfiguration.fileName: project.configurationTexts]
            for path in contracts[project.root] ?? [] {
                let look = project.look(at: path)
                bag.add(contentsOf: look.analysis.findings)
                for finding in look.analysis.findings where finding.file != ProjectConfiguration.fileName {
                    texts[finding.file] = look.texts
                }
            }
            for (file, findings) in Dictionary(grouping: bag.sorted(), by: \.file) {
                guard let texts = texts[file] else { continue }
                found[project.path(of: file), default: []] += shown(findings, texts, project)
            }
        }
        return found
    }

    /// More findings than this of one file are not read, and a client is slow to show them.
    private static let mostShown = 1_000

    private func shown(_ findings: [Diagnostic], _ texts: TextsRead, _ project: Project) -> [ClientDiagnostic] {
        let shown = findings.prefix(Self.mostShown).map { clientDiagnostic($0, texts, project) }
        guard let first = findings.first, findings.count > shown.count else { return shown }
        let message = "\(findings.count - shown.count) more findings in this file are not shown; fix the first ones"
        let rest = Diagnostic(rule: .moreFindings, severity: .note, message: message, file: first.file)
        return [clientDiagnostic(rest, texts, project)] + shown
    }

    /// A finding in the client's form. The hover shows the page of its id, since no page on the web exists yet for
    /// `codeDescription` to link to.
    func clientDiagnostic(_ finding: Diagnostic, _ texts: TextsRead, _ project: Project) -> ClientDiagnostic {
        var message = finding.message
        var related: [ClientDiagnostic.Related] = []
        for note in finding.notes {
            if let range = note.range, client.showsRelatedInformation {
                related.append(
                    ClientDiagnostic.Related(location: location(of: range, texts, project), message: note.message))
            } else {
                message += "\n\(note.message)"
            }
        }
        if let help = finding.help { message += "\nhelp: \(help)" }
        var tags: [Int] = []
        if finding.rule.hasPrefix("unused-"), client.tags.contains(1) { tags.append(1) }
        if finding.rule.hasPrefix("deprecated-"), client.tags.contains(2) { tags.append(2) }
        let start = ClientPosition(line: 0, character: 0)
        return ClientDiagnostic(
            range: finding.range.map { location(of: $0, texts, project).range }
                ?? ClientRange(start: start, end: start),
            severity: finding.severity.number, code: finding.rule, message: message,
            tags: tags.isEmpty ? nil : tags, relatedInformation: related.isEmpty ? nil : related
        )
    }

    /// Where a range of a contract is, for the client.
    func location(of range: SourceRange, _ texts: TextsRead, _ project: Project) -> ClientLocation {
        let path = project.path(of: range.file)
        let text = texts[path]
        let place = text.range(range.start.offset..<range.end.offset, client.encoding)
        return ClientLocation(uri: workspace.texts.uri(of: path), range: place)
    }
}

extension Severity {
    /// As LSP counts them.
    fileprivate var number: Int {
        switch self {
        case .error: 1
        case .warning: 2
        case .note: 3
        }
    }
}
