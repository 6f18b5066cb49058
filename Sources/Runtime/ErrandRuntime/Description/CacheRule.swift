/// How the responses of an endpoint are cached (`cache` in the contract): as their headers say (RFC 9111).
public struct CacheRule: Sendable, Hashable {
    /// For how long a response may be shown after it has stopped being fresh, while there is no network; nil if it may not. A response
    /// that has to be validated (`must-revalidate`, `no-cache`) is never shown then.
    public let offline: Duration?
    /// Where its responses may be kept.
    public let storage: Storage

    /// Where responses may be kept. It depends on what the contract calls `sensitive`.
    public enum Storage: Sendable, Hashable {
        /// In memory and on the disk (``DispatcherSettings/cacheFolder``).
        case plain
        /// On the disk only if the app seals it: responses have sensitive members.
        case sealed
        /// In memory only: requests have sensitive inputs, of which not even a hash may be on the disk.
        case memory
    }

    public init(offline: Duration? = nil, storage: Storage = .plain) {
        self.offline = offline
        self.storage = storage
    }
}
