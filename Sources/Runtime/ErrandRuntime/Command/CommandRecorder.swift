/// Notes the attempts of a durable command in a place that outlasts the process.
package protocol CommandRecorder: AnyObject, Sendable {
    /// What earlier runs of the command have left, in this process or in one before.
    var earlier: EarlierRuns { get }
    /// Notes that an attempt is about to be sent. The attempt is sent only if the note is kept.
    func noteAttempt() async throws(TransportFault)
}

/// What earlier runs of a durable command have left.
package struct EarlierRuns: Sendable {
    /// The idempotency key of all attempts.
    var key: String?
    /// How long ago the key was first sent; nil if it was not.
    var keyAge: Duration?
    /// Whether the server may have carried out an attempt.
    var mayHaveBeenApplied: Bool

    package init(key: String? = nil, keyAge: Duration? = nil, mayHaveBeenApplied: Bool = false) {
        self.key = key
        self.keyAge = keyAge
        self.mayHaveBeenApplied = mayHaveBeenApplied
    }
}
