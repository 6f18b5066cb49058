/// What a reply says about the cache that it came from (`Reply.cached`).
public struct CacheHit: Sendable, Hashable {
    /// Why the cache was allowed to respond.
    public enum Basis: String, Sendable, CaseIterable {
        /// The response was fresh, so nothing was sent.
        case fresh
        /// The server was asked, and has confirmed the response: 304 (RFC 9110 section 15.4.5).
        case validated
        /// The response was stale, and the server is asked for a newer one meanwhile: `stale-while-revalidate` (RFC 5861 section 3).
        case whileRevalidating
        /// The response was stale, and the server could not give a newer one: `stale-if-error` (RFC 5861 section 4).
        case ifError
        /// The response was stale, and there was no network: `offline` in the contract.
        case offline
    }

    /// How long ago the origin has made the response, or has confirmed it (RFC 9111 section 4.2.3).
    public let age: Duration
    public let basis: Basis

    /// Creates one for tests and previews.
    public init(age: Duration, basis: Basis) {
        self.age = age
        self.basis = basis
    }

    /// Whether the response may be out of date, because its lifetime was over. A screen can say so.
    public var isStale: Bool {
        switch basis {
        case .fresh, .validated: false
        case .whileRevalidating, .ifError, .offline: true
        }
    }
}

extension CacheHit: CustomStringConvertible {
    /// `offline, 320 s old`.
    public var description: String { "\(basis.rawValue), \(age.components.seconds) s old" }
}
