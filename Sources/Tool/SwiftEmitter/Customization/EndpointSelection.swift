import ContractModel
import Diagnostics

/// Some of a contract's endpoints, with what they need: the types, errors and envelopes that they name, transitively, the
/// endpoints that begin, renew, present and end the session or say whose it is, and the reads that confirm. Events are no part of an endpoint, and
/// all of them stay.
struct EndpointSelection {
    private(set) var contract: ResolvedContract
    private(set) var findings: [Diagnostic] = []

    init(_ names: [Located<String>], of contract: ResolvedContract) {
        self.contract = contract
        let known = contract.endpoints.map(\.name.value)
        for name in names where !known.contains(name.value) {
            findings.append(
                ContractCustomization.missing(.unknownEndpoint, "endpoint", name, in: contract, among: known))
        }
        let endpoints = Self.endpoints(Set(names.map(\.value)), of: contract)
        let errors = Set(endpoints.flatMap(\.errors))
        let envelopes = Set(endpoints.compactMap(\.envelope))
        let keptErrors = contract.errors.filter { errors.contains($0.name.value) }
        let data = (keptErrors + contract.redeclared).map(\.data) + contract.events.map(\.data)
        let types = Self.types(of: endpoints, data, in: contract)
        var selected = ResolvedContract(
            file: contract.file, service: contract.service, version: contract.version, stability: contract.stability,
            doc: contract.doc,
            servers: contract.servers, common: contract.common, session: contract.session, signing: contract.signing,
            envelopes: contract.envelopes.filter { envelopes.contains($0.name.value) }, errors: keptErrors,
            redeclared: contract.redeclared, types: contract.types.filter { types.contains($0.name.value) },
            endpoints: endpoints, sources: contract.sources
        )
        selected.rateLimit = contract.rateLimit
        selected.trust = contract.trust
        selected.gateways = contract.gateways
        selected.roles = contract.roles
        let credentials = Set(endpoints.flatMap(\.credentials).flatMap(\.names))
        selected.credentials = contract.credentials.filter { credentials.contains($0.name.value) }
        let groups = Set(endpoints.compactMap(\.group?.value))
        selected.groups = contract.groups.filter { groups.contains($0.name.value) }
        selected.connection = contract.connection
        selected.events = contract.events
        selected.sharedErrors = contract.sharedErrors
        self.contract = selected
    }

    private static func endpoints(_ names: Set<String>, of contract: ResolvedContract) -> [ResolvedEndpoint] {
        let session = contract.session
        var wanted = names.union(session?.endpoints ?? [])
        if let asked = session?.identification { wanted.insert(asked) }
        var pending = Array(wanted)
        while let name = pending.popLast() {
            guard let confirm = contract.endpoints.first(where: { $0.name.value == name })?.confirm?.endpoint.value,
                wanted.insert(confirm).inserted
            else { continue }
            pending.append(confirm)
        }
        return contract.endpoints.filter { wanted.contains($0.name.value) }
    }

    private static func types(
        of endpoints: [ResolvedEndpoint], _ data: [ErrorData?], in contract: ResolvedContract
    ) -> Set<String> {
        var pending = contract.common.all.map(\.field.type) + data.flatMap(references)
        for endpoint in endpoints {
            pending += endpoint.inputs.map(\.type)
            if case .type(let type, _)? = endpoint.body?.content { pending.append(type) }
            switch endpoint.response.value {
            case .fields(let fields): pending += fields.map(\.type)
            case .type(let type, _, _): pending.append(type)
            case .none, .bytes: break
            }
            pending += endpoint.responseHeaders.map(\.type)
            pending += endpoint.outcomes.flatMap { references(in: $0.data) }
        }
        var met = Set<String>()
        while let type = pending.popLast() {
            for name in type.names where met.insert(name.value).inserted {
                guard let definition = contract.type(named: name.value) else { continue }
                switch definition.form {
                case .structure(let fields): pending += fields.map(\.type)
                case .union(let union): pending += union.cases.map(\.type)
                case .alias(let target, _): pending.append(target)
                case .enumeration: break
                }
            }
        }
        return met
    }

    private static func references(in data: ErrorData?) -> [TypeReference] {
        switch data {
        case .fields(let fields): fields.map(\.type)
        case .type(let type, _): [type]
        case nil: []
        }
    }
}
