/// Whose a stored response is: those of one login are never given to another one.
struct CacheOwner: Hashable, Sendable {
    /// Kept, so that no later session gets the address that tells this one from others.
    private let session: SessionIdentity
    let epoch: CommandEpoch

    init(_ session: SessionIdentity, _ epoch: CommandEpoch) {
        self.session = session
        self.epoch = epoch
    }

    static func == (first: CacheOwner, second: CacheOwner) -> Bool {
        first.session === second.session && first.epoch == second.epoch
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(session))
        hasher.combine(epoch)
    }
}

/// Which stored responses a request selects, before `Vary` (RFC 9111 section 2: the cache key).
struct CacheKey: Hashable, Sendable {
    /// A field whose value is a secret of the app's, such as a credential: who has another one is somebody else.
    struct Secret: Hashable {
        let name: String
        let value: String
    }

    let owner: CacheOwner
    /// Service and endpoint: `Bank.listAccounts`. Two endpoints with one URL may read a response in different ways.
    let endpoint: String
    let target: String
    let method: String
    /// The body of a QUERY (RFC 10008).
    let body: [UInt8]?
    let secrets: [Secret]

    /// The session's token is renewed within one login, so it does not count.
    ///
    /// - Parameters:
    ///   - tokenField: the header of the session's token.
    ///   - tokenParameter: its parameter in the query.
    init(
        owner: CacheOwner, endpoint: String, method: String, url: String, headers: HTTPHeaders, body: [UInt8]? = nil,
        tokenField: String? = nil, tokenParameter: String? = nil
    ) {
        self.owner = owner
        self.endpoint = endpoint
        self.method = method
        target = Self.target(url, without: tokenParameter)
        self.body = body
        let secret = headers.fields.filter { field in
            field.isSensitive && !(tokenField.map { HTTPHeaders.isEqual($0, field.name) } ?? false)
        }
        secrets = secret.map { Secret(name: $0.name.lowercased(), value: $0.value) }
    }

    /// Roughly how many bytes it takes.
    var size: Int { target.utf8.count + (body?.count ?? 0) + secrets.reduce(0) { $0 + $1.value.utf8.count } }

    /// A URL as stored responses are found by it: with its origin in one spelling, and without a fragment.
    ///
    /// - Parameter parameter: a parameter of the query that does not count.
    static func target(_ url: String, without parameter: String? = nil) -> String {
        guard let origin = Origin(url) else { return url }
        let rest = url.dropFirst(origin.scheme.count + 3).drop { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = parameter.map { remove($0, from: rest.prefix { $0 != "#" }) } ?? rest.prefix { $0 != "#" }
        return origin.description + (path.hasPrefix("/") ? "" : "/") + path
    }

    private static func remove(_ parameter: String, from target: Substring) -> Substring {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return target }
        var name = ""
        PercentEncoding.append(parameter, to: &name)
        let others = parts[1].split(separator: "&", omittingEmptySubsequences: false).filter {
            $0 != name && !$0.hasPrefix(name + "=")
        }
        return others.isEmpty ? parts[0] : "\(parts[0])?\(others.joined(separator: "&"))"
    }

    /// Where a write may have changed something: its own target, and what its response names at the same origin (RFC 9111 section 4.4).
    ///
    /// - Parameter parameter: a parameter of the query that does not count.
    static func targets(
        ofWriteTo url: String, _ response: HTTPHeaders?, without parameter: String? = nil
    ) -> [String] {
        let named = ["Location", "Content-Location"].compactMap { name in
            response?[name].flatMap { LinkHeader.resolve($0, against: url) }
        }
        let origin = Origin(url)
        return ([url] + named.filter { Origin($0) == origin }).map { target($0, without: parameter) }
    }
}

/// A request as the cache sees it.
struct CacheLookup: Sendable {
    let key: CacheKey
    let headers: HTTPHeaders
    let demand: CacheDemand
    /// How the response is found on the disk; nil for one that is kept in memory only.
    let place: CachePlace?

    init(_ key: CacheKey, _ headers: HTTPHeaders, at place: CachePlace? = nil) {
        self.key = key
        self.headers = headers
        self.place = place
        demand = CacheDemand(headers)
    }

    /// Whether the caller deals with validators or parts of the response itself. The cache has no part in such a request.
    var isOfTheCaller: Bool {
        demand.isNoStore
            || Self.callersOwn.contains { headers[$0] != nil }
    }

    private static let callersOwn = [
        "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Range",
    ]
}

/// How a response is found on the disk, also in a later process.
struct CachePlace: Sendable {
    /// The name of the login that it belongs to; nil for a request without a session.
    let login: String?
    let rule: CacheRule
}
