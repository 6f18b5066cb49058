/// The history of one command, as far as it bears on what comes next.
///
/// A value with one transition, `handle`: an event comes in, and the state and its `step` are the result. It has no clock,
/// randomness, input or output. `CommandRun` does what each step says, outside, and brings the next event.
struct CommandState: Sendable {
    let endpoint: EndpointDescription
    /// What the command does now.
    var step = Step.begin
    /// The failure that is being decided about; nil without one.
    var failing: Failing?

    // MARK: Counters

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

    // MARK: Time

    /// When it was started, or a responder last started a round.
    var begun: Duration
    /// How long attempts and pauses of this round took. Waiting for the network, a login or a person does not count.
    var spent = Duration.zero
    /// How long it waited for the network.
    var waitedForNetwork = Duration.zero
    /// How long it waited for a login or a person.
    var waitedForPeople = Duration.zero

    // MARK: The last attempt

    /// The facts of the last attempt, for its failure.
    var summary: AttemptSummary
    /// The fault that ended the last attempt without a response.
    var fault: TransportFault.Kind?
    /// Whether the last attempt ended with a kept connection that was dead.
    var isStaleConnection = false
    /// Whether the current attempt follows one that ended so, and needs a new connection.
    var isStaleRetry = false
    /// Whether the last attempt failed because its connection was lost, or could not be opened.
    var isConnectionLost = false
    /// Whether an attempt of the command has failed so.
    var hasSeenLoss = false
    /// Whether the current attempt was sent a second time, because the server had not processed it.
    var isTransparentRetry = false
    /// Whether the body was begun to be read and cannot be read again.
    var isBodyConsumed = false
    /// Whether the last response was a 409 while an earlier attempt was open already.
    var isConflict = false
    /// Whether an attempt before the last one is open: it may have been carried out, and no read has found out that none was.
    var isAfterOpenAttempt = false
    /// The host that the last attempt went to.
    var host: Origin?

    // MARK: All attempts

    /// Whether an attempt may have been carried out.
    var mayHaveBeenApplied: Bool {
        get { summary.mayHaveBeenApplied }
        set { summary.mayHaveBeenApplied = newValue }
    }
    /// The idempotency key, the same one over all attempts that may have been carried out; nil if the next attempt makes one.
    var key: IdempotencyKey?
    /// Whether the command cannot have another key: an outbox has noted it, or the system may have sent a request with it that nobody
    /// reports.
    var keepsKey = false
    /// The state of the read that confirms.
    var confirmation = RetryContext.Confirmation.possible
    /// The host whose budget has paid for a repetition that was not made yet.
    var paidFor: Origin?
    /// The error that said that an attempt before was carried out, so that the command has succeeded; nil without one.
    var doneAlready: DeclaredName?
    /// Whether it is a run of a durable command that has sent nothing yet.
    var isUnsentRun = false
    /// Whether the budget has paid for the last attempt.
    var isPaid = false

    // MARK: Open responses

    /// How far the transfer has come since its attempts last began anew.
    var advance = TransferAdvance()
    /// Whether its attempts have begun anew because it came forward.
    var isLongTransfer = false
    /// The position of the last element of a subscription that was delivered; nil if it has none.
    var position: StreamPosition?
    /// Whether elements of a stream were delivered.
    var hasDelivered = false
    /// The identifier that tells the server to continue a stream after its last element.
    var lastEventID: String?
    /// How long the server wants the client to wait before it opens the stream again, for as long as the stream lives.
    var reopeningPause: Duration?
    /// When the window of the last reopening ends, in which it came at a random moment.
    var windowEnd = Duration.zero
    /// Whether its next attempt opens a stream again that has delivered elements.
    var isReopening: Bool { hasDelivered && endpoint.stream != nil }
    /// Whether the opening of a connection takes a token of the host's budget if nothing but the command needs it. A reopened
    /// stream takes none, however it travels.
    var paysForConnection: Bool { hasSeenLoss && !isReopening }

    init(_ endpoint: EndpointDescription, begun: Duration) {
        self.endpoint = endpoint
        self.begun = begun
        summary = AttemptSummary(
            service: endpoint.service.name, endpoint: endpoint.name, method: endpoint.method)
    }

    /// What a command does until the next event. Each step is carried out by one function of `CommandRun`.
    enum Step: Sendable {
        /// Nothing yet: its inputs are checked first.
        case begin
        /// Its stub responds, in place of a server.
        case stub
        /// It passes the gates and makes an attempt.
        case attempt
        /// The host's budget pays for what was decided by these facts.
        indirect case pay(Origin, CommandFacts)
        /// It pauses, and is then sent again.
        case pause(Duration, reason: String)
        /// It waits for a better session than the one of this generation, and is then sent again.
        case renewSession(after: Int)
        /// The contract's `confirm` is asked how the command ended.
        case confirm(FailedAttempt)
        /// Its failure is put to the responders.
        case ask(FailedAttempt, maySendAgain: Bool)
        /// It takes a stale response of the cache.
        indirect case useStaleResponse(StoredResponse, CacheHit.Basis)
        /// It is a logout without a token, so there is nothing that the server could end: it succeeds without a request.
        case logOutLocally(FailedAttempt)
        /// It has its response, which may still be arriving.
        case respond
        /// It ends with a failure, or as `unconfirmed`.
        case end(FailedAttempt, isUnconfirmed: Bool, isSessionLost: Bool)
    }

    /// What has happened. An event that needs a decision brings the facts for it.
    enum Event {
        /// Its inputs are valid.
        case begun(isStubbed: Bool)
        /// It must not be sent as it is.
        case refused(FailedAttempt)
        /// An attempt has brought a success or an outcome, or the read that confirms has found one.
        case responded
        /// An attempt has failed, was not made, or had a response that has failed while it arrived.
        case failed(FailedAttempt, CommandFacts)
        /// Whether the host's budget has paid.
        case paid(Bool)
        /// A wait is over, and the command goes on.
        case resumed
        /// A wait has ended in another way.
        case interrupted(FailedAttempt, CommandFacts)
        /// The read that confirms has not found the command carried out.
        case notConfirmed(Unconfirmed, CommandFacts)
        /// The incident is over for this command.
        case answered(IncidentOutcome, CommandFacts)
        /// Its caller wants another response: the next part of a transfer, or all of it.
        ///
        /// - isPart: whether the last response was a legal part. It isn't a failure, so it costs no attempt.
        case continued(isPart: Bool)
    }

    /// How a read that confirms has ended that found no result.
    enum Unconfirmed {
        /// No attempt was carried out, so the last one is left for the command itself.
        case nothingFound
        /// It has made so many attempts of the command.
        case failed(attempts: Int)
    }

    /// A failure between two attempts.
    struct Failing: Sendable {
        /// The failure of the attempt.
        let first: FailedAttempt
        /// The failure that the command ends with as things are.
        var current: FailedAttempt
        /// How the incident ended for it; nil if none was raised.
        var outcome: IncidentOutcome?
        /// Whether the session is kept, because a renewal without a response shows nothing about it.
        var isSessionKept = false
    }
}

/// Everything beside a command's history that bears on what comes next: what the caller and the app have set, and how things are at
/// the moment.
struct CommandFacts: Sendable {
    var limits: CommandLimits
    /// The settings' rule for retries.
    var retry: RetryRule
    var maximumRounds: Int
    /// The settings' patience for people.
    var patience: Duration
    var now: Duration
    /// A random number, at least 0 and below 1.
    var jitter: Double
    /// The service's own host; nil without a server.
    var home: Origin?
    /// Whether the return of a lost network will be noticed.
    var isNetworkWatched = false
    /// Whether the login that the command belongs to is over.
    var isSessionOver = false
    var isLogout = false
    /// Whether a better session exists or can be obtained, and the command may wait for it.
    var canReplaceSession = false
    /// The generation of the session that the last attempt had.
    var generation = 0
    /// Whether the contract names a read that tells how the command ended.
    var hasConfirmation = false
    /// Whether the host is known to be down.
    var isHostDown = false
    /// Whether it is of no use at the host to send a command again because of a kept connection (`StaleRetryBreaker`).
    var isStaleRetryInVain = false
    /// Whether the command may open an incident or join one.
    var mayAsk = false
    /// The stale response that the cache has; nil without one that may be used.
    var stale: StaleResponse?
}

/// A stale response of the cache, and in place of which failures it may be used.
struct StaleResponse: Sendable {
    let response: StoredResponse
    let mayBeUsedIfError: Bool
    let mayBeUsedOffline: Bool
}
