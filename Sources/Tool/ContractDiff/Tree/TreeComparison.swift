import ContractModel

/// A difference between two trees, before its consequences are known.
struct TreeEdit {
    let slot: String
    /// The keys that lead to it in each contract. They differ below something that is renamed.
    var places: TreePlace
    let edit: Change.Edit
    let old: ComparedNode?
    let new: ComparedNode?
    /// The mappings that have the key, or the definitions that are renamed. Nil for what else a contract names itself.
    var oldOwner: ComparedNode?
    var newOwner: ComparedNode?
    /// How two types are related; nil for an edit of anything else.
    var relation: TypeRelation?
    /// The types that it is inside of, if none is the other one under a new name.
    var pair: TypePair?

    /// The place in the contract that has the part: the old one if the part is gone.
    var place: [String] { edit == .removed ? places.old : places.new }
}

/// How the types of one part of two contracts are related, apart from an outer `?`.
enum TypeRelation {
    /// The same type, perhaps under the name of an alias.
    case same
    /// Types with other names in Swift and the same values on the wire. What differs inside of them has edits of its own.
    case twins
    case other
}

/// The keys that lead to one part of two contracts.
struct TreePlace {
    var old: [String] = []
    var new: [String] = []

    func appending(_ key: String) -> TreePlace { appending(old: key, new: key) }

    func appending(old oldKey: String, new newKey: String) -> TreePlace {
        TreePlace(old: old + [oldKey], new: new + [newKey])
    }
}

/// Compares two trees key by key. It knows nothing about the meaning of a key, so a new key cannot be forgotten. It only knows
/// that definitions have names, which may change, and that types name other types.
struct TreeComparison {
    typealias Entry = ComparedNode.Entry
    typealias Owners = (old: ComparedNode?, new: ComparedNode?)

    var edits: [TreeEdit] = []
    var renames: TreeRenames
    let types: (old: TypeTable, new: TypeTable)
    /// The types that stand for each other.
    var pairs = TypePairs()
    /// The pairs that the parts compared so far have, with their uses.
    var met: [(pair: TypePair, use: Use)] = []
    /// Where the definition that is compared travels; nil outside of `types`.
    var use: Use?
    /// Whether an endpoint has a body, for parameters that are in the query of the others.
    let hasBodies: Bool

    /// The edits that make `new` of `old`, in the order of `new`, and the types that stand for each other.
    static func edits(
        from old: ComparedNode, to new: ComparedNode, _ types: (old: TypeTable, new: TypeTable),
        _ bounds: TypePairs.Bounds = TypePairs.Bounds()
    ) -> (edits: [TreeEdit], pairs: TypePairs) {
        // References follow renamed definitions, so these come first.
        let hasBodies = [old, new].contains(where: Self.hasBodies)
        var walk = TreeComparison(renames: TreeRenames(old, new, types), types: types, hasBodies: hasBodies)
        walk.pairs = TypePairs(bounds)
        walk.findPairs(old, new)
        let renamed = walk.pairs.renames(Set(types.old.all.keys), Set(types.new.all.keys))
        var comparison = TreeComparison(
            renames: renamed.isEmpty ? walk.renames : TreeRenames(old, new, types, renamed), types: types,
            hasBodies: hasBodies)
        comparison.pairs = walk.pairs
        comparison.compare(old, new, slot: "contract", at: TreePlace(), owners: (nil, nil))
        comparison.comparePairs()
        comparison.compareFirstServer(old, new)
        return (comparison.edits, comparison.pairs)
    }

    private init(renames: TreeRenames, types: (old: TypeTable, new: TypeTable), hasBodies: Bool) {
        self.renames = renames
        self.types = types
        self.hasBodies = hasBodies
    }

    mutating func compare(
        _ old: ComparedNode?, _ new: ComparedNode?, slot: String, at places: TreePlace, owners: Owners
    ) {
        func edit(_ edit: Change.Edit) -> TreeEdit {
            TreeEdit(
                slot: slot, places: places, edit: edit, old: old, new: new, oldOwner: owners.old,
                newOwner: owners.new)
        }
        switch (old, new) {
        case (nil, nil): return
        case (let old, nil):
            switch old {
            case .entries? where LanguageSlots.optionalData.contains(slot): edits.append(edit(.removed))
            case .entries?: compare(old, .entries([]), slot: slot, at: places, owners: owners)
            case .elements?: compare(old, .elements([]), slot: slot, at: places, owners: owners)
            case .keys(let name, _)?
            where LanguageSlots.transparent.contains(slot) || LanguageDefaults.isOptional(name):
                compare(old, .keys(of: name, []), slot: slot, at: places, owners: owners)
            default: edits.append(edit(.removed))
            }
        case (nil, let new):
            switch new {
            case .entries? where LanguageSlots.optionalData.contains(slot): edits.append(edit(.added))
            case .entries?: compare(.entries([]), new, slot: slot, at: places, owners: owners)
            case .elements?: compare(.elements([]), new, slot: slot, at: places, owners: owners)
            case .keys(let name, _)?
            where LanguageSlots.transparent.contains(slot) || LanguageDefaults.isOptional(name):
                compare(.keys(of: name, []), new, slot: slot, at: places, owners: owners)
            default: edits.append(edit(.added))
            }
        case (.keys(let name, let before)?, .keys(let other, let after)?) where name == other:
            switch name {
            case "type" where Self.form(of: before) != Self.form(of: after): edits.append(edit(.changed))
            case "union" where Self.distinction(of: before) != Self.distinction(of: after):
                edits.append(edit(.changed))
            case "response" where Self.payloadKind(before) != Self.payloadKind(after):
                edits.append(edit(.changed))
                let headers = [before, after].map { $0.filter { $0.key == "headers" } }
                compareKeys(name, headers[0], headers[1], at: places, owners: owners)
            case "response", "body": comparePayload(name, before, after, at: places, owners: (old, new))
            case "endpoint": compareEndpoint(before, after, places, (old, new))
            case "common": compareCommon(before, after, places, (old, new))
            case "field", "commonField": compareField(name, before, after, at: places, owners: (old, new))
            default: compareKeys(name, before, after, at: places, owners: (old, new))
            }
        case (.entries(let before)?, .entries(let after)?): compareEntries(before, after, slot + ".*", places)
        case (.elements(let before)?, .elements(let after)?): compareElements(before, after, slot + ".*", places)
        case (.value(let before)?, .value(let after)?):
            if LanguageSlots.isType(slot) { meet(before, after, at: places) }
            if slot == "endpoint.\(LanguageSlots.target)" { meetParameters(before, after) }
            if LanguageSlots.fieldDefaults.contains(slot), isSameCase(before, after, owners) { return }
            guard !LanguageSlots.isSame(renames.renamed(before, slot), after, at: slot) else { return }
            guard LanguageSlots.isType(slot) else { return edits.append(edit(.changed)) }
            var changed = edit(.changed)
            changed.relation = relation(before, after)
            edits.append(changed)
            compareConstraints(before, after, [], [], at: places)
        case (let old?, let new?) where LanguageSlots.isType(slot):
            // The fields of a payload, and in the other contract a type that has them.
            var changed = edit(.changed)
            let fields = (payloadFields(old, types.old), payloadFields(new, types.new))
            changed.relation = fields.0 != nil && fields.1 != nil ? .twins : .other
            edits.append(changed)
            if let before = fields.0, let after = fields.1 { compareEntries(before, after, slot + ".*", places) }
        default: edits.append(edit(.changed))
        }
    }

    /// The key that says what kind of type a definition is.
    static func form(of entries: [Entry]) -> String? {
        entries.first { ["fields", "enum", "union", "alias"].contains($0.key) }?.key
    }

    /// The key that says what tells the cases of a union apart.
    private static func distinction(of entries: [Entry]) -> String? {
        entries.first { ["by", "keys", "kinds"].contains($0.key) }?.key
    }

    mutating func compareKeys(
        _ name: String, _ before: [Entry], _ after: [Entry], at places: TreePlace, owners: Owners
    ) {
        for entry in after {
            let old = before.first { $0.key == entry.key }?.node
            compare(
                old, entry.node, slot: "\(name).\(entry.key)", at: places.appending(entry.key), owners: owners)
        }
        for entry in before where !after.contains(where: { $0.key == entry.key }) {
            compare(entry.node, nil, slot: "\(name).\(entry.key)", at: places.appending(entry.key), owners: owners)
        }
    }

    private mutating func compareElements(
        _ before: [String], _ after: [String], _ slot: String, _ places: TreePlace
    ) {
        let old = before.map { self.renames.renamed($0, slot) }
        let (known, wanted) = (Set(old), Set(after))
        for element in after where !known.contains(element) {
            edits.append(
                TreeEdit(
                    slot: slot, places: places.appending(element), edit: .added, old: nil, new: .value(element)))
        }
        for (name, element) in zip(before, old) where !wanted.contains(element) {
            edits.append(
                TreeEdit(slot: slot, places: places.appending(name), edit: .removed, old: .value(name), new: nil))
        }
    }

    mutating func compareEntries(
        _ before: [Entry], _ after: [Entry], _ slot: String, _ places: TreePlace
    ) {
        let positions = Dictionary(
            before.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        let pairs = renames.pairs(from: before, to: after, slot: slot)
        let oldOfNew = Dictionary(pairs.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        let before = LanguageSlots.headers.contains(slot) ? Self.withCase(of: after, before) : before
        for (index, entry) in after.enumerated() {
            if let position = positions[entry.key] {
                compare(
                    before[position].node, entry.node, slot: slot, at: places.appending(entry.key),
                    owners: (nil, nil))
            } else if let position = oldOfNew[index] {
                let old = before[position]
                let places = places.appending(old: old.key, new: entry.key)
                let isOfCase =
                    LanguageSlots.headers.contains(slot) && old.key.lowercased() == entry.key.lowercased()
                if !isOfCase {
                    edits.append(
                        TreeEdit(
                            slot: slot, places: places, edit: .renamed, old: .value(old.key), new: .value(entry.key),
                            oldOwner: old.node, newOwner: entry.node))
                }
                compare(old.node, entry.node, slot: slot, at: places, owners: (nil, nil))
            } else if let usual = LanguageDefaults.usual(for: entry, at: slot) {
                compare(usual, entry.node, slot: slot, at: places.appending(entry.key), owners: (nil, nil))
            } else {
                edits.append(
                    TreeEdit(
                        slot: slot, places: places.appending(entry.key), edit: .added, old: nil, new: entry.node))
            }
        }
        let names = Set(after.map(\.key))
        for (index, entry) in before.enumerated() where !names.contains(entry.key) && pairs[index] == nil {
            if let usual = LanguageDefaults.usual(for: entry, at: slot) {
                compare(entry.node, usual, slot: slot, at: places.appending(entry.key), owners: (nil, nil))
                continue
            }
            edits.append(
                TreeEdit(slot: slot, places: places.appending(entry.key), edit: .removed, old: entry.node, new: nil))
        }
        guard ArgumentOrder.slots.contains(slot),
            let moved = ArgumentOrder.moved(from: before, to: after, renames: pairs)
        else { return }
        edits.append(
            TreeEdit(
                slot: String(slot.dropLast(".*".count)), places: places, edit: .changed, old: .value(moved.old),
                new: .value(moved.new)))
    }

    /// The headers with the names on the wire of others that differ only in their case.
    private static func withCase(of others: [Entry], _ headers: [Entry]) -> [Entry] {
        let names = Dictionary(others.compactMap { $0.node["wire"]?.text }.map { ($0.lowercased(), $0) }) { $1 }
        return headers.map { header in
            guard case .keys(let mapping, var entries) = header.node,
                let position = entries.firstIndex(where: { $0.key == "wire" }),
                let name = entries[position].node.text.flatMap({ names[$0.lowercased()] })
            else { return header }
            entries[position].node = .value(name)
            return Entry(key: header.key, node: .keys(of: mapping, entries))
        }
    }

    /// The first server is the one that a client uses by default.
    private mutating func compareFirstServer(_ old: ComparedNode, _ new: ComparedNode) {
        guard case .entries(let before)? = old["servers"], case .entries(let after)? = new["servers"],
            let first = before.first, let other = after.first,
            case let pairs = renames.pairs(from: before, to: after, slot: "contract.servers.*"),
            case let name = pairs[0].map({ after[$0].key }) ?? first.key, name != other.key,
            after.contains(where: { $0.key == name })
        else { return }
        edits.append(
            TreeEdit(
                slot: "contract.servers", places: TreePlace().appending("servers"), edit: .changed,
                old: .value(first.key), new: .value(other.key)))
    }

    // MARK: Types

    /// A field whose type is another one. The fields inside of it, and what an alias says about its values, are compared where the
    /// field has them.
    private mutating func compareField(
        _ name: String, _ before: [Entry], _ after: [Entry], at places: TreePlace, owners: Owners
    ) {
        guard let old = owners.old?["type"]?.text, let new = owners.new?["type"]?.text,
            renames.renamed(old, "field.type") != new
        else { return compareKeys(name, before, after, at: places, owners: owners) }
        meet(old, new, at: places)
        let inside = (fieldsInside(before, old, types.old), fieldsInside(after, new, types.new))
        let isInside = [before, after].map { $0.contains { $0.key == "fields" } }
        var edit = TreeEdit(
            slot: "\(name).type", places: places.appending("type"), edit: .changed, old: .value(old),
            new: .value(new), oldOwner: owners.old, newOwner: owners.new)
        if isInside[0] != isInside[1] {
            edit.relation = inside.0 != nil && inside.1 != nil && hasSameForm(old, new) ? .twins : .other
        } else {
            edit.relation = relation(old, new)
        }
        edits.append(edit)
        if isInside[0] || isInside[1], let before = inside.0, let after = inside.1, hasSameForm(old, new) {
            compareEntries(before, after, "field.fields.*", places.appending("fields"))
        }
        compareConstraints(old, new, before, after, at: places)
        let told = ["type", "fields"] + LanguageSlots.constraints
        compareKeys(
            name, before.filter { !told.contains($0.key) }, after.filter { !told.contains($0.key) }, at: places,
            owners: owners)
    }

    /// What two types and their owners say about the values.
    private mutating func compareConstraints(
        _ old: String, _ new: String, _ before: [Entry], _ after: [Entry], at places: TreePlace
    ) {
        func constraints(_ type: String, _ own: [Entry], _ table: TypeTable) -> [Entry] {
            let own = own.filter { LanguageSlots.constraints.contains($0.key) }
            let others = TypeReference(spelling: type).map { table.constraints(of: $0) } ?? []
            return own + others.filter { other in !own.contains { $0.key == other.key } }
        }
        let both = (constraints(old, before, types.old), constraints(new, after, types.new))
        guard !both.0.isEmpty || !both.1.isEmpty else { return }
        // Another kind of type has other constraints, which say nothing more.
        guard relation(old, new) != .other else { return }
        compareKeys("field", both.0, both.1, at: places, owners: (nil, nil))
    }

    /// The fields of the structure that a field contains.
    private func fieldsInside(_ entries: [Entry], _ type: String, _ table: TypeTable) -> [Entry]? {
        if let inside = entries.first(where: { $0.key == "fields" }) {
            if case .entries(let fields) = inside.node { return fields }
            return nil
        }
        return TypeReference(spelling: type).map(table.expanded)?.names.first.flatMap { table.fields(of: $0.value) }
    }

    // MARK: Payloads

    private enum PayloadKind { case none, bytes, value, headers }

    private static func payloadKind(_ entries: [Entry]) -> PayloadKind {
        if entries.contains(where: { ["fields", "type"].contains($0.key) }) { return .value }
        if entries.contains(where: { $0.key == "encoding" }) { return .bytes }
        return entries.contains { $0.key == "headers" } ? .headers : .none
    }

    /// The fields of a payload, whether it has them itself or names a structure that has them.
    private func payloadFields(_ payload: ComparedNode?, _ table: TypeTable) -> [Entry]? {
        switch payload {
        case .entries(let fields)?: fields
        case .value(let text)?:
            TypeReference(spelling: text).map(table.expanded).flatMap { type in
                if case .named(let name) = type { table.fields(of: name.value) } else { nil }
            }
        default: nil
        }
    }

    /// Fields, and in the other contract a type in their place.
    private mutating func comparePayload(
        _ name: String, _ before: [Entry], _ after: [Entry], at places: TreePlace, owners: Owners
    ) {
        func payload(_ entries: [Entry]) -> (key: String, node: ComparedNode)? {
            entries.first { ["fields", "type"].contains($0.key) }.map { ($0.key, $0.node) }
        }
        guard let old = payload(before), let new = payload(after), old.key != new.key else {
            return compareKeys(name, before, after, at: places, owners: owners)
        }
        let fields = (payloadFields(old.node, types.old), payloadFields(new.node, types.new))
        edits.append(
            TreeEdit(
                slot: "\(name).type", places: places.appending("type"), edit: .changed, old: old.node, new: new.node,
                oldOwner: owners.old, newOwner: owners.new,
                relation: fields.0 != nil && fields.1 != nil ? .twins : .other))
        if let before = fields.0, let after = fields.1 {
            compareEntries(before, after, "\(name).fields.*", places.appending("fields"))
        }
        compareKeys(
            name, before.filter { $0.key != old.key }, after.filter { $0.key != new.key }, at: places, owners: owners)
    }
}
