/// One entry of `credentials`: what the app gives once, when it makes the client, and what some requests carry.
package struct CredentialDefinition: Sendable {
    /// The place of the app's value in a request.
    package enum Placement: Sendable, Equatable {
        case header(name: String, prefix: String, suffix: String)
        /// `user:password` in `Authorization` (RFC 7617).
        case basic
        case query(String)
        case cookie(String)

        /// `Authorization: Bearer …` (RFC 6750).
        package static let bearer = Placement.header(name: "Authorization", prefix: "Bearer ", suffix: "")

        /// A text for the place in a request. Two placements with the same text exclude each other.
        package var place: String {
            switch self {
            case .header(let name, _, _): "header \(name.lowercased())"
            case .basic: "header authorization"
            case .query(let name): "query \(name)"
            case .cookie(let name): "cookie \(name)"
            }
        }
    }

    package var name: Located<String>
    package var placement: Placement

    package init(name: Located<String>, placement: Placement) {
        self.name = name
        self.placement = placement
    }

    /// The names that mean something else, here or under `session`.
    package static let reservedNames = ["none", "required", "optional", "session"]
    /// The names of the other parameters of the client's initializer, which has each credential as a parameter.
    package static let clientLabels = ["on", "common", "server", "dispatcher", "binding", "signingKey"]
}

/// Credentials that a request carries together.
package struct CredentialAlternative: Sendable, Equatable {
    /// Empty for a request that may go without credentials.
    package var names: [String]

    package init(_ names: [String]) { self.names = names }

    /// The alternative as a contract has it: `apiKey + tenant`.
    package var text: String { names.isEmpty ? "none" : names.joined(separator: " + ") }
}
