import ContractModel
import Diagnostics
import YAMLTree

/// The outline of a contract: its sections, the definitions in them, and the fields of types.
extension LanguageServer {
    func symbols(_ parameters: DocumentParameters) -> any Encodable {
        let path = DocumentAddress.path(of: parameters.textDocument.uri)
        guard workspace.texts[path] != nil, workspace.isContract(path) else { return [DocumentSymbol]() }
        let look = workspace.project(of: path).readableLook(at: path)
        guard let root = look.examination.document?.root.mapping else { return [DocumentSymbol]() }
        let outline = Outline(text: look.texts[path], encoding: client.encoding)
        let symbols = root.compactMap { outline.section($0) }
        guard !client.showsHierarchy else { return symbols }
        return Self.flat(symbols, in: nil, workspace.texts.uri(of: path))
    }

    private static func flat(_ symbols: [DocumentSymbol], in container: String?, _ uri: String) -> [SymbolInformation] {
        symbols.flatMap { symbol in
            let location = ClientLocation(uri: uri, range: symbol.range)
            let own = SymbolInformation(
                name: symbol.name, kind: symbol.kind, location: location, containerName: container)
            return [own] + flat(symbol.children, in: symbol.name, uri)
        }
    }
}

/// Symbols of a tree. Names are usually defined without YAML aliases, so the content of an alias is left out.
private struct Outline {
    let text: DocumentText
    let encoding: PositionEncoding

    /// What LSP calls the entries of each section: 23 a structure, 24 an event, 12 a function, 19 an object, 13 a variable.
    private static let kinds = [
        "types": 23, "errors": 24, "endpoints": 12, "events": 24, "envelopes": 19, "servers": 13,
    ]

    func section(_ pair: YAMLPair) -> DocumentSymbol? {
        guard let name = pair.key.text else { return nil }
        guard let kind = Self.kinds[name], let entries = pair.value.mapping, pair.value.aliasRange == nil else {
            return symbol(pair, 7, pair.value.scalar?.value)  // a property
        }
        return symbol(pair, 3, nil, children: entries.compactMap { entry($0, kind, of: name) })
    }

    private func entry(_ pair: YAMLPair, _ kind: Int, of section: String) -> DocumentSymbol? {
        guard let body = pair.value.mapping, pair.value.aliasRange == nil else {
            return symbol(pair, kind, pair.value.scalar?.value)
        }
        switch section {
        case "types":
            if body["enum"] != nil { return symbol(pair, 10, nil) }
            let fields = body["union"] == nil && body["alias"] == nil ? (body["fields"] ?? pair.value).mapping : nil
            let children = fields.map { $0.compactMap { symbol($0, 8, $0.value.scalar?.value) } }
            return symbol(pair, kind, body["alias"]?.sourceText, children: children ?? [])
        case "errors": return symbol(pair, kind, body["category"]?.text)
        case "endpoints":
            let target = body.first {
                // A mapping under `query` has the fields of the query.
                $0.value.mapping == nil
                    && LanguagePlace(["endpoints", "", $0.key.text ?? ""], in: nil).meaning == .target
            }
            if let frame = body["frame"] {
                return symbol(pair, kind, "FRAME \(frame.text ?? frame.mapping?["name"]?.text ?? "")")
            }
            return symbol(pair, kind, target.map { "\(($0.key.text ?? "").uppercased()) \($0.value.text ?? "")" })
        default: return symbol(pair, kind, nil)
        }
    }

    private func symbol(_ pair: YAMLPair, _ kind: Int, _ detail: String?, children: [DocumentSymbol] = [])
        -> DocumentSymbol?
    {
        guard let name = pair.key.text, !name.isEmpty, pair.key.aliasRange == nil else { return nil }
        let line = detail?.split(whereSeparator: \.isNewline).first.map { String($0.prefix(80)) }
        return DocumentSymbol(
            name: name, detail: line, kind: kind, range: range(pair.range), selectionRange: range(pair.key.range),
            children: children
        )
    }

    private func range(_ range: SourceRange) -> ClientRange {
        text.range(range.start.offset..<range.end.offset, encoding)
    }
}
