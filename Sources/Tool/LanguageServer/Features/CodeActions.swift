import ContractChecks
import Diagnostics
import Pipeline
import YAMLTree

/// Fixes of findings, comments that ignore them, and all certain fixes at once.
extension LanguageServer {
    func codeActions(_ parameters: CodeActionParameters) -> [CodeAction] {
        let path = DocumentAddress.path(of: parameters.textDocument.uri)
        guard let text = workspace.texts[path]?.text else { return [] }
        let project = workspace.project(of: path)
        guard workspace.isContract(path) else { return mends(ofConfiguration: path, text, project, parameters) }
        let look = project.look(at: path)
        let own = look.analysis.findings.filter { project.path(of: $0.file) == path }
        var actions: [CodeAction] = []
        if asks(parameters, for: "quickfix") {
            let start = text.offset(of: parameters.range.start, client.encoding)
            let end = text.offset(of: parameters.range.end, client.encoding)
            let near = own.lazy.filter { finding in
                guard let range = finding.range else { return start == 0 }
                return range.start.offset <= end && start <= range.end.offset
            }
            for finding in near.prefix(Self.mostOffered) {
                let diagnostic = clientDiagnostic(finding, look.texts, project)
                if let action = mend(finding, diagnostic, in: path, text, project) { actions.append(action) }
                if let action = ignore(finding, diagnostic, in: path, text, look) { actions.append(action) }
            }
        }
        if asks(parameters, for: "source.fixAll"), let action = mendAll(own, path, text, look) {
            actions.append(action)
        }
        return actions
    }

    /// The fixes of `errand.yaml`.
    private func mends(
        ofConfiguration path: String, _ text: DocumentText, _ project: Project, _ parameters: CodeActionParameters
    ) -> [CodeAction] {
        guard project.path(of: ProjectConfiguration.fileName) == path, asks(parameters, for: "quickfix") else {
            return []
        }
        let start = text.offset(of: parameters.range.start, client.encoding)
        let end = text.offset(of: parameters.range.end, client.encoding)
        return project.configurationFindings.prefix(Self.mostOffered).compactMap { finding in
            guard let range = finding.range, range.start.offset <= end, start <= range.end.offset else { return nil }
            let diagnostic = clientDiagnostic(finding, project.configurationTexts, project)
            return mend(finding, diagnostic, in: path, text, project)
        }
    }

    /// A range with more findings is not one place to look at.
    private static let mostOffered = 100

    /// A client that names kinds wants those, and what is below them: `source` means `source.fixAll`, too.
    private func asks(_ parameters: CodeActionParameters, for kind: String) -> Bool {
        guard let kinds = parameters.context?.only else { return true }
        return kinds.contains { $0.isEmpty || kind == $0 || kind.hasPrefix($0 + ".") || $0.hasPrefix(kind + ".") }
    }

    private func mend(
        _ finding: Diagnostic, _ diagnostic: ClientDiagnostic, in path: String, _ text: DocumentText, _ project: Project
    ) -> CodeAction? {
        guard let fix = finding.fix, fix.edits.allSatisfy({ project.path(of: $0.range.file) == path }) else {
            return nil
        }
        let edits = fix.edits.map { edit in
            TextEdit(
                range: text.range(edit.range.start.offset..<edit.range.end.offset, client.encoding),
                newText: edit.replacement)
        }
        return CodeAction(
            title: fix.title.prefix(1).uppercased() + fix.title.dropFirst(), kind: "quickfix",
            diagnostics: [diagnostic],
            isPreferred: fix.applicability == .certain ? true : nil, edit: workspaceEdit([path: edits])
        )
    }

    /// A comment on the line above. What keeps a contract from being generated cannot be ignored.
    private func ignore(
        _ finding: Diagnostic, _ diagnostic: ClientDiagnostic, in path: String, _ text: DocumentText,
        _ look: ContractLook
    ) -> CodeAction? {
        guard let range = finding.range, RuleCatalog.lint.contains(where: { $0.name == finding.rule }),
            !look.examination.findings.contains(finding), let document = look.examination.document
        else { return nil }
        let line = text.content(ofLine: text.line(at: range.start.offset))
        let indentation = text.bytes[line].prefix { $0 == 0x20 }
        // If a line begins inside a text, no comment can be written above it.
        guard !document.root.hasScalar(around: line.lowerBound + indentation.count) else { return nil }
        let comment =
            "# \(IgnoreComment.mark) \(finding.rule) REASON\(LineBreak.before(line.lowerBound, in: text.bytes))"
        let place = text.range(line.lowerBound..<line.lowerBound, client.encoding)
        return CodeAction(
            title: "Ignore \(finding.rule) here", kind: "quickfix", diagnostics: [diagnostic],
            edit: workspaceEdit([
                path: [TextEdit(range: place, newText: String(decoding: indentation, as: UTF8.self) + comment)]
            ])
        )
    }

    /// As `errand lint --fix` does in one pass, as one edit of what differs.
    private func mendAll(_ findings: [Diagnostic], _ path: String, _ text: DocumentText, _ look: ContractLook)
        -> CodeAction?
    {
        let fixes = findings.compactMap(\.fix).filter { $0.applicability == .certain }
        let applied = FixApplication(fixes, to: text.bytes, of: look.examination.file)
        guard applied.bytes != text.bytes else { return nil }
        let edit = Self.difference(from: text, to: applied.bytes, client.encoding)
        return CodeAction(
            title: "Fix all findings with a certain fix", kind: "source.fixAll", edit: workspaceEdit([path: [edit]]))
    }

    private static func difference(from text: DocumentText, to new: [UInt8], _ encoding: PositionEncoding) -> TextEdit {
        // Whole lines, so that no character is cut.
        var start = zip(text.bytes, new).prefix { $0 == $1 }.count
        while start > 0, text.bytes[start - 1] != 0x0A { start -= 1 }
        var common = zip(text.bytes[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
        while common > 0, text.bytes[text.bytes.count - common] != 0x0A { common -= 1 }
        if common > 0 { common -= 1 }
        let replaced = start..<(text.bytes.count - common)
        let replacement = String(decoding: new[start..<(new.count - common)], as: UTF8.self)
        return TextEdit(range: text.range(replaced, encoding), newText: replacement)
    }
}

extension YAMLNode {
    /// Whether a place is inside a scalar, and not at its beginning.
    fileprivate func hasScalar(around offset: Int) -> Bool {
        var node: YAMLNode? = self
        while let current = node {
            switch current.kind {
            case .scalar: return current.range.start.offset < offset && offset < current.range.end.offset
            case .unreadable: return false
            case .sequence: node = current.sequence?.first { $0.aliasRange == nil && $0.contains(offset) }
            case .mapping:
                node = current.mapping?.lazy.flatMap { [$0.key, $0.value] }.first {
                    $0.aliasRange == nil && $0.contains(offset)
                }
            }
        }
        return false
    }

    private func contains(_ offset: Int) -> Bool { range.start.offset < offset && offset < range.end.offset }
}
