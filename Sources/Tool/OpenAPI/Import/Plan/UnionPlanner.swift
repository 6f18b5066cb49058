import ContractModel

// Schemas with alternatives.
extension TypePlanner {
    /// The type for `oneOf` and `anyOf`; `nil` if they add nothing to the schema itself.
    func alternatives(_ view: SchemaView, at place: TypePlace) -> TypeUse? {
        let members = view.alternatives[0].members.filter { !reader.isNullOnly($0) }
        guard view.alternatives.count == 1 else {
            return lost("a contract cannot have several groups of alternatives in one type", place.schema)
        }
        if members.isEmpty { return TypeUse(type: .word("json")) }
        // `{enum: [1, 2], allOf: [{oneOf: [{const: 1, title: ONE}, …]}]}`: some of the values of another enum.
        if view.properties.isEmpty, let values = view.values ?? view.constant.map({ [$0] }) {
            return narrowed(to: values, members, view, at: place)
        }
        // The alternatives only say which properties go together.
        if !view.properties.isEmpty || view.isObject, members.allSatisfy({ isRequirement($0, of: view) }) {
            findings.add(
                .openAPIConstraintLost,
                "a contract cannot declare which properties go together (`\(view.alternatives[0].keyword.name)`)",
                at: view.alternatives[0].keyword)
            view.alternatives[0].keyword.settle()
            return nil
        }
        // `{properties: {kind}, oneOf: [Cat, Dog], discriminator: kind}`: each alternative repeats the properties of the schema
        // itself.
        let isRepeated =
            view.discriminator != nil && !members.isEmpty
            && members.allSatisfy { member in
                let inner = reader.view(of: [member])
                return view.properties.allSatisfy { inner.property($0.name) != nil }
            }
        guard view.properties.isEmpty || isRepeated, view.values == nil else {
            if let both = flattened(members, view) { return structure(of: both, members, at: place) }
            return lost("a contract cannot have alternatives beside properties", place.schema)
        }
        for (_, schemas) in view.properties { for schema in schemas { schema.settle() } }
        if let discriminator = view.discriminator, members.count > 0, members.allSatisfy({ isObject($0) }) {
            return union(discriminator, members, at: place)
        }
        if members.count > 1, let (key, isNumber, values) = constantKey(members) {
            let cases = zip(values, members).flatMap { values, member in values.map { ($0, member) } }
            return union(.value(of: key, isNumber: isNumber), cases, at: place)
        }
        if members.count > 1, let keys = ownKeys(members) {
            return union(.key, Array(zip(keys, members)), at: place)
        }
        if let both = flattened(members, view) { return structure(of: both, members, at: place) }
        return simple(members, view, at: place)
    }

    /// Whether an alternative only says which of the schema's own properties are present.
    private func isRequirement(_ schema: Element, of view: SchemaView) -> Bool {
        schema.isMapping && !schema.isReference
            && schema.entries.allSatisfy { name, value in
                if name == "properties" { return value.entries.allSatisfy { view.property($0.name) != nil } }
                return ["required", "title", "description", "not"].contains(name)
                    || name == "type" && value.text == "object"
            }
    }

    // MARK: One structure of several

    private static let mostFlattened = 4

    /// A view with the properties of all alternatives, for alternatives that nothing distinguishes; `nil` if two of them
    /// disagree about a property. A property is required if every alternative requires it.
    private func flattened(_ members: [Element], _ view: SchemaView) -> SchemaView? {
        guard (2...Self.mostFlattened).contains(members.count), view.additional.isEmpty, view.values == nil else {
            return nil
        }
        let views = members.map { reader.view(of: [$0]) }
        guard
            views.allSatisfy({ member in
                !member.properties.isEmpty && member.alternatives.isEmpty && member.additional.isEmpty
                    && (member.types.isEmpty || member.types == ["object"])
            })
        else { return nil }
        var whole = view
        whole.alternatives = []
        whole.bounds = [:]
        var said: [String: String] = [:]
        for (name, schemas) in view.properties { said[name] = text(of: schemas) }
        for member in views {
            for (name, schemas) in member.properties {
                let text = text(of: schemas)
                if let known = said[name] {
                    guard known == text else { return nil }
                    for schema in schemas { schema.settle() }
                } else {
                    said[name] = text
                    for schema in schemas { whole.add(property: name, schema) }
                }
            }
        }
        let common = views.dropFirst().reduce(views[0].required) { $0.intersection($1.required) }
        whole.required.formUnion(common)
        return whole
    }

    private func text(of schemas: [Element]) -> String {
        schemas.map { fingerprint($0, depth: 0) }.joined(separator: "&")
    }

    private func structure(of whole: SchemaView, _ members: [Element], at place: TypePlace) -> TypeUse {
        findings.add(
            .openAPIUnionLost,
            "its \(members.count) alternatives become one structure with all fields, and the client does not check which of them go together",
            at: place.schema)
        return object(whole, at: place, given: whole)
    }

    private func isObject(_ schema: Element) -> Bool {
        let view = reader.view(of: [schema])
        return !view.properties.isEmpty && view.alternatives.isEmpty
    }

    /// The type for alternatives that share one type: equal schemas, texts, or numbers.
    private func simple(_ members: [Element], _ view: SchemaView, at place: TypePlace) -> TypeUse {
        if members.count == 1 {
            return use(of: [members[0]], as: place.origin, place.direction, depth: place.depth + 1)
        }
        let views = members.map { reader.view(of: [$0]) }
        if let use = constants(views, view, at: place) { return use }
        let kinds = Set(
            views.map { view in
                let isText = view.values != nil || view.constant?.scalarKind == .text
                return view.types.first ?? (isText ? "string" : "")
            })
        if kinds == ["string"], views.allSatisfy({ $0.types.count < 2 && $0.alternatives.isEmpty }) {
            if views.allSatisfy({ $0.values != nil }) {
                var all = SchemaView()
                all.types = ["string"]
                return enumeration(views.flatMap { $0.values ?? [] }, all, at: place)
            }
            let formats = Set(views.map { $0.format?.text ?? "" })
            if views.allSatisfy({ $0.values == nil && $0.constant == nil && $0.bounds.isEmpty }) {
                if formats.count == 1 { return scalar("string", views[0], place.schema) }
                if formats == ["date", "date-time"] { return TypeUse(type: .word("dateOrTimestamp")) }
            }
            // Beside any text, known texts are examples.
            let isOpen = views.contains {
                $0.values == nil && $0.constant == nil && $0.format == nil && $0.bounds.isEmpty
            }
            findings.add(
                .openAPIConstraintLost,
                isOpen
                    ? "any text is allowed beside those with a format or a known value, so the type is `string`"
                    : "texts with several formats become a `string`",
                at: place.schema)
            return TypeUse(type: .word("string"))
        }
        if kinds == ["integer", "number"] || kinds == ["number"] || kinds == ["integer"] {
            for view in views { loseBounds(view, except: [], "an alternative") }
            return TypeUse(type: .word(kinds == ["integer"] ? "int" : "double"))
        }
        if kinds == ["boolean"] { return TypeUse(type: .word("bool")) }
        let references = members.compactMap { $0["$ref"]?.text }
        if references.count == members.count, Set(references).count == 1 {
            return use(of: [members[0]], as: place.origin, place.direction, depth: place.depth + 1)
        }
        return self.kinds(of: members, view, at: place) ?? loseAlternatives(members.count, at: place.schema)
    }

    @discardableResult func loseAlternatives(_ count: Int, at place: Element) -> TypeUse {
        lost("a value does not tell which of the \(count) alternatives it is", place)
    }

    // MARK: Unions

    /// Whether a value tells which of several objects it is, without a discriminator.
    func unionTellsApart(_ members: [Element]) -> Bool { constantKey(members) != nil || ownKeys(members) != nil }

    /// A key that all members require and that has different constants in each member, with these constants; `nil` without such
    /// a key.
    private func constantKey(_ members: [Element]) -> (key: String, isNumber: Bool, values: [[String]])? {
        let views = members.map { reader.view(of: [$0]) }
        guard views.allSatisfy({ !$0.properties.isEmpty && $0.alternatives.isEmpty }) else { return nil }
        for (key, _) in views[0].properties where views.allSatisfy({ $0.required.contains(key) }) {
            for isNumber in [false, true] {
                let values = views.compactMap { view in
                    view.property(key).flatMap { constants($0, isNumber: isNumber) }
                }
                let all = values.flatMap { $0 }
                if values.count == members.count, Set(all).count == all.count { return (key, isNumber, values) }
            }
        }
        return nil
    }

    /// For each member, the first key that is present in all of its values and that no other member has; `nil` if a member
    /// lacks such a key.
    private func ownKeys(_ members: [Element]) -> [String]? {
        let views = members.map { reader.view(of: [$0]) }
        guard
            views.allSatisfy({ view in
                !view.properties.isEmpty && view.alternatives.isEmpty && view.discriminator == nil
                    && (view.types.isEmpty || view.types == ["object"])
            })
        else { return nil }
        var counts: [String: Int] = [:]
        for view in views { for (name, _) in view.properties { counts[name, default: 0] += 1 } }
        let keys = views.compactMap { view in
            view.properties.first { name, schemas in
                counts[name] == 1 && view.required.contains(name) && isAlwaysThere(schemas)
            }?.name
        }
        return keys.count == members.count ? keys : nil
    }

    /// Whether a required property always has a value, both in requests and in responses.
    func isAlwaysThere(_ schemas: [Element]) -> Bool {
        guard schemas.allSatisfy(\.isMapping), !schemas.contains(where: { reader.isNullable($0) }) else { return false }
        let view = reader.view(of: schemas)
        return !view.isReadOnly && !view.isWriteOnly && view.defaultValue == nil
            && constant(schemas, isNumber: false) == nil
    }

    /// The only texts or integers that a value may have; `nil` if other values are possible.
    private func constants(_ schemas: [Element], isNumber: Bool) -> [String]? {
        if let value = constant(schemas, isNumber: isNumber) { return [value] }
        let view = reader.view(of: schemas)
        guard view.types == [isNumber ? "integer" : "string"], !schemas.contains(where: { reader.isNullable($0) }),
            let texts = view.values?.map(\.text), !texts.isEmpty, texts.count <= 20, !texts.contains(nil)
        else { return nil }
        return texts.compactMap { $0 }
    }

    private func constant(_ schemas: [Element], isNumber: Bool) -> String? {
        guard let value = reader.view(of: schemas).onlyValue, value.scalarKind == (isNumber ? .whole : .text) else {
            return nil
        }
        return isNumber ? value.text.flatMap(Self.wholeNumber) : value.text
    }

    /// A number as the cases of a contract have it; `nil` for any other text.
    private static func wholeNumber(_ text: String) -> String? { Int64(text).map(String.init) }

    /// A union with a discriminator from the document.
    func union(_ discriminator: Element?, _ members: [Element], base: Element? = nil, at place: TypePlace) -> TypeUse {
        discriminator?["propertyName"]?.note(.read)
        guard let key = Self.key(of: discriminator) else {
            return lost("the discriminator has no `propertyName`", place.schema)
        }
        let family = family(discriminator, members, base, by: key)
        let all = family.members.map(\.schema) + [family.other].compactMap { $0 }
        let isNumeric = all.contains { member in
            reader.view(of: [member]).property(key).map { reader.view(of: $0).types == ["integer"] } == true
        }
        for (_, target) in discriminator?["mapping"]?.entries ?? [] {
            guard let schema = mapped(target) else { continue }
            if all.contains(where: { (documents.followed($0) ?? $0).key == schema.key }) { target.note(.read) }
        }
        var cases: [(String, Element)] = []
        for member in family.members {
            let target = documents.followed(member.schema) ?? member.schema
            let found =
                family.values[target.key] ?? constantOf(key, target, isNumber: isNumeric).map { [$0] }
                ?? (member.schema.isReference || member.isNamed ? [target.name] : [])
            let known = isNumeric ? found.compactMap(Self.wholeNumber) : found.filter { $0 != UnionDefinition.others }
            if known.isEmpty {
                findings.add(
                    .openAPIUnionLost, "the document has no value of `\(key)` for this alternative, so it is left out",
                    at: member.schema)
            } else if known.count < found.count {
                findings.add(
                    .openAPIUnionLost, "a value of the mapping is left out, because `\(key)` cannot have it",
                    at: discriminator?["mapping"] ?? member.schema)
            }
            cases += known.map { ($0, member.schema) }
        }
        if let other = family.other { cases.append((UnionDefinition.others, other)) }
        guard !cases.isEmpty else { return lost("the union has no cases", place.schema) }
        return union(.value(of: key, isNumber: isNumeric), cases, at: place, family)
    }

    /// Reports the entries of a discriminator's mapping that are no cases of the type.
    func reportLostCases(of mapping: Element, at place: TypePlace) {
        for (value, target) in mapping.entries where target.mark.isDisjoint(with: [.read, .reported]) {
            guard let schema = mapped(target) else {
                target.settle()
                continue
            }
            if schema.key == place.schema.key {
                target.note(.read)
            } else {
                findings.add(.openAPIUnionLost, "`\(value)` of the discriminator is no case of the type", at: target)
            }
        }
    }

    private func constantOf(_ key: String, _ schema: Element, isNumber: Bool) -> String? {
        reader.view(of: [schema]).property(key).flatMap { constant($0, isNumber: isNumber) }
    }

    func loseCase(_ value: String, _ reason: String, _ place: Element) {
        findings.add(.openAPIUnionLost, "the case `\(value)` is left out, because \(reason)", at: place)
    }

    private func union(
        _ distinction: PlannedTypeEntry.Distinction, _ cases: [(value: String, schema: Element)], at place: TypePlace,
        _ family: UnionFamily? = nil
    ) -> TypeUse {
        let entry = entry(at: place)
        var planned: [(value: String, type: PlannedType)] = []
        let named = family?.named ?? []
        count(cases.count)
        var seen = Set<String>()
        for (value, schema) in cases {
            guard !seen.contains(value) else {
                loseCase(value, "another schema has the same value", schema)
                continue
            }
            guard canBeCase(value, beside: planned.map(\.value), of: distinction) else {
                loseCase(value, "no case of a union can have this name", schema)
                continue
            }
            let target = documents.followed(schema) ?? schema
            let type: PlannedType
            if family != nil, case .value(let key, _) = distinction,
                let own = ownStructure(target, by: key, place.direction)
            {
                type = own
            } else if schema.isReference || named.contains(target.key) {
                type = component(target, place.direction).type
            } else {
                type = use(of: [schema], as: .part(of: entry.number, NameText.typeName(value)), place.direction).type
            }
            guard case .named(let number) = type else {
                loseCase(value, "it is not an object with properties", schema)
                continue
            }
            if family != nil, value == UnionDefinition.others { unionValues[number] = family?.otherValue }
            planned.append((value, type))
            seen.insert(value)
        }
        let others = family?.other == nil ? 0 : planned.count { $0.value == UnionDefinition.others }
        guard planned.count > (distinction == .key ? cases.count - 1 : others) else {
            if others > 0, let other = planned.first { return TypeUse(type: other.type) }
            return lost("the union has no cases", place.schema)
        }
        entry.form = .union(distinction, cases: planned)
        unionPlaces[entry.number] = place.schema
        return TypeUse(type: .named(entry.number))
    }

    /// Whether Swift can have a case for a value. The cases of numbers have other names than their values.
    private func canBeCase(
        _ value: String, beside others: [String], of distinction: PlannedTypeEntry.Distinction
    ) -> Bool {
        if case .value(_, isNumber: true) = distinction { return true }
        let name = NameText.folded(value)
        return !value.isEmpty && !SwiftWords.cases.contains(name) && !others.contains { NameText.folded($0) == name }
    }

    // MARK: Direction

    /// Whether a schema has parts, at any depth, that are only sent or only received.
    func isDirected(_ schema: Element) -> Bool {
        if let known = directed[schema.key] { return known }
        var order: [ElementKey] = []
        var links: [ElementKey: [ElementKey]] = [:]
        var marked = Set<ElementKey>()
        var pending = [schema]
        var seen: Set<ElementKey> = [schema.key]
        while let next = pending.popLast() {
            order.append(next.key)
            if let known = directed[next.key] {
                if known { marked.insert(next.key) }
                continue
            }
            var nodes = [next]
            while let node = nodes.popLast() {
                for (name, value) in node.entries where !name.hasPrefix("x-") {
                    switch name {
                    case "readOnly", "writeOnly": if value.text == "true" { marked.insert(next.key) }
                    case "$ref":
                        guard let target = documents.followed(node) else { continue }
                        links[target.key, default: []].append(next.key)
                        if seen.insert(target.key).inserted { pending.append(target) }
                    case "properties", "patternProperties": nodes += value.entries.map(\.value)
                    case "items", "additionalProperties": nodes.append(value)
                    case "allOf", "oneOf", "anyOf": nodes += value.items
                    default: break
                    }
                }
            }
        }
        var spreading = Array(marked)
        while let next = spreading.popLast() {
            for user in links[next] ?? [] where marked.insert(user).inserted { spreading.append(user) }
        }
        for key in order { directed[key] = marked.contains(key) }
        return directed[schema.key] ?? false
    }
}
