import ContractModel

// Fields that travel as text: in a query, a form, headers and paths.
extension TypePlanner {
    /// How a value of several parts is spelled in a query or a form.
    struct FlatStyle {
        var style: String
        var explodes: Bool

        static let form = FlatStyle(style: "form", explodes: true)
    }

    /// A place that carries single values and lists of them.
    struct FlatPlace {
        /// The name of an inline type at this place.
        var origin: (String) -> PlannedTypeEntry.Origin
        var style: FlatStyle
        /// The place of a parameter; nil in a form.
        var kind: Parameter.Place?
        /// Whether a field may contain lists, maps and structures, as in a form.
        var takesInner = false
        /// The number of brackets before this place.
        var depth = 0
        /// The number of groups of alternatives around this place.
        var alternatives = 0
    }

    private static let deepest = 3
    private static let mostFields = 150

    /// The fields for a value at a place: one field, or one for each of its parts; `nil` if the value can't be sent.
    func flatFields(
        _ name: String, _ schemas: [Element], isRequired: Bool, in place: FlatPlace, at element: Element
    ) -> [PlannedField]? {
        let alternatives = reader.view(of: schemas)
        if let fields = oneOrMany(name, alternatives, isRequired: isRequired, in: place, at: element) { return fields }
        if let group = alternatives.alternatives.first, alternatives.alternatives.count == 1,
            alternatives.properties.isEmpty
        {
            let members = group.members.filter { !reader.isNullOnly($0) }
            if members.count > 1, let fields = anyOf(name, members, isRequired, alternatives, in: place, at: element) {
                return fields
            }
        }
        // A parameter without a type is any text. A part of a form may be anything, such as another object.
        if alternatives.isUntyped, !place.takesInner, place.depth == 0 {
            var use = TypeUse(type: .word("string"))
            describe(&use, alternatives)
            return [field(name, use, isRequired: isRequired, as: place.origin(name), at: schemas[0])]
        }
        if let text = text(of: alternatives, at: element) {
            return [field(name, text, isRequired: isRequired, as: place.origin(name), at: schemas[0])]
        }
        // An object that is split into fields doesn't become a type.
        if alternatives.alternatives.isEmpty, alternatives.isObject {
            guard !alternatives.properties.isEmpty, place.depth < Self.deepest else {
                return formField(name, schemas, isRequired: isRequired, in: place, at: element)
            }
            return parts(name, alternatives, isRequired, in: place, at: element)
        }
        if alternatives.types == ["array"], !alternatives.items.isEmpty {
            let inner = reader.view(of: alternatives.items)
            guard !inner.isObject, inner.types != ["array"] else {
                return formField(name, schemas, isRequired: isRequired, in: place, at: element)
            }
            if let use = textList(of: alternatives, at: element) {
                let field = field(name, use, isRequired: isRequired, as: place.origin(name), at: schemas[0])
                return [list(field, in: place, at: element)]
            }
        }
        // Elements of lists with the same name and the same constraints share one type across endpoints.
        elementName = alternatives.types == ["array"] ? name : nil
        let use = use(of: schemas, as: place.origin(name), .request)
        elementName = nil
        switch shape(of: use.type) {
        case .scalar:
            return [field(name, use, isRequired: isRequired, as: place.origin(name), at: schemas[0])]
        case .list:
            let field = field(name, use, isRequired: isRequired, as: place.origin(name), at: schemas[0])
            return [list(field, in: place, at: element)]
        case .structure, .other: return formField(name, schemas, isRequired: isRequired, in: place, at: element)
        }
    }

    /// A list, as its place spells it.
    private func list(_ field: PlannedField, in place: FlatPlace, at element: Element) -> PlannedField {
        let name = field.wire
        var field = field
        if case .list(.optional(let inner)) = field.type {
            findings.add(
                .openAPIConstraintLost, "the elements of `\(name)` cannot be null, because null has no text",
                at: element)
            field.type = .list(inner)
        }
        if place.style.style == "deepObject" {
            findings.add(
                .openAPIStyleLost,
                "OpenAPI does not define how `deepObject` writes the list `\(name)`, so the client sends it as `\(name)[]`",
                at: element,
                help: "check the service's own documentation, and change `wire` if it differs")
            field.wire = name + "[]"
        } else if place.style.style == "tabDelimited" {
            findings.add(
                .openAPIStyleLost,
                "the list `\(name)` is one text with tabs between its values, which the app has to join",
                at: element)
            field.type = .word("string")
            field.constraints = Constraints()
            field.defaultValue = nil
            field.doc = [field.doc, "Write tabs between several values."].compactMap { $0 }.joined(separator: " ")
            field.isOptional = !field.isRequired
        } else if place.style.style != "form" || !place.style.explodes {
            field.joining = Joining.allCases.first { $0.style == place.style.style } ?? .commas
        }
        return field
    }

    /// The list for one value or a list of such values, if both are spelled alike; nil otherwise.
    private func oneOrMany(
        _ name: String, _ view: SchemaView, isRequired: Bool, in place: FlatPlace, at element: Element
    ) -> [PlannedField]? {
        guard place.style.style != "deepObject", let parts = oneOrMany(view) else { return nil }
        for member in view.alternatives[0].members where isEmptyText(member) { loseEmptyText(name, at: member) }
        var schema = parts.list
        if place.kind == .cookie {
            guard parts.singles.count == 1 else { return nil }
            findings.add(
                .openAPIStyleLost, "the cookie `\(name)` has one value, although the document allows several",
                at: element)
            schema = parts.singles[0]
        } else if let common = commonType(of: parts.elements, name, at: element) {
            var use = TypeUse(type: .list(common))
            describe(&use, view)
            let field = field(name, use, isRequired: isRequired, as: place.origin(name), at: element)
            return [list(field, in: place, at: element)]
        }
        return flatFields(name, [schema], isRequired: isRequired, in: place, at: element)?.map { field in
            var field = field
            field.doc = view.description ?? field.doc
            field.isDeprecated = field.isDeprecated || view.isDeprecated
            return field
        }
    }

    /// Each property of an object as a field of its own.
    private func parts(
        _ name: String, _ view: SchemaView, _ isRequired: Bool, in place: FlatPlace, at element: Element
    ) -> [PlannedField]? {
        let isDeep = place.style.style == "deepObject"
        guard isDeep || place.style.explodes && place.style.style == "form" && place.depth == 0 else { return nil }
        loseBounds(view, except: [], "an object")
        var inner = place
        inner.depth += 1
        var fields: [PlannedField] = []
        for (part, schemas) in view.properties {
            let wire = isDeep ? "\(name)[\(part)]" : part
            let partRequired = isRequired && view.required.contains(part)
            guard let found = flatFields(wire, schemas, isRequired: partRequired, in: inner, at: schemas[0]),
                fields.count + found.count <= Self.mostFields
            else {
                if partRequired {
                    fields.append(textField(wire, in: place.kind, at: schemas[0]))
                } else {
                    loseField(wire, in: place.kind, at: schemas[0])
                }
                continue
            }
            fields += found
        }
        return fields.isEmpty ? nil : fields
    }

    /// The fields for alternatives. Each alternative has its own spelling, so the wire shows which one is meant.
    private func anyOf(
        _ name: String, _ members: [Element], _ isRequired: Bool, _ view: SchemaView, in place: FlatPlace,
        at element: Element
    ) -> [PlannedField]? {
        var scalars: [Element] = []
        var objects: [Element] = []
        var lists: [Element] = []
        for member in members {
            let view = reader.view(of: [member])
            if view.isObject {
                objects.append(member)
            } else if view.types == ["array"] {
                lists.append(member)
            } else {
                scalars.append(member)
            }
        }
        guard scalars.count < members.count, place.alternatives < 4 else { return nil }
        var place = place
        place.alternatives += 1
        var fields: [PlannedField] = []
        var lost: [Element] = []
        let empty = scalars.filter(isEmptyText)
        for member in empty { loseEmptyText(name, at: member) }
        let others = members.filter { member in !empty.contains { $0.key == member.key } }
        guard others.count <= 1 || (scalars.count - empty.count <= 1 && objects.count <= 1 && lists.count <= 1) else {
            return nil
        }
        for member in others {
            guard
                let found = flatFields(
                    name, [member], isRequired: isRequired && others.count == 1, in: place, at: member),
                !found.contains(where: { new in fields.contains { $0.wire == new.wire } })
            else {
                lost.append(member)
                continue
            }
            fields += found.map { field in
                var field = field
                field.doc = field.doc ?? view.description
                return field
            }
        }
        if !fields.isEmpty { for member in lost { loseAlternative(of: name, at: member) } }
        return fields.isEmpty ? nil : fields
    }

    enum FlatShape {
        case scalar
        case list
        case structure
        case other
    }

    /// The text form of a type, with aliases resolved.
    func shape(of type: PlannedType) -> FlatShape {
        switch type {
        case .word(let word): return word == "json" || word == "file" ? .other : .scalar
        case .optional(let inner): return shape(of: inner)
        case .list(let element):
            if case .scalar = shape(of: element) { return .list }
            return .other
        case .map: return .other
        case .named(let number):
            switch entries[number].form {
            case .enumeration: return .scalar
            case .structure: return .structure
            case .union: return .other
            case .alias(let target, _): return shape(of: target)
            }
        }
    }
}
