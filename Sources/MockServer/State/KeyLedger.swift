/// The idempotency keys that a mock server has seen, with its responses.
struct KeyLedger: Sendable {
    struct Entry: Sendable {
        var fingerprint: [UInt8]
        var response: MockResponse
        var moment: Duration
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []

    static let mostEntries = 10_000

    /// The entry of a key that is not older than the contract says.
    func entry(_ key: String, lifetime: Duration?, at now: Duration) -> Entry? {
        guard let entry = entries[key] else { return nil }
        if let lifetime, now - entry.moment > lifetime { return nil }
        return entry
    }

    /// Whether some endpoint has carried out a request with the key.
    func hasEntry(withPrefix prefix: String, where holds: (String) -> Bool) -> MockResponse? {
        for key in order where key.hasPrefix(prefix) && holds(String(key.dropFirst(prefix.count))) {
            return entries[key]?.response
        }
        return nil
    }

    mutating func note(_ key: String, _ entry: Entry) {
        if entries[key] == nil { order.append(key) }
        entries[key] = entry
        if order.count > Self.mostEntries { entries[order.removeFirst()] = nil }
    }
}
