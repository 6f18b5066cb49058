import ContractModel

/// What holds without a key, by the table of keys. A contract that writes it out says nothing more.
enum LanguageDefaults {
    /// Whether a value at a slot is the one that holds without the key.
    static func isUsual(_ node: ComparedNode, at slot: String) -> Bool {
        if case .keys(let mapping, let entries) = node, entries.isEmpty {
            return table.optionalMappings.contains(mapping)
        }
        guard let usual = table.values[slot] else { return false }
        if let text = node.text, let other = usual.text { return LanguageSlots.isSame(text, other, at: slot) }
        return node == usual
    }

    /// Whether all keys of a mapping have a usual value, so that an empty one says what its absence says.
    static func isOptional(_ mapping: String) -> Bool { table.optionalMappings.contains(mapping) }

    /// The value that holds without the key; nil if the table of keys names none.
    static func usual(at slot: String) -> ComparedNode? { table.values[slot] }

    /// What holds without a definition: a built-in error that the contract does not declare again. Nil for anything else.
    static func usual(for entry: ComparedNode.Entry, at slot: String) -> ComparedNode? {
        guard slot == "contract.errors.*", case .keys(of: let mapping, _) = entry.node,
            let builtIn = BuiltInError(rawValue: entry.key)
        else { return nil }
        return .keys(
            of: mapping, [ComparedNode.Entry(key: "category", node: .value(builtIn.category.rawValue))])
    }

    private static let table: Table = {
        var table = Table()
        table.add(LanguageKeys.contract)
        return table
    }()

    private struct Table: Sendable {
        var values: [String: ComparedNode] = [:]
        /// The mappings all of whose keys have a usual value, so that an empty one says what its absence says.
        var optionalMappings: Set<String> = []
        private var seen: Set<String> = []

        mutating func add(_ mapping: MappingDescription) {
            guard seen.insert(mapping.name).inserted else { return }
            if mapping.keys.allSatisfy({ $0.usual != nil }) { optionalMappings.insert(mapping.name) }
            for key in mapping.keys {
                let slot = "\(mapping.name).\(key.name)"
                // The keys of a mapping have usual values of their own.
                if let usual = key.usual ?? flag(key), !usual.hasPrefix("{") {
                    values[slot] = ComparedNode(.plain(usual), key.shape, slot: slot)
                }
                add(key.shape)
            }
        }

        /// What holds without a flag: the opposite of the only value whose meaning the table of keys says. The other value says
        /// nothing more, so the meaning of a flag begins with the one that does.
        private func flag(_ key: MappingDescription.Key) -> String? {
            guard case .flag = key.shape else { return nil }
            let says = ["true", "false"].filter { key.meaning.contains("`\($0)`:") }
            return says.count == 1 ? (says[0] == "true" ? "false" : "true") : nil
        }

        private mutating func add(_ shape: ValueShape) {
            switch shape {
            case .oneOrMore(let shape, _), .named(let shape, _, _): add(shape)
            case .either(let one, let other), .namedExcept(_, let one, let other, _):
                add(one)
                add(other)
            case .mapping(let description): add(description())
            case .longForm(let form): add(form.mapping())
            case .text, .form, .words, .flag, .integer, .type, .enumeration, .literal, .definition, .anything: break
            }
        }
    }
}
