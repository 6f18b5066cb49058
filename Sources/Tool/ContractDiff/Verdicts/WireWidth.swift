import ContractModel

/// Which values a type has on the wire, compared with those of another type.
struct WireWidth {
    /// The types of the contract of the values, and of the one of their reader.
    let values: ContractVersion
    let reader: ContractVersion
    /// Whether the values are in a query, a header or a path, where each is a text.
    let isText: Bool
    /// Whether an app reads the values. It takes an unknown value of an open enum.
    let isApp: Bool

    /// Whether a reader of one type takes each value of another, apart from an outer `?`.
    func takes(_ type: TypeReference, as other: TypeReference) -> Bool {
        let (inner, outer) = (values.types.expanded(type).unwrapped, reader.types.expanded(other).unwrapped)
        switch (inner, outer) {
        case (_, .primitive(.json)): return true
        case (.list(let one), .list(let two)), (.map(let one), .map(let two)):
            return (two.isOptional || !one.isOptional) && takes(one, as: two)
        // A value that is not repeated is a list of one.
        case (_, .list(let element)) where isText && !inner.isList: return takes(inner, as: element)
        case (.primitive(let one), .primitive(let two)): return one == two || takes(one, as: two)
        case (_, .named(let name)) where reader.isUnionByKinds(name.value): return takes(inner, asOneOf: name.value)
        case (.named(let name), .primitive(let two)):
            guard let one = values.kind(ofEnum: name.value) else { return false }
            return one == two || takes(one, as: two)
        case (.primitive(let one), .named(let name)):
            return isApp && !reader.isClosed(name.value) && reader.kind(ofEnum: name.value) == one
        default: return false
        }
    }

    /// Whether a reader of one field takes each value of another, which may be absent only where the reader's may.
    func takes(_ field: ComparedNode, as other: ComparedNode) -> Bool {
        guard !FieldPresence(other).isRequired || FieldPresence(field).isRequired,
            let type = field["type"]?.text.flatMap({ TypeReference(spelling: $0) }),
            let otherType = other["type"]?.text.flatMap({ TypeReference(spelling: $0) })
        else { return false }
        // Equal definitions have equal values, whatever they are.
        return takes(type, as: otherType)
            || field["type"]?.text == other["type"]?.text
                && values.types.whole(.value(type.spelling)) == reader.types.whole(.value(otherType.spelling))
    }

    /// Whether a union takes each value of a type, by the kind of the values.
    private func takes(_ type: TypeReference, asOneOf union: String) -> Bool {
        guard case .union(let union)? = reader.type(named: union)?.form,
            let kind = type.jsonKind({ values.type(named: $0) })
        else { return false }
        func reads(_ kind: UnionDefinition.Kind) -> Bool? {
            union.cases.first { $0.name.value == kind.rawValue }.map { takes(type, as: $0.type) }
        }
        switch kind {
        case .integer: return reads(.integer) ?? reads(.number) ?? false
        // An integer is read by the case for them.
        case .number: return (reads(.number) ?? false) && (reads(.integer) ?? true)
        default: return reads(kind) ?? false
        }
    }

    private func takes(_ one: Primitive, as two: Primitive) -> Bool {
        switch two {
        case .string: isText ? one.isSingle : one.jsonKind == .string
        case .int, .int64: [.int, .int32, .int64].contains(one)
        case .float: one == .float || one.isWholeNumber
        case .double, .decimal: one.isNumber
        case .dateOrTimestamp: [.date, .timestamp].contains(one)
        default: false
        }
    }
}

extension ComparedNode.Entry {
    /// The name of a field on the wire.
    var wireName: String { node["wire"]?.text ?? key }
}

extension Primitive {
    /// Whether its values can be a text.
    fileprivate var isSingle: Bool { self != .json && self != .file }
}

extension ContractVersion {
    /// The type of the values of an enum; nil for any other type.
    fileprivate func kind(ofEnum name: String) -> Primitive? {
        guard case .enumeration(let enumeration)? = type(named: name)?.form else { return nil }
        return enumeration.wireKind == .int ? .int : .string
    }

    /// Whether an enum refuses values that it does not know.
    func isClosed(_ type: String) -> Bool {
        guard case .enumeration(let enumeration)? = self.type(named: type)?.form else { return false }
        return enumeration.isClosed
    }

    fileprivate func isUnionByKinds(_ name: String) -> Bool {
        if case .union(let union)? = type(named: name)?.form { union.isByKind } else { false }
    }

    func type(named name: String) -> TypeDefinition? { typeDefinitions[name] }
}
