/// The types of a contract by their names, with aliases resolved.
package struct TypeLookup: Sendable {
    private let types: [String: TypeDefinition]
    private let aliases: AliasExpansion

    package init(_ types: [TypeDefinition]) {
        self.types = Dictionary(types.map { ($0.name.value, $0) }) { first, _ in first }
        aliases = AliasExpansion(types)
    }

    func type(named name: String) -> TypeDefinition? { types[name] }

    /// The type with all aliases resolved.
    func expanded(_ type: TypeReference) -> TypeReference { aliases.target(of: type) ?? type }

    /// The constraints that aliases add to a type.
    func constraints(of type: TypeReference) -> [Constraints] { aliases.constraints(of: type) }

    /// The fields of a type that is a structure, with aliases and `?` resolved. Empty for any other type.
    func structureFields(of type: TypeReference) -> [FieldDefinition] {
        guard case .named(let name) = expanded(type.unwrapped).unwrapped,
            case .structure(let fields)? = types[name.value]?.form
        else { return [] }
        return fields
    }
}
