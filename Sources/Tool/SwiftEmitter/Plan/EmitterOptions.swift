/// The user's options for generated code.
package struct EmitterOptions: Sendable, Equatable {
    package var access: AccessLevel
    /// Further protocols that models conform to. Each costs compile time, so there are none by default.
    package var conformances: Set<ModelConformance>
    /// Modules that every file with declarations imports beside those that it needs.
    package var imports: [String]
    /// Whether to make a protocol of the client's methods.
    package var hasProtocol: Bool

    /// How many files hold types, and how many hold commands. Nil makes as many as the contract needs; a build system
    /// gives the number, because it knows the names of the files before the contract is read.
    package var shards: Int?

    package init(
        access: AccessLevel = .public, conformances: Set<ModelConformance> = [], imports: [String] = [],
        hasProtocol: Bool = false, shards: Int? = nil
    ) {
        self.access = access
        self.conformances = conformances
        self.imports = imports
        self.hasProtocol = hasProtocol
        self.shards = shards
    }
}

/// The protocols that generated models can conform to.
package enum ModelConformance: String, Sendable, CaseIterable {
    /// Models and commands, synthesized.
    case equatable = "Equatable"
    /// Models and commands, synthesized.
    case hashable = "Hashable"
    /// Models with an `id`.
    case identifiable = "Identifiable"
    /// The contract's types, which are then all read and written, by their own JSON.
    case codable = "Codable"
}

/// Which code may use generated declarations.
package enum AccessLevel: String, Sendable, CaseIterable {
    case `public`
    case package
    case `internal`
}
