import JSONTree

/// An object from keys to texts, for programs that have a file for each language.
///
/// It has no states, so further members are beside an entry: `KEY@text` is the contract's text, and `KEY@was` is the text that was
/// translated, if the contract has another one since.
struct FlatCatalog {
    private let root: JSONNode
    private let places: [String: Int]

    private static let source = "@text"
    private static let former = "@was"

    init(_ bytes: [UInt8]?) throws(CatalogProblem) {
        root = if let bytes { try JSONNode.catalog(bytes) } else { .object([]) }
        places = JSONNode.places(in: bytes ?? [])
    }

    func updated(with texts: [ContractText], _ keys: ContractKeys) -> CatalogUpdate {
        // A catalog can have a hundred thousand members, so that a look-up must not go through all of them.
        let members = root.members ?? []
        let known = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
        var entries = members.filter { !Self.isLeftOver($0.name, known, keys) }
        var positions = Dictionary(entries.enumerated().map { ($1.name, $0) }) { $1 }
        var update = CatalogUpdate(text: "")
        var new: [JSONNode.Member] = []
        func set(_ name: String, _ value: String) {
            if let position = positions[name] {
                entries[position].value = .string(value)
            } else {
                new.append(JSONNode.Member(name, .string(value)))
            }
        }
        for text in texts {
            let (source, former) = (text.key + Self.source, text.key + Self.former)
            guard let position = positions[text.key] else {
                update.added.append(text.key)
                set(text.key, text.text)
                set(source, text.text)
                continue
            }
            // Other values than texts are the work of a person.
            guard case .string(let own) = entries[position].value else { continue }
            if case .string(let translated)? = known[source], translated != text.text {
                update.changed.append(text.key)
                if own == translated {
                    set(text.key, text.text)
                } else if positions[former] == nil {
                    set(former, translated)
                }
            }
            set(source, text.text)
            update.check(own, of: text)
        }
        positions = [:]
        update.unused = entries.map(\.name).filter(keys.isUnused)
        update.text = JSONNode.object(entries.inserting(new)).lines
        update.places = places
        return update
    }

    /// Whether this is a member beside an entry that a person has removed.
    private static func isLeftOver(_ name: String, _ known: [String: JSONNode], _ keys: ContractKeys) -> Bool {
        [source, former].contains { mark in
            guard name.hasSuffix(mark) else { return false }
            let key = String(name.dropLast(mark.count))
            return keys.isUnused(key) && known[key] == nil
        }
    }
}

extension JSONNode {
    /// Where the names of a document's members are, by their first occurrence. Names with escapes are left out.
    static func places(in bytes: [UInt8]) -> [String: Int] {
        var places: [String: Int] = [:]
        var position = 0
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "\"") else {
                position += 1
                continue
            }
            let start = position + 1
            position = start
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            let name = bytes[start..<min(position, bytes.count)]
            position += 1
            var next = position
            while next < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[next]) { next += 1 }
            guard next < bytes.count, bytes[next] == UInt8(ascii: ":") else { continue }
            let text = String(decoding: name, as: UTF8.self)
            if places[text] == nil { places[text] = start - 1 }
        }
        return places
    }
}
