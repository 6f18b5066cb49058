import ContractModel
import Diagnostics

// Lists, maps and objects, and what bounds them.
extension TypePlanner {
    func list(_ view: SchemaView, at place: TypePlace) -> TypeUse {
        var use = TypeUse(type: .list(.word("json")))
        if !view.items.isEmpty {
            use.type = .list(element(view.items, place.origin.element, place.direction, place.depth))
        }
        use.constraints.items = ConstraintText.bounds(view.bounds["minItems"]?.text, view.bounds["maxItems"]?.text)
        loseBounds(view, except: ["minItems", "maxItems"], "a list")
        return use
    }

    /// The type of the elements of a list or a map. Their constraints become an alias.
    private func element(
        _ schemas: [Element], _ origin: PlannedTypeEntry.Origin, _ direction: Direction, _ depth: Int
    ) -> PlannedType {
        let inner = use(of: schemas, as: origin, direction, depth: depth + 1)
        let type = withConstraints(inner, as: origin, at: schemas[0])
        return inner.isNullable && type != .word("json") ? .optional(type) : type
    }

    /// The type of an element; an alias if the element has constraints.
    func withConstraints(_ inner: TypeUse, as origin: PlannedTypeEntry.Origin, at schema: Element) -> PlannedType {
        if let constant = inner.constant?.spelling?.text {
            findings.add(
                .openAPIConstraintLost, "the constant `\(constant)` is left out", at: schema)
        }
        if inner.constraints.isEmpty { return inner.type }
        if let elementName { return shared(inner, as: NameText.singular(elementName), at: schema) }
        let alias = entry(origin, at: schema)
        alias.form = .alias(inner.type, inner.constraints)
        alias.doc = inner.doc
        return .named(alias.number)
    }

    /// The members of an object beside its properties; nil if the document says nothing about them.
    func otherMembers(_ view: SchemaView, of entry: PlannedTypeEntry, _ direction: Direction) -> PlannedField? {
        guard let first = view.additional.first else { return nil }
        let name = FieldDefinition.otherMembersName
        guard !view.properties.contains(where: { NameText.valueName($0.0) == name }) else {
            loseOtherMembers(at: first)
            return nil
        }
        let value = element(view.additional, .part(of: entry.number, "otherMember"), direction, 0).withoutFile
        var field = PlannedField(wire: name, type: .map(value))
        field.schema = first
        field.holdsOtherMembers = true
        return field
    }

    func loseOtherMembers(at schema: Element) {
        findings.add(
            .openAPISchemaLost,
            "`additionalProperties` beside `properties` is left out, so the client does not read further keys",
            at: schema)
    }

    func object(_ view: SchemaView, at place: TypePlace, given: SchemaView? = nil) -> TypeUse {
        guard !view.properties.isEmpty else {
            var use = TypeUse(type: .map(.word("json")))
            if !view.additional.isEmpty {
                use.type = .map(element(view.additional, place.origin.element, place.direction, place.depth))
            }
            use.constraints.items = ConstraintText.bounds(
                view.bounds["minProperties"]?.text, view.bounds["maxProperties"]?.text)
            loseBounds(view, except: ["minProperties", "maxProperties"], "a map")
            return use
        }
        loseBounds(view, except: [], "an object")
        let entry = entry(at: place)
        entry.form = .structure([])
        if place.entry == nil {
            entry.doc = nil
            entry.isDeprecated = view.isDeprecated
        }
        waiting.append(Waiting(entry: entry, schemas: place.schemas, direction: place.direction, view: given))
        return TypeUse(type: .named(entry.number))
    }

    /// Reports the constraints of a schema that don't fit its type.
    func loseBounds(_ view: SchemaView, except kept: Set<String>, _ what: String) {
        for (name, value) in view.bounds.sorted(by: { $0.key < $1.key }) where !kept.contains(name) {
            // A keyword has no effect on values of another kind than its own.
            if name == "uniqueItems", value.text == "false" || what != "a list" { continue }
            findings.add(
                .openAPIConstraintLost, "`\(name)` of \(what) is left out, because contracts do not have it", at: value)
        }
    }
}
