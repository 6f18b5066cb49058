import ContractModel
import Diagnostics

// Lists, maps and objects, and what bounds them.
extension TypePlanner {
    func list(_ view: SchemaView, at place: TypePlace) -> TypeUse {
        var use = TypeUse(type: .list(.word("json")))
        if !view.items.isEmpty {
            let element = element(view.items, place.origin.element, place.direction, place.depth)
            use.type = .list(element.type)
            use.coerces = element.coerces
            use.example = element.example?.inList
        }
        use.constraints.items = counts(of: view, "minItems", "maxItems")
        loseFormat(view)
        loseBounds(view, except: ["minItems", "maxItems"], "a list")
        return use
    }

    /// The type of the elements of a list or a map, and an example of one. Their constraints become an alias.
    private func element(
        _ schemas: [Element], _ origin: PlannedTypeEntry.Origin, _ direction: Direction, _ depth: Int
    ) -> TypeUse {
        var inner = use(of: schemas, as: origin, direction, depth: depth + 1)
        let type = withConstraints(inner, as: origin, at: schemas[0])
        inner.type = inner.isNullable && type != .word("json") ? .optional(type) : type
        return inner
    }

    /// The type of an element; an alias if the element has constraints.
    func withConstraints(_ inner: TypeUse, as origin: PlannedTypeEntry.Origin, at schema: Element) -> PlannedType {
        let inner = withConstantType(inner, as: origin, at: schema)
        if case .word = inner.type, let constant = inner.constant?.spelling?.text {
            findings.add(
                .openAPIConstraintLost, "the constant `\(constant)` is left out", at: schema)
        }
        if inner.constraints.saysNothing { return inner.type }
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
        let value = element(view.additional, .part(of: entry.number, "otherMember"), direction, 0).type.withoutFile
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
        loseFormat(view)
        guard !view.properties.isEmpty else {
            var use = TypeUse(type: .map(.word("json")))
            if !view.additional.isEmpty {
                let element = element(view.additional, place.origin.element, place.direction, place.depth)
                use.type = .map(element.type)
                use.coerces = element.coerces
            }
            use.constraints.items = counts(of: view, "minProperties", "maxProperties")
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

    /// Counts a format that its type does not have.
    func loseFormat(_ view: SchemaView) {
        if let format = view.format { findings.count(.openAPIFormatUnknown, format.text, at: format.place) }
    }

    /// The bounds of a length or of a number of elements. One that counts nothing is left out.
    func counts(of view: SchemaView, _ lower: String, _ upper: String) -> Located<Constraints.Bounds>? {
        func count(_ name: String) -> String? {
            guard let place = view.bounds[name], let text = place.text else { return nil }
            if let number = ConstraintText.number(text, isWhole: true), Int(number).map({ $0 >= 0 }) == true {
                return number
            }
            findings.add(.openAPIConstraintLost, "`\(name)` is left out, because `\(text)` is no count", at: place)
            return nil
        }
        return ConstraintText.bounds(count(lower), count(upper))
    }

    /// Reports the parts of a schema that its type does not have, because they describe values of another kind.
    func loseParts(of view: SchemaView, as use: TypeUse) {
        let isList: Bool
        switch use.type {
        case .word("json"), .map, .optional: return
        case .word: isList = false
        case .list: isList = true
        case .named(let number):
            guard case .enumeration = entries[number].form else { return }
            isList = false
        }
        for (name, schemas) in view.properties {
            findings.add(
                .openAPISchemaLost, "the property `\(name)` is left out, because the value is no object", at: schemas[0]
            )
        }
        for schema in isList ? [] : view.items {
            findings.add(.openAPISchemaLost, "`items` is left out, because the value is no list", at: schema)
        }
        for schema in view.additional {
            findings.add(
                .openAPISchemaLost, "`additionalProperties` is left out, because the value is no object", at: schema)
        }
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
