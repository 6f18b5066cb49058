/// What happened to a command so far.
///
/// An object of the one task that carries the command out: as a value it would stand several times in the frame of every
/// function on the way, and make a waiting command three times as large.
final class CallProgress {
    var account: AttemptAccount
    /// How often it was sent, replays after a login not counted.
    var attempts: Int { account.attempts - replays - losses - earlierAttempts }
    /// How often it was sent again because of a new session.
    var replays = 0
    /// How often it found no network: nothing was sent then.
    var losses = 0
    /// How many attempts were made before somebody said that it should be tried again.
    var earlierAttempts = 0
    /// How often somebody said so.
    var answers = 0
    /// When it was started, or somebody last said so.
    var begun: Duration
    /// Set while it goes first, to find out whether the network is back.
    var probe: Int?
    /// What ended the last attempt without an answer.
    var fault: TransportFault.Kind?
    /// How long attempts and pauses took. Waiting at a gate does not count.
    var spent = Duration.zero
    /// How long it waited at gates: all of it together is bounded by the command's patience.
    var waited = Duration.zero
    /// The host that the last attempt went to.
    var host: Origin?
    /// The host whose budget has paid for a repetition that was not made yet.
    var paidFor: Origin?
    /// Whether an attempt may have been carried out.
    var isOpen = false
    /// Whether the last answer was a 409 while an earlier attempt was open already.
    var isConflict = false
    /// The idempotency key, the same one over all attempts.
    var key: String?
    /// The session of the last attempt.
    var grant: SessionGrant?

    init(_ endpoint: EndpointDescription, begun: Duration = .zero) {
        self.begun = begun
        account = AttemptAccount(
            service: endpoint.service.name, endpoint: endpoint.name, method: endpoint.method)
    }

    /// Starts anew, since somebody said so: with all attempts and all of the deadline.
    func beginAgain(at now: Duration) {
        answers += 1
        begun = now
        spent = .zero
        replays = 0
        losses = 0
        earlierAttempts = account.attempts
    }

    /// Starts the account of a new attempt.
    func begin(_ assembled: AssembledRequest) {
        paidFor = nil
        fault = nil
        account.attempts += 1
        account.url = assembled.printedURL
        account.status = nil
        account.code = nil
        account.serverMessage = nil
        account.retryAfter = nil
        account.underlying = nil
    }
}
