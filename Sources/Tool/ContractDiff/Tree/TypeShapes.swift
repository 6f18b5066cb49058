import ContractModel

/// Which types of two contracts are the same on the wire, whatever their names are.
///
/// Types are in one class until something tells them apart: their own keys, or the classes of the types that they contain.
struct TypeShapes {
    private var classes: [Key: Int] = [:]

    private struct Key: Hashable {
        let isOld: Bool
        let name: String
    }

    /// So many rounds may tell types apart. After more, only equal names are the same.
    private static let mostRounds = 32

    init(_ old: TypeTable, _ new: TypeTable) {
        var parts: [Key: [Part]] = [:]
        for (isOld, table) in [(true, old), (false, new)] {
            var reader = PartReader(isOld: isOld, table: table)
            for (name, node) in table.all {
                reader.read(node, "contract.types.*", within: name)
                parts[Key(isOld: isOld, name: name)] = reader.take()
            }
            parts.merge(reader.inside) { first, _ in first }
        }
        var found = parts.mapValues { _ in 0 }
        var count = parts.isEmpty ? 0 : 1
        for _ in 0..<Self.mostRounds {
            var ids: [String: Int] = [:]
            var next: [Key: Int] = [:]
            for (key, parts) in parts {
                var text = ""
                for part in parts {
                    switch part {
                    case .text(let words): text += words
                    case .type(let other): text += found[other].map { "#\($0)" } ?? other.name
                    }
                }
                next[key] = ids[text] ?? ids.count
                ids[text] = next[key]
            }
            found = next
            guard ids.count != count else {
                classes = found
                return
            }
            count = ids.count
        }
    }

    /// Whether a type of the old contract is on the wire what a type of the new one is.
    func areSame(_ old: String, _ new: String) -> Bool {
        guard let one = classes[Key(isOld: true, name: old)], let other = classes[Key(isOld: false, name: new)] else {
            return false
        }
        return one == other
    }

    /// The class of a type; nil if its shape is not known.
    func shape(of name: String, isOld: Bool) -> Int? { classes[Key(isOld: isOld, name: name)] }

    private enum Part {
        case text(String)
        case type(Key)
    }

    /// Reads the definition of a type into texts and the types between them.
    private struct PartReader {
        let isOld: Bool
        let table: TypeTable
        private(set) var inside: [Key: [Part]] = [:]
        private var parts: [Part] = []

        init(isOld: Bool, table: TypeTable) {
            self.isOld = isOld
            self.table = table
        }

        mutating func take() -> [Part] {
            defer { parts = [] }
            return parts
        }

        mutating func read(_ node: ComparedNode, _ slot: String, within owner: String) {
            switch node {
            case .value(let text) where LanguageSlots.isType(slot): readType(text, within: owner)
            case .value(let text): parts.append(.text("=\(text)"))
            case .elements(let elements): parts.append(.text("=\(elements)"))
            case .keys("field", let entries): readField(entries, within: owner)
            case .keys(let name, let entries):
                parts.append(.text("{"))
                for entry in entries.sorted(by: { $0.key < $1.key }) where !Self.named.contains(entry.key) {
                    parts.append(.text(" \(entry.key):"))
                    read(entry.node, "\(name).\(entry.key)", within: owner)
                }
                parts.append(.text("}"))
            case .entries(let entries):
                parts.append(.text("("))
                for (name, entry) in entries.map({ (Self.wireName(of: $0, slot), $0) }).sorted(by: { $0.0 < $1.0 }) {
                    parts.append(.text(" \(name):"))
                    read(entry.node, slot + ".*", within: "\(owner).\(entry.key)")
                }
                parts.append(.text(")"))
            }
        }

        private mutating func readField(_ entries: [ComparedNode.Entry], within owner: String) {
            parts.append(.text("{"))
            for entry in entries.sorted(by: { $0.key < $1.key }) where !Self.named.contains(entry.key) {
                if entry.key == "fields" {
                    // The structure inside of a field is a type of its own, without a name.
                    let outer = take()
                    parts.append(.text("{ fields:"))
                    read(entry.node, "type.fields", within: owner)
                    parts.append(.text("}"))
                    inside[Key(isOld: isOld, name: owner)] = take()
                    parts = outer
                    continue
                }
                parts.append(.text(" \(entry.key):"))
                if entry.key == "type", entries.contains(where: { $0.key == "fields" }) {
                    readType(entry.node.text ?? "", within: owner, inside: true)
                } else {
                    read(entry.node, "field.\(entry.key)", within: owner)
                }
            }
            parts.append(.text("}"))
        }

        private mutating func readType(_ text: String, within owner: String, inside isInside: Bool = false) {
            guard let type = TypeReference(spelling: text) else { return parts.append(.text("=\(text)")) }
            let expanded = isInside ? type : table.expanded(type)
            guard let name = expanded.names.first?.value else {
                parts.append(.text("=\(expanded.spelling)"))
                return readConstraints(type)
            }
            parts.append(.text("=" + TypeWords.replacing(in: expanded.spelling) { $0 == name ? "_" : nil }))
            parts.append(.type(Key(isOld: isOld, name: isInside ? owner : name)))
            if !isInside { readConstraints(type) }
        }

        private mutating func readConstraints(_ type: TypeReference) {
            for entry in table.constraints(of: type) { parts.append(.text(" \(entry.key)=\(entry.node.content)")) }
        }

        /// The name of an entry on the wire.
        private static func wireName(of entry: ComparedNode.Entry, _ slot: String) -> String {
            if slot == "type.enum" { return entry.node.text ?? entry.key }
            return entry.node["wire"]?.text ?? entry.key
        }

        /// The keys that only Swift and people read, and the name, which is before the field.
        private static let named: Set<String> = ["doc", "deprecated", "swift", "wire"]
    }
}
