/// The idempotency keys that a service has seen, with its responses. Their number has a bound, and so have the bytes of all responses.
package struct KeyLedger<Key: Hashable & Sendable, Response: Sendable>: Sendable {
    package struct Entry: Sendable {
        /// The request that the key was used for; nil for a service that compares no requests.
        package let request: Key?
        package let response: Response
        /// The name of the outcome that the response is; nil for a success.
        package let outcome: String?
        /// When the request was carried out.
        package let moment: Duration
        /// Whether the response is a failure, which the service has stored all the same.
        package let isFailure: Bool
        /// When the response is there. Until then the request is carried out.
        let end: Duration
        /// The bytes that the response takes in the memory, about.
        let size: Int

        package init(
            request: Key? = nil, _ response: Response, outcome: String? = nil, isFailure: Bool = false, size: Int,
            at moment: Duration, until end: Duration? = nil
        ) {
            self.request = request
            self.response = response
            self.outcome = outcome
            self.isFailure = isFailure
            self.moment = moment
            self.end = end ?? moment
            self.size = size
        }
    }

    /// What a key says of a request.
    package enum Standing: Sendable {
        /// The request is to be carried out: the key is new, or was forgotten.
        case new
        /// It is the request that the key was used for, which gets the same response.
        case known(Entry)
        /// It is that request, which the service has not carried out yet.
        case underWay
        /// The key was used for another request.
        case taken
    }

    private var entries: RecentMap<Key, Entry>
    private let (mostEntries, mostBytes): (Int, Int)
    /// The bytes of all responses.
    package private(set) var size = 0

    package init(mostEntries: Int = 10_000, mostBytes: Int = 32 << 20) {
        (self.mostEntries, self.mostBytes) = (mostEntries, mostBytes)
        entries = RecentMap(most: mostEntries)
    }

    /// What a key says of a request.
    ///
    /// - Parameter lifetime: how long the service remembers a key; nil for as long as it can.
    package func standing(of key: Key, for request: Key? = nil, lifetime: Duration?, at now: Duration) -> Standing {
        guard let entry = entries[key] else { return .new }
        if let lifetime, now - entry.moment > lifetime { return .new }
        guard entry.request == request else { return .taken }
        return now < entry.end ? .underWay : .known(entry)
    }

    /// The last use of a key, whatever its lifetime is.
    package subscript(_ key: Key) -> Entry? { entries[key] }

    /// Keeps a response for a key. The oldest ones are forgotten if there are too many, or if they are too long.
    package mutating func note(_ key: Key, _ entry: Entry) {
        size += entry.size - (entries[key]?.size ?? 0)
        entries[key] = nil
        if entries.count == mostEntries { size -= entries.removeOldest()?.size ?? 0 }
        entries[key] = entry
        while size > mostBytes, let oldest = entries.removeOldest() { size -= oldest.size }
    }
}
