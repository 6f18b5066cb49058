/// The key by which a server knows all attempts of one command (draft-ietf-httpapi-idempotency-key-header).
struct IdempotencyKey: Sendable {
    let text: String
    /// When it was first sent, on the dispatcher's clock; nil if it was not.
    private(set) var firstUse: Duration?

    /// - Parameter firstUse: when an earlier process was the first to send it; nil if it was not sent.
    init(_ text: String, firstUse: Duration? = nil) {
        self.text = text
        self.firstUse = firstUse
    }

    mutating func noteUse(at now: Duration) {
        if firstUse == nil { firstUse = now }
    }

    /// Whether the server may have forgotten it.
    func isExpired(_ lifetime: Duration?, at now: Duration) -> Bool {
        guard let lifetime, let firstUse else { return false }
        return now - firstUse >= lifetime
    }
}
