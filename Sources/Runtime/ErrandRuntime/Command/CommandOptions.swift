/// Settings of a caller for its own commands, which override the contract.
///
///     let quick = bank.with { options in
///         options.timeout = .seconds(5)
///         options.attempts = 1
///     }
///     let accounts = try await quick.listAccounts()
public struct CommandOptions: Sendable {
    /// How long one attempt may take; nil leaves it to the contract.
    public var timeout: Duration?
    /// How long one attempt may take over a network that is paid for by volume, or on which the user saves data. Nil leaves it to
    /// `timeout`, and to the contract where that is nil, too.
    public var constrainedTimeout: Duration?
    /// How long all attempts and the pauses between them may take together; nil leaves it to the contract.
    public var deadline: Duration?
    /// How long the command may wait for the network, a login or a person; nil leaves it to the contract.
    public var patience: WaitLimit?
    /// Headers that are sent beside those of the contract, by name. A header that the contract or the runtime writes itself
    /// cannot be replaced: the command fails as `invalidRequest`. The read that confirms the command has these headers, too.
    ///
    /// They go to the service's own server only. A redirect, the link of a page or a whole URL that leads to another origin
    /// gets those of them that say which representation is wanted (`Accept`, `Accept-Language`, `Range` and the like).
    public var headers: [String: String] = [:]
    /// Whether a read gets the whole response from the server: nothing that is stored is used or asked about, and the response is stored.
    /// The request has `Cache-Control: no-cache`, unless `headers` have that field. It is the mode `reload` of the Fetch Standard
    /// (section 2.2.5).
    public var reloads = false
    /// How urgent the command is beside others; nil leaves it to the contract.
    public var priority: Priority?
    /// How many times the command is sent at most, the first time included; nil leaves it to the contract.
    public var attempts: Int?
    /// How many pages a walk over a list asks for at most; with the next one it fails as `invalidRequest`.
    public var maximumPages = 100_000
    /// Whether the command opens incidents and joins them: `Incident.client(_:)`.
    var opensIncidents = true
    /// The login that a login command continues, for the client of a session incident.
    var continuation: LoginContinuation?

    public init() {}
}

/// The limits of one command: what the caller set, else what the contract says.
struct CommandLimits: Sendable {
    private let timeout: Duration
    private let constrainedTimeout: Duration
    let deadline: Duration
    let patience: WaitLimit
    let priority: Priority
    private let attempts: Int?

    init(_ endpoint: EndpointDescription, _ options: CommandOptions) {
        timeout = options.timeout ?? endpoint.timeout
        // A caller's timeout takes the place of all that the contract says.
        let own = options.timeout == nil ? endpoint.constrainedTimeout : nil
        constrainedTimeout = options.constrainedTimeout ?? own ?? timeout
        deadline = options.deadline ?? endpoint.deadline
        patience = options.patience ?? endpoint.patience
        priority = options.priority ?? endpoint.priority
        attempts = options.attempts
    }

    /// How long one attempt may take, over a network that is expensive or constrained, or over another.
    func timeout(isConstrained: @autoclosure () -> Bool) -> Duration {
        if timeout == constrainedTimeout { return timeout }
        return isConstrained() ? constrainedTimeout : timeout
    }

    /// The rule for retries, with the caller's number of attempts.
    func retry(_ rule: RetryRule) -> RetryRule {
        attempts.map { RetryRule(attempts: $0, base: rule.base, cap: rule.cap) } ?? rule
    }
}
