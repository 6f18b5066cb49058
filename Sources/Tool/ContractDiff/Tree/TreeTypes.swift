import ContractModel

// How the types of two contracts are related, and which of them stand for each other.
extension TreeComparison {
    /// The type with `_` in the place of a name, and without an outer `?`.
    private func form(_ type: String, _ table: TypeTable) -> String? {
        guard let type = TypeReference(spelling: type).map(table.expanded)?.unwrapped else { return nil }
        let name = type.names.first?.value
        return TypeWords.replacing(in: type.spelling) { $0 == name ? "_" : nil }
    }

    func hasSameForm(_ old: String, _ new: String) -> Bool { form(old, types.old) == form(new, types.new) }

    mutating func relation(_ old: String, _ new: String) -> TypeRelation {
        guard let one = TypeReference(spelling: old).map(types.old.expanded)?.unwrapped,
            let other = TypeReference(spelling: new).map(types.new.expanded)?.unwrapped
        else { return old == new ? .same : .other }
        if renames.renamed(one.spelling, "field.type") == other.spelling { return .same }
        guard hasSameForm(old, new), let before = one.names.first?.value, let after = other.names.first?.value,
            let first = types.old.all[before], let second = types.new.all[after],
            Self.kind(of: first) == Self.kind(of: second)
        else { return .other }
        return .twins
    }

    /// The key that says what kind of type a definition is.
    static func kind(of definition: ComparedNode) -> String? {
        if case .keys("type", let entries) = definition { form(of: entries) } else { nil }
    }

    /// Whether two defaults are the same case of an enum, which may have another name now.
    func isSameCase(_ old: String, _ new: String, _ owners: Owners) -> Bool {
        func value(_ name: String, _ owner: ComparedNode?, _ table: TypeTable) -> ComparedNode? {
            let type = owner?["type"]?.text.flatMap { TypeReference(spelling: $0) }.map(table.expanded)
            guard let type = type?.names.first?.value, case .entries(let cases)? = table.all[type]?["enum"] else {
                return nil
            }
            return cases.first { $0.key == name }?.node
        }
        let before = value(old, owners.old, types.old)
        return before != nil && before == value(new, owners.new, types.new)
    }

    // MARK: Pairs

    /// Finds the pairs: those that the endpoints, errors and events have, and from them those inside of types.
    mutating func findPairs(_ old: ComparedNode, _ new: ComparedNode) {
        func withoutTypes(_ contract: ComparedNode) -> ComparedNode {
            guard case .keys(let name, let entries) = contract else { return contract }
            return .keys(of: name, entries.filter { $0.key != "types" })
        }
        compare(withoutTypes(old), withoutTypes(new), slot: "contract", at: TreePlace(), owners: (nil, nil))
        meetCommon(old, new)
        var open = met
        while let (pair, use) = open.popLast() {
            guard let before = types.old.all[pair.old], let after = types.new.all[pair.new],
                pairs.add(pair, use, parts: types.old.partCount(of: pair.old) + types.new.partCount(of: pair.new))
            else { continue }
            (self.use, met) = (pairs[pair.old, pair.new], [])
            edits.removeAll(keepingCapacity: true)
            compare(before, after, slot: "contract.types.*", at: pair.place, owners: (nil, nil))
            open += met
        }
        edits = []
    }

    /// Compares the types that stand for each other, have two names, and exist beside other types with these names.
    mutating func comparePairs() {
        for pair in pairs.uses.keys.sorted(by: { ($0.new, $0.old) < ($1.new, $1.old) })
        where pair.old != pair.new && renames.renamed(pair.old, "field.type") != pair.new {
            guard let before = types.old.all[pair.old], let after = types.new.all[pair.new],
                !renames.areTwins(pair.old, pair.new)
            else { continue }
            guard edits.count < pairs.bounds.edits else {
                pairs.leaveOut(pair)
                continue
            }
            let first = edits.count
            compare(before, after, slot: "contract.types.*", at: pair.place, owners: (nil, nil))
            for index in edits.indices[first...] { edits[index].pair = pair }
        }
    }

    /// Notes the types that two texts name in the same place.
    mutating func meet(_ old: String, _ new: String, at places: TreePlace) {
        guard let one = TypeReference(spelling: old), let other = TypeReference(spelling: new),
            let before = one.names.first?.value, let after = other.names.first?.value
        else { return }
        let use = self.use ?? Use.at(places.new)
        if renames.renamed(before, "field.type") == after {
            met.append((TypePair(old: before, new: after), use))
        } else if hasSameForm(old, new), let before = types.old.expanded(one).names.first?.value,
            let after = types.new.expanded(other).names.first?.value
        {
            met.append((TypePair(old: before, new: after), use))
        }
    }

    /// Notes the types of the parameters of a path.
    mutating func meetParameters(_ old: String, _ new: String) {
        for (before, after) in zip(TargetSpelling(old).parameters, TargetSpelling(new).parameters) {
            meet(
                before.type, after.type,
                at: TreePlace().appending("endpoints").appending("").appending(LanguageSlots.target))
        }
    }
}

extension TypePair {
    fileprivate var place: TreePlace { TreePlace(old: ["types", old], new: ["types", new]) }
}
