import Diagnostics

// Which commands have no use for a cache, and which make nothing in it out of date.
extension Resolution {
    mutating func checkCache(of endpoint: EndpointDefinition) {
        guard let cache = endpoint.cache, cache.value.isHTTP else { return }
        let name = endpoint.name.value
        let session = contract.session
        let roles = [
            (session?.login, "starts the session"), (session?.refresh, "renews the session"),
            (session?.logout, "ends the session"),
        ]
        func refuse(_ problem: String, _ note: DiagnosticNote? = nil, help: String = "remove `cache`") {
            report(.cacheNotPossible, problem, at: cache.range, notes: [note].compactMap { $0 }, help: help)
        }
        if let role = roles.first(where: { $0.0?.value == name }) {
            refuse("`\(name)` \(role.1), so the server has to be asked each time")
        } else if endpoint.effect != .read {
            refuse(
                "`\(name)` has the effect `\(endpoint.effect.rawValue)`, and each write has to reach the server",
                endpoint.declaredEffect.map { DiagnosticNote("the effect", at: $0.range) },
                help: "remove `cache`, or write `effect: read` if the request changes nothing")
        } else if let method = endpoint.method, !method.isCacheable {
            refuse(
                "`\(name)` is a \(method.rawValue.uppercased()), whose responses HTTP lets no cache use again",
                help: "remove `cache`, or use `get` or `query`")
        } else if endpoint.delivery?.value == .stream {
            refuse(
                "`\(name)` is a stream, and no stored response has the elements that are still to come",
                endpoint.delivery.map { DiagnosticNote("the stream", at: $0.range) })
        } else if let pagination = endpoint.pagination {
            refuse(
                "`\(name)` has pages, and each page belongs to the walk that asks for it",
                DiagnosticNote("the pages", at: pagination.range))
        } else if case .bytes = endpoint.response.value {
            refuse(
                "`\(name)` gives the bytes of a file, which would take the place of all other responses",
                DiagnosticNote("the response", at: endpoint.response.range),
                help: "remove `cache`, and keep the file that a download writes")
        }
    }

    mutating func checkClears(of endpoint: ResolvedEndpoint, _ endpoints: [ResolvedEndpoint], _ index: [String: Int]) {
        guard let first = endpoint.definition.clears.first else { return }
        guard endpoint.effect != .read else {
            report(
                .clearsNothing, "`\(endpoint.name.value)` only reads, so no stored response is out of date after it",
                at: first.range, help: "remove `clears`")
            return
        }
        for name in endpoint.definition.clears {
            guard let position = index[name.value] else {
                if scope.canMiss(name.value) {
                    reportMissing(.unknownEndpoint, "endpoint", name, among: Array(index.keys))
                }
                continue
            }
            if endpoints[position].cache == nil {
                report(
                    .clearsNothing, "`\(name.value)` has no `cache`, so nothing of it is stored", at: name.range,
                    notes: [DiagnosticNote("the endpoint", at: endpoints[position].name.range)],
                    help: "remove the name, or write `cache: http` at `\(name.value)`")
            }
        }
    }
}

extension HTTPMethod {
    /// Whether its responses may be used again for the same request (RFC 9110 section 9.2.3, RFC 10008). A response to HEAD
    /// has nothing that an app reads twice, and one to POST may be used for a GET only.
    fileprivate var isCacheable: Bool { self == .get || self == .query }
}
