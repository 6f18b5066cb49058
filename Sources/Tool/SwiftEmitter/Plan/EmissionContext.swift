import ContractModel

/// Everything that is known about a contract before its declarations are printed, one after the other.
struct EmissionContext {
    let contract: ResolvedContract
    let access: AccessLevel
    /// Whether there is a protocol of the client's methods.
    let hasProtocol: Bool
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
        hasProtocol = options.hasProtocol
        equality = ([.hashable, .equatable] as [ModelConformance]).first(where: options.conformances.contains)
        equalitySupport = EqualitySupport(contract)
        isCodable = options.conformances.contains(.codable)
        isIdentifiable = options.conformances.contains(.identifiable)
        extraImports = options.imports
        let service = SwiftType.named(contract.service.value)
        spelling = TypeSpelling(
            service: service,
            types: Dictionary(
                contract.types.map { ($0.name.value, contract.swiftPath(of: $0).reduce(service, SwiftType.nested)) },
                uniquingKeysWith: { first, _ in first }),
            declared: Self.declaredTypes(contract))
        usage = TypeUsage(contract, isEverythingUsed: isCodable)
        recursion = TypeRecursion(contract)
        reads = ReadStatements(spelling: spelling)
        defaults = DefaultExpressions(contract: contract, spelling: spelling)
        inheritedTables = InheritedTables(contract)
    }

    var service: String { contract.service.value }

    /// A type inside the client.
    func inside(_ name: String) -> SwiftType { .nested(spelling.service, name) }

    /// The command of an endpoint.
    func command(_ endpoint: ResolvedEndpoint) -> SwiftType {
        inside(SwiftIdentifier.spelled(endpoint.commandType))
    }

    /// The protocols of a model.
    func conformances(
        _ additional: [ModelConformance?], isRead: Bool, isWritten: Bool, mirror: SwiftType? = nil
    ) -> [SwiftType] {
        var list: [SwiftType] =
            [.named("Sendable")] + additional.compactMap { $0.map { spelling.library($0.rawValue) } }
        if isCodable, isRead, isWritten {
            list.append(.named("JSONCodable"))
        } else {
            if isRead { list.append(.named("JSONReadable")) }
            if isWritten { list.append(.named("JSONWritable")) }
        }
        if let mirror { list.append(mirror) }
        return list
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
        for event in contract.events { names.insert(event.identifier) }
        for endpoint in contract.endpoints {
            names.insert(endpoint.commandType)
            for outcome in endpoint.outcomes { names.insert(outcome.dataType) }
        }
        return names
    }
}
