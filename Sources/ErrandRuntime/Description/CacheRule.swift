/// How the responses of an endpoint are cached (`cache` in the contract): as their headers say (RFC 9111).
public struct CacheRule: Sendable, Hashable {
    /// For how long a response may be shown after it has stopped being fresh, while there is no network; nil if it may not. A response
    /// that has to be validated (`must-revalidate`, `no-cache`) is never shown then.
    public let offline: Duration?

    public init(offline: Duration? = nil) { self.offline = offline }
}
