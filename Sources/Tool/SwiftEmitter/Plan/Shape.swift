import ContractModel

/// A type with all aliases looked through: what decides how a value is read and written.
indirect enum Shape {
    case primitive(Primitive)
    /// An instant in the service's own forms. Each is read, and the first is written.
    case instant([TimestampForm])
    /// A structure, an enumeration or a union of the contract, by its name there.
    case structure(String)
    case enumeration(String)
    case union(String)
    case optional(Shape)
    case list(Shape)
    case map(Shape)

    var isOptional: Bool {
        if case .optional = self { return true }
        return false
    }

    /// Without an outer optional.
    var wrapped: Shape {
        if case .optional(let inner) = self { return inner.wrapped }
        return self
    }

    /// The same with all timestamps spelled in this way, in lists and maps as well.
    func spelled(as forms: [TimestampForm]) -> Shape {
        switch self {
        case .primitive(.timestamp): .instant(forms)
        case .optional(let inner): .optional(inner.spelled(as: forms))
        case .list(let inner): .list(inner.spelled(as: forms))
        case .map(let inner): .map(inner.spelled(as: forms))
        case .primitive, .instant, .structure, .enumeration, .union: self
        }
    }

    /// The same for a value that is written: an instant in the first of its forms.
    var written: Shape {
        guard case .instant(let forms) = self, let first = forms.first else { return self }
        return first.primitive.map { .primitive($0) } ?? .instant([first])
    }

    /// The type of the contract that is at the bottom of lists, maps and optionals.
    var namedType: String? {
        switch self {
        case .primitive, .instant: nil
        case .structure(let name), .enumeration(let name), .union(let name): name
        case .optional(let inner), .list(let inner), .map(let inner): inner.namedType
        }
    }

    /// Whether the type at the bottom is one of Foundation's.
    var namesFoundation: Bool {
        switch self {
        case .primitive(let primitive): primitive.isFoundationType
        case .instant: true
        case .structure, .enumeration, .union: false
        case .optional(let inner), .list(let inner), .map(let inner): inner.namesFoundation
        }
    }

    /// The type of the contract that a value of this shape stores directly, outside of lists and maps.
    var inlineType: String? {
        switch self {
        case .structure(let name), .union(let name): name
        case .optional(let inner): inner.inlineType
        default: nil
        }
    }
}

extension ResolvedContract {
    /// Whether the values of an enumeration are numbers.
    func hasNumbers(inEnumeration name: String) -> Bool {
        guard case .enumeration(let definition)? = type(named: name)?.form else { return false }
        return definition.wireKind == .int
    }

    func shape(of type: TypeReference) -> Shape {
        let (target, constraints) = expanded(type)
        let shape = shape(ofExpanded: target)
        return constraints.lazy.compactMap(\.format).first.map { shape.spelled(as: $0.value) } ?? shape
    }

    private func shape(ofExpanded type: TypeReference) -> Shape {
        switch type {
        case .primitive(let primitive): return .primitive(primitive)
        case .optional(let inner):
            let shape = shape(of: inner)
            return shape.isOptional ? shape : .optional(shape)
        case .list(let inner): return .list(shape(of: inner))
        case .map(let inner): return .map(shape(of: inner))
        case .named(let name):
            switch self.type(named: name.value)?.form {
            case .enumeration: return .enumeration(name.value)
            case .union: return .union(name.value)
            case .structure: return .structure(name.value)
            // The resolver has refused both; any JSON value is the harmless reading.
            case .alias, nil: return .primitive(.json)
            }
        }
    }

    /// A field's shape; of one with `nullable: distinct`, that of its value.
    func shape(of field: FieldDefinition) -> Shape {
        var shape = shape(of: field.type)
        if let format = field.constraints.format { shape = shape.spelled(as: format.value) }
        return field.distinguishesNull ? shape.wrapped : shape
    }
}
