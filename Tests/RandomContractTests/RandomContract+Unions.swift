import ContractModel

// Unions and their cases.
extension RandomContract {
    /// Declares structures that only this union has as cases, for some unions.
    mutating func declareCases(of union: String) {
        switch random.below(6) {
        case 0, 1: declareKeyCases(of: union)
        case 2: declareInnerCases(of: union)
        case 3: declareOtherCase(of: union)
        default: break
        }
    }

    /// Structures. Each has a key that the others don't have.
    private mutating func declareKeyCases(of union: String) {
        let keys = names(1 + random.below(3), NastyNames.plainValues, NastyNames.values)
        for key in keys {
            let name = "\(union)Case\(next())"
            guard !types.contains(where: { $0.name == name }) else { continue }
            var fields: [ContractNode.Entry] = [
                .init(key: key, value: .text(random.pick(["string", "int", "[string]", "[string: bool]"])))
            ]
            if random.happens(500) {
                fields.append(.init(key: "also\(next())", value: .text(random.pick(["string?", "date", "[int]?"]))))
            }
            grants[name] = .mapping([.init(key: "fields", value: .mapping(fields))])
            types.append(Declaration(name: name, kind: .structure))
            keyUnions[union, default: []].append((key, name))
        }
    }

    /// A structure for all objects that no other case has, and one with a case of its own.
    private mutating func declareOtherCase(of union: String) {
        let names = (known: "\(union)Known\(next())", other: "\(union)Other\(next())")
        guard !types.contains(where: { $0.name == names.known || $0.name == names.other }) else { return }
        let key = random.pick(["string", "string?"])
        grants[names.known] = .mapping(["fields": .mapping(["known": .text(random.pick(["int", "[bool]?"]))])])
        grants[names.other] = .mapping(["fields": .mapping(["also": .text("date?"), "the key": .text(key)])])
        for name in [names.known, names.other] { types.append(Declaration(name: name, kind: .structure)) }
        otherUnions[union] = names
    }

    /// A union that is the case of this one. Its structures have the key of the outer union.
    private mutating func declareInnerCases(of union: String) {
        let inner = "\(union)Inner\(next())"
        let structure = "\(inner)Case\(next())"
        guard !types.contains(where: { $0.name == inner || $0.name == structure }) else { return }
        grants[structure] = .mapping([
            "fields": .mapping(["outer": .text("string"), "also": .text(random.pick(["int", "date?", "[bool]"]))])
        ])
        grants[inner] = .mapping([
            "union": .mapping(["by": .text("inner"), "cases": .mapping(["first": .text(structure)])])
        ])
        types.append(Declaration(name: structure, kind: .structure))
        types.append(Declaration(name: inner, kind: .union))
        innerUnions[union] = inner
    }

    mutating func union(_ index: Int) -> ContractNode {
        let structures = types.indices.filter {
            types[$0].isStructure && ($0 < index || types[$0].isImported)
        }.map { types[$0].name }
        if let own = keyUnions[types[index].name] {
            note(LanguageKeys.union, ["keys"])
            return .mapping(["keys": .mapping(own.map { .init(key: $0.key, value: .text($0.type)) })])
        }
        if let inner = innerUnions[types[index].name] {
            note(LanguageKeys.union, ["by", "cases"])
            return .mapping(["by": .text("outer"), "cases": .mapping(["inner": .text(inner)])])
        }
        if let own = otherUnions[types[index].name] {
            note(LanguageKeys.union, ["by", "cases"])
            let cases: ContractNode = .mapping(["known": .text(own.known), "*": .text(own.other)])
            return .mapping(["by": .text("the key"), "cases": cases])
        }
        switch random.below(5) {
        case 0, 1: return .mapping(["kinds": kinds(structures)])
        case 2:
            note(LanguageKeys.union, ["by", "type", "cases"])
            let numbers = [0, -3, 9_223_372_036_854_775_807].prefix(1 + random.below(3))
            return .mapping([
                "by": .text(random.pick(["number", "no field has \"it\""])), "type": .text("int"),
                "cases": .mapping(
                    numbers.map {
                        .init(
                            key: String($0),
                            value: .text(structures.isEmpty ? types[index].name : random.pick(structures)))
                    }),
            ])
        default: break
        }
        let cases = names(1 + random.below(3), NastyNames.plainValues, NastyNames.values)
        note(LanguageKeys.union, ["by", "cases"])
        return .mapping([
            "by": .text(random.pick(["kind", "type", "let", "\\(x)", "a b"])),
            "cases": .mapping(
                cases.map { name in
                    .init(key: name, value: .text(structures.isEmpty ? types[index].name : random.pick(structures)))
                }),
        ])
    }

    private mutating func kinds(_ structures: [String]) -> ContractNode {
        note(LanguageKeys.union, ["kinds"])
        var kinds = UnionDefinition.Kind.allCases.filter { _ in random.happens(500) }
        if kinds.isEmpty { kinds = [.string] }
        note(LanguageKeys.kinds, kinds.map(\.rawValue))
        return .mapping(
            kinds.map { kind in
                let type: String =
                    switch kind {
                    case .string: random.pick(["string", "uuid", "date", "url", "timestamp", "bytes"])
                    case .integer: random.pick(["int", "int64", "uint"])
                    case .number where kinds.contains(.integer): random.pick(["double", "float", "decimal"])
                    case .number: random.pick(["double", "float", "decimal", "timestamp(unix)"])
                    case .bool: "bool"
                    case .array:
                        random.pick(["[int?]", "[json]", "[[string]]"] + structures.prefix(2).map { "[\($0)]" })
                    case .object: random.pick(["[string: bool]", "[string: [date]]"] + structures)
                    }
                return .init(key: kind.rawValue, value: .text(type))
            })
    }
}
