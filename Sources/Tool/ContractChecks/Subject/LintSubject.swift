import ContractModel
import Diagnostics
import YAMLTree

/// One contract as rules see it: as written, as far as it could be resolved, and with its decision tables proved. Made
/// once; all rules share it.
package struct LintSubject {
    let contract: Contract
    let document: YAMLDocument
    /// The endpoints, except those with an unknown envelope, because the meaning of their responses is unknown.
    let endpoints: [LintedEndpoint]
    /// Every field that the contract itself declares, once, in the order of its sections.
    let ownFields: [FieldDefinition]
    /// Where the names of fields are that travel as headers or cookies.
    let headerFieldPlaces: Set<SourceRange>
    /// Where the names of path parameters are.
    let pathParameterPlaces: Set<SourceRange>
    /// The day on which the rules look; nil if no rule is to depend on it.
    let today: CalendarDay?
    private let examination: ContractExamination

    /// `nil` where nothing could be read that a rule could look at.
    package init?(_ examination: ContractExamination, today: CalendarDay? = nil) {
        guard let contract = examination.written, let document = examination.document else { return nil }
        self.contract = contract
        self.document = document
        self.examination = examination
        self.today = today
        ownFields = Self.fields(of: contract)
        var headerFields = contract.common.headers.map(\.field)
        for endpoint in contract.endpoints {
            headerFields += endpoint.headers
            headerFields += endpoint.cookies
            headerFields += endpoint.responseHeaders
        }
        headerFieldPlaces = Set(headerFields.map(\.name.range))
        var tables: [LintedTable.Key: LintedTable] = [:]
        let endpoints = examination.mapEndpoints { LintedEndpoint($0, $1, in: examination, &tables) }
            .filter { $0.resolved.envelope == nil || $0.envelope != nil }
        pathParameterPlaces = Set(endpoints.flatMap { $0.resolved.path?.parameters ?? [] }.map(\.name.range))
        self.endpoints = endpoints
    }

    /// Whether the contract says a time that could not be read, at an endpoint or for all.
    func hasUnread(_ key: String, of endpoint: LintedEndpoint) -> Bool {
        guard !isWhole else { return false }
        let root = document.root.mapping
        let isSaidThere = root?["endpoints"]?.mapping?[endpoint.name]?.mapping?[key] != nil
        return isSaidThere || root?["defaults"]?.mapping?[key] != nil
    }

    /// Whether reading found no error. After an error, a rule that concludes from absence reports nothing.
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

    /// Every `retry` that the contract writes.
    var writtenRetries: [Located<RetryDefinition>] {
        ([contract.defaults.settings.retry] + contract.errors.map(\.retry) + contract.endpoints.map(\.settings.retry))
            .compactMap { $0 }
    }

    /// The names of the envelopes that endpoints and defaults mention.
    var usedEnvelopeNames: Set<String> {
        let named = [contract.defaults.settings.envelope] + contract.endpoints.map(\.settings.envelope)
        return Set(named.compactMap { $0?.value })
    }

    /// The constraints that aliases add to a type.
    func aliasConstraints(of type: TypeReference) -> [Constraints] { examination.aliasConstraints(of: type) }

    /// The built-in type, with aliases and `?` resolved.
    func primitive(_ type: TypeReference) -> Primitive? { type.primitive ?? expanded(type.unwrapped).primitive }

    /// The fields of a type that is a structure, with aliases and `?` resolved. Empty for any other type.
    func structureFields(of type: TypeReference) -> [FieldDefinition] {
        guard case .named(let name) = expanded(type.unwrapped).unwrapped, let definition = self.type(named: name.value),
            case .structure(let fields) = definition.form
        else { return [] }
        return fields
    }

    /// The fields at the top of a response. Empty if it isn't a structure.
    func fields(of response: ResponseDefinition) -> [FieldDefinition] {
        switch response {
        case .fields(let own): own
        case .type(let type, _, _): structureFields(of: type)
        case .none, .bytes: []
        }
    }
}

/// An endpoint as written and as resolved, with what its names mean. An object, since every rule walks over all of them and
/// what they hold is large.
final class LintedEndpoint {
    let written: EndpointDefinition
    let resolved: ResolvedEndpoint
    let envelope: EnvelopeDefinition?
    /// The table that it shares with the endpoints that list the same errors.
    let table: LintedTable
    /// The errors in the endpoint's own list, with their places.
    let ownErrors: [(listed: Located<String>, error: ErrorDefinition)]

    /// - Parameter tables: those that were made for other endpoints.
    init(
        _ written: EndpointDefinition, _ resolved: ResolvedEndpoint, in examination: ContractExamination,
        _ tables: inout [LintedTable.Key: LintedTable]
    ) {
        self.written = written
        self.resolved = resolved
        let envelope = resolved.envelope.flatMap { examination.envelope(named: $0) }
        self.envelope = envelope
        let key = resolved.sharedTable.map { LintedTable.Key(number: $0, isHead: resolved.method == .head) }
        let table = key.flatMap { tables[$0] } ?? LintedTable(resolved, envelope, in: examination)
        if let key { tables[key] = table }
        self.table = table
        ownErrors = written.errors.compactMap { listed in table.error(named: listed.value).map { (listed, $0) } }
    }

    var name: String { resolved.name.value }
    /// The declared errors that it can fail with, the defaults' last.
    var errors: [ErrorDefinition] { table.errors }
    var proof: TableProof { table.proof }

    /// An error that it can fail with.
    func error(named name: String) -> ErrorDefinition? { table.error(named: name) }

    /// Whether it lists an error itself, under this name.
    func lists(_ name: String) -> Bool { ownErrors.contains { $0.listed.value == name } }
}

/// The errors of an endpoint and what is proved of its decision table.
final class LintedTable {
    /// The differences between the tables of two endpoints without outcomes.
    struct Key: Hashable {
        let number: Int
        let isHead: Bool
    }

    let errors: [ErrorDefinition]
    let proof: TableProof
    private let positions: [String: Int]

    init(_ endpoint: ResolvedEndpoint, _ envelope: EnvelopeDefinition?, in examination: ContractExamination) {
        errors = endpoint.errors.compactMap { examination.error(named: $0) }
        proof = TableProof(endpoint, envelope: envelope)
        positions = Dictionary(
            errors.enumerated().map { ($1.name.value, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func error(named name: String) -> ErrorDefinition? { positions[name].map { errors[$0] } }
}
