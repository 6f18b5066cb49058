import ContractModel

// Values of several JSON kinds, which become a union by kinds.
extension TypePlanner {
    typealias Kind = UnionDefinition.Kind

    private static let deepestAlternatives = 4
    private static let names: [String: UnionDefinition.Kind] = [
        "string": .string, "integer": .integer, "number": .number, "boolean": .bool, "array": .array,
        "object": .object,
    ]

    // MARK: Schemas with several types

    /// The type for `type: [string, object]`.
    func kinds(of view: SchemaView, at place: TypePlace) -> TypeUse {
        // A `number` is any number.
        let words = view.types.filter { $0 != "integer" || !view.types.contains("number") }
        guard words.allSatisfy({ Self.names[$0] != nil }) else {
            return lost(
                "a contract cannot have a value of several types (\(view.types.joined(separator: ", ")))", place.schema)
        }
        let entry = entry(at: place)
        var cases: [(Kind, TypeUse)] = []
        for word in words {
            guard let kind = Self.names[word] else { continue }
            cases.append((kind, inline(Self.part(of: view, word), at: place.part(kind.rawValue, of: entry))))
        }
        return kinds(cases, entry, at: place.schema)
    }

    /// The part of a schema that applies to values of one type.
    private static func part(of view: SchemaView, _ word: String) -> SchemaView {
        var part = view
        part.types = [word]
        let bounds: Set<String> =
            switch word {
            case "string": ["minLength", "maxLength", "pattern"]
            case "array": ["minItems", "maxItems", "uniqueItems"]
            case "object": ["minProperties", "maxProperties"]
            case "integer", "number":
                ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
            default: []
            }
        part.bounds = view.bounds.filter { bounds.contains($0.key) }
        let isOfNumber =
            view.format.map { ["int32", "int64", "float", "double", "decimal"].contains($0.text) } ?? false
        if isOfNumber ? word != "integer" && word != "number" : word != "string" { part.format = nil }
        return part
    }

    // MARK: Alternatives

    /// The type for alternatives of several kinds; nil if all have the same kind, or if a schema doesn't say its kind.
    func kinds(of members: [Element], _ view: SchemaView, at place: TypePlace) -> TypeUse? {
        var groups: [Kind: [Element]] = [:]
        var seen: Set<ElementKey> = []
        guard group(members, into: &groups, &seen, depth: 0) else { return nil }
        // A `number` is any number.
        if groups[.number] != nil, let integers = groups.removeValue(forKey: .integer) {
            groups[.number, default: []] += integers
        }
        guard groups.count > 1 else { return nil }
        let entry = entry(at: place)
        var cases: [(Kind, TypeUse)] = []
        for kind in Kind.allCases {
            guard let members = groups[kind] else { continue }
            cases.append((kind, one(of: members, kind, view, at: place.part(kind.rawValue, of: entry))))
        }
        return kinds(cases, entry, at: place.schema)
    }

    /// Groups schemas by their kinds, each once, however many lead to it. Returns whether every schema has one.
    private func group(
        _ members: [Element], into groups: inout [Kind: [Element]], _ seen: inout Set<ElementKey>, depth: Int
    ) -> Bool {
        for member in members where !reader.isNullOnly(member) && seen.insert(member.key).inserted {
            guard let kinds = kinds(of: member, depth: depth) else { return false }
            if kinds.count == 1, let kind = kinds.first {
                groups[kind, default: []].append(member)
                continue
            }
            // Alternatives of several kinds among the alternatives.
            let view = reader.view(of: [member])
            guard view.alternatives.count == 1, view.types.isEmpty, view.properties.isEmpty,
                group(view.alternatives[0].members, into: &groups, &seen, depth: depth + 1)
            else { return false }
        }
        return true
    }

    /// The kinds that the values of a schema can have, without null; nil if the schema doesn't say it.
    func kinds(of schema: Element, depth: Int) -> Set<Kind>? {
        guard depth < Self.deepestAlternatives else { return nil }
        let key = KindKey(schema: schema.key, depth: depth)
        if let known = knownKinds[key] { return known }
        let found = findKinds(of: schema, depth: depth)
        knownKinds.updateValue(found, forKey: key)
        return found
    }

    private func findKinds(of schema: Element, depth: Int) -> Set<Kind>? {
        let view = reader.view(of: [schema])
        if let values = view.values ?? view.constant.map({ [$0] }), view.types.isEmpty {
            let kinds = values.filter { !$0.isNull }.map { value -> Kind? in
                switch value.scalarKind {
                case .text?: .string
                case .whole?: .integer
                case .fraction?: .number
                case .bool?: .bool
                case .null?, nil: nil
                }
            }
            return kinds.isEmpty || kinds.contains(nil) ? nil : Set(kinds.compactMap { $0 })
        }
        let words = view.types.compactMap { Self.names[$0] }
        if !view.types.isEmpty { return words.count == view.types.count ? Set(words) : nil }
        if view.isObject { return [.object] }
        if !view.items.isEmpty { return [.array] }
        guard view.alternatives.count == 1 else { return nil }
        var all: Set<Kind> = []
        for member in view.alternatives[0].members where !reader.isNullOnly(member) {
            guard let kinds = kinds(of: member, depth: depth + 1) else { return nil }
            all.formUnion(kinds)
        }
        return all.isEmpty ? nil : all
    }

    /// The type for alternatives of one kind.
    private func one(of members: [Element], _ kind: Kind, _ view: SchemaView, at place: TypePlace) -> TypeUse {
        guard members.count > 1 else {
            return use(of: members, as: place.origin, place.direction, depth: place.depth)
        }
        guard place.depth < 28 else { return lost("the schemas are nested too deeply here", place.schema) }
        func one(of members: [Element]) -> TypeUse? {
            var all = SchemaView()
            all.alternatives = [(view.alternatives[0].keyword, members)]
            if kind == .object { all.discriminator = view.discriminator }
            return alternatives(all, at: place)
        }
        guard kind == .array else { return one(of: members) ?? TypeUse(type: .word("json")) }
        let items = members.map { reader.view(of: [$0]).items }
        guard items.allSatisfy({ $0.count == 1 }), let element = one(of: items.flatMap { $0 }) else {
            return loseAlternatives(members.count, at: place.schema)
        }
        findings.add(
            .openAPIConstraintLost,
            "the lists of the alternatives become one list, whose elements can be those of any of them",
            at: place.schema)
        return TypeUse(type: .list(element.isNullable ? .optional(element.type) : element.type))
    }

    // MARK: Cases

    /// Ends a union by kinds. A case has no constraints.
    private func kinds(_ cases: [(Kind, TypeUse)], _ entry: PlannedTypeEntry, at place: Element) -> TypeUse {
        let cases = cases.map { kind, use in
            // The enum of a number is one of integers.
            (kind, kind == .number ? use : withConstantType(use, as: .part(of: entry.number, kind.rawValue), at: place))
        }
        for (kind, use) in cases {
            var constant: String?
            if case .word = use.type { constant = use.constant?.spelling?.text }
            guard constant != nil || !use.constraints.saysNothing else { continue }
            findings.add(
                .openAPIConstraintLost,
                "\(constant.map { "the constant `\($0)` is" } ?? "the bounds are") left out in the case `\(kind.rawValue)` of the union",
                at: place)
        }
        entry.form = .union(
            .kind,
            cases: cases.sorted { $0.0.order < $1.0.order }.map { kind, use in
                // What makes it `json` is reported.
                (kind.rawValue, use.type == .word("json") ? kind.anyType : use.type.withoutFile)
            })
        unionPlaces[entry.number] = place
        return TypeUse(type: .named(entry.number), isNullable: cases.contains { $0.1.isNullable })
    }
}

extension UnionDefinition.Kind {
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The type of all values of this kind.
    var anyType: PlannedType {
        switch self {
        case .string: .word("string")
        case .integer: .word("int")
        case .number: .word("double")
        case .bool: .word("bool")
        case .array: .list(.word("json"))
        case .object: .map(.word("json"))
        }
    }
}
