import ContractModel

/// Goes through the types that a contract needs, and fixes those that would be infinite.
struct TypeSweep {
    let types: TypePlanner
    let findings: ImportFindings
    private var seen = Set<Int>()
    private var order: [PlannedTypeEntry] = []

    init(types: TypePlanner, findings: ImportFindings) {
        self.types = types
        self.findings = findings
    }

    /// The types that the endpoints and errors reach, in the order in which they were met in the document.
    mutating func reached(from plan: ContractPlan) -> [PlannedTypeEntry] {
        collect(from: plan)
        // The cases of such a union may be used nowhere else.
        if UnionSweep(types: types, order: order).settle() { collect(from: plan) }
        fitDiscriminators()
        dropOtherMembersOfCases()
        fitKeys()
        breakRings()
        dropUnclearUnions()
        UnionSweep(types: types, order: order).settle()
        // The enum of a key that a union writes, and the cases of a union that is none, may be used nowhere else.
        collect(from: plan)
        return order
    }

    private mutating func collect(from plan: ContractPlan) {
        (seen, order) = ([], [])
        var pending: [Int] = []
        for error in plan.errors { error.data.map { pending += $0.numbers } }
        for field in plan.commonHeaders + plan.commonQuery { pending += field.type.numbers }
        for endpoint in plan.endpoints {
            for parameter in endpoint.pathTypes { pending += parameter.type.numbers }
            let texts = endpoint.query + endpoint.headers + endpoint.cookies + endpoint.responseHeaders
            for field in texts { pending += field.type.numbers }
            if let content = endpoint.body?.content { pending += content.numbers }
            if case .content(let content) = endpoint.response { pending += content.numbers }
            for outcome in endpoint.outcomes { outcome.data.map { pending += $0.numbers } }
        }
        while let number = pending.popLast() {
            guard seen.insert(number).inserted else { continue }
            let entry = types.entries[number]
            order.append(entry)
            pending += entry.numbers
        }
        order.sort { $0.number < $1.number }
    }

    /// The key of a union is a `string` or an `int` in its structures, since the union writes it. The structures of a union inside
    /// of the union write it themselves.
    private func fitDiscriminators() {
        var fitted: [Int: Set<String>] = [:]
        for isInner in [false, true] {
            for entry in order {
                guard case .union(.value(let key, let isNumber), let cases) = entry.form else { continue }
                var numbers: [Int: [String]] = [:]
                for (value, type) in cases {
                    guard case .named(let number) = type else { continue }
                    let inner = types.structures(ofUnion: number)
                    for number in isInner ? inner ?? [] : inner == nil ? [number] : [] {
                        numbers[number, default: []].append(value)
                    }
                }
                for (number, values) in numbers.sorted(by: { $0.key < $1.key }) {
                    guard fitted[number, default: []].insert(key).inserted || !isInner else { continue }
                    fit(key, isNumber: isNumber, values, in: types.entries[number], isInner: isInner)
                }
            }
        }
    }

    private func fit(
        _ key: String, isNumber: Bool, _ values: [String], in entry: PlannedTypeEntry, isInner: Bool
    ) {
        guard case .structure(var fields) = entry.form, let position = fields.firstIndex(where: { $0.wire == key })
        else { return }
        let word = PlannedType.word(isNumber ? "int" : "string")
        // Lint knows that the client writes the key of a union.
        if !isInner { fields[position].isConstantOfUpdate = false }
        let isWord = fields[position].type == word && !fields[position].isOptional
        if !isWord || fields[position].defaultValue == nil {
            let named = values.filter { $0 != UnionDefinition.others }
            let only = named.isEmpty ? types.unionValues[entry.number] : named.count == 1 ? named[0] : nil
            let value = only.flatMap { isNumber && Int64($0) == nil ? nil : $0 }
            fields[position].type = word
            // An object that no other case has may lack the key.
            fields[position].isOptional = named.isEmpty && value == nil && !fields[position].isRequired
            fields[position].nullable = nil
            fields[position].constraints = Constraints()
            fields[position].defaultValue = value.map { .text($0, isQuoted: !isNumber) }
        }
        entry.form = .structure(fields)
    }

    /// A key of a union by keys has no default in its structure, since the default could also be what an absent key means.
    private func fitKeys() {
        for entry in order {
            guard case .union(.key, let cases) = entry.form else { continue }
            for (key, type) in cases {
                guard case .named(let number) = type, case .structure(var fields) = types.entries[number].form,
                    let position = fields.firstIndex(where: { $0.wire == key && $0.isConstant })
                else { continue }
                let text = fields[position].defaultValue?.spelling?.text
                let doc = [fields[position].doc, text.map { "Always `\($0)`." }].compactMap { $0 }
                fields[position].doc = doc.joined(separator: "\n")
                fields[position].defaultValue = nil
                fields[position].isConstant = false
                fields[position].isConstantOfUpdate = false
                types.entries[number].form = .structure(fields)
            }
        }
    }

    /// Removes the further members of a case that would include what tells the cases of a union apart.
    private func dropOtherMembersOfCases() {
        for entry in order {
            guard case .union(let distinction, let cases) = entry.form, distinction != .kind else { continue }
            var key: String?
            if case .value(let name, _) = distinction { key = name }
            for (value, type) in cases where value != UnionDefinition.others {
                for number in types.target(of: type).flatMap({ types.structures(ofUnion: $0) ?? [$0] }) ?? [] {
                    guard case .structure(var fields) = types.entries[number].form,
                        !fields.contains(where: { $0.wire == key }),
                        let position = fields.firstIndex(where: \.holdsOtherMembers)
                    else { continue }
                    if let place = fields[position].schema { types.loseOtherMembers(at: place) }
                    fields.remove(at: position)
                    types.entries[number].form = .structure(fields)
                }
            }
        }
    }

    /// Removes unions by keys if a key has become optional. Such a key no longer identifies its case.
    private func dropUnclearUnions() {
        for entry in order {
            guard case .union(.key, let cases) = entry.form else { continue }
            let isClear = cases.allSatisfy { key, type in
                guard case .named(let number) = type, case .structure(let fields) = types.entries[number].form else {
                    return false
                }
                return fields.contains { $0.wire == key && !$0.isOptional && $0.defaultValue == nil }
            }
            guard !isClear else { continue }
            entry.form = .alias(.word("json"), Constraints())
            if let place = types.unionPlaces[entry.number] { types.loseAlternatives(cases.count, at: place) }
        }
    }

    /// Makes one field optional in each structure that requires itself. Such a structure can't have a value.
    private func breakRings() {
        var state: [Int: Bool] = [:]  // false while it is open
        for root in order where state[root.number] == nil {
            var path: [(number: Int, next: Int)] = [(root.number, 0)]
            state[root.number] = false
            while let (number, next) = path.last {
                let needed = required(number)
                guard next < needed.count else {
                    state[number] = true
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let (field, target) = needed[next]
                if state[target] == false {
                    loosen(field, of: number)
                } else if state[target] == nil {
                    state[target] = false
                    path.append((target, 0))
                }
            }
        }
    }

    private func required(_ number: Int) -> [(field: Int, target: Int)] {
        switch types.entries[number].form {
        case .structure(let fields):
            fields.indices.compactMap { position in
                guard !fields[position].isOptional, fields[position].defaultValue == nil,
                    case .named(let target) = fields[position].type
                else { return nil }
                return (position, target)
            }
        case .alias(.named(let target), _): [(0, target)]
        default: []
        }
    }

    private func loosen(_ field: Int, of number: Int) {
        let entry = types.entries[number]
        guard case .structure(var fields) = entry.form, fields.indices.contains(field) else { return }
        fields[field].isOptional = true
        entry.form = .structure(fields)
    }
}

extension PlannedEndpoint.Content {
    /// The types that it refers to.
    var numbers: [Int] {
        switch self {
        case .fields(let fields): fields.flatMap(\.type.numbers)
        case .type(let type): type.numbers
        }
    }
}

extension PlannedTypeEntry {
    /// The types that it refers to.
    var numbers: [Int] {
        switch form {
        case .structure(let fields): fields.flatMap(\.type.numbers)
        case .union(_, let cases): cases.flatMap(\.type.numbers)
        case .alias(let target, _): target.numbers
        case .enumeration: []
        }
    }
}

extension PlannedType {
    /// The types that it refers to.
    var numbers: [Int] {
        switch self {
        case .word: []
        case .named(let number): [number]
        case .list(let inner), .map(let inner), .optional(let inner): inner.numbers
        }
    }
}
