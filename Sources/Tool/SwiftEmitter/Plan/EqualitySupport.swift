import ContractModel

/// The types that can be compared and hashed. A file cannot, and neither can a command that sends one. A field called
/// `hashValue` conflicts with the property that `Hashable` requires.
struct EqualitySupport {
    private let contract: ResolvedContract
    /// The types that cannot be hashed, by their names in the contract.
    private let unhashable: Set<String>

    init(_ contract: ResolvedContract) {
        self.contract = contract
        var users: [String: [String]] = [:]
        var open: [String] = []
        for definition in contract.types {
            let name = definition.name.value
            for type in definition.mentionedTypes {
                if let inner = contract.shape(of: type).namedType { users[inner, default: []].append(name) }
            }
            if case .structure(let fields) = definition.form, fields.contains(where: \.isNamedHashValue) {
                open.append(name)
            }
        }
        var unhashable: Set<String> = []
        while let name = open.popLast() {
            if unhashable.insert(name).inserted { open += users[name] ?? [] }
        }
        self.unhashable = unhashable
    }

    /// The strongest of the wanted protocols that a type with these fields supports.
    func supported(_ wanted: ModelConformance?, by fields: [FieldDefinition]) -> ModelConformance? {
        let shapes = fields.map { contract.shape(of: $0) }
        if shapes.contains(where: \.isFile) { return nil }
        let hasHash = !fields.contains(where: \.isNamedHashValue) && shapes.allSatisfy { isHashable($0.namedType) }
        return wanted == .hashable && !hasHash ? .equatable : wanted
    }

    /// The strongest of the wanted protocols that a union supports.
    func supported(_ wanted: ModelConformance?, byUnion name: String) -> ModelConformance? {
        wanted == .hashable && !isHashable(name) ? .equatable : wanted
    }

    private func isHashable(_ name: String?) -> Bool { name.map { !unhashable.contains($0) } ?? true }
}

extension Shape {
    fileprivate var isFile: Bool {
        switch wrapped {
        case .primitive(.file), .list(.primitive(.file)): true
        default: false
        }
    }

    /// Whether a value of it can tell which instance of a model it is.
    var isIdentity: Bool {
        switch self {
        case .primitive(let primitive): primitive != .file && primitive != .json
        case .enumeration, .instant: true
        case .structure, .union, .optional, .list, .map: false
        }
    }
}

extension FieldDefinition {
    /// Whether its property takes the place of the one that `Hashable` requires.
    fileprivate var isNamedHashValue: Bool { identifier == "hashValue" }
}
