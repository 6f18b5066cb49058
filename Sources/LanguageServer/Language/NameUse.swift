import ContractModel
import Diagnostics

/// The kind of definition that a name of a contract refers to.
enum NameKind: String, Hashable {
    case type, error, envelope, endpoint
    /// The other origin that the servers of a contract have.
    case role
    case server
    /// What an app finds under one property of the client.
    case group

    /// Whether a contract that imports another one may use its names.
    var isImported: Bool {
        switch self {
        case .type, .error, .envelope: true
        case .endpoint, .role, .server, .group: false
        }
    }
}

/// One occurrence of a name: its definition or a reference.
struct NameUse {
    var kind: NameKind
    var name: Located<String>
    var isDefinition = false
}

extension Contract {
    /// Every place of the file that says a name, of what could be read.
    var nameUses: [NameUse] {
        var uses = types.filter { $0.inline == nil }.map { NameUse(kind: .type, name: $0.name, isDefinition: true) }
        uses += errors.map { NameUse(kind: .error, name: $0.name, isDefinition: true) }
        uses += envelopes.map { NameUse(kind: .envelope, name: $0.name, isDefinition: true) }
        uses += endpoints.map { NameUse(kind: .endpoint, name: $0.name, isDefinition: true) }
        uses += groups.map { NameUse(kind: .group, name: $0.name, isDefinition: true) }
        var met: Set<String> = []
        uses += roleNames.map { NameUse(kind: .role, name: $0, isDefinition: met.insert($0.value).inserted) }
        uses += servers.map { NameUse(kind: .server, name: $0.name, isDefinition: true) }
        uses += trust.map { NameUse(kind: .server, name: $0.server) }
        // An inline structure of a field has no name that could be written elsewhere.
        let inline = Set(types.filter { $0.inline != nil }.map(\.name.value))
        uses += typeReferences.flatMap(\.names).filter { !inline.contains($0.value) }.map {
            NameUse(kind: .type, name: $0)
        }
        uses += defaults.errors.map { NameUse(kind: .error, name: $0) }
        if let envelope = defaults.envelope { uses.append(NameUse(kind: .envelope, name: envelope)) }
        uses += (session?.endpoints ?? []).map { NameUse(kind: .endpoint, name: $0) }
        if let asked = session?.identification { uses.append(NameUse(kind: .endpoint, name: asked)) }
        for endpoint in endpoints {
            if let server = endpoint.server { uses.append(NameUse(kind: .role, name: server)) }
            if let group = endpoint.group { uses.append(NameUse(kind: .group, name: group)) }
            uses += endpoint.errors.map { NameUse(kind: .error, name: $0) }
            if let envelope = endpoint.envelope { uses.append(NameUse(kind: .envelope, name: envelope)) }
            if let confirm = endpoint.confirm { uses.append(NameUse(kind: .endpoint, name: confirm.endpoint)) }
            uses += endpoint.clears.map { NameUse(kind: .endpoint, name: $0) }
            let outcomes = Set(endpoint.outcomes.map(\.name.value))
            for example in endpoint.examples {
                uses += example.cases.map(\.name).filter { !outcomes.contains($0.value) }.map {
                    NameUse(kind: .error, name: $0)
                }
            }
        }
        return uses
    }

    /// Where a name of this file is defined in it.
    func definition(of name: String, _ kind: NameKind) -> Located<String>? {
        switch kind {
        case .type: types.first { $0.name.value == name }?.name
        case .error: errors.first { $0.name.value == name }?.name
        case .envelope: envelopes.first { $0.name.value == name }?.name
        case .endpoint: endpoints.first { $0.name.value == name }?.name
        case .role: roleNames.first { $0.value == name }
        case .server: servers.first { $0.name.value == name }?.name
        case .group: groups.first { $0.name.value == name }?.name
        }
    }

    func names(_ kind: NameKind) -> [String] {
        switch kind {
        case .type: types.filter { $0.inline == nil }.map(\.name.value)
        case .error: errors.map(\.name.value)
        case .envelope: envelopes.map(\.name.value)
        case .endpoint: endpoints.map(\.name.value)
        case .role: Set(roleNames.map(\.value)).sorted()
        case .server: servers.map(\.name.value)
        case .group: groups.map(\.name.value)
        }
    }

    /// Each place that defines a role: first `roles`, then the URLs of the servers.
    private var roleNames: [Located<String>] { roles.map(\.name) + servers.flatMap { $0.roles.map(\.name) } }

    private var typeReferences: [TypeReference] {
        var found = common.all.map(\.field.type)
        for type in types {
            switch type.form {
            case .structure(let fields): found += fields.map(\.type)
            case .union(let union): found += union.cases.map(\.type)
            case .alias(let target, _): found.append(target)
            case .enumeration: break
            }
        }
        for error in errors { found += Self.types(of: error.data) }
        for event in events { found += Self.types(of: event.data) }
        for endpoint in endpoints {
            if case .http(_, let path) = endpoint.target { found += path.value.parameters.map(\.type) }
            found += (endpoint.query + endpoint.headers + endpoint.cookies).map(\.type)
            switch endpoint.body?.content {
            case .fields(let fields)?: found += fields.map(\.type)
            case .type(let type, _)?: found.append(type)
            case .bytes?, nil: break
            }
            switch endpoint.response.value {
            case .type(let type, _, _): found.append(type)
            case .fields(let fields): found += fields.map(\.type)
            case .none, .bytes: break
            }
            found += endpoint.responseHeaders.map(\.type)
            for outcome in endpoint.outcomes { found += Self.types(of: outcome.data) }
        }
        return found
    }

    private static func types(of data: ErrorData?) -> [TypeReference] {
        switch data {
        case .fields(let fields)?: fields.map(\.type)
        case .type(let type, _)?: [type]
        case nil: []
        }
    }
}

extension ContractExamination {
    /// Where a name means something in this contract: its own definition, else an imported one (`NameKind.isImported`).
    func definition(of name: String, _ kind: NameKind) -> (name: Located<String>, contract: Contract)? {
        guard let written else { return nil }
        if let own = written.definition(of: name, kind) { return (own, written) }
        guard kind.isImported else { return nil }
        for contract in imports {
            if let found = contract.definition(of: name, kind) { return (found, contract) }
        }
        return nil
    }
}
