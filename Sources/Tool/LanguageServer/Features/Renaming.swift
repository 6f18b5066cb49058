import ContractModel
import Diagnostics
import Pipeline
import YAMLTree

/// Renames a definition (``NameKind``) in the whole project.
///
/// The server renames only if every use is known for certain: a definition with an error could contain the name in a place that
/// could not be read.
extension LanguageServer {
    func prepareRename(_ parameters: PositionParameters) throws(ResponseError) -> PreparedRename? {
        guard let spot = spot(parameters.textDocument, parameters.position), let name = spot.name else { return nil }
        let search = NameSearch(spot, workspace)
        guard search.definition != nil else { return nil }
        try check(search, name, spot.project)
        return PreparedRename(range: spot.text.range(name.bytes, client.encoding), placeholder: name.name)
    }

    func rename(_ parameters: RenameParameters) throws(ResponseError) -> WorkspaceEdit? {
        guard let spot = spot(parameters.textDocument, parameters.position), let name = spot.name else { return nil }
        let search = NameSearch(spot, workspace)
        guard search.definition != nil else { return nil }
        try check(search, name, spot.project)
        let new = parameters.newName
        guard let first = new.utf8.first, !(0x30...0x39).contains(first), new.utf8.allSatisfy(Spot.isNameByte) else {
            throw ResponseError(
                .requestFailed, "`\(new)` is not a name: use letters, digits and `_`, and do not begin with a digit")
        }
        if Primitive(spelling: new) != nil || new == "none"
            || (name.kind == .error && BuiltInError(rawValue: new) != nil) || (name.kind == .role && new == "url")
            || (name.kind == .credential && CredentialDefinition.reservedNames.contains(new))
        {
            throw ResponseError(.requestFailed, "`\(new)` is a word of the language")
        }
        for path in search.scope {
            if let taken = spot.project.look(at: path).examination.definition(of: new, name.kind) {
                throw ResponseError(
                    .requestFailed, "there is already \(name.kind.article) `\(new)`, in \(taken.name.range.file)")
            }
        }
        let edits = Dictionary(grouping: search.uses, by: \.path).mapValues { uses in
            uses.map { TextEdit(range: $0.text.range($0.bytes, client.encoding), newText: new) }
        }
        return workspaceEdit(edits)
    }

    private func check(_ search: NameSearch, _ name: Spot.Name, _ project: Project) throws(ResponseError) {
        if name.kind == .error, BuiltInError(rawValue: name.name) != nil {
            throw ResponseError(.requestFailed, "`\(name.name)` is a built-in error, which cannot be renamed")
        }
        // As they are now, and not as they could last be read.
        for path in search.scope + search.unreadable {
            let look = project.look(at: path)
            guard
                look.mayHide(name.name, besides: search.uses.filter { $0.path == path }.map(\.bytes), at: path, project)
            else { continue }
            throw ResponseError(
                .requestFailed,
                "\(look.examination.file) has errors, and its unreadable parts may contain the name")
        }
        guard search.isExact else {
            throw ResponseError(.requestFailed, "the name occurs at a place that cannot be edited")
        }
    }

    /// Edits by path, in the form that the client takes.
    func workspaceEdit(_ edits: [String: [TextEdit]]) -> WorkspaceEdit {
        guard client.takesVersionedEdits else {
            return WorkspaceEdit(
                changes: Dictionary(uniqueKeysWithValues: edits.map { (workspace.texts.uri(of: $0), $1) }))
        }
        return WorkspaceEdit(
            documentChanges: edits.sorted { $0.key < $1.key }.map { path, edits in
                let document = WorkspaceEdit.DocumentEdit.Document(
                    uri: workspace.texts.uri(of: path), version: workspace.texts[path]?.version)
                return WorkspaceEdit.DocumentEdit(textDocument: document, edits: edits)
            })
    }
}

extension ContractLook {
    /// Whether a definition with an error says a name beside the places that are known.
    fileprivate func mayHide(_ name: String, besides known: [Range<Int>], at path: String, _ project: Project) -> Bool {
        guard examination.resolved == nil else { return false }
        guard examination.written != nil, let root = examination.document?.root.mapping else { return true }
        let text = texts[path]
        let places = text.wholeWords(name).filter { place in !known.contains { $0.overlaps(place) } }
        let errors = examination.findings.filter { $0.severity == .error && project.path(of: $0.file) == path }
        return errors.contains { error in
            guard let range = error.range, let section = root.pair(around: range) else { return !places.isEmpty }
            let definition = section.value.mapping?.pair(around: range)?.range ?? section.range
            return places.contains {
                definition.start.offset <= $0.lowerBound && $0.upperBound <= definition.end.offset
            }
        }
    }
}

extension YAMLMapping {
    fileprivate func pair(around range: SourceRange) -> YAMLPair? {
        first { $0.range.start.offset <= range.start.offset && range.end.offset <= $0.range.end.offset }
    }
}

extension DocumentText {
    /// Where a word is, and not a part of a longer one.
    fileprivate func wholeWords(_ word: String) -> [Range<Int>] {
        let wanted = Array(word.utf8)
        guard let first = wanted.first, bytes.count >= wanted.count else { return [] }
        return (0...(bytes.count - wanted.count)).lazy.filter { start in
            let end = start + wanted.count
            return bytes[start] == first && bytes[start..<end].elementsEqual(wanted)
                && (start == 0 || !Spot.isNameByte(bytes[start - 1]))
                && (end == bytes.count || !Spot.isNameByte(bytes[end]))
        }.map { $0..<($0 + wanted.count) }
    }
}

extension NameKind {
    fileprivate var article: String {
        "\([.error, .envelope, .endpoint].contains(self) ? "an" : "a") \(rawValue)"
    }
}
