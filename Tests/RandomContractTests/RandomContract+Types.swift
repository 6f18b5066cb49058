import ContractModel

// Types, fields and their options.
extension RandomContract {
    /// Names types before any of them is written, so that each type may refer to every other.
    mutating func declareTypes(_ count: Int) {
        let nasty = random.happens(40) ? NastyNames.refusedTypes : NastyNames.types
        for name in names(count, NastyNames.plainTypes, nasty, unlike: Set(types.map(\.name))) {
            let kind: Kind
            switch random.below(10) {
            case 0, 1:
                kind = .enumeration(
                    names(1 + random.below(4), NastyNames.plainValues, NastyNames.values, unlike: ["unrecognized"]))
            case 2: kind = types.contains { $0.isStructure && !$0.isImported } ? .union : .structure
            case 3, 4: kind = .alias(aliasTarget())
            default: kind = .structure
            }
            types.append(Declaration(name: name, kind: kind))
            if case .union = kind { declareCases(of: name) }
        }
    }

    mutating func typeSection() -> ContractNode {
        .mapping(
            types.indices.filter { !types[$0].isImported }.map {
                .init(key: types[$0].name, value: definition($0))
            })
    }

    private mutating func definition(_ index: Int) -> ContractNode {
        if let grant = grants[types[index].name] { return grant }
        let form: String
        var constraints: [String] = []
        switch types[index].kind {
        case .structure: form = "fields"
        case .enumeration: form = "enum"
        case .union: form = "union"
        case .alias(let target):
            form = "alias"
            constraints = self.constraints(for: target)
        }
        if form == "fields", random.happens(500) { return fields(.payload, random.below(6), of: index) }
        let additions: Set<String> = ["doc", "deprecated", "swift"]
        // Such a structure cannot be in a form, and not every one can be a case of a union.
        let hasOthers = form == "fields" && random.happens(300)
        let keys = keys(of: LanguageKeys.type, share: 300, mistakes: 1) {
            $0 == form || additions.contains($0) || constraints.contains($0) || form == "enum" && $0 == "closed"
                || hasOthers && $0 == "additionalProperties"
        }
        return .mapping(keys.map { .init(key: $0, value: value(ofType: $0, index)) })
    }

    private mutating func value(ofType key: String, _ index: Int) -> ContractNode {
        switch (key, types[index].kind) {
        case ("fields", .structure): return fields(.payload, random.below(6), of: index)
        case ("additionalProperties", .structure): return .text(text(model(.payload, below: index)))
        case ("enum", .enumeration(let cases)): return enumeration(cases)
        case ("union", _): return union(index)
        case ("alias", .alias(let target)): return .text(text(target))
        case ("swift", _): return .text("Renamed\(next())")
        case (_, .alias(let target)): return constraint(key, for: target) ?? value(key, of: LanguageKeys.type)
        default: return value(key, of: LanguageKeys.type)
        }
    }

    private mutating func enumeration(_ cases: [String]) -> ContractNode {
        // A case may have another value, which is never written.
        func values(_ first: ContractNode, _ other: ContractNode) -> ContractNode {
            random.happens(250) ? .list([first, other]) : first
        }
        switch random.below(3) {
        case 0: return .list(cases.map { .text($0) })
        case 1:
            var number = random.pick([0, -1, 9_223_372_036_854_775_800, -9_223_372_036_854_775_808])
            return .mapping(
                cases.map { name in
                    number += 1
                    let other = ContractNode.word(String(number &- 1_000))
                    return .init(key: name, value: values(.word(String(number)), other))
                })
        default:
            return .mapping(
                cases.map { name in
                    let first = ContractNode.text(name + random.pick(["", "\\(x)", "\""]))
                    return .init(key: name, value: values(first, .text(name + " once")))
                })
        }
    }

    // MARK: Types by name

    static let scalars = Primitive.allCases.map(\.spelling).filter { $0 != "file" }

    private mutating func aliasTarget() -> Model {
        switch random.below(6) {
        case 0: .list(.scalar(random.pick(Self.scalars)))
        case 1: .map(.scalar(random.pick(Self.scalars)))
        case 2 where !types.isEmpty: .named(random.below(types.count))
        default: .scalar(random.pick(Self.scalars))
        }
    }

    /// A type that is valid in a place. A structure contains itself mostly through optionals and lists.
    mutating func model(_ place: Place, below owner: Int?) -> Model {
        switch place {
        case .header: random.happens(300) ? .optional(scalar()) : scalar()
        case .path: random.happens(150) ? .list(scalar()) : scalar()
        case .form where random.happens(300):
            switch random.below(3) {
            case 0: .map(scalar())
            case 1: .optional(.map(.list(scalar())))
            default: .list(.map(scalar()))
            }
        case .query, .form:
            switch random.below(4) {
            case 0: .list(scalar())
            case 1: .optional(scalar())
            default: scalar()
            }
        case .multipart where random.happens(300):
            random.pick([.scalar("file"), .list(.scalar("file")), .optional(.list(.scalar("file")))])
        case .payload, .multipart: anything(below: owner, depth: 0)
        }
    }

    private mutating func anything(below owner: Int?, depth: Int) -> Model {
        switch random.below(depth > 2 ? 6 : 12) {
        case 0...3: return .scalar(random.pick(Self.scalars))
        case 4, 5:
            let allowed = owner.map { types.indices.prefix($0) } ?? types.indices[...]
            return allowed.isEmpty ? .scalar("string") : .named(random.pick(Array(allowed)))
        case 6:
            return types.isEmpty || random.happens(500)
                ? .optional(anything(below: owner, depth: depth + 1)) : .optional(.named(random.below(types.count)))
        case 7: return .optional(anything(below: owner, depth: depth + 1))
        case 8, 9: return .list(anything(below: nil, depth: depth + 1))
        default: return .map(anything(below: nil, depth: depth + 1))
        }
    }

    /// A type with one text form.
    private mutating func scalar() -> Model {
        let enums = types.indices.filter { isScalar(.named($0)) }
        if !enums.isEmpty, random.happens(300) { return .named(random.pick(enums)) }
        return .scalar(random.pick(Self.scalars.filter { $0 != "json" }))
    }

    func isScalar(_ model: Model) -> Bool {
        switch expanded(model) {
        case .scalar(let name): name != "json" && name != "file"
        case .named(let index): if case .enumeration = types[index].kind { true } else { false }
        case .optional, .list, .map: false
        }
    }

    /// Without aliases on the outside.
    func expanded(_ model: Model) -> Model {
        if case .named(let index) = model, case .alias(let target) = types[index].kind { return expanded(target) }
        return model
    }

    func unwrapped(_ model: Model) -> Model {
        if case .optional(let inner) = model { return unwrapped(inner) }
        return expanded(model)
    }

    func text(_ model: Model) -> String {
        switch model {
        case .scalar(let name): name
        case .named(let index): types[index].name
        case .optional(.optional(let inner)): text(.optional(inner))
        case .optional(let inner): text(inner) + "?"
        case .list(let inner): "[\(text(inner))]"
        case .map(let inner): "[string: \(text(inner))]"
        }
    }

    // MARK: Fields

    /// Fields with names of their own; `taken` are names that others of the same scope have.
    mutating func fields(
        _ place: Place, _ count: Int, of owner: Int? = nil, taken: inout Set<String>
    ) -> ContractNode {
        let names = names(count, NastyNames.plainValues, NastyNames.values, unlike: taken)
        taken.formUnion(names)
        return .mapping(
            names.map { name in
                var name = name
                if place == .header { name = "X-" + Self.folded(name).filter(\.isASCII) + String(next()) }
                return .init(key: name, value: field(place, below: owner))
            })
    }

    mutating func fields(_ place: Place, _ count: Int, of owner: Int? = nil) -> ContractNode {
        var taken: Set<String> = []
        return fields(place, count, of: owner, taken: &taken)
    }

    mutating func field(_ place: Place, below owner: Int?) -> ContractNode {
        let type = model(place, below: owner)
        let fitting = Set(options(for: type, place))
        if isFile(type), random.happens(500) {
            note(LanguageKeys.field, ["type", "contentType"])
            return .mapping(["type": .text(text(type)), "contentType": .text("image/jpeg")])
        }
        if place == .payload, random.happens(40) { return inline(below: owner) }
        if random.happens(500) { return .text(text(type)) }
        var keys = keys(of: LanguageKeys.field, share: 200) { fitting.contains($0) }
        if keys.contains("nullable") { keys.removeAll { $0 == "lenient" } }
        // Defaults and examples that satisfy a constraint are tested elsewhere.
        if keys.contains("default") || keys.contains("example") {
            keys.removeAll { ["range", "length", "pattern", "items", "nullable"].contains($0) }
        }
        return .mapping(
            keys.map { key in
                switch key {
                case "type": .init(key: key, value: .text(text(type)))
                case "default", "example": .init(key: key, value: defaultValue(of: type) ?? .text("x"))
                case "wire":
                    .init(key: key, value: .text(place == .header ? "X-Wire-\(next())" : wireName()))
                case "contentType": .init(key: key, value: .text(contentType(of: type)))
                default: .init(key: key, value: constraint(key, for: type) ?? value(key, of: LanguageKeys.field))
                }
            })
    }

    /// A structure inside a field.
    private mutating func inline(below owner: Int?) -> ContractNode {
        note(LanguageKeys.field, ["fields"])
        var entries: [ContractNode.Entry] = []
        if random.happens(600) {
            entries.append(
                .init(key: "type", value: .text(random.pick(["fields", "fields?", "[fields]", "[string: fields]?"]))))
        }
        entries.append(.init(key: "fields", value: fields(.payload, 1 + random.below(3), of: owner)))
        return .mapping(entries)
    }

    mutating func wireName() -> String {
        random.pick(["wire", "a b", "\"", "\\(x)", "let", "é", "a.b", "", "#", "\u{1F600}"]) + String(next())
    }

    private mutating func options(for type: Model, _ place: Place) -> [String] {
        var names = ["doc", "deprecated", "sensitive", "swift"]
        if place != .path { names.append("wire") }
        let inner = unwrapped(type)
        names += constraints(for: inner)
        let isOptional = if case .optional = type { true } else { false }
        // An alias may have a format of its own.
        if isAlias(type) { names.removeAll { $0 == "format" || $0 == "zone" } }
        if place != .path, hasDefault(inner) { names += isOptional ? ["example"] : ["default", "example"] }
        guard place == .payload else {
            if place == .multipart, !isBase64(inner) { names.append("contentType") }
            if place == .query || place == .form, case .list(let element) = inner, isScalar(unwrapped(element)) {
                names.append("joined")
            }
            return names
        }
        if isOptional { names.append("nullable") }
        if canCoerce(inner) || isOptional && isScalar(inner) { names.append("coerce") }
        // Types with such fields cannot be the data of errors or inputs of keyed commands, so only some have one.
        if random.happens(300), mayBeLenient(inner, isOptional) { names.append("lenient") }
        switch inner {
        case .list: names += ["skipInvalid", "single"]
        case .map: names.append("skipInvalid")
        default: break
        }
        return names
    }

    private func isFile(_ type: Model) -> Bool {
        switch type {
        case .scalar("file"), .list(.scalar("file")), .optional(.list(.scalar("file"))): true
        default: false
        }
    }

    private func isBase64(_ type: Model) -> Bool {
        if case .scalar("bytes") = type { true } else { false }
    }

    /// A media type that a part of a multipart body can have: any for a text, and one of JSON for the rest.
    private mutating func contentType(of type: Model) -> String {
        let json = ["application/json", "application/vnd.part+json; v=1"]
        return isFile(type) || isScalar(unwrapped(type)) ? random.pick(["text/x-part"] + json) : random.pick(json)
    }

    private func mayBeLenient(_ type: Model, _ isOptional: Bool) -> Bool {
        switch type {
        case .list, .map: true
        default: isOptional && text(type) != "json"
        }
    }

    private func isAlias(_ type: Model) -> Bool {
        switch type {
        case .named: true
        case .optional(let inner): isAlias(inner)
        case .scalar, .list, .map: false
        }
    }

    private func canCoerce(_ type: Model) -> Bool {
        switch type {
        case .scalar(let name):
            name.hasPrefix("int") || ["uint", "double", "float", "decimal", "string", "bool"].contains(name)
                || name.hasPrefix("timestamp(")
        case .list(let inner), .map(let inner): canCoerce(unwrapped(inner))
        case .named, .optional: false
        }
    }

    private func hasDefault(_ type: Model) -> Bool {
        switch type {
        case .scalar(let name):
            name.hasPrefix("int") || ["uint", "double", "float", "decimal", "string", "bool"].contains(name)
        case .named(let index): if case .enumeration = types[index].kind { true } else { false }
        case .list, .map: true
        case .optional: false
        }
    }

    mutating func defaultValue(of type: Model) -> ContractNode? {
        switch unwrapped(type) {
        case .scalar("string"): .text(random.pick(NastyNames.texts + NastyNames.values))
        case .scalar("bool"): .word(random.pick(["true", "false"]))
        case .scalar("uint"): .word(random.pick(["0", "7", "18446744073709551615"]))
        case .scalar("int32"): .word(random.pick(["0", "-2147483648", "2147483647"]))
        case .scalar("int"), .scalar("int64"):
            .word(random.pick(["0", "-1", "9223372036854775807", "-9223372036854775808"]))
        case .scalar("float"), .scalar("double"):
            .word(
                random.pick([
                    "0", "-0.5", "0.1", "16777217", "16777216", "0.30000000000000004", "123456789012345678",
                    "1000000000000000000000000", "-0", "0.0000000000000000000000000001", "3.4028236",
                ]))
        case .scalar("decimal"):
            .word(
                random.pick([
                    "0", "-1.50", "0.1", "123456789012345678901234567890.123456", "-0.000000000000000000000000000001",
                    "9223372036854775808",
                ]))
        case .named(let index):
            if case .enumeration(let cases) = types[index].kind { .text(random.pick(cases)) } else { nil }
        case .list: .list([])
        case .map: .mapping([ContractNode.Entry]())
        default: nil
        }
    }

    // MARK: Constraints

    func constraints(for type: Model) -> [String] {
        switch unwrapped(type) {
        case .scalar("string"): ["length", "pattern"]
        case .scalar("bytes"): ["length"]
        case .scalar("timestamp"): ["format", "zone"]
        case .scalar(let name) where name.hasPrefix("int") || ["uint", "double", "float", "decimal"].contains(name):
            ["range"]
        case .list, .map: ["items"]
        default: []
        }
    }

    mutating func constraint(_ key: String, for type: Model) -> ContractNode? {
        switch key {
        case "format":
            if random.happens(300) {
                let forms = WireModel.oneInstant.map(\.format).filter { $0 != "milliseconds" }.shuffled(using: &random)
                return .list(forms.prefix(2 + random.below(3)).map { .text($0) })
            }
            return .text(random.pick(WireModel.instants.map(\.format) + ["EEE MMM dd HH:mm:ss Z yyyy"]))
        case "pattern": return .text(random.pick(["^[A-Z]{2}$", "a|b", "\\d+\"", "[^\\\\(]*", "\\u{1F600}?", "#\"*"]))
        case "range":
            guard case .scalar(let name) = unwrapped(type) else { return nil }
            switch name {
            case "uint": return .text(random.pick(["1..18446744073709551615", "0..5", "..7", "3"]))
            case "double", "float": return .text(random.pick(["-0.5..0.5", "16777217..", "..0.1", "-90..90", "0"]))
            case "decimal": return .text(random.pick(["0.01..", "-1.5..123456789012345678901234.5", "0"]))
            default: return .text(random.pick(["-5..5", "0..", "..-1", "7", "-2147483648..2147483647"]))
            }
        default: return nil
        }
    }
}

extension RandomContract.Declaration {
    var isStructure: Bool { if case .structure = kind { true } else { false } }
}
