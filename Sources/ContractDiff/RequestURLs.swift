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
        let endpoints = old.contract.endpoints.filter { $0.server?.value == role }
        let pairs = endpoints.compactMap { endpoint in
            new.contract.endpoints.first { $0.name.value == endpoint.name.value }.map { (endpoint, $0) }
        }
        return !pairs.isEmpty && pairs.allSatisfy { hasSameURL($0, $1, pair.old, pair.new) }
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
        return parts.map { $0.spelling.hasSuffix("/") ? String($0.spelling.dropLast()) : $0.spelling }
    }

    // MARK: Common parameters

    /// Whether every request of an endpoint has an input that all requests have in the other version, or the reverse.
    ///
    /// - Parameter version: the version that would send it with all requests.
    func isCommon(in version: ContractVersion) -> Bool {
        let place = edit.place
        guard place.count > 3, let wire = (edit.old ?? edit.new)?["wire"]?.text ?? place.last else { return false }
        let endpoint = version.contract.endpoints.first { $0.name.value == place[1] }
        let common = version.contract.common
        let hasBody = endpoint?.method.map { !$0.sendsParametersInQuery } ?? true
        let candidates =
            switch place[2] {
            case "headers": common.headers
            case "query": common.query + (hasBody ? [] : common.parameters)
            case "body": hasBody ? common.parameters : []
            default: [CommonParameter]()
            }
        return candidates.contains { $0.field.wireName.lowercased() == wire.lowercased() }
    }

    /// Whether each endpoint of both versions sends, in one of them, what all requests have in the other.
    func isSentByEach(in version: ContractVersion) -> Bool {
        let place = edit.place
        guard place.count > 2, let wire = (edit.old ?? edit.new)?["wire"]?.text ?? place.last else { return false }
        let names = Set(old.contract.endpoints.map(\.name.value)).intersection(new.contract.endpoints.map(\.name.value))
        let endpoints = version.contract.endpoints.filter { names.contains($0.name.value) }
        return !endpoints.isEmpty
            && endpoints.allSatisfy { endpoint in
                let hasBody = endpoint.method.map { !$0.sendsParametersInQuery } ?? true
                let inputs: [FieldDefinition]
                switch place[1] {
                case "headers": inputs = endpoint.headers
                case "parameters" where hasBody:
                    if case .fields(let fields)? = endpoint.body?.content { inputs = fields } else { inputs = [] }
                default: inputs = endpoint.query
                }
                return inputs.contains {
                    $0.wireName.lowercased() == wire.lowercased() && (!$0.type.isOptional || $0.defaultValue != nil)
                }
            }
    }
}
