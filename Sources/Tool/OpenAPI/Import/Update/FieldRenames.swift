import ContractModel

/// Fields that people have renamed since the import. The name on the wire identifies a field.
struct FieldRenames {
    /// By the keys that lead to the fields, the name that was imported → the name in the contract.
    private var names: [[String]: [String: String]] = [:]

    /// - Parameters:
    ///   - base: the last import, under the names that types and endpoints have in the contract.
    ///   - own: the contract.
    init(base: MergeNode, own: MergeNode) {
        find(base, own, at: [], old: Self.naming(of: base), new: Self.naming(of: own))
    }

    private static func naming(of root: MergeNode) -> WireNaming {
        guard case .scalar(let text)? = root["defaults"]?["naming"] else { return .asWritten }
        return WireNaming(rawValue: text) ?? .asWritten
    }

    private mutating func find(
        _ base: MergeNode, _ own: MergeNode, at path: [String], old: WireNaming, new: WireNaming
    ) {
        guard path.count < 5, let basePairs = base.pairs, let ownPairs = own.pairs else { return }
        if Self.holdsFields(path) {
            let isHeader = path.contains("headers") || path.contains("cookies")
            let isCase = path.last == "enum"
            let known = Set(basePairs.map(\.key))
            var byWire: [String: [String]] = [:]
            for pair in ownPairs where !known.contains(pair.key) {
                byWire[Self.wire(pair, isHeader ? .asWritten : new, isCase: isCase), default: []].append(pair.key)
            }
            let there = Set(ownPairs.map(\.key))
            for pair in basePairs where !there.contains(pair.key) {
                let wire = Self.wire(pair, isHeader ? .asWritten : old, isCase: isCase)
                guard let found = byWire[wire], found.count == 1 else { continue }
                names[path, default: [:]][pair.key] = found[0]
            }
        }
        for pair in basePairs {
            guard let inner = own[pair.key] else { continue }
            find(pair.value, inner, at: path + [pair.key], old: old, new: new)
        }
    }

    /// Whether the keys at a path are names of fields: `types.User.fields`, `endpoints.list.query`, `errors.clash.data`. The cases of
    /// an enum are names of values on the wire as well.
    private static func holdsFields(_ path: [String]) -> Bool {
        guard path.count > 2, let last = path.last else { return false }
        switch (path[0], path.count) {
        case ("types", 3): return ["fields", "enum"].contains(last)
        case ("errors", 3): return last == "data"
        case ("endpoints", 3): return ["query", "headers", "cookies"].contains(last)
        case ("endpoints", 4):
            return ["body.fields", "response.fields", "response.headers"].contains("\(path[2]).\(last)")
        default: return false
        }
    }

    private static func wire(_ pair: MergeNode.Pair, _ naming: WireNaming, isCase: Bool) -> String {
        if case .scalar(let wire)? = pair.value["wire"] { return wire }
        if isCase { return pair.value.identity }
        return naming.wireName(of: pair.key)
    }

    // MARK: Applying

    func applied(to root: MergeNode) -> MergeNode { names.isEmpty ? root : applied(to: root, []) }

    private func applied(to node: MergeNode, _ path: [String]) -> MergeNode {
        guard path.count < 5, let pairs = node.pairs else { return node }
        let own = names[path] ?? [:]
        let renamed = MergeNode.mapping(
            pairs.map { pair in
                var pair = pair
                pair.value = applied(to: pair.value, path + [pair.key])
                pair.key = own[pair.key] ?? pair.key
                return pair
            })
        return renamed == node ? node : renamed
    }
}
