import ContractModel
import Diagnostics
import YAMLTree

/// One contract as rules see it: as written, as far as it could be resolved, and with its decision tables proved. Made
/// once; all rules share it.
package struct LintSubject {
    let contract: Contract
    let document: YAMLDocument
    let endpoints: [LintedEndpoint]
    /// Every field that the contract itself declares, once, in the order of its sections.
    let ownFields: [FieldDefinition]
    private let examination: ContractExamination

    /// `nil` where nothing could be read that a rule could look at.
    package init?(_ examination: ContractExamination) {
        guard let contract = examination.written, let document = examination.document else { return nil }
        self.contract = contract
        self.document = document
        self.examination = examination
        ownFields = Self.fields(of: contract)
        endpoints = examination.mapEndpoints { LintedEndpoint($0, $1, in: examination) }
    }

    /// Whether reading found no error. Where it did, a rule that argues from absence keeps quiet.
    var isWhole: Bool { examination.isWhole }
    var session: ResolvedSession? { examination.session }
    var imports: [Contract] { examination.imports }
    /// The contract whose session this one shares.
    var sharedSession: Contract? { examination.sharedSession }
    /// The errors that endpoints use, imported ones included.
    var errors: [ErrorDefinition] { examination.errors }
    /// The contract's own types and the imported ones that it uses.
    var types: [TypeDefinition] { examination.types }

    func error(named name: String) -> ErrorDefinition? { examination.error(named: name) }

    func type(named name: String) -> TypeDefinition? { examination.type(named: name) }

    func expanded(_ type: TypeReference) -> TypeReference { examination.expanded(type) }

    /// The type that the language brings, behind aliases and `?`.
    func primitive(_ type: TypeReference) -> Primitive? { type.primitive ?? expanded(type.unwrapped).primitive }

    /// The fields of a type that is a structure behind aliases and `?`; none where it is something else.
    func structureFields(of type: TypeReference) -> [FieldDefinition] {
        guard case .named(let name) = expanded(type.unwrapped).unwrapped, let definition = self.type(named: name.value),
            case .structure(let fields) = definition.form
        else { return [] }
        return fields
    }
}

/// An endpoint as written and as resolved, with what its names mean. An object, since every rule walks over all of them and
/// what they hold is large.
final class LintedEndpoint {
    let written: EndpointDefinition
    let resolved: ResolvedEndpoint
    let envelope: EnvelopeDefinition?
    /// The declared errors that it can fail with, the defaults' last.
    let errors: [ErrorDefinition]
    let proof: TableProof

    init(_ written: EndpointDefinition, _ resolved: ResolvedEndpoint, in examination: ContractExamination) {
        self.written = written
        self.resolved = resolved
        envelope = resolved.envelope.flatMap { examination.envelope(named: $0) }
        errors = resolved.errors.compactMap { examination.error(named: $0) }
        proof = TableProof(resolved, envelope: envelope)
    }

    var name: String { resolved.name.value }

    /// The errors that it lists itself, with the places where it does.
    var ownErrors: [(listed: Located<String>, error: ErrorDefinition)] {
        written.errors.compactMap { listed in
            errors.first { $0.name.value == listed.value }.map { (listed, $0) }
        }
    }
}
