/// Finds the endpoint at the `tokenUrl` of a document, if its response has the token.
struct LoginPlanner {
    let types: TypePlanner
    /// The base URLs of the document, which may be paths.
    let servers: [String]

    /// The member of a response that has the token (RFC 6749 section 5.1).
    static let token = "access_token"

    /// The name of the endpoint; nil if the document has none there.
    func login(at url: String, in plan: ContractPlan) -> String? {
        let paths = paths(of: url)
        return plan.endpoints.first { endpoint in
            endpoint.method == .post && endpoint.server == nil && paths.contains(endpoint.path) && givesToken(endpoint)
        }?.name
    }

    /// The paths below a server that a URL can have. A path without a slash in front is one below the root of the documentation.
    private func paths(of url: String) -> Set<String> {
        guard !url.contains("://") else { return Set(servers.compactMap { Self.rest(of: url, after: $0) }) }
        let path = url.hasPrefix("/") ? url : "/" + url
        return Set(servers.compactMap { Self.rest(of: path, after: Self.path(of: $0)) } + [path])
    }

    /// What follows a base URL; nil for a URL with another one.
    private static func rest(of url: String, after base: String) -> String? {
        url.hasPrefix(base + "/") ? String(url.dropFirst(base.count)) : nil
    }

    private static func path(of server: String) -> String {
        guard let host = server.firstRange(of: "://")?.upperBound else { return server }
        return String(server[host...].drop { $0 != "/" })
    }

    private func givesToken(_ endpoint: PlannedEndpoint) -> Bool {
        guard case .content(let content) = endpoint.response else { return false }
        return fields(of: content).contains { $0.wire == Self.token && present($0.type) == .word("string") }
    }

    private func fields(of content: PlannedEndpoint.Content) -> [PlannedField] {
        switch content {
        case .fields(let fields): return fields
        case .type(let type):
            guard case .named(let number) = present(type), case .structure(let fields) = types.entries[number].form
            else { return [] }
            return fields
        }
    }

    /// A type without the names of aliases, and without null.
    private func present(_ type: PlannedType) -> PlannedType {
        let type = types.expanded(type)
        if case .optional(let inner) = type { return present(inner) }
        return type
    }
}
