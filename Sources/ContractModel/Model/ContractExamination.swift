import Diagnostics
import YAMLTree

/// All that could be found out about one contract, whatever is wrong with it: what checks look at, so that one mistake
/// does not hide the others.
///
/// Architecture invariant: nothing that makes Swift takes it. ``resolved`` is there only where no error was found, and
/// what a contract with errors resolved to is not given out as a whole.
package struct ContractExamination: Sendable {
    package let file: String
    /// The tree; `nil` where the file is no YAML.
    package let document: YAMLDocument?
    /// What reading and resolving found, in its order, that of imported files included.
    package private(set) var findings: [Diagnostic]
    /// The contract as written; `nil` where not even the service's name could be read.
    package private(set) var written: Contract?
    /// The contracts that it imports, as far as they could be read.
    package private(set) var imports: [Contract] = []
    /// The contract whose session it shares.
    package private(set) var sharedSession: Contract?
    private var partial: ResolvedContract?

    init(file: String, document: YAMLDocument?, findings: DiagnosticBag) {
        self.file = file
        self.document = document
        self.findings = findings.sorted()
    }

    mutating func complete(
        _ written: Contract, imports: [Contract], _ partial: ResolvedContract, sharedSession: Contract?,
        _ findings: DiagnosticBag
    ) {
        self.written = written
        self.imports = imports
        self.partial = partial
        self.sharedSession = sharedSession
        self.findings = findings.sorted()
    }

    /// Whether no error was found. Where there was one, a name may be unused only because what uses it could not be read.
    package var isWhole: Bool { partial != nil && !findings.contains { $0.severity == .error } }

    /// What the generator takes.
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

    /// The type behind all aliases.
    package func expanded(_ type: TypeReference) -> TypeReference { partial?.expanded(type).type ?? type }
}
