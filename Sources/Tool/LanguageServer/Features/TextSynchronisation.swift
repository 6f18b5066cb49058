/// The client's notifications about its documents.
extension LanguageServer {
    func open(_ parameters: DidOpenParameters) {
        let document = parameters.textDocument
        let path = DocumentAddress.path(of: document.uri)
        let text = DocumentText(Array(document.text.utf8))
        workspace.texts[path] = OpenText(uri: document.uri, version: document.version, text: text)
        workspace.forget(path)
        textsChanged()
    }

    /// Edits are applied in order: the second one refers to the text after the first.
    func change(_ parameters: DidChangeParameters) {
        let path = DocumentAddress.path(of: parameters.textDocument.uri)
        guard var open = workspace.texts[path] else { return }
        // The text is not to be copied for an edit.
        workspace.texts[path] = nil
        for change in parameters.contentChanges {
            if let range = change.range {
                open.text.replace(range, with: change.text, client.encoding)
            } else {
                open.text = DocumentText(Array(change.text.utf8))
            }
        }
        open.version = parameters.textDocument.version ?? open.version
        workspace.texts[path] = open
        workspace.forget(path)
        textsChanged()
    }

    func close(_ parameters: DocumentParameters) {
        let path = DocumentAddress.path(of: parameters.textDocument.uri)
        guard workspace.texts[path] != nil else { return }
        workspace.project(of: path).close(path)
        workspace.texts[path] = nil
        workspace.forget(path)
        textsChanged()
    }

    func filesChanged(_ parameters: WatchedFilesParameters) {
        for change in parameters.changes {
            let path = DocumentAddress.path(of: change.uri)
            // The text of an open document is the client's, even if the file changes.
            if workspace.texts[path] == nil { workspace.forget(path) }
        }
        textsChanged()
    }
}
