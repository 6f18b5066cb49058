import ContractModel

/// Goes through the unions that a contract needs, and fixes those whose cases cannot be told apart. What the types of cases are is
/// only known once all types are planned.
struct UnionSweep {
    let types: TypePlanner
    /// The types that the contract needs.
    let order: [PlannedTypeEntry]

    /// Returns whether it has changed a union.
    @discardableResult func settle() -> Bool {
        var hasChanged = false
        // A union that is `json` can't be the case of another union.
        while settleOnce() { hasChanged = true }
        return hasChanged
    }

    private func settleOnce() -> Bool {
        let finite = finiteUnions()
        var hasChanged = false
        for entry in order {
            guard case .union(let distinction, var cases) = entry.form else { continue }
            if distinction == .kind {
                for position in cases.indices {
                    guard let kind = UnionDefinition.Kind(rawValue: cases[position].value),
                        self.kind(of: cases[position].type, finite) != kind
                    else { continue }
                    cases[position].type = kind.anyType
                    entry.form = .union(.kind, cases: cases)
                    hasChanged = true
                    lose("the case `\(kind.rawValue)` of the union has no type of its own", entry)
                }
            } else if let problem = problem(distinction, cases, finite) {
                entry.form = .alias(.word("json"), Constraints())
                hasChanged = true
                if let place = types.unionPlaces[entry.number] { types.lost(problem, place) }
            }
        }
        return hasChanged
    }

    private func lose(_ message: String, _ entry: PlannedTypeEntry) {
        guard let place = types.unionPlaces[entry.number] else { return }
        types.findings.add(.openAPIUnionLost, "\(message), so it takes any value of this kind", at: place)
    }

    /// Why a union by values or keys can't be one; nil if it can.
    private func problem(
        _ distinction: PlannedTypeEntry.Distinction, _ cases: [(value: String, type: PlannedType)], _ finite: Set<Int>
    ) -> String? {
        for (value, type) in cases {
            guard kind(of: type, finite) == .object, let number = types.target(of: type) else {
                return "a case of the union is no object"
            }
            guard case .value(let key, _) = distinction, value != UnionDefinition.others,
                let structures = types.structures(ofUnion: number)
            else {
                continue
            }
            let hasKey = structures.allSatisfy { number in
                guard case .structure(let fields) = types.entries[number].form else { return false }
                return fields.contains { $0.wire == key }
            }
            if !hasKey { return "a case of the union is a union itself, whose structures don't have the key `\(key)`" }
        }
        return nil
    }

    /// The kind of a type's JSON values; nil if they can have several kinds.
    private func kind(of type: PlannedType, _ finite: Set<Int>) -> UnionDefinition.Kind? {
        switch type {
        case .word(let word): return Primitive(spelling: word)?.jsonKind
        case .list: return .array
        case .map: return .object
        case .optional: return nil
        case .named(let number):
            switch types.entries[number].form {
            case .structure: return .object
            case .enumeration(let definition, _): return definition.wireKind == .int ? .integer : .string
            case .union(let distinction, _): return distinction != .kind && finite.contains(number) ? .object : nil
            case .alias:
                let target = types.expanded(type)
                if case .named(let number) = target, case .alias = types.entries[number].form { return nil }
                return kind(of: target, finite)
            }
        }
    }

    /// The unions that are not a case of themselves, however indirectly.
    private func finiteUnions() -> Set<Int> {
        var waiting: [Int: Int] = [:]
        var users: [Int: [Int]] = [:]
        var ready: [Int] = []
        for entry in order {
            guard case .union(_, let cases) = entry.form else { continue }
            let inner = cases.compactMap { types.target(of: $0.type) }.filter { number in
                if case .union = types.entries[number].form { true } else { false }
            }
            waiting[entry.number] = inner.count
            for number in inner { users[number, default: []].append(entry.number) }
            if inner.isEmpty { ready.append(entry.number) }
        }
        var finite: Set<Int> = []
        while let number = ready.popLast() {
            finite.insert(number)
            for user in users[number] ?? [] {
                waiting[user, default: 0] -= 1
                if waiting[user] == 0 { ready.append(user) }
            }
        }
        return finite
    }
}

extension TypePlanner {
    /// A type without the names of aliases; a name if the aliases lead back to themselves.
    func expanded(_ type: PlannedType) -> PlannedType {
        var type = type
        for _ in 0...entries.count {
            guard case .named(let number) = type, case .alias(let target, _) = entries[number].form else { return type }
            type = target
        }
        return type
    }

    /// The number of the type that a name leads to.
    func target(of type: PlannedType) -> Int? {
        if case .named(let number) = expanded(type) { number } else { nil }
    }

    /// The types that some types contain at any depth, and these themselves.
    func reached(from numbers: [Int]) -> Set<Int> {
        var seen = Set(numbers)
        var pending = numbers
        while let number = pending.popLast() {
            for next in entries[number].numbers where seen.insert(next).inserted { pending.append(next) }
        }
        return seen
    }

    /// Whether a type is `bool`, also under other names or as an optional.
    func isFlag(_ type: PlannedType) -> Bool {
        switch expanded(type) {
        case .word(let word): word == "bool"
        case .optional(let inner): isFlag(inner)
        default: false
        }
    }

    /// The structures that are cases of a union, or of a union that is a case, at any depth. Nil if the type is no union.
    func structures(ofUnion number: Int) -> [Int]? {
        guard case .union = entries[number].form else { return nil }
        var found: [Int] = []
        var seen: Set<Int> = [number]
        var pending = [number]
        while let next = pending.popLast() {
            switch entries[next].form {
            case .union(_, let cases):
                pending += cases.compactMap { target(of: $0.type) }.filter { seen.insert($0).inserted }
            case .structure: found.append(next)
            case .enumeration, .alias: break
            }
        }
        return found.sorted()
    }
}
