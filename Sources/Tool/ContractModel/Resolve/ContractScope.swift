import Diagnostics

/// The meanings of the names of one contract: its own definitions, then those of the contracts that it imports.
///
/// A contract's own definition wins over an imported one of the same name. A name that two imports define differently is a
/// problem only if it is used. The scope is an object, since each caller would otherwise copy a whole contract.
final class ContractScope {
    /// A definition and the file it is in, whose scope its own names belong to.
    struct Found<Definition> {
        var definition: Definition
        var file: String
    }

    enum Lookup<Definition> {
        case found(Found<Definition>)
        case missing
        case ambiguous([Located<String>])
    }

    let contract: Contract
    let imports: [Contract]
    /// Whether every import could be read; if not, a missing name may be one of theirs.
    private let isComplete: Bool
    private let ownTypes: [String: Int]
    private let ownErrors: [String: Int]
    private let importedTypes: [String: [(Int, Int)]]
    private let importedErrors: [String: [(Int, Int)]]

    /// Whether a name that is not found can be called missing: nothing of that name failed to be read.
    func canMiss(_ name: String) -> Bool {
        isComplete && !contract.unreadableNames.contains(name)
            && !imports.contains { $0.unreadableNames.contains(name) }
    }

    init(contract: Contract, imports: [Contract], isComplete: Bool) {
        self.contract = contract
        self.imports = imports
        self.isComplete = isComplete
        ownTypes = Self.index(contract.types.map(\.name.value))
        ownErrors = Self.index(contract.errors.map(\.name.value))
        var importedTypes: [String: [(Int, Int)]] = [:]
        var importedErrors: [String: [(Int, Int)]] = [:]
        for (file, imported) in imports.enumerated() {
            for (position, type) in imported.types.enumerated() {
                importedTypes[type.name.value, default: []].append((file, position))
            }
            for (position, error) in imported.errors.enumerated() {
                importedErrors[error.name.value, default: []].append((file, position))
            }
        }
        self.importedTypes = importedTypes
        self.importedErrors = importedErrors
    }

    private static func index(_ names: [String]) -> [String: Int] {
        Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether the contract itself defines the type.
    func definesType(_ name: String) -> Bool { ownTypes[name] != nil }

    func type(_ name: String) -> Lookup<TypeDefinition> {
        if let position = ownTypes[name] {
            return .found(Found(definition: contract.types[position], file: contract.file))
        }
        let candidates = importedTypes[name] ?? []
        guard let (file, position) = candidates.first else { return .missing }
        guard candidates.count == 1 else { return .ambiguous(candidates.map { imports[$0].types[$1].name }) }
        return .found(Found(definition: imports[file].types[position], file: imports[file].file))
    }

    func error(_ name: String) -> Lookup<ErrorDefinition> {
        if let position = ownErrors[name] {
            return .found(Found(definition: contract.errors[position], file: contract.file))
        }
        let candidates = importedErrors[name] ?? []
        guard let (file, position) = candidates.first else { return .missing }
        guard candidates.count == 1 else { return .ambiguous(candidates.map { imports[$0].errors[$1].name }) }
        return .found(Found(definition: imports[file].errors[position], file: imports[file].file))
    }

    func envelope(_ name: String) -> Lookup<EnvelopeDefinition> {
        if let own = contract.envelopes.first(where: { $0.name.value == name }) {
            return .found(Found(definition: own, file: contract.file))
        }
        return only(
            imports.compactMap { file in
                file.envelopes.first { $0.name.value == name }.map { Found(definition: $0, file: file.file) }
            }
        ) { $0.name }
    }

    private func only<Definition>(_ found: [Found<Definition>], name: (Definition) -> Located<String>) -> Lookup<
        Definition
    > {
        guard let first = found.first else { return .missing }
        return found.count == 1 ? .found(first) : .ambiguous(found.map { name($0.definition) })
    }

    var typeNames: [String] {
        ([contract] + imports).flatMap { $0.types.filter { $0.inline == nil }.map(\.name.value) }
            + Primitive.allCases.map(\.spelling)
    }
    var errorNames: [String] { contract.errors.map(\.name.value) + imports.flatMap { $0.errors.map(\.name.value) } }
    var envelopeNames: [String] {
        contract.envelopes.map(\.name.value) + imports.flatMap { $0.envelopes.map(\.name.value) } + ["none"]
    }
}
