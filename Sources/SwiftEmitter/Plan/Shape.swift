import ContractModel

/// A type with all aliases looked through: what decides how a value is read and written.
indirect enum Shape {
    case primitive(Primitive)
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

    /// The type of the contract that stands at the bottom of lists, maps and optionals.
    var namedType: String? {
        switch self {
        case .primitive: nil
        case .structure(let name), .enumeration(let name), .union(let name): name
        case .optional(let inner), .list(let inner), .map(let inner): inner.namedType
        }
    }

    /// Whether the type at the bottom is one of Foundation's.
    var namesFoundation: Bool {
        switch self {
        case .primitive(let primitive): primitive.isFoundationType
        case .structure, .enumeration, .union: false
        case .optional(let inner), .list(let inner), .map(let inner): inner.namesFoundation
        }
    }

    /// The type of the contract that a value of this shape holds in itself, and not behind a list or map.
    var inlineType: String? {
        switch self {
        case .structure(let name), .union(let name): name
        case .optional(let inner): inner.inlineType
        default: nil
        }
    }
}

extension ResolvedContract {
    func shape(of type: TypeReference) -> Shape {
        switch expanded(type).type {
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
        let shape = shape(of: field.type)
        return field.distinguishesNull ? shape.wrapped : shape
    }
}
