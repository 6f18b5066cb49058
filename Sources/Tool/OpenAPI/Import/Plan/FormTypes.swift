// Lists, maps and structures in the fields of a form, spelled with brackets.
extension TypePlanner {
    /// A type in a form, with the maximum number of brackets that its values need.
    struct FormUse {
        var use: TypeUse
        var height: Int

        /// The type of a list, a map or a structure around this one.
        func inside(as type: PlannedType) -> FormUse { FormUse(use: TypeUse(type: type), height: height + 1) }
    }

    /// The maximum number of brackets in the contract language.
    private static let deepestForm = 8

    /// The field for an object or a list of objects, which is spelled as `deepObject`; `nil` if it can't be sent.
    func formField(
        _ name: String, _ schemas: [Element], isRequired: Bool, in place: FlatPlace, at element: Element
    ) -> [PlannedField]? {
        guard place.takesInner, place.style.style == "deepObject",
            let found = formUse(of: schemas, as: place.origin(name), path: name, depth: 0)
        else { return nil }
        return [field(name, found.use, isRequired: isRequired, as: place.origin(name), at: schemas[0])]
    }

    private func formUse(
        of schemas: [Element], as origin: PlannedTypeEntry.Origin, path: String, depth: Int
    ) -> FormUse? {
        guard depth <= Self.deepestForm, hasRoom else { return nil }
        guard schemas.count == 1, schemas[0].isReference, let target = documents.followed(schemas[0]) else {
            return plannedFormUse(of: schemas, as: origin, path: path, depth: depth)
        }
        let known: FormUse?
        if let found = formComponents[target.key] {
            known = found
        } else {
            formComponents[target.key] = .some(nil)  // a structure that contains itself would be infinite in a form
            known = plannedFormUse(of: schemas, as: .endpoint(target.name), path: path, depth: depth)
            formComponents[target.key] = .some(known)
        }
        return known.flatMap { depth + $0.height > Self.deepestForm ? nil : $0 }
    }

    private func plannedFormUse(
        of schemas: [Element], as origin: PlannedTypeEntry.Origin, path: String, depth: Int
    ) -> FormUse? {
        let view = reader.view(of: schemas)
        if let text = text(of: view, at: schemas[0]) { return FormUse(use: text, height: 0) }
        var found: FormUse?
        if view.alternatives.isEmpty {
            if view.isObject {
                found =
                    view.properties.isEmpty
                    ? formMap(view, as: origin, path: path, depth: depth)
                    : formStructure(view, schemas, as: origin, path: path, depth: depth)
            } else if view.types == ["array"] {
                found = formList(view, schemas[0], as: origin, path: path, depth: depth)
            }
        } else if let member = onlyValue(of: view, path) {
            found = formUse(of: [member], as: origin, path: path, depth: depth)
        }
        if found == nil {
            guard !view.isObject, view.types != ["array"] else { return nil }
            let use = use(of: schemas, as: origin, .request)
            guard case .scalar = shape(of: use.type) else { return nil }
            return FormUse(use: use, height: 0)
        }
        found?.use.isNullable = schemas.allSatisfy { reader.isNullable($0) }
        if let doc = view.description { found?.use.doc = doc }
        found?.use.isDeprecated = view.isDeprecated
        return found
    }

    /// The only alternative other than null and the empty text; `nil` if several exist.
    private func onlyValue(of view: SchemaView, _ path: String) -> Element? {
        guard view.alternatives.count == 1, view.properties.isEmpty else { return nil }
        var values: [Element] = []
        for member in view.alternatives[0].members where !reader.isNullOnly(member) {
            if isEmptyText(member) {
                loseEmptyText(path, at: member)
            } else {
                values.append(member)
            }
        }
        return values.count == 1 ? values[0] : nil
    }

    private func formStructure(
        _ view: SchemaView, _ schemas: [Element], as origin: PlannedTypeEntry.Origin, path: String, depth: Int
    ) -> FormUse? {
        loseBounds(view, except: [], "an object")
        let entry = entry(origin, at: schemas[0])
        var fields: [PlannedField] = []
        var height = 0
        for (name, parts) in view.properties {
            let wire = "\(path)[\(name)]"
            let isRequired = view.required.contains(name)
            let origin = PlannedTypeEntry.Origin.part(of: entry.number, name)
            guard !name.isEmpty, !name.contains("["), !name.contains("]"),
                let found = formUse(of: parts, as: origin, path: wire, depth: depth + 1)
            else {
                loseField(wire, at: parts[0])
                if isRequired { return nil }
                continue
            }
            if found.use.isReadOnly { continue }
            height = max(height, found.height)
            fields.append(field(name, found.use, isRequired: isRequired, as: origin, at: parts[0]))
        }
        guard !fields.isEmpty else { return nil }
        count(fields.count)
        entry.form = .structure(fields)
        return FormUse(use: TypeUse(type: .named(entry.number)), height: height + 1)
    }

    private func formMap(
        _ view: SchemaView, as origin: PlannedTypeEntry.Origin, path: String, depth: Int
    ) -> FormUse? {
        guard let additional = view.additional.first,
            let found = formUse(of: view.additional, as: origin.element, path: path + "[key]", depth: depth + 1)
        else { return nil }
        var map = found.inside(as: .map(withConstraints(found.use, as: origin.element, at: additional)))
        map.use.constraints.items = counts(of: view, "minProperties", "maxProperties")
        return map
    }

    private func formList(
        _ view: SchemaView, _ place: Element, as origin: PlannedTypeEntry.Origin, path: String, depth: Int
    ) -> FormUse? {
        guard let items = view.items.first,
            let found = formUse(of: view.items, as: origin.element, path: path + "[0]", depth: depth + 1)
        else { return nil }
        findings.add(
            .openAPIStyleLost,
            "OpenAPI does not define how `deepObject` writes the list `\(path)`, so the client sends it as `\(path)[0]`",
            at: place,
            help: "check the service's own documentation")
        loseBounds(view, except: ["minItems", "maxItems"], "a list")
        var list = found.inside(as: .list(withConstraints(found.use, as: origin.element, at: items)))
        list.use.constraints.items = counts(of: view, "minItems", "maxItems")
        return list
    }

    func isEmptyText(_ schema: Element) -> Bool {
        reader.view(of: [schema]).values.map { $0.allSatisfy { $0.text == "" } } ?? false
    }

    func loseEmptyText(_ name: String, at member: Element) {
        findings.add(
            .openAPIParameterLost, "the empty text as a value of `\(name)`, which removes a value, is left out",
            at: member)
    }
}
