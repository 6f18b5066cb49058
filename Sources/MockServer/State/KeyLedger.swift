/// The idempotency keys that a mock server has seen, with its responses. Requests and keys are fingerprints, and the responses have a
/// bound together, so that no client can fill the memory.
struct KeyLedger: Sendable {
    struct Entry: Sendable {
        /// The request that the key was used for.
        var request: Fingerprint
        var response: MockResponse
        /// The name of the outcome that the response is; nil for a success.
        var outcome: String?
        var moment: Duration
    }

    private var entries: [Fingerprint: Entry] = [:]
    private var order: [Fingerprint] = []
    /// The bytes of all responses.
    private(set) var size = 0

    static let mostEntries = 10_000
    static let mostBytes = 32 << 20

    /// The entry of a key that is not older than the contract says.
    func entry(_ key: Fingerprint, lifetime: Duration?, at now: Duration) -> Entry? {
        guard let entry = entries[key] else { return nil }
        if let lifetime, now - entry.moment > lifetime { return nil }
        return entry
    }

    /// Keeps a response for a key. The oldest ones are forgotten if there are too many, or if they are too long.
    mutating func note(_ key: Fingerprint, _ entry: Entry) {
        if let known = entries[key] { size -= known.response.size } else { order.append(key) }
        entries[key] = entry
        size += entry.response.size
        while order.count > Self.mostEntries || size > Self.mostBytes, !order.isEmpty {
            if let oldest = entries.removeValue(forKey: order.removeFirst()) { size -= oldest.response.size }
        }
    }
}

extension MockResponse {
    /// The bytes that the response takes in the memory, about.
    fileprivate var size: Int {
        headers.reduce(body.bytes.count + 200) { $0 + $1.name.utf8.count + $1.value.utf8.count + 40 }
    }
}
