/// A contract as a tree, which can be printed and taken apart.
indirect enum ContractNode: Equatable, Sendable {
    /// A text in quotes.
    case text(String)
    /// A word or a number that is not quoted.
    case word(String)
    case list([ContractNode])
    case mapping([Entry])

    struct Entry: Equatable, Sendable {
        var key: String
        var value: ContractNode
    }

    static func mapping(_ pairs: KeyValuePairs<String, ContractNode>) -> ContractNode {
        .mapping(pairs.map { Entry(key: $0.key, value: $0.value) })
    }

    /// The text of a contract: a line for each declaration, which is in flow style.
    var contractText: String {
        guard case .mapping(let sections) = self else { return flow + "\n" }
        return sections.map { section in
            guard case .mapping(let declarations) = section.value, !declarations.isEmpty else {
                return "\(section.key): \(section.value.flow)\n"
            }
            return "\(section.key):\n"
                + declarations.map { "  \(Self.quoted($0.key)): \($0.value.flow)\n" }.joined()
        }.joined()
    }

    private var flow: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .word(let word): word
        case .list(let elements): "[" + elements.map(\.flow).joined(separator: ", ") + "]"
        case .mapping(let entries):
            "{" + entries.map { Self.quoted($0.key) + ": " + $0.value.flow }.joined(separator: ", ") + "}"
        }
    }

    /// A text in double quotes, which YAML and JSON read alike.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    // MARK: Taking apart

    /// All trees that lack one entry or element of this one, those that lack most first.
    var smaller: [ContractNode] {
        switch self {
        case .text, .word: return []
        case .list(let elements):
            return elements.indices.map { .list(Self.without($0, elements)) }
                + elements.indices.flatMap { index in
                    elements[index].smaller.map { .list(Self.replacing(index, elements, $0)) }
                }
        case .mapping(let entries):
            return entries.indices.map { .mapping(Self.without($0, entries)) }
                + entries.indices.flatMap { index in
                    entries[index].value.smaller.map {
                        .mapping(Self.replacing(index, entries, Entry(key: entries[index].key, value: $0)))
                    }
                }
        }
    }

    /// The tree without the declaration of a section.
    func without(_ section: String, _ name: Int) -> ContractNode {
        guard case .mapping(var entries) = self, let index = entries.firstIndex(where: { $0.key == section }) else {
            return self
        }
        if case .mapping(let declarations) = entries[index].value, declarations.indices.contains(name) {
            entries[index].value = .mapping(Self.without(name, declarations))
        } else {
            entries.remove(at: index)
        }
        return .mapping(entries)
    }

    /// The content of a line of ``contractText``: the section, and the declaration's number in it.
    func declaration(onLine line: Int) -> (section: String, name: Int)? {
        guard case .mapping(let sections) = self else { return nil }
        var next = 1
        for section in sections {
            guard case .mapping(let declarations) = section.value, !declarations.isEmpty else {
                if next == line { return (section.key, 0) }
                next += 1
                continue
            }
            if line > next, line <= next + declarations.count { return (section.key, line - next - 1) }
            next += 1 + declarations.count
        }
        return nil
    }

    private static func without<Value>(_ index: Int, _ values: [Value]) -> [Value] {
        var values = values
        values.remove(at: index)
        return values
    }

    private static func replacing<Value>(_ index: Int, _ values: [Value], _ value: Value) -> [Value] {
        var values = values
        values[index] = value
        return values
    }
}
