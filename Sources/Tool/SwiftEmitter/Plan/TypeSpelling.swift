import ContractModel

/// How generated code names types.
struct TypeSpelling {
    let service: SwiftType
    /// The contract's types in Swift, by their contract names.
    let types: [String: SwiftType]
    /// All type names that generated code declares inside the client; a library's type of such a name needs its module.
    let declared: Set<String>

    /// A type of a library: `String`, or `Swift.String` beside a contract's type of that name.
    func library(_ name: String) -> SwiftType {
        guard declared.contains(name), let module = ReservedNames.qualifiable[name] else { return .named(name) }
        return .nested(.named(module), name)
    }

    /// Whether a Foundation type has to be spelled with its module, which then must be imported whole.
    var needsWholeFoundation: Bool {
        ReservedNames.qualifiable.contains { $0.value == "Foundation" && declared.contains($0.key) }
    }

    func type(named name: String) -> SwiftType { types[name] ?? .nested(service, name) }

    func type(_ type: TypeReference) -> SwiftType {
        switch type {
        case .primitive(let primitive): primitiveType(primitive)
        case .named(let name): self.type(named: name.value)
        case .optional(let inner): .optional(self.type(inner))
        case .list(let inner): .array(self.type(inner))
        case .map(let inner): .dictionary(library("String"), self.type(inner))
        }
    }

    /// The type of a shape, with aliases resolved.
    func type(_ shape: Shape) -> SwiftType {
        switch shape {
        case .primitive(let primitive): primitiveType(primitive)
        case .instant: library("Date")
        case .structure(let name), .enumeration(let name), .union(let name): type(named: name)
        case .optional(let inner): .optional(type(inner))
        case .list(let inner): .array(type(inner))
        case .map(let inner): .dictionary(library("String"), type(inner))
        }
    }

    /// A property's type.
    func type(_ field: FieldDefinition) -> SwiftType {
        guard field.distinguishesNull else { return type(field.type) }
        if case .optional(let wrapped) = field.type { return .generic("Nullable", type(wrapped)) }
        return .generic("Nullable", type(field.type))
    }

    private func primitiveType(_ primitive: Primitive) -> SwiftType {
        switch primitive {
        case .string: library("String")
        case .bool: library("Bool")
        case .int: library("Int")
        case .int32: library("Int32")
        case .int64: library("Int64")
        case .uint: library("UInt")
        case .double: library("Double")
        case .float: library("Float")
        case .decimal: library("Decimal")
        case .timestamp, .timestampUnix, .timestampMilliseconds: library("Date")
        case .date: .named("CalendarDate")
        case .dateOrTimestamp: .named("DateOrTimestamp")
        case .uuid: library("UUID")
        case .url: library("URL")
        case .bytes: bytes
        case .json: .named("JSONValue")
        case .file: .named("FilePart")
        }
    }

    var bytes: SwiftType { .array(library("UInt8")) }
}

extension Primitive {
    /// Whether its Swift type is one of Foundation's.
    var isFoundationType: Bool {
        switch self {
        case .decimal, .timestamp, .timestampUnix, .timestampMilliseconds, .uuid, .url: true
        default: false
        }
    }
}

extension TypeReference {
    /// Whether its Swift spelling names one of Foundation's types.
    var namesFoundation: Bool {
        switch self {
        case .primitive(let primitive): primitive.isFoundationType
        case .named: false
        case .optional(let inner), .list(let inner), .map(let inner): inner.namesFoundation
        }
    }
}
