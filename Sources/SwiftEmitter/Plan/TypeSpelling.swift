import ContractModel

/// How generated code writes types.
struct TypeSpelling {
    let service: String
    /// Swift names of the contract's types, by their contract names.
    let types: [String: String]
    /// All type names that generated code declares inside the client; a library's type of such a name needs its module.
    let declared: Set<String>

    /// A type of a library: `String`, or `Swift.String` beside a contract's type of that name.
    func library(_ name: String) -> String {
        guard declared.contains(name), let module = ReservedNames.qualifiable[name] else { return name }
        return module + "." + name
    }

    /// Whether a Foundation type has to be spelled with its module, which then must be imported whole.
    var needsWholeFoundation: Bool {
        ReservedNames.qualifiable.contains { $0.value == "Foundation" && declared.contains($0.key) }
    }

    func type(named name: String) -> String {
        service + "." + (types[name] ?? name)
    }

    func spelled(_ type: TypeReference) -> String {
        switch type {
        case .primitive(let primitive): primitiveType(primitive)
        case .named(let name): self.type(named: name.value)
        case .optional(let inner): spelled(inner) + "?"
        case .list(let inner): "[" + spelled(inner) + "]"
        case .map(let inner): "[" + library("String") + ": " + spelled(inner) + "]"
        }
    }

    /// The type of a shape, with aliases resolved.
    func spelled(_ shape: Shape) -> String {
        switch shape {
        case .primitive(let primitive): primitiveType(primitive)
        case .instant: library("Date")
        case .structure(let name), .enumeration(let name), .union(let name): type(named: name)
        case .optional(let inner): spelled(inner) + "?"
        case .list(let inner): "[" + spelled(inner) + "]"
        case .map(let inner): "[" + library("String") + ": " + spelled(inner) + "]"
        }
    }

    /// A property's type.
    func spelled(_ field: FieldDefinition) -> String {
        guard field.distinguishesNull else { return spelled(field.type) }
        if case .optional(let wrapped) = field.type { return "Nullable<" + spelled(wrapped) + ">" }
        return "Nullable<" + spelled(field.type) + ">"
    }

    private func primitiveType(_ primitive: Primitive) -> String {
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
        case .date: "CalendarDate"
        case .uuid: library("UUID")
        case .url: library("URL")
        case .bytes: "[" + library("UInt8") + "]"
        case .json: "JSONValue"
        case .file: "FilePart"
        }
    }
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
