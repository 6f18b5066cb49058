import ContractModel

// Where requests go, whatever part of the URL is at the server and which at the endpoint.
extension Situation {
    /// Whether an endpoint has the same URL on every server as before.
    func hasSameURLs(_ before: EndpointDefinition?, _ after: EndpointDefinition?) -> Bool {
        let pairs = serverPairs
        return !pairs.isEmpty && pairs.count == old.contract.servers.count
            && pairs.allSatisfy { hasSameURL(before, after, $0.old, $0.new) }
    }

    /// Whether all endpoints of a role have the same URL on a server as before.
    func hasSameURLs(onServer name: String, role: String?) -> Bool {
        guard let pair = serverPairs.first(where: { $0.new.name.value == name }) else { return false }
        let endpoints = endpointPairs.filter { $0.old.server?.value == role }
        return !endpoints.isEmpty && endpoints.allSatisfy { hasSameURL($0.old, $0.new, pair.old, pair.new) }
    }

    private var serverPairs: [(old: ServerDefinition, new: ServerDefinition)] {
        let (before, after) = (old.contract.servers, new.contract.servers)
        if before.count == 1, after.count == 1 { return [(before[0], after[0])] }
        return before.compactMap { server in
            after.first { $0.name.value == server.name.value }.map { (server, $0) }
        }
    }

    private func hasSameURL(
        _ before: EndpointDefinition?, _ after: EndpointDefinition?, _ one: ServerDefinition, _ other: ServerDefinition
    ) -> Bool {
        guard case .http(let method, let path)? = before?.target,
            case .http(let otherMethod, let otherPath)? = after?.target,
            method == otherMethod, let first = base(one, before), let second = base(other, after)
        else { return false }
        func wire(_ path: PathTemplate, _ version: ContractVersion) -> String {
            TargetSpelling(path.text).wire { type in
                TypeReference(spelling: type).map { version.types.expanded($0).spelling } ?? type
            }
        }
        return first + wire(path.value, old) == second + wire(otherPath.value, new)
    }

    /// The URL before the path of an endpoint.
    private func base(_ server: ServerDefinition, _ endpoint: EndpointDefinition?) -> String? {
        let parts = endpoint?.server.map { server.url(of: $0.value) } ?? server.url
        return parts.map { URLSpelling.normalized($0.spelling) }
    }
}
