/// Sends the attempts of one command instead of the dispatcher's transport, if an attempt outlasts the process.
package protocol CommandCarrier: Transport, AnyObject {
    /// The earlier attempt that the next `send` continues; nil if the next attempt is new.
    var earlier: EarlierAttempt? { get }
    /// Notes the facts of the next attempt.
    func prepare(_ facts: AttemptFacts)
    /// Ends the attempt under way.
    func cancel()
}

/// An attempt that an earlier process has made.
package struct EarlierAttempt: Sendable {
    /// The number of attempts, including this one.
    package var attempts = 1
    /// The idempotency key, and how long ago it was first used.
    package var key: (text: String, age: Duration)?
    /// Whether the server may have carried out an attempt before it.
    package var mayHaveBeenApplied = false
    /// Whether the command can be sent again. Its inputs must be known, and so must its idempotency key if it has one.
    package var mayRepeat = false
    /// The URL of the attempt, as failures print it.
    package var url = ""

    package init() {}
}

/// The facts about a command's progress that the next process needs.
package struct AttemptFacts: Sendable {
    /// The idempotency key.
    package let key: String?
    /// The name of the login that the command belongs to; nil without a login.
    package let login: String?
    /// The number of attempts, including the next one.
    package let attempts: Int
    /// Whether the server may have carried out an earlier attempt.
    package let mayHaveBeenApplied: Bool

    package init(
        key: String? = nil, login: String? = nil, attempts: Int = 1, mayHaveBeenApplied: Bool = false
    ) {
        self.key = key
        self.login = login
        self.attempts = attempts
        self.mayHaveBeenApplied = mayHaveBeenApplied
    }
}
