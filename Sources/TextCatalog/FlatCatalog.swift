import JSONTree

/// An object from keys to texts, for programs that have a file for each language. It has no place for a mark, so a text that is there
/// stays.
struct FlatCatalog {
    private let root: JSONNode

    init(_ bytes: [UInt8]?) throws(CatalogProblem) {
        root = if let bytes { try JSONNode.catalog(bytes) } else { .object([]) }
    }

    func updated(with texts: [ContractText], _ keys: ContractKeys) -> CatalogUpdate {
        let entries = root.members ?? []
        let present = Set(entries.map(\.name))
        let new = texts.filter { !present.contains($0.key) }
        let members = entries.inserting(new.map { JSONNode.Member($0.key, .string($0.text)) })
        var update = CatalogUpdate(text: JSONNode.object(members).lines)
        update.added = new.map(\.key)
        for text in texts { if case .string(let own)? = root[text.key] { update.check(own, of: text) } }
        update.unused = entries.map(\.name).filter(keys.isUnused)
        return update
    }
}
