import ContractModel

/// Everything that is known about a contract before its declarations are printed, one after the other.
struct Emission {
    let contract: ResolvedContract
    let access: AccessLevel
    /// `Hashable`, or `Equatable`, if one was requested.
    let equality: ModelConformance?
    let equalitySupport: EqualitySupport
    let isCodable: Bool
    let isIdentifiable: Bool
    /// The modules that the user wants imported as well.
    let extraImports: [String]
    let spelling: TypeSpelling
    let usage: TypeUsage
    let recursion: TypeRecursion
    let reads: ReadStatements
    let writes = WriteStatements()
    let defaults: DefaultExpressions
    let inheritedTables: InheritedTables

    init(_ contract: ResolvedContract, _ options: EmitterOptions) {
        self.contract = contract
        access = options.access
        equality = ([.hashable, .equatable] as [ModelConformance]).first(where: options.conformances.contains)
        equalitySupport = EqualitySupport(contract)
        isCodable = options.conformances.contains(.codable)
        isIdentifiable = options.conformances.contains(.identifiable)
        extraImports = options.imports
        spelling = TypeSpelling(
            service: contract.service.value,
            types: Dictionary(
                contract.types.map { ($0.name.value, contract.swiftPath(of: $0)) },
                uniquingKeysWith: { first, _ in first }),
            declared: Self.declaredTypes(contract))
        usage = TypeUsage(contract, isEverythingUsed: isCodable)
        recursion = TypeRecursion(contract)
        reads = ReadStatements(spelling: spelling)
        defaults = DefaultExpressions(contract: contract, spelling: spelling)
        inheritedTables = InheritedTables(contract)
    }

    var service: String { contract.service.value }

    /// The protocols of a model.
    func conformances(
        _ additional: [ModelConformance?], isRead: Bool, isWritten: Bool, mirror: String? = nil
    ) -> String {
        var list = ["Sendable"] + additional.compactMap { $0.map { spelling.library($0.rawValue) } }
        if isCodable, isRead, isWritten {
            list.append("JSONCodable")
        } else {
            if isRead { list.append("JSONReadable") }
            if isWritten { list.append("JSONWritable") }
        }
        if let mirror { list.append(mirror) }
        return list.joined(separator: ", ")
    }

    /// The protocol for comparing that a type with these fields has.
    func equality(of fields: [FieldDefinition]) -> ModelConformance? { equalitySupport.supported(equality, by: fields) }

    /// `Identifiable`, if it was requested and the fields have an `id`.
    func identity(of fields: [FieldDefinition]) -> ModelConformance? {
        let hasIdentity = fields.contains {
            $0.identifier == "id" && !$0.distinguishesNull && contract.shape(of: $0).isIdentity
        }
        return isIdentifiable && hasIdentity ? .identifiable : nil
    }

    /// Every type name inside the client, at any depth.
    private static func declaredTypes(_ contract: ResolvedContract) -> Set<String> {
        var names = Set(contract.types.map(\.identifier))
        for error in contract.errors { names.insert(error.dataType) }
        for endpoint in contract.endpoints {
            names.insert(endpoint.commandType)
            for outcome in endpoint.outcomes { names.insert(outcome.dataType) }
        }
        return names
    }
}

/// The message of a deprecated declaration.
extension Deprecation {
    var attribute: String {
        guard let message else { return "@available(*, deprecated)" }
        return "@available(*, deprecated, message: \(SwiftLiteral.string(message)))"
    }

    /// For declarations that other generated code must use without a warning.
    var sentence: String { message.map { "Deprecated: \($0)" } ?? "Deprecated." }

    /// A doc text with the deprecation after it.
    static func doc(_ doc: String?, _ deprecation: Deprecation?) -> String? {
        guard let deprecation else { return doc }
        return [doc, deprecation.sentence].compactMap { $0 }.joined(separator: "\n")
    }
}
