import Diagnostics

// The servers of a contract and their roles: the other origins that some endpoints are sent to.
extension Resolution {
    /// The roles of the servers, and those that only `roles` names.
    mutating func resolvedRoles() -> [ServerRoleDefinition] {
        var all: [ServerRoleDefinition] = []
        var seen: Set<String> = []
        let declared = Dictionary(contract.roles.map { ($0.name.value, $0) }) { first, _ in first }
        for name in contract.servers.flatMap(\.roles).map(\.name) + contract.roles.map(\.name)
        where seen.insert(name.value).inserted {
            all.append(declared[name.value] ?? ServerRoleDefinition(name: name))
        }
        for server in contract.servers {
            let own = Set(server.roles.map(\.name.value))
            for role in all where !own.contains(role.name.value) {
                report(
                    .serverRoleMissing,
                    "the server `\(server.name.value)` has no URL for the role `\(role.name.value)`",
                    at: server.name.range,
                    notes: [DiagnosticNote("the role", at: role.name.range)],
                    help: "write `\(server.name.value): {url: …, \(role.name.value): https://…}`")
            }
            reportVariables(of: server)
        }
        for role in all { checkContents(of: role) }
        return all
    }

    /// An app fills each variable of a server once, for all of its URLs.
    private mutating func reportVariables(of server: ServerDefinition) {
        var defaults: [String: String] = [:]
        for case .variable(let name, let value) in server.urls.joined() {
            guard let other = defaults.updateValue(value, forKey: name), other != value else { continue }
            report(
                .duplicateName,
                "the variable `\(name)` of the server `\(server.name.value)` has the defaults `\(other)` and `\(value)`",
                at: server.name.range, help: "give it the same default in each URL, or name one of them otherwise")
        }
    }

    private mutating func checkContents(of role: ServerRoleDefinition) {
        for content in role.sends {
            let isDeclared =
                switch content.value {
                case .session: contract.session != nil
                case .common: !contract.common.all.isEmpty
                case .credentials: !contract.credentials.isEmpty
                case .signature: contract.signing != nil
                }
            guard !isDeclared else { continue }
            let section = content.value == .signature ? "signing" : content.value.rawValue
            report(
                .conflictingKeys,
                "the role `\(role.name.value)` sends `\(content.value.rawValue)`, but the contract has no `\(section)`",
                at: content.range, help: "remove `\(content.value.rawValue)`, or declare `\(section)`")
        }
        reportDuplicates(role.sends.map { $0.map(\.rawValue) }, "content") { $0 }
    }

    /// The entries of `trust` whose servers exist. The key of a server without TLS is never seen, so that nothing could be sent to it.
    mutating func resolvedTrust() -> [TrustDefinition] {
        contract.trust.filter { trust in
            guard let server = server(trust.server) else { return false }
            for pins in Dictionary(grouping: trust.pins, by: \.value).values {
                guard pins.count > 1, let last = pins.last else { continue }
                report(
                    .duplicateName, "the pin \(quoted(last.value)) occurs twice", at: last.range,
                    help: "name each key once")
            }
            guard let open = server.urls.first(where: { !$0.isSecure }) else { return true }
            report(
                .invalidServer,
                "`\(server.name.value)` has pins, and its URL \(quoted(open.spelling)) is one without TLS, so that there is no key",
                at: trust.server.range, notes: [DiagnosticNote("the server", at: server.name.range)],
                help: "write `https://` or `wss://`, or remove the pins")
            return false
        }
    }

    /// The server of an entry under another key. Nil after a finding.
    private mutating func server(_ name: Located<String>) -> ServerDefinition? {
        if let server = contract.servers.first(where: { $0.name.value == name.value }) { return server }
        let names = contract.servers.map(\.name.value)
        _ = reportMissing(
            .unknownServer, "server", name, among: names,
            help: names.isEmpty
                ? "declare it: `servers: {\(name.value): https://…}`"
                : "the servers are \(names.map { "`\($0)`" }.joined(separator: ", "))")
        return nil
    }

    /// The entries of `gateways` whose servers and roles exist.
    mutating func resolvedGateways() -> [GatewayDefinition] {
        contract.gateways.filter { entry in
            guard server(entry.server) != nil else { return false }
            for (name, _) in entry.roles where role(name.value) == nil { reportMissing(role: name) }
            return true
        }
    }

    /// Returns the nearest role.
    @discardableResult private mutating func reportMissing(role name: Located<String>) -> String? {
        let names = roles.map(\.name.value)
        let help =
            names.isEmpty
            ? "add it to each server: `production: {url: https://…, \(name.value): https://…}`"
            : "the roles are \(names.map { "`\($0)`" }.joined(separator: ", "))"
        return reportMissing(.unknownServerRole, "role of servers", name, among: names, help: help)
    }

    func role(_ name: String) -> ServerRoleDefinition? { roleIndex[name].map { roles[$0] } }

    /// The role of the origin that an endpoint is sent to.
    mutating func resolvedServer(of endpoint: EndpointDefinition) -> Located<String>? {
        guard let name = endpoint.server, endpoint.frame == nil else { return nil }
        if case .http(_, let path) = endpoint.target, case .wholeURL = path.value {
            report(
                .conflictingKeys, "`\(endpoint.name.value)` takes a whole URL, so it has no `server`", at: name.range,
                help: "remove `server`")
            return nil
        }
        if role(name.value) != nil { return name }
        return reportMissing(role: name).map { near in name.map { _ in near } }
    }

    /// The session of an endpoint whose origin does not get the token; nil for every other endpoint.
    mutating func sessionRefusal(of endpoint: EndpointDefinition, sentTo role: String?) -> SessionUse? {
        guard contract.session != nil, let role, let definition = self.role(role),
            !definition.sends(.session)
        else { return nil }
        if let declared = endpoint.settings.session, declared.value != .none {
            report(
                .conflictingKeys,
                "`\(endpoint.name.value)` cannot have a session, because the role `\(role)` does not send it",
                at: declared.range, notes: [DiagnosticNote("the role", at: definition.name.range)],
                help: "write `session` under `sends` of the role, if the token may go there, or `session: none` here")
        }
        return SessionUse.none
    }

    /// Whether a request has what the contract says of all requests.
    func sends(_ content: ServerRoleDefinition.Content, in endpoint: EndpointDefinition) -> Bool {
        guard let role = endpoint.server?.value else { return true }
        return self.role(role)?.sends(content) ?? true
    }

    /// The common parameters that a request has.
    func common(of endpoint: EndpointDefinition) -> CommonParameters {
        sends(.common, in: endpoint) ? contract.common : CommonParameters()
    }
}
