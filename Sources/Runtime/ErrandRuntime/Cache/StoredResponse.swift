/// A response in the cache, with what its headers say about its use (RFC 9111). A private cache: what concerns shared caches alone
/// (`s-maxage`, `proxy-revalidate`, `private`, `public`) has no meaning here.
///
/// All times are on a clock that never jumps. The date of this device counts only for a response without a `Date`.
final class StoredResponse: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]
    /// The fields of the request by which `Vary` tells responses apart.
    let selection: VarySelection
    /// How many bytes of the cache's room it takes.
    let size: Int
    let freshness: Freshness
    let received: Duration

    /// The statuses whose responses are kept. Other successes are rare, and a part (206) is no whole response.
    static let statuses: Set<Int> = [200, 203, 204]

    /// Nil for a response that must not be stored, or that would be of no use.
    ///
    /// - Parameters:
    ///   - request: the fields of the request as it was sent.
    ///   - sent: when the request was sent.
    ///   - received: when the response has come.
    ///   - date: the seconds since 1970 at that moment, for a response without a `Date`.
    init?(
        status: Int, headers: HTTPHeaders, body: [UInt8], to request: HTTPHeaders, rule: CacheRule,
        sent: Duration, received: Duration, date: Int64
    ) {
        guard Self.statuses.contains(status), let selection = VarySelection(headers, of: request) else { return nil }
        let control = CacheControl(headers)
        // Who understands the status may store what is marked with `must-understand` (section 5.2.2.3).
        guard !control.has("no-store") || control.has("must-understand") else { return nil }
        let freshness = Freshness(control, headers, rule, delay: max(.zero, received - sent), date: date)
        guard freshness.isUseful || Validators(headers) != nil else { return nil }
        self.status = status
        self.headers = headers.storable
        self.body = body
        self.selection = selection
        self.freshness = freshness
        self.received = received
        size = Self.size(of: headers, body)
    }

    /// A response that was stored before.
    init(
        status: Int, headers: HTTPHeaders, body: [UInt8], selection: VarySelection, freshness: Freshness,
        received: Duration
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.selection = selection
        self.freshness = freshness
        self.received = received
        size = Self.size(of: headers, body)
    }

    private static func size(of headers: HTTPHeaders, _ body: [UInt8]) -> Int {
        body.count + headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 } + 512
    }

    // MARK: Use

    /// How old it is (section 4.2.3).
    func age(at now: Duration) -> Duration { freshness.initialAge + max(.zero, now - received) }

    /// Whether it may be used without the server (section 4.2).
    func isFresh(at now: Duration, for demand: CacheDemand) -> Bool {
        let age = age(at: now)
        let left = freshness.lifetime - age
        return !freshness.isNoCache && left > .zero && demand.takes(age: age, lifeLeft: left)
    }

    /// The reasons for which a stale response may be used.
    enum StaleUse: Sendable, CaseIterable {
        case whileRevalidating, ifError, offline
    }

    /// Whether it may be used although it is stale (section 4.2.4). A fresh one may be, where a stale one may.
    func allows(_ use: StaleUse, at now: Duration, for demand: CacheDemand) -> Bool {
        guard !freshness.isNoCache, !freshness.mustRevalidate else { return false }
        let age = age(at: now)
        let limit =
            switch use {
            case .whileRevalidating: freshness.staleWhileRevalidate
            case .ifError: freshness.staleIfError
            case .offline: freshness.offline
            }
        guard let limit else { return false }
        return age - freshness.lifetime <= limit && demand.takesStale(age: age)
    }

    /// The headers for a reply at a moment: `Age` says how old it is (section 5.1).
    func headers(at now: Duration) -> HTTPHeaders {
        var headers = headers
        headers.set("Age", "\(min(age(at: now).components.seconds, DeltaSeconds.greatest))")
        return headers
    }

    // MARK: Validation

    /// The fields that ask the server whether it is still the current response (section 4.3.1); nil if it has no validator.
    var condition: [(name: String, value: String)]? { Validators(headers)?.condition }

    /// The headers of the response that a 304 confirms (section 4.3.4); nil if it confirms another response.
    func headers(confirmedBy other: HTTPHeaders) -> HTTPHeaders? {
        guard let validators = Validators(headers), validators.fit(other) else { return nil }
        return headers.updated(by: other)
    }
}

/// The fields of a request by which `Vary` tells responses to one URL apart (RFC 9111 section 4.1).
struct VarySelection: Sendable {
    /// More fields than a response varies by.
    private static let maximumCount = 32

    struct Field: Sendable {
        let name: String
        let value: String?
    }

    let fields: [Field]

    init(fields: [Field]) { self.fields = fields }

    /// Nil for a response that no later request selects (`Vary: *`).
    init?(_ headers: HTTPHeaders, of request: HTTPHeaders) {
        let names = headers.list("Vary").map { $0.lowercased() }
        guard !names.contains("*"), names.count <= Self.maximumCount else { return nil }
        fields = Set(names).sorted().map { Field(name: $0, value: request.combined($0)) }
    }

    /// Whether a request has the same values in these fields.
    func matches(_ request: HTTPHeaders) -> Bool { fields.allSatisfy { request.combined($0.name) == $0.value } }
}

/// What tells one version of a response from another (RFC 9110 section 8.8).
private struct Validators {
    let tag: String?
    let modified: String?

    /// Nil for a response without any.
    init?(_ headers: HTTPHeaders) {
        (tag, modified) = (headers["ETag"].flatMap(Self.known), headers["Last-Modified"].flatMap(Self.known))
        if tag == nil, modified == nil { return nil }
    }

    private static func known(_ value: String) -> String? { value.isEmpty ? nil : value }

    /// Both, because a server may know one of them only. The tag wins where it knows both (RFC 9110 section 13.1.3).
    var condition: [(name: String, value: String)] {
        [tag.map { ("If-None-Match", $0) }, modified.map { ("If-Modified-Since", $0) }].compactMap { $0 }
    }

    /// Whether a 304 is about the response with these validators. One without any is about the one that was asked for.
    func fit(_ headers: HTTPHeaders) -> Bool {
        guard let other = Validators(headers) else { return true }
        if let tag = other.tag { return self.tag.map { Self.opaque($0) == Self.opaque(tag) } ?? false }
        return tag != nil || other.modified == modified
    }

    /// The tag without the mark of a weak one: to ask for a version again, weak ones count (RFC 9110 section 13.1.2).
    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}

extension HTTPHeaders {
    /// The elements of a list of tokens.
    func list(_ name: String) -> [String] {
        (combined(name) ?? "").split(separator: ",").map { Self.trimmed(String($0)) }.filter { !$0.isEmpty }
    }

    /// Without the fields that belong to the connection (RFC 9111 section 3.1).
    fileprivate var storable: HTTPHeaders {
        let named = list("Connection")
        let left = Self.ofTheConnection + named
        return HTTPHeaders(fields.filter { field in !left.contains { Self.isEqual($0, field.name) } })
    }

    private static let ofTheConnection = [
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
        "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    ]

    /// With the fields of a 304 in place of those of the same names (RFC 9111 section 3.2). `Age` and `Date` are about the message and
    /// not about the stored response, so those of the message count, also where it has none.
    fileprivate func updated(by message: HTTPHeaders) -> HTTPHeaders {
        let new = message.storable.fields.filter { field in
            !Self.ofTheBody.contains { Self.isEqual($0, field.name) }
        }
        let replaced = new.map(\.name) + ["Age", "Date"]
        let kept = fields.filter { field in !replaced.contains { Self.isEqual($0, field.name) } }
        return HTTPHeaders(kept + new)
    }

    /// What the kept bytes depend on, which the message without a body cannot change.
    private static let ofTheBody = ["Content-Encoding", "Content-Length", "Content-Range"]
}
