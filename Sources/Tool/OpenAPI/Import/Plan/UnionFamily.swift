import ContractModel

/// The schemas that a value with a discriminator can have, and the values that name them.
struct UnionFamily {
    /// The schemas, each once. One that the family has by its name may be written in another place.
    var members: [(schema: Element, isNamed: Bool)] = []
    /// The values of the discriminator in the mapping, by the schemas that they name.
    var values: [ElementKey: [String]] = [:]
    /// The schema of a value whose discriminator names no other one, or is not there.
    var other: Element?
    /// The discriminator of that schema, unless the app sets another one.
    var otherValue: String?
    /// The schemas in it.
    var keys: Set<ElementKey> = []
    /// The schemas that it has by their names.
    var named: Set<ElementKey> {
        Set(members.filter(\.isNamed).map(\.schema.key) + [other?.key].compactMap { $0 })
    }
}

// Schemas that others extend with `allOf`, and those that a discriminator names.
extension TypePlanner {
    /// The key that a discriminator names. To ask for it is not to use the discriminator, which only a union of it does.
    static func key(of discriminator: Element?) -> String? {
        discriminator?.entries.first { $0.name == "propertyName" }?.value.text ?? discriminator?.text
    }

    /// The family of a schema with a discriminator that has alternatives, or that others extend.
    ///
    /// - Parameters:
    ///   - alternatives: the alternatives.
    ///   - base: the schema that others extend; nil for alternatives.
    func family(_ discriminator: Element?, _ alternatives: [Element], _ base: Element?, by key: String) -> UnionFamily {
        var family = UnionFamily()
        for schema in alternatives {
            add(schema, isNamed: false, to: &family)
            for next in descendants(of: documents.followed(schema) ?? schema, by: key) {
                add(next, isNamed: true, to: &family)
            }
        }
        if let base {
            for next in descendants(of: base, by: key) { add(next, isNamed: true, to: &family) }
            family.keys.insert(base.key)
        }
        addMapping(discriminator, to: &family, isClosed: base == nil)
        // A schema inside of the hierarchy may name those that extend it.
        for (schema, _) in family.members {
            let inner = documents.followed(schema)?["discriminator"]
            guard Self.key(of: inner) == key, inner?.key != discriminator?.key else { continue }
            let outer = family.values
            for (value, target) in inner?["mapping"]?.entries ?? [] {
                guard let target = mapped(target), outer[target.key] == nil else { continue }
                family.values[target.key, default: []].append(value)
            }
        }
        if let base { addBase(base, by: key, to: &family) }
        if let target = discriminator?["defaultMapping"] { setOther(target, by: key, of: &family) }
        return family
    }

    private func add(_ schema: Element, isNamed: Bool, to family: inout UnionFamily) {
        let target = documents.followed(schema) ?? schema
        if family.keys.insert(target.key).inserted { family.members.append((schema, isNamed)) }
    }

    /// Adds the values of a mapping, and the schemas that only the mapping names.
    ///
    /// - Parameter isClosed: whether a value has one of the schemas so far, or one that extends it.
    private func addMapping(_ discriminator: Element?, to family: inout UnionFamily, isClosed: Bool) {
        for (value, target) in discriminator?["mapping"]?.entries ?? [] {
            guard let schema = mapped(target) else {
                loseCase(value, "the document has no schema `\(target.text ?? "")`", target)
                continue
            }
            if !family.keys.contains(schema.key) {
                guard !isClosed || allAncestors(of: schema).contains(where: { family.keys.contains($0.key) }) else {
                    loseCase(value, "its schema is none of the alternatives", target)
                    continue
                }
                add(schema, isNamed: true, to: &family)
            }
            family.values[schema.key, default: []].append(value)
        }
    }

    /// Adds the schema that the others extend. If it has members of its own, it is also that of all other values.
    private func addBase(_ base: Element, by key: String, to family: inout UnionFamily) {
        let view = reader.view(of: [base])
        let defaultValue = view.property(key).flatMap { reader.view(of: $0).defaultValue?.text }
        // What tells a schema apart from those beside it is no member of its own.
        let keys = [key] + allAncestors(of: base).compactMap { Self.key(of: $0["discriminator"]) }
        if view.properties.contains(where: { !keys.contains($0.name) }) {
            family.other = base
            let own = family.values[base.key] ?? []
            family.otherValue = own.count == 1 ? own[0] : defaultValue
        } else if family.values[base.key] != nil {
            family.members.append((base, true))
        }
    }

    /// Sets the schema of all other values to what OpenAPI 3.2 calls `defaultMapping`.
    private func setOther(_ target: Element, by key: String, of family: inout UnionFamily) {
        guard let schema = mapped(target) else {
            loseCase(UnionDefinition.others, "the document has no schema `\(target.text ?? "")`", target)
            return
        }
        if let base = family.other, base.key != schema.key {
            if family.values[base.key] == nil { family.values[base.key] = [family.otherValue ?? base.name] }
            family.members.append((base, true))
        }
        family.members.removeAll { (documents.followed($0.schema) ?? $0.schema).key == schema.key }
        family.other = schema
        let own = family.values[schema.key] ?? []
        family.otherValue = own.count == 1 ? own[0] : nil
    }

    /// The schema that an entry of a discriminator's mapping names, by a reference or by the name of a component.
    func mapped(_ target: Element) -> Element? {
        guard let text = target.text else { return nil }
        if !text.contains("/"), !text.contains("#"), let schema = root["components"]?["schemas"]?[text] {
            return documents.followed(schema)
        }
        return documents.target(of: target).flatMap { documents.followed($0) }
    }

    // MARK: Inheritance

    /// Whether a value of a schema may have another one that extends it, or that its discriminator names.
    func isBase(_ schema: Element, _ view: SchemaView) -> Bool {
        guard Self.key(of: schema["discriminator"]) != nil, view.alternatives.isEmpty else { return false }
        if children[schema.key] != nil { return true }
        let targets = (schema["discriminator"]?["mapping"]?.entries ?? []).lazy.map(\.value)
        return targets.compactMap(mapped).contains { $0.key != schema.key }
    }

    /// The structure of a schema itself, if others extend it and the same key tells them apart. Nil for any other schema.
    func ownStructure(_ schema: Element, by key: String, _ wanted: Direction) -> PlannedType? {
        let view = reader.view(of: [schema])
        guard isBase(schema, view), Self.key(of: schema["discriminator"]) == key else { return nil }
        let direction = wanted == .both || !isDirected(schema) ? .both : wanted
        let place = SchemaKey(key: schema.key, direction: direction)
        if let known = bases[place] { return known }
        let name = componentName(schema)
        let origin = PlannedTypeEntry.Origin.property(of: name, "base")
        let type = object(view, at: TypePlace(schemas: [schema], origin: origin, direction: direction)).type
        if case .named(let number) = type {
            entries[number].direction = direction
            entries[number].doc = view.description
            entries[number].fallback = name + (direction == .request ? "BaseInput" : "BaseOutput")
        }
        bases[place] = type
        return type
    }

    /// The schemas that extend a schema and that the same key tells apart, at any depth.
    private func descendants(of base: Element, by key: String) -> [Element] {
        guard Self.key(of: base["discriminator"]) == key else { return [] }
        var found: [Element] = []
        var seen: Set<ElementKey> = [base.key]
        var pending = [base]
        while let next = pending.popLast() {
            for (_, child) in children[next.key] ?? [] where seen.insert(child.key).inserted {
                found.append(child)
                if Self.key(of: child["discriminator"]) == key { pending.append(child) }
            }
        }
        return found.sorted { ($0.key.file, $0.key.offset) < ($1.key.file, $1.key.offset) }
    }

    /// The schemas that a schema extends, at any depth.
    private func allAncestors(of schema: Element) -> [Element] {
        var found: [Element] = []
        var seen: Set<ElementKey> = [schema.key]
        var pending = [schema]
        while let next = pending.popLast(), seen.count < Self.mostAncestors {
            for part in next["allOf"]?.items ?? [] where part.isReference {
                guard let parent = documents.followed(part), seen.insert(parent.key).inserted else { continue }
                found.append(parent)
                pending.append(parent)
            }
        }
        return found
    }

    func findChildren() -> [ElementKey: [(name: String, schema: Element)]] {
        var children: [ElementKey: [(name: String, schema: Element)]] = [:]
        let components = root["components"]?["schemas"]?.entries ?? root["definitions"]?.entries ?? []
        for (name, schema) in components {
            var seen: Set<ElementKey> = [schema.key]
            for parent in ancestors(of: schema, &seen) { children[parent.key, default: []].append((name, schema)) }
        }
        return children
    }

    /// The schemas with a discriminator that a schema extends, directly or through others without one. One with a discriminator tells
    /// its own children apart.
    private func ancestors(of schema: Element, _ seen: inout Set<ElementKey>) -> [Element] {
        var found: [Element] = []
        for part in schema["allOf"]?.items ?? [] where part.isReference {
            guard let parent = documents.followed(part), seen.count < Self.mostAncestors,
                seen.insert(parent.key).inserted
            else { continue }
            if parent["discriminator"] != nil {
                found.append(parent)
            } else {
                found += ancestors(of: parent, &seen)
            }
        }
        return found
    }

    private static let mostAncestors = 100
}
