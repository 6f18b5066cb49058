import ContractModel
import Diagnostics
import YAMLTree

/// The places of a contract's keys in its text.
struct SourcePlaces {
    private let document: YAMLDocument?
    private let imports: [Contract]

    init(_ examination: ContractExamination) {
        document = examination.document
        imports = examination.imports
    }

    /// The place of the value under these keys. If the contract does not write the last of them, it is the place of what would
    /// contain them, such as the definition.
    func range(of place: [String]) -> SourceRange? {
        guard let document, place.count > 0 else { return nil }
        let found = search(place, in: document.root)
        // A definition of an imported contract is in that contract's text.
        if found.depth < 2, place.count > 1, let range = imported(place) { return range }
        return found.range ?? document.root.mapping?.first?.key.range ?? document.root.range
    }

    /// Whether the contract writes the key.
    func has(_ place: [String]) -> Bool {
        guard let document else { return false }
        return search(place, in: document.root).depth == place.count
    }

    /// Whether an imported contract has a definition at this place.
    func imports(_ place: [String]) -> Bool { place.count == 2 && imported(place) != nil }

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
        return LanguageSlots.targets.lazy.compactMap { mapping.pair(forKey: $0) }.first
    }

    /// The keys that a short form leaves out.
    private static let impliedKeys: Set<String> = ["fields", "type", "encoding", "any", "algorithm", "member", "url"]

    /// The place of a definition, or of its field, in an imported contract.
    private func imported(_ place: [String]) -> SourceRange? {
        for contract in imports {
            switch place[0] {
            case "types":
                guard let type = contract.types.first(where: { $0.name.value == place[1] }) else { continue }
                guard case .structure(let fields) = type.form, place.count > 3 else { return type.name.range }
                return fields.first { $0.name.value == place[3] }?.name.range ?? type.name.range
            case "errors":
                if let error = contract.errors.first(where: { $0.name.value == place[1] }) { return error.name.range }
            case "envelopes":
                if let envelope = contract.envelopes.first(where: { $0.name.value == place[1] }) {
                    return envelope.name.range
                }
            default: return nil
            }
        }
        return nil
    }
}
