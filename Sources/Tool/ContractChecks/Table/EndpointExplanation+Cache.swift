import ContractModel

// What is stored of an endpoint's responses, where, and what removes it.
extension EndpointExplanation {
    static func sentences(aboutCacheOf endpoint: ResolvedEndpoint, in contract: ResolvedContract) -> [String] {
        var sentences: [String] = []
        if let cache = endpoint.cache {
            sentences.append(
                "a response is used again in its login for as long as its headers say, and is then confirmed by its `ETag` or its `Last-Modified`"
            )
            if let offline = cache.offline {
                sentences.append(
                    "without a network, a stale one is used for up to \(TimeText.of(offline.value)), unless it has `no-cache` or `must-revalidate`"
                )
            }
            sentences.append(place(of: endpoint, in: contract))
            sentences.append(end(of: endpoint, in: contract))
        }
        if !endpoint.definition.clears.isEmpty {
            let names = list(endpoint.definition.clears.map(\.value))
            sentences.append("unless it is refused, the stored responses of \(names) are gone after it")
        }
        return sentences
    }

    /// Where its responses are kept.
    private static func place(of endpoint: ResolvedEndpoint, in contract: ResolvedContract) -> String {
        switch contract.cacheStorage(of: endpoint) {
        case .memory:
            return
                "its responses are kept in memory only, because the URL or the body of a request can have something secret"
        case .sealed:
            return
                "its responses are kept in memory, and in the folder that the app names only if it is sealed, because they have sensitive members"
        case .plain:
            let exceptions = endpoint.credentials.contains { !$0.names.isEmpty } ? "credentials or cookies" : "cookies"
            return
                "its responses are kept in memory, and in the folder that the app names for the cache; those with \(exceptions) only if the folder is sealed"
        }
    }

    /// What removes its responses, besides their age.
    private static func end(of endpoint: ResolvedEndpoint, in contract: ResolvedContract) -> String {
        let writers = contract.endpoints.filter { $0.definition.clears.contains { $0.value == endpoint.name.value } }
        let login = endpoint.session == .none ? "" : "the end of the login, "
        let others = writers.isEmpty ? "" : ", \(list(writers.map(\.name.value)))"
        return "they are removed by \(login)a write to the same URL\(others) or `emptyCache()`"
    }

    private static func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
}
