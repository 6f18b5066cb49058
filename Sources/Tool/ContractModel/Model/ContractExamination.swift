import Diagnostics
import YAMLTree

/// Everything that is known about one contract, even a contract with errors. Checks examine it, so that one mistake does not
/// hide the others.
///
/// Architecture invariant: the generator of Swift never takes it. ``resolved`` exists only if no error was found. The resolved
/// parts of a contract with errors aren't available as a whole.
package struct ContractExamination: Sendable {
    package let file: String
    /// The tree; `nil` if the file isn't YAML.
    package let document: YAMLDocument?
    /// The findings of reading and resolving, in order, including those of imported files.
    package private(set) var findings: [Diagnostic]
    /// The contract as written; `nil` where not even the service's name could be read.
    package private(set) var written: Contract?
    /// The contracts that it imports, as far as they could be read.
    package private(set) var imports: [Contract] = []
    /// The trees of the contracts that it imports, also by another one, the direct imports first.
    package private(set) var importedDocuments: [YAMLDocument] = []
    /// The contract whose session it shares.
    package private(set) var sharedSession: Contract?
    private var partial: ResolvedContract?

    init(file: String, document: YAMLDocument?, findings: DiagnosticBag) {
        self.file = file
        self.document = document
        self.findings = findings.sorted()
    }

    mutating func complete(
        _ written: Contract, imports: [Contract], documents: [YAMLDocument], _ partial: ResolvedContract,
        sharedSession: Contract?, _ findings: DiagnosticBag
    ) {
        self.written = written
        self.imports = imports
        importedDocuments = documents
        self.partial = partial
        self.sharedSession = sharedSession
        self.findings = findings.sorted()
    }

    /// Whether no error was found. After an error, a name may be unused only because its use could not be read.
    package var isWhole: Bool { partial != nil && !findings.contains { $0.severity == .error } }

    /// The contract for the generator.
    package var resolved: ResolvedContract? { isWhole ? partial : nil }

    // MARK: What could be resolved

    /// The endpoints as written and as resolved, in the order of the contract.
    package var endpoints: [(written: EndpointDefinition, resolved: ResolvedEndpoint)] { mapEndpoints { ($0, $1) } }

    /// Makes something of each endpoint as written and as resolved, in the order of the contract.
    package func mapEndpoints<Element>(_ make: (_ written: EndpointDefinition, _ resolved: ResolvedEndpoint) -> Element)
        -> [Element]
    {
        guard let written, let partial else { return [] }
        return written.endpoints.indices.map { make(written.endpoints[$0], partial.endpoints[$0]) }
    }

    package var session: ResolvedSession? { partial?.session }
    /// The errors that endpoints use, imported ones included.
    package var errors: [ErrorDefinition] { partial?.errors ?? [] }
    /// The contract's own types and the imported ones that it uses.
    package var types: [TypeDefinition] { partial?.types ?? [] }

    package func error(named name: String) -> ErrorDefinition? { partial?.error(named: name) }

    package func envelope(named name: String) -> EnvelopeDefinition? { partial?.envelope(named: name) }

    package func type(named name: String) -> TypeDefinition? { partial?.type(named: name) }

    /// The constraints that aliases add to a type.
    package func aliasConstraints(of type: TypeReference) -> [Constraints] {
        partial?.expanded(type).constraints ?? []
    }

    /// The type with all aliases resolved.
    package func expanded(_ type: TypeReference) -> TypeReference { partial?.expanded(type).type ?? type }
}
