/// A difference between two trees, before its consequences are known.
struct TreeEdit {
    let slot: String
    var place: [String]
    let edit: Change.Edit
    let old: ComparedNode?
    let new: ComparedNode?
    /// The mappings that have the key. Nil for what a contract names itself.
    var oldOwner: ComparedNode?
    var newOwner: ComparedNode?
}

/// Compares two trees key by key. It knows nothing about the meaning of a key, so a new key cannot be forgotten.
struct TreeComparison {
    private(set) var edits: [TreeEdit] = []
    /// New names of types, errors and envelopes, by their old names.
    private var names: [String: [String: String]] = [:]

    /// The edits that make `new` of `old`, in the order of `new`.
    static func edits(from old: ComparedNode, to new: ComparedNode) -> [TreeEdit] {
        var comparison = TreeComparison()
        // References follow renamed definitions, so these come first.
        for section in ["types", "errors", "envelopes"] {
            guard case .entries(let before)? = old[section], case .entries(let after)? = new[section] else { continue }
            let pairs = Self.renames(from: before, to: after, slot: "contract.\(section).*")
            comparison.names[section] = Dictionary(
                pairs.map { (before[$0.key].key, after[$0.value].key) }, uniquingKeysWith: { first, _ in first })
        }
        comparison.compare(old, new, slot: "contract", place: [], owners: (nil, nil))
        comparison.compareFirstServer(old, new)
        return comparison.edits
    }

    private mutating func compare(
        _ old: ComparedNode?, _ new: ComparedNode?, slot: String, place: [String],
        owners: (old: ComparedNode?, new: ComparedNode?)
    ) {
        func report(_ edit: Change.Edit) {
            edits.append(
                TreeEdit(
                    slot: slot, place: place, edit: edit, old: old, new: new, oldOwner: owners.old,
                    newOwner: owners.new))
        }
        switch (old, new) {
        case (nil, nil): return
        case (let old, nil):
            switch old {
            case .entries?: compare(old, .entries([]), slot: slot, place: place, owners: owners)
            case .elements?: compare(old, .elements([]), slot: slot, place: place, owners: owners)
            case .keys(let name, _)? where LanguageSlots.transparent.contains(slot):
                compare(old, .keys(of: name, []), slot: slot, place: place, owners: owners)
            default: report(.removed)
            }
        case (nil, let new):
            switch new {
            case .entries?: compare(.entries([]), new, slot: slot, place: place, owners: owners)
            case .elements?: compare(.elements([]), new, slot: slot, place: place, owners: owners)
            case .keys(let name, _)? where LanguageSlots.transparent.contains(slot):
                compare(.keys(of: name, []), new, slot: slot, place: place, owners: owners)
            default: report(.added)
            }
        case (.keys(let name, let before)?, .keys(let other, let after)?) where name == other:
            if name == "type", Self.form(of: before) != Self.form(of: after) { return report(.changed) }
            compareKeys(name, before, after, place, (old, new))
        case (.entries(let before)?, .entries(let after)?): compareEntries(before, after, slot + ".*", place)
        case (.elements(let before)?, .elements(let after)?): compareElements(before, after, slot + ".*", place)
        case (.value(let before)?, .value(let after)?):
            if self.renamed(before, slot) != after { report(.changed) }
        default: report(.changed)
        }
    }

    /// The key that says what kind of type a definition is.
    private static func form(of entries: [ComparedNode.Entry]) -> String? {
        entries.first { ["fields", "enum", "union", "alias"].contains($0.key) }?.key
    }

    private mutating func compareKeys(
        _ name: String, _ before: [ComparedNode.Entry], _ after: [ComparedNode.Entry], _ place: [String],
        _ owners: (ComparedNode?, ComparedNode?)
    ) {
        for entry in after {
            let old = before.first { $0.key == entry.key }?.node
            compare(old, entry.node, slot: "\(name).\(entry.key)", place: place + [entry.key], owners: owners)
        }
        for entry in before where !after.contains(where: { $0.key == entry.key }) {
            compare(entry.node, nil, slot: "\(name).\(entry.key)", place: place + [entry.key], owners: owners)
        }
    }

    private mutating func compareElements(
        _ before: [String], _ after: [String], _ slot: String, _ place: [String]
    ) {
        let old = before.map { self.renamed($0, slot) }
        let (known, wanted) = (Set(old), Set(after))
        for element in after where !known.contains(element) {
            edits.append(
                TreeEdit(slot: slot, place: place + [element], edit: .added, old: nil, new: .value(element)))
        }
        for element in old where !wanted.contains(element) {
            edits.append(
                TreeEdit(slot: slot, place: place + [element], edit: .removed, old: .value(element), new: nil))
        }
    }

    private mutating func compareEntries(
        _ before: [ComparedNode.Entry], _ after: [ComparedNode.Entry], _ slot: String, _ place: [String]
    ) {
        let positions = Dictionary(
            before.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        let renames = Self.renames(from: before, to: after, slot: slot)
        let oldOfNew = Dictionary(renames.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        for (index, entry) in after.enumerated() {
            let place = place + [entry.key]
            if let position = positions[entry.key] {
                compare(before[position].node, entry.node, slot: slot, place: place, owners: (nil, nil))
            } else if let position = oldOfNew[index] {
                let old = before[position]
                edits.append(
                    TreeEdit(
                        slot: slot, place: place, edit: .renamed, old: .value(old.key), new: .value(entry.key)))
                compare(old.node, entry.node, slot: slot, place: place, owners: (nil, nil))
            } else {
                edits.append(TreeEdit(slot: slot, place: place, edit: .added, old: nil, new: entry.node))
            }
        }
        let names = Set(after.map(\.key))
        for (index, entry) in before.enumerated() where !names.contains(entry.key) && renames[index] == nil {
            edits.append(TreeEdit(slot: slot, place: place + [entry.key], edit: .removed, old: entry.node, new: nil))
        }
    }

    /// The first server is the one that a client uses by default.
    private mutating func compareFirstServer(_ old: ComparedNode, _ new: ComparedNode) {
        guard case .entries(let before)? = old["servers"], case .entries(let after)? = new["servers"],
            let first = before.first, let other = after.first, first.key != other.key,
            after.contains(where: { $0.key == first.key })
        else { return }
        edits.append(
            TreeEdit(
                slot: "contract.servers", place: ["servers"], edit: .changed, old: .value(first.key),
                new: .value(other.key)))
    }

    // MARK: Renames

    /// The positions of entries that have another name and are otherwise the same on the wire: old → new.
    private static func renames(
        from before: [ComparedNode.Entry], to after: [ComparedNode.Entry], slot: String
    ) -> [Int: Int] {
        let old = Set(before.map(\.key))
        let new = Set(after.map(\.key))
        var arrived: [String: [Int]] = [:]
        for (index, entry) in after.enumerated() where !old.contains(entry.key) {
            if let identity = identity(of: entry, slot) { arrived[identity, default: []].append(index) }
        }
        guard !arrived.isEmpty else { return [:] }
        var gone: [String: [Int]] = [:]
        for (index, entry) in before.enumerated() where !new.contains(entry.key) {
            if let identity = identity(of: entry, slot) { gone[identity, default: []].append(index) }
        }
        var renames: [Int: Int] = [:]
        for (identity, indexes) in gone where indexes.count == 1 {
            if let others = arrived[identity], others.count == 1 { renames[indexes[0]] = others[0] }
        }
        return renames
    }

    /// What an entry is on the wire. Nil for an entry whose name is all that it is.
    private static func identity(of entry: ComparedNode.Entry, _ slot: String) -> String? {
        switch slot {
        case "contract.endpoints.*": entry.node[LanguageSlots.target]?.content
        case "contract.types.*", "contract.envelopes.*": entry.node.content
        case "contract.errors.*", "endpoint.outcomes.*": entry.node["when"]?.content
        case "contract.events.*": entry.node["frame"]?.content
        case "type.enum.*": entry.node.content
        default: entry.node["wire"]?.content
        }
    }

    /// A value of the old contract with the new names of the definitions that it mentions.
    private func renamed(_ text: String, _ slot: String) -> String {
        switch slot {
        case "endpoint.errors.*": names["errors"]?[text] ?? text
        case "endpoint.envelope": names["envelopes"]?[text] ?? text
        case let slot where LanguageSlots.types.contains(slot):
            names["types"].map { $0.isEmpty ? text : TypeWords.replacing(in: text) { names["types"]?[$0] } } ?? text
        default: text
        }
    }
}

/// The names in the text of a type.
enum TypeWords {
    /// The text with other names.
    static func replacing(in text: String, _ name: (String) -> String?) -> String {
        var result = ""
        var word = ""
        for character in text {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
            } else {
                result += name(word) ?? word
                word = ""
                result.append(character)
            }
        }
        return result + (name(word) ?? word)
    }
}
