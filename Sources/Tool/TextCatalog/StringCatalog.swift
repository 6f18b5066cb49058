import JSONTree

/// A string catalog of Xcode (`.xcstrings`). What this code does not know is kept as it is.
struct StringCatalog {
    private var root: JSONNode
    private let language: String
    private let places: [String: Int]

    init(_ bytes: [UInt8]?, language: String) throws(CatalogProblem) {
        guard let bytes else {
            root = .object([
                JSONNode.Member("sourceLanguage", .string(language)), JSONNode.Member("strings", .object([])),
                JSONNode.Member("version", .string("1.0")),
            ])
            self.language = language
            places = [:]
            return
        }
        root = try JSONNode.catalog(bytes)
        guard case .string(let own)? = root["sourceLanguage"], root["strings"]?.members != nil else {
            throw CatalogProblem(
                message: "the file is not a string catalog: `sourceLanguage` or `strings` is missing", offset: 0)
        }
        self.language = own
        places = JSONNode.places(in: bytes)
    }

    func updated(with texts: [ContractText], _ keys: ContractKeys) throws(CatalogProblem) -> CatalogUpdate {
        var entries = root["strings"]?.members ?? []
        var update = CatalogUpdate(text: "")
        var positions: [String: Int] = [:]
        for (position, entry) in entries.enumerated() { positions[entry.name] = position }
        var new: [JSONNode.Member] = []
        for text in texts {
            guard let position = positions[text.key] else {
                new.append(JSONNode.Member(text.key, makeEntry(text)))
                update.added.append(text.key)
                continue
            }
            guard entries[position].value.members != nil else {
                throw CatalogProblem(message: "the entry `\(text.key)` is not an object", offset: 0)
            }
            if refresh(&entries[position].value, text) { update.changed.append(text.key) }
            Self.checkUnits(of: entries[position].value["localizations"], text, &update)
        }
        for position in entries.indices where keys.isUnused(entries[position].name) {
            update.unused.append(entries[position].name)
            if entries[position].value.members != nil {
                entries[position].value.set("extractionState", .string("stale"))
            }
        }
        var root = root
        root["strings"] = .object(entries.inserting(new))
        update.text = root.lines
        update.places = places
        return update
    }

    private func makeEntry(_ text: ContractText) -> JSONNode {
        .object([
            JSONNode.Member("comment", .string(text.comment)), JSONNode.Member("extractionState", .string("manual")),
            JSONNode.Member(
                "localizations", .object([JSONNode.Member(language, .object([unit(text.text)]))])),
        ])
    }

    private func unit(_ value: String) -> JSONNode.Member {
        JSONNode.Member(
            "stringUnit",
            .object([JSONNode.Member("state", .string("translated")), JSONNode.Member("value", .string(value))]))
    }

    /// Takes over the text and the comment of the contract.
    ///
    /// - Returns: whether translations now belong to another text than before.
    private func refresh(_ entry: inout JSONNode, _ text: ContractText) -> Bool {
        // Lines of people stay, below the contract's.
        var comment: String?
        if case .string(let text)? = entry["comment"] { comment = text }
        entry.set(
            "comment", .string(([text.comment] + EntryComment(comment, of: text.key).own).joined(separator: "\n")))
        // An entry that code does not mention is `manual`, or Xcode would remove it.
        entry.set("extractionState", .string("manual"))
        var localizations = entry["localizations"] ?? .object([])
        let own = localizations[language]
        // Variations of the text, for plurals or devices, are the work of a person.
        guard own?["variations"] == nil, own?["substitutions"] == nil else { return false }
        guard own?["stringUnit"]?["value"] != .string(text.text) else { return false }
        localizations.set(language, .object([unit(text.text)]))
        localizations = .object(
            (localizations.members ?? []).map { member in
                member.name == language ? member : JSONNode.Member(member.name, Self.marked(member.value))
            })
        entry.set("localizations", localizations)
        return true
    }

    /// Looks at all texts of an entry, with those for plurals and devices.
    private static func checkUnits(of node: JSONNode?, _ text: ContractText, _ update: inout CatalogUpdate) {
        for member in node?.members ?? [] {
            if member.name == "value", case .string(let own) = member.value {
                update.check(own, of: text)
            } else {
                checkUnits(of: member.value, text, &update)
            }
        }
    }

    /// A translation with every translated unit to be reviewed, in all of its variations.
    private static func marked(_ node: JSONNode) -> JSONNode {
        guard let members = node.members else { return node }
        if node["value"] != nil, node["state"] == .string("translated") {
            var unit = node
            unit["state"] = .string("needs_review")
            return unit
        }
        return .object(members.map { JSONNode.Member($0.name, marked($0.value)) })
    }
}

extension JSONNode {
    /// The object that a catalog consists of.
    static func catalog(_ bytes: [UInt8]) throws(CatalogProblem) -> JSONNode {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: mark) ? mark.count : 0
        do {
            let root = try JSONParser.parse(Array(bytes.dropFirst(start)))
            guard root.members != nil else { throw CatalogProblem(message: "the file is not an object", offset: start) }
            return root
        } catch let problem as CatalogProblem {
            throw problem
        } catch let failure as JSONParser.Failure {
            throw CatalogProblem(message: "the file is not JSON: \(failure.message)", offset: start + failure.offset)
        } catch {
            throw CatalogProblem(message: "the file is not JSON", offset: start)
        }
    }

    /// Sets a member of an object. A new one comes before the first whose name is greater, as Xcode orders them.
    mutating func set(_ name: String, _ value: JSONNode) {
        guard self[name] == nil, members != nil else {
            self[name] = value
            return
        }
        self = .object((members ?? []).inserting([Member(name, value)]))
    }
}

extension [JSONNode.Member] {
    /// The members with others among them, each before the first one with a greater name. Those that are there keep their order.
    func inserting(_ new: [JSONNode.Member]) -> [JSONNode.Member] {
        var result: [JSONNode.Member] = []
        var rest = new.sorted { $0.name.isBefore($1.name) }[...]
        for member in self {
            while let first = rest.first, first.name.isBefore(member.name) {
                result.append(first)
                rest.removeFirst()
            }
            result.append(member)
        }
        return result + rest
    }
}

extension String {
    fileprivate func isBefore(_ other: String) -> Bool {
        unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
    }
}
