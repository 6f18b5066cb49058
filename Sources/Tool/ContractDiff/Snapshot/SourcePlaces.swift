import ContractModel
import Diagnostics
import YAMLTree

/// The places of a contract's keys in its text.
struct SourcePlaces {
    private let document: YAMLDocument?
    /// Those of the contracts that it imports.
    private let importedDocuments: [YAMLDocument]
    private let imports: [Contract]

    init(_ examination: ContractExamination) {
        document = examination.document
        importedDocuments = examination.importedDocuments
        imports = examination.imports
    }

    /// The place of the value under these keys. If the contract does not write the last of them, it is the place of what would
    /// contain them, such as the definition.
    func range(of place: [String]) -> SourceRange? {
        guard let document, place.count > 0 else { return nil }
        let found = search(place, in: document.root)
        // A definition of an imported contract is in that contract's text, at the place that it has for that contract.
        if found.depth < 2, let range = imported(place)?.range { return range }
        return found.range ?? document.root.mapping?.first?.key.range ?? document.root.range
    }

    /// Whether the contract writes the key, or a contract that it imports and that has the definition.
    func has(_ place: [String]) -> Bool {
        guard let document else { return false }
        let depth = search(place, in: document.root).depth
        return depth == place.count || depth < 2 && imported(place)?.depth == place.count
    }

    /// Whether the contract, or one that it imports itself, has a definition at this place.
    func declares(_ place: [String]) -> Bool {
        guard let document, place.count > 0 else { return false }
        if search(place, in: document.root).depth == place.count { return true }
        guard place.count == 2 else { return false }
        return imports.contains { contract in
            switch place[0] {
            case "types": contract.types.contains { $0.name.value == place[1] }
            case "errors": contract.errors.contains { $0.name.value == place[1] }
            case "envelopes": contract.envelopes.contains { $0.name.value == place[1] }
            default: false
            }
        }
    }

    private func search(_ place: [String], in root: YAMLNode) -> (range: SourceRange?, depth: Int) {
        var node = root
        var range: SourceRange?
        for (depth, key) in place.enumerated() {
            if let pair = pair(key, in: node) {
                range = pair.value.scalar != nil && pair.value.aliasRange == nil ? pair.range : pair.key.range
                node = pair.value
            } else if let element = node.sequence?.first(where: { $0.text == key }) {
                range = element.range
                node = element
            } else if node.text == key, depth == place.count - 1 {
                range = node.range
            } else if !Self.impliedKeys.contains(key) {
                return (range, depth)
            }
        }
        return (range, place.count)
    }

    private func pair(_ key: String, in node: YAMLNode) -> YAMLPair? {
        guard let mapping = node.mapping else { return nil }
        if let pair = mapping.pair(forKey: key) { return pair }
        guard key == LanguageSlots.target else { return nil }
        return mapping.first {
            LanguageSlots.isTarget($0.key.text ?? "", isMapping: $0.value.mapping != nil)
        }
    }

    /// The keys that a short form leaves out.
    private static let impliedKeys: Set<String> = ["fields", "type", "encoding", "any", "algorithm", "member", "url"]

    /// The sections whose definitions other contracts can use.
    private static let sharedSections: Set<String> = ["types", "errors", "envelopes"]

    /// The place of a definition, or of a part of it, in an imported contract.
    private func imported(_ place: [String]) -> (range: SourceRange?, depth: Int)? {
        guard place.count > 1, Self.sharedSections.contains(place[0]) else { return nil }
        return importedDocuments.lazy.map { search(place, in: $0.root) }.first { $0.depth > 1 }
    }
}
