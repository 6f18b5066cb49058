/// The kind of definition that a name of a contract refers to.
package enum NameKind: String, Hashable, Sendable, CaseIterable {
    case type, error, envelope, endpoint
    /// The other origin that the servers of a contract have.
    case role
    case server
    /// What an app finds under one property of the client.
    case group
    case credential

    /// Whether a contract that imports another one may use its names.
    package var isImported: Bool {
        switch self {
        case .type, .error, .envelope: true
        case .endpoint, .role, .server, .group, .credential: false
        }
    }
}

extension NameKind {
    /// The key of a contract that has the definitions.
    package var section: String { rawValue + "s" }
}

/// What a text of a contract refers to, apart from what is defined in the text itself.
package enum TextMeaning: Equatable, Sendable {
    case name(NameKind)
    /// The path of a request, which may hold types of parameters.
    case target
    /// Names of credentials of the contract.
    case credentials
    /// The path of another contract.
    case contract
}

extension Contract {
    /// The names of what it defines, where it defines them. A role can occur several times.
    package func definitions(of kind: NameKind) -> [Located<String>] {
        switch kind {
        // An inline structure of a field has no name that could be written elsewhere.
        case .type: types.filter { $0.inline == nil }.map(\.name)
        case .error: errors.map(\.name)
        case .envelope: envelopes.map(\.name)
        case .endpoint: endpoints.map(\.name)
        // First `roles`, then the URLs of the servers.
        case .role: roles.map(\.name) + servers.flatMap { $0.roles.map(\.name) }
        case .server: servers.map(\.name)
        case .group: groups.map(\.name)
        case .credential: credentials.map(\.name)
        }
    }
}
