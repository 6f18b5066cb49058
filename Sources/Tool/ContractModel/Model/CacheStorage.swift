/// Where the responses of an endpoint with `cache` may be kept. The generated client and the documentation follow the same rule.
package enum CacheStorage: Sendable, Hashable {
    /// In memory, and in the folder that the app names.
    case plain
    /// In memory, and in the folder only if the app seals it: responses have sensitive members.
    case sealed
    /// In memory only: requests have something secret in their inputs or in their URL. Not even a hash of it may be on the disk, and
    /// one would be in the name of a file.
    case memory
}

extension ResolvedContract {
    package func cacheStorage(of endpoint: ResolvedEndpoint) -> CacheStorage {
        if hasSensitiveRequest(endpoint) || hasSecretBesideInputs(endpoint) { return .memory }
        return hasSensitiveResponse(endpoint) ? .sealed : .plain
    }

    /// Whether a value of a type can hold something sensitive, however deep.
    package func reachesSensitive(from type: String) -> Bool {
        var seen: Set<String> = []
        var open = [type]
        while let name = open.popLast() {
            guard seen.insert(name).inserted, let definition = self.type(named: name) else { continue }
            if case .structure(let fields) = definition.form, fields.contains(where: \.isSensitive) { return true }
            open += definition.mentionedNames.map(\.value)
        }
        return false
    }

    /// Whether the inputs of a request can have something sensitive, in its URL, its headers or its body.
    private func hasSensitiveRequest(_ endpoint: ResolvedEndpoint) -> Bool {
        var types: [TypeReference] = []
        if case .type(let type, _)? = endpoint.body?.content { types = [type] }
        return hasSensitive(endpoint.inputs + common.all.map(\.field), types)
    }

    /// Whether the client adds a token or a credential to the URL or the body. The runtime knows those in headers.
    private func hasSecretBesideInputs(_ endpoint: ResolvedEndpoint) -> Bool {
        if endpoint.session != .none, case .parameter? = session?.placement { return true }
        let names = Set(endpoint.credentials.flatMap(\.names))
        return credentials.contains { credential in
            if case .query = credential.placement { names.contains(credential.name.value) } else { false }
        }
    }

    /// Whether a response of an endpoint can have something sensitive in its headers or its body.
    private func hasSensitiveResponse(_ endpoint: ResolvedEndpoint) -> Bool {
        switch endpoint.response.value {
        case .none, .bytes: hasSensitive(endpoint.responseHeaders, [])
        case .fields(let fields): hasSensitive(endpoint.responseHeaders + fields, [])
        case .type(let type, _, _): hasSensitive(endpoint.responseHeaders, [type])
        }
    }

    private func hasSensitive(_ fields: [FieldDefinition], _ types: [TypeReference]) -> Bool {
        fields.contains(where: \.isSensitive)
            || (types + fields.map(\.type)).contains { type in
                type.names.contains { reachesSensitive(from: $0.value) }
            }
    }
}
