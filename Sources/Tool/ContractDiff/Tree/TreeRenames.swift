import ContractModel

/// The definitions that have other names in the new contract, and the same meaning on the wire.
struct TreeRenames {
    /// New names of definitions, by their section and their old names.
    private var names: [String: [String: String]] = [:]
    private let types: (old: TypeTable, new: TypeTable)
    private let known: [String: String]
    private lazy var shapes = TypeShapes(types.old, types.new)

    /// - Parameter known: the new names of types whose uses show that they have been renamed.
    init(
        _ old: ComparedNode, _ new: ComparedNode, _ types: (old: TypeTable, new: TypeTable),
        _ known: [String: String] = [:]
    ) {
        self.types = types
        self.known = known
        for section in ["types", "errors", "envelopes", "endpoints", "credentials", "groups"] {
            guard case .entries(let before)? = old[section], case .entries(let after)? = new[section] else { continue }
            let pairs =
                section == "groups"
                ? pairs(ofGroups: before, after, old, new)
                : pairs(from: before, to: after, slot: "contract.\(section).*")
            names[section] = Dictionary(
                pairs.map { (before[$0.key].key, after[$0.value].key) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Whether two types have different names, and the same values on the wire.
    mutating func areTwins(_ old: String, _ new: String) -> Bool {
        (names["types"]?[old] ?? old) != new && shapes.areSame(old, new)
    }

    /// The positions of entries that have another name and are otherwise the same on the wire: old → new.
    mutating func pairs(from before: [ComparedNode.Entry], to after: [ComparedNode.Entry], slot: String) -> [Int: Int] {
        if slot == "contract.groups.*" { return pairsOfGroups(before, after) }
        var renames: [Int: Int] = [:]
        if slot == "contract.types.*", !known.isEmpty {
            let positions = Dictionary(after.enumerated().map { ($1.key, $0) }) { first, _ in first }
            for (index, type) in before.enumerated() { renames[index] = known[type.key].flatMap { positions[$0] } }
        }
        let old = Set(before.map(\.key))
        let new = Set(after.map(\.key))
        let told = Set(renames.values)
        let arrivals = after.indices.filter { !old.contains(after[$0].key) && !told.contains($0) }
        let departures = before.indices.filter { !new.contains(before[$0].key) && renames[$0] == nil }
        guard !arrivals.isEmpty, !departures.isEmpty else { return renames }
        var arrived: [String: [Int]] = [:]
        for index in arrivals {
            if let identity = identity(of: after[index], slot, isOld: false) {
                arrived[identity, default: []].append(index)
            }
        }
        var gone: [String: [Int]] = [:]
        for index in departures {
            if let identity = identity(of: before[index], slot, isOld: true) {
                gone[identity, default: []].append(index)
            }
        }
        for (identity, indexes) in gone {
            // Types of one shape are told apart by nothing, so they keep their order.
            guard let others = arrived[identity], others.count == indexes.count,
                indexes.count == 1 || slot == "contract.types.*"
            else { continue }
            for (one, other) in zip(indexes, others) { renames[one] = other }
        }
        return renames
    }

    /// What an entry is on the wire. Nil for an entry whose name is all that it is.
    private mutating func identity(of entry: ComparedNode.Entry, _ slot: String, isOld: Bool) -> String? {
        switch slot {
        case "contract.endpoints.*":
            return entry.node[LanguageSlots.target]?.text.map { TargetSpelling($0).wire { $0 } }
        case "contract.types.*": return shapes.shape(of: entry.key, isOld: isOld).map { "\($0)" }
        case "contract.envelopes.*": return entry.node.content
        case "contract.errors.*", "endpoint.outcomes.*": return entry.node["when"]?.content
        case "contract.events.*": return entry.node["frame"]?.content
        case "contract.servers.*", "contract.credentials.*": return entry.node.content
        case "type.enum.*": return entry.node.content
        case let slot where LanguageSlots.headers.contains(slot):
            return entry.node["wire"]?.content.lowercased()
        default: return entry.node["wire"]?.content
        }
    }

    /// The groups that have another name, and the same endpoints.
    private func pairs(
        ofGroups before: [ComparedNode.Entry], _ after: [ComparedNode.Entry], _ old: ComparedNode, _ new: ComparedNode
    ) -> [Int: Int] {
        func members(_ contract: ComparedNode, _ names: [String: String]) -> [String: Set<String>] {
            guard case .entries(let endpoints)? = contract["endpoints"] else { return [:] }
            var members: [String: Set<String>] = [:]
            for endpoint in endpoints {
                guard let group = endpoint.node["group"]?.text else { continue }
                members[group, default: []].insert(names[endpoint.key] ?? endpoint.key)
            }
            return members
        }
        let (groups, others) = (members(old, names["endpoints"] ?? [:]), members(new, [:]))
        var renames: [Int: Int] = [:]
        for (index, group) in before.enumerated() where !after.contains(where: { $0.key == group.key }) {
            let found = after.indices.filter { position in
                !before.contains { $0.key == after[position].key } && groups[group.key] != nil
                    && groups[group.key] == others[after[position].key]
            }
            if found.count == 1 { renames[index] = found[0] }
        }
        return renames
    }

    private func pairsOfGroups(_ before: [ComparedNode.Entry], _ after: [ComparedNode.Entry]) -> [Int: Int] {
        var renames: [Int: Int] = [:]
        for (index, group) in before.enumerated() {
            guard let name = names["groups"]?[group.key] else { continue }
            renames[index] = after.firstIndex { $0.key == name }
        }
        return renames
    }

    /// A value of the old contract with the new names of the definitions that it mentions.
    func renamed(_ text: String, _ slot: String) -> String {
        switch LanguageSlots.meaning(at: slot) {
        case .name(.type): words(text, of: .type)
        case .credentials: words(text, of: .credential)
        case .name(let kind): names[kind.section]?[text] ?? text
        case .target, .contract, nil: text
        }
    }

    private func words(_ text: String, of kind: NameKind) -> String {
        guard let names = names[kind.section], !names.isEmpty else { return text }
        return TypeWords.replacing(in: text) { names[$0] }
    }
}
