import ContractModel
import Diagnostics

/// Another name for a type, an error, an envelope or an endpoint, wherever the project says it.
///
/// It is done only where it is certain that every place is known: each contract that says the name must be without errors,
/// since what could not be read may say it, too.
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
                .requestFailed, "`\(new)` is not a name: use letters, digits and `_`, and begin with no digit")
        }
        if Primitive(spelling: new) != nil || new == "none"
            || (name.kind == .error && BuiltInError(rawValue: new) != nil)
        {
            throw ResponseError(.requestFailed, "`\(new)` is a word of the language")
        }
        for path in search.scope {
            if let taken = spot.project.look(at: path).examination.definition(of: new, name.kind) {
                throw ResponseError(
                    .requestFailed, "there is \(name.kind.article) `\(new)` already, in \(taken.name.range.file)")
            }
        }
        let edits = Dictionary(grouping: search.uses, by: \.path).mapValues { uses in
            uses.map { TextEdit(range: $0.text.range($0.bytes, client.encoding), newText: new) }
        }
        return workspaceEdit(edits)
    }

    private func check(_ search: NameSearch, _ name: Spot.Name, _ project: Project) throws(ResponseError) {
        if name.kind == .error, BuiltInError(rawValue: name.name) != nil {
            throw ResponseError(.requestFailed, "`\(name.name)` is a built-in error, whose name is the language's")
        }
        // As they are now, and not as they could last be read.
        let examinations = (search.scope + search.unreadable).map { project.look(at: $0).examination }
        if let broken = examinations.first(where: { $0.resolved == nil }) {
            throw ResponseError(
                .requestFailed, "\(broken.file) has errors, and what cannot be read may say the name, too")
        }
        guard search.isExact else {
            throw ResponseError(.requestFailed, "a place says the name in a way that cannot be edited")
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

extension NameKind {
    fileprivate var article: String { self == .type ? "a type" : "an \(rawValue)" }
}
