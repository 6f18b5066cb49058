import ContractModel

/// The types of one contract, as a comparison asks for them.
struct TypeTable {
    private var definitions: [String: ComparedNode] = [:]
    /// The targets of aliases, by their names.
    private var targets: [String: TypeReference] = [:]
    private var partCounts: [String: Int] = [:]

    init(_ contract: ComparedNode) {
        guard case .entries(let types)? = contract["types"] else { return }
        for type in types {
            definitions[type.key] = type.node
            partCounts[type.key] = type.node.partCount
            if let target = type.node["alias"]?.text { targets[type.key] = TypeReference(spelling: target) }
        }
    }

    /// The names and the nodes of all types.
    var all: [String: ComparedNode] { definitions }

    /// How many parts the definition of a type has.
    func partCount(of name: String) -> Int { partCounts[name] ?? 0 }

    /// The type without the names of aliases.
    func expanded(_ type: TypeReference) -> TypeReference {
        var type = type
        // Aliases of aliases end, because the resolver has refused circles.
        for _ in 0..<16 {
            guard let name = type.names.first, let target = targets[name.value] else { break }
            type = type.replacingName { _ in target }
        }
        return type
    }

    /// What the aliases that a type names say about its values.
    func constraints(of type: TypeReference) -> [ComparedNode.Entry] {
        var found: [ComparedNode.Entry] = []
        var name = type.names.first?.value
        for _ in 0..<16 {
            guard let alias = name, targets[alias] != nil, case .keys(_, let entries)? = definitions[alias] else {
                break
            }
            for entry in entries where LanguageSlots.constraints.contains(entry.key) {
                if !found.contains(where: { $0.key == entry.key }) { found.append(entry) }
            }
            name = targets[alias]?.names.first?.value
        }
        return found
    }

    /// What each of the aliases that a type goes through says with a key of constraints. Those of an element are not those of its list.
    func values(of key: String, inAliasesOf type: TypeReference?) -> [String] {
        var values: [String] = []
        var type = type
        for _ in 0..<16 {
            guard case .named(let alias)? = type?.unwrapped, let target = targets[alias.value] else { break }
            if let text = definitions[alias.value]?[key]?.text { values.append(text) }
            type = target
        }
        return values
    }

    /// The text of a value with the definitions of all types that it names, and of those inside of them.
    func whole(_ node: ComparedNode) -> String {
        var text = node.content
        var open = [text]
        var seen: Set<String> = []
        while let next = open.popLast() {
            _ = TypeWords.replacing(in: next) { word in
                if let definition = definitions[word], seen.insert(word).inserted {
                    let content = "\(word)=\(definition.content)"
                    text += ";" + content
                    open.append(content)
                }
                return nil
            }
        }
        return text
    }

    /// The fields of a structure; nil for any other type.
    func fields(of name: String) -> [ComparedNode.Entry]? {
        guard case .entries(let fields)? = definitions[name]?["fields"],
            definitions[name]?[FieldDefinition.otherMembersName] == nil
        else { return nil }
        return fields
    }
}
