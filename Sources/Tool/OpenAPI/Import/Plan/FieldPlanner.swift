import ContractModel

// Objects with properties.
extension TypePlanner {
    /// Fills the structures that wait, and those that come up meanwhile.
    func planWaiting() {
        var position = 0
        while position < waiting.count {
            let next = waiting[position]
            position += 1
            let view = next.view ?? reader.view(of: next.schemas)
            guard hasRoom else {
                _ = loseRest(at: next.schemas[0])
                continue
            }
            count(view.properties.count)
            let fields = fields(
                of: view, below: next.schemas[0], in: { .part(of: next.entry.number, $0) }, next.direction)
            let others = otherMembers(view, of: next.entry, next.direction)
            next.entry.form = .structure(fields + (others.map { [$0] } ?? []))
        }
        waiting = []
    }

    /// The properties of an object, as fields.
    ///
    /// - Parameter owner: the object's schema.
    func fields(
        of view: SchemaView, below owner: Element, in origin: (String) -> PlannedTypeEntry.Origin,
        _ direction: Direction
    ) -> [PlannedField] {
        var isTaken = false
        defer { if isTaken, let example = view.example { findings.examples.keep(example.range) } }
        return view.properties.compactMap { name, schemas in
            guard let first = schemas.first, first.isMapping || first.text != nil else { return nil }
            guard first.isMapping else {
                return first.text == "false" ? nil : PlannedField(wire: name, type: .word("json"), isOptional: true)
            }
            let propertyOrigin = self.origin(of: schemas, below: owner) ?? origin(name)
            var use = use(of: schemas, as: propertyOrigin, direction)
            if use.type.holdsFile {
                findings.add(
                    .openAPISchemaLost, "`format: binary` has no meaning in JSON, so the value is a `string`", at: first
                )
                use.type = use.type.withoutFile
            }
            if direction == .request, use.isReadOnly { return nil }
            if direction == .response, use.isWriteOnly { return nil }
            var field = self.field(
                name, use, isRequired: view.required.contains(name), as: propertyOrigin, at: first, isJSON: true)
            if let whole = view.example, let part = whole[name], !part.isNull {
                // What a property says itself is the better example, and the whole one says no more.
                if field.example == nil { field.example = PlannedValue(part, of: whole) } else { isTaken = true }
            }
            return field
        }
    }

    /// The origin of a property that an object has from another schema by `allOf`; nil for its own property. Every object with
    /// that property has the same type for it, which is named after the schema that declares it.
    private func origin(of schemas: [Element], below owner: Element) -> PlannedTypeEntry.Origin? {
        guard schemas.count == 1, let property = schemas.first else { return nil }
        let place = property.tokens
        guard place.count > 2, place[place.count - 2] == "properties" else { return nil }
        let declaring = Array(place.dropLast(2))
        guard Element.isNamedSchema(declaring), let name = declaring.last,
            property.file != owner.file || declaring != owner.tokens
        else { return nil }
        return .property(of: name, property.name)
    }

    /// A field of a type, with its default if it can have one.
    ///
    /// - Parameters:
    ///   - origin: the source of the name of a type there.
    ///   - isJSON: whether it is a member of JSON, which can be read in several ways.
    func field(
        _ name: String, _ use: TypeUse, isRequired: Bool, as origin: PlannedTypeEntry.Origin, at place: Element,
        isJSON: Bool = false
    ) -> PlannedField {
        // A constant that is always there is a default. Of any other, the enum of its value says what it is.
        let isAlways = isRequired && !use.isNullable
        let use = isAlways ? use : withConstantType(use, as: origin, at: place)
        var field = PlannedField(wire: name, type: use.type)
        field.schema = place
        field.doc = use.doc
        field.isDeprecated = use.isDeprecated
        field.isSensitive = use.isSensitive
        field.constraints = use.constraints
        field.coerces = use.coerces
        field.isRequired = isRequired
        field.isNullable = use.isNullable
        field.isOptional = !isRequired || use.isNullable
        field.constant = use.constant
        field.example = use.example
        if let constant = use.constant, isAlways {
            field.defaultValue = constant
            field.isConstant = true
        } else if let value = use.defaultValue {
            setDefault(&field, value, use)
        }
        if case .word = use.type, let constant = use.constant, field.defaultValue != constant,
            let text = constant.spelling?.text
        {
            field.doc = [field.doc, "Always `\(text)` if present."].compactMap { $0 }.joined(
                separator: "\n")
        }
        if field.defaultValue != nil || field.defaultCase != nil { field.isOptional = false }
        if !isJSON { field.keepWrittenForm() }
        return field
    }
}

extension PlannedType {
    var holdsFile: Bool {
        switch self {
        case .word(let word): word == "file"
        case .named: false
        case .list(let inner), .map(let inner), .optional(let inner): inner.holdsFile
        }
    }

    /// The same with texts where files are.
    var withoutFile: PlannedType {
        switch self {
        case .word(let word): .word(word == "file" ? "string" : word)
        case .named: self
        case .list(let inner): .list(inner.withoutFile)
        case .map(let inner): .map(inner.withoutFile)
        case .optional(let inner): .optional(inner.withoutFile)
        }
    }
}
