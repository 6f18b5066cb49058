/// What happened to a command so far.
struct CallProgress: Sendable {
    var account: AttemptAccount
    /// How often it was sent, replays after a login not counted.
    var attempts = 0
    /// How often it was sent again because of a new session.
    var replays = 0
    /// How long attempts and pauses took. Waiting at a gate does not count.
    var spent = Duration.zero
    /// Whether an attempt may have been carried out.
    var isOpen = false
    /// The idempotency key, the same one over all attempts.
    var key: String?
    /// The session of the last attempt.
    var grant: SessionGrant?

    init(_ endpoint: EndpointDescription) {
        account = AttemptAccount(
            service: endpoint.service.name, endpoint: endpoint.name, method: endpoint.method)
    }

    /// Starts the account of a new attempt.
    mutating func begin(_ assembled: AssembledRequest) {
        attempts += 1
        account.attempts += 1
        account.url = assembled.printedURL
        account.status = nil
        account.code = nil
        account.serverMessage = nil
        account.retryAfter = nil
        account.underlying = nil
    }
}
