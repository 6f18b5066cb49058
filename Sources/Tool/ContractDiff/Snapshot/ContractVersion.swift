import ContractModel

/// A version of a contract, with what rules ask about it.
struct ContractVersion {
    let contract: Contract
    let resolved: ResolvedContract
    let tree: ComparedNode
    let users: TypeUse
    let places: SourcePlaces
    let types: TypeTable
    /// The endpoints, by their names.
    let endpoints: [String: EndpointDefinition]
    /// The types that the contract defines, by their names.
    let typeDefinitions: [String: TypeDefinition]
    /// The endpoints of the tree, by their names.
    let endpointNodes: [String: ComparedNode]
    /// The values of `defaults` that the contract writes.
    let defaults: ComparedNode
    /// What the document of the contract says beside it, if both versions are documents.
    let facts: DocumentFacts?

    init(
        _ examination: ContractExamination, _ resolved: ResolvedContract, written: Contract,
        _ facts: DocumentFacts? = nil
    ) {
        self.facts = facts
        self.resolved = resolved
        contract =
            ContractSnapshot(resolved, written: written, sharedSession: examination.sharedSession).contract
        tree = ComparedNode(contract)
        users = TypeUse(contract)
        places = SourcePlaces(examination)
        types = TypeTable(tree)
        endpoints = Dictionary(contract.endpoints.map { ($0.name.value, $0) }) { first, _ in first }
        typeDefinitions = Dictionary(contract.types.map { ($0.name.value, $0) }) { first, _ in first }
        endpointNodes = Dictionary((tree["endpoints"]?.parts ?? []).map { ($0.key, $0.node) }) { first, _ in first }
        defaults = ComparedNode(written.defaults)
    }

    /// Whether the contract, or one that it imports, has a definition at this place.
    func declares(_ place: [String]) -> Bool { places.declares(place) }
}
