/// The history of a command so far.
///
/// An object of the one task that carries the command out. A value would be in the frame of every function on the way
/// several times, and a waiting command would be three times as large.
///
/// For the same reason, many functions that `CommandCall` calls are marked `@inline(never)`: an async function that they
/// were inlined into would keep room for all of their temporary values for as long as it waits.
final class CallProgress {
    var account: AttemptAccount
    /// Which login the command belongs to.
    var membership: SessionMembership
    /// How often it was sent in this round. Replays after a login, attempts that found no network, and transparent retries do not
    /// count. A read that confirms does, unless it has found nothing.
    var attempts = 0
    /// How often it was sent again in this round because of a new session.
    var renewals = 0
    /// How often it found no network in this round: nothing was sent then.
    var losses = 0
    /// How often the cause of its failure has ended in this round.
    var withdrawals = 0
    /// How many rounds responders have started.
    var rounds = 0
    /// When it was started, or a responder last started a round.
    var begun: Duration
    /// Set while it goes first, to find out whether the network is back.
    var probe: Int?
    /// The fault that ended the last attempt without a response.
    var fault: TransportFault.Kind?
    /// Whether the last attempt ended with a kept connection that was dead.
    var isStaleConnection = false
    /// Whether the current attempt was sent a second time, because the server had not processed it.
    var isTransparentRetry = false
    /// How long attempts and pauses of this round took. Waiting for the network, a login or a person does not count.
    var spent = Duration.zero
    /// How long it waited for the network.
    var waitedForNetwork = Duration.zero
    /// How long it waited for a login or a person.
    var waitedForPeople = Duration.zero
    /// The request of the attempt that comes next or is under way; nil while the command waits.
    var request: AssembledRequest?
    /// Whether an attempt was made that the connectivity gate was not told about.
    var isSent = false
    /// The host that the last attempt went to.
    var host: Origin?
    /// The host whose budget has paid for a repetition that was not made yet.
    var paidFor: Origin?
    /// Whether the body was begun to be read and cannot be read again.
    var isBodySpent = false
    /// Whether elements of a stream were delivered.
    var hasDelivered = false
    /// The identifier that tells the server to continue a stream after its last element.
    var lastEventID: String?
    /// How long the server wants the client to wait before it opens the stream again, for as long as the stream lives.
    var reopeningPause: Duration?
    /// Takes out of what the elements of a stream say what must not be printed.
    var redactor: ResponseRedactor?
    /// Whether an attempt may have been carried out.
    var isOpen: Bool {
        get { account.isOpen }
        set { account.isOpen = newValue }
    }
    /// Whether the last response was a 409 while an earlier attempt was open already.
    var isConflict = false
    /// The state of the read that confirms.
    var confirmation = RetryContext.Confirmation.possible
    /// The idempotency key, the same one over all attempts.
    var key: IdempotencyKey?
    /// The session of the last attempt.
    var grant: SessionGrant?
    /// Whether the command has waited for the session since it was last sent. The session it got is then used once, regardless
    /// of its stated expiry.
    var isRenewed = false

    init(_ endpoint: EndpointDescription, begun: Duration = .zero, membership: SessionMembership = .none) {
        self.begun = begun
        self.membership = membership
        account = AttemptAccount(
            service: endpoint.service.name, endpoint: endpoint.name, method: endpoint.method)
    }

    /// Starts a new round, since a responder said so: with all attempts and all of the deadline.
    func beginRound(at now: Duration) {
        rounds += 1
        begun = now
        spent = .zero
        attempts = 0
        renewals = 0
        losses = 0
        withdrawals = 0
        isTransparentRetry = false
        if confirmation == .failed { confirmation = .possible }
    }

    /// Starts the account of a new attempt.
    func begin(_ assembled: AssembledRequest, at now: Duration) {
        paidFor = nil
        fault = nil
        isRenewed = false
        isSent = true
        attempts += 1
        key?.noteUse(at: now)
        account.attempts += 1
        account.method = assembled.request.method
        account.url = assembled.printedURL
        account.status = nil
        account.code = nil
        account.serverMessage = nil
        account.retryAfter = nil
        account.underlying = nil
        account.isRedirected = false
    }
}
