/// Carries out commands for all clients of an app. It sends them through its transport, decides about their failures, and sends
/// them again if that helps.
///
/// One dispatcher per app is usual, so that one object knows everything that concerns more than one command.
public final class Dispatcher: Sendable {
    /// The transport of the requests.
    public let transport: any Transport
    /// Reports the state of the network. An app may follow it too.
    public let network: any PathMonitor
    /// Whether an interceptor may change a request before the transport gets it.
    let isIntercepted: Bool
    /// Compresses the bodies of requests that the contract declares as compressed; nil to send them uncompressed.
    let compressor: (any BodyCompressor)?
    /// Nil without observers.
    package let observers: ObserverList?
    package let settings: DispatcherSettings
    package let environment: DispatcherEnvironment
    package let budget: RetryTokens
    let staleRetries = StaleRetryBreaker()
    package let timeLimits: TimeLimits
    let connectivity: ConnectivityGate
    let hosts: ConcurrencyLimiter
    let rateLimits = RateLimitGate()
    let sharedAttempts = SharedAttempts()
    let cache: HTTPCache
    /// The persistent connections, made when they are needed first: `connections`, in a folder above, which knows sessions.
    let kept = LockedState<(any Sendable)?> { nil }
    let board: IncidentRegistry
    let responder: ResponderLevel?
    /// The app's responder, for an interface that looks whether it is its own.
    package var lastResponder: (any Responder)? { responder?.responder }
    let completions = CompletionFollowers()
    let waitingList = WaitingList()
    /// How many commands were submitted.
    private let submissions = LockedState { 0 }

    /// - Parameters:
    ///   - transport: carries the requests.
    ///   - network: reports the state of the network. Commands are held while it or the transport reports that there is no
    ///     network, and then sent in their order (`Priority`).
    ///   - responder: decides about incidents that no responder of a client has decided. Without any responder, commands fail
    ///     with their typed error at once.
    ///   - interceptors: see and change every attempt, the first one outermost.
    ///   - observers: are told of every event of every command.
    public init(
        transport: any Transport, network: any PathMonitor = AlwaysSatisfiedPath(),
        responder: (any Responder)? = nil, interceptors: [any Interceptor] = [],
        observers: [any CommandObserver] = [],
        settings: DispatcherSettings = DispatcherSettings(),
        environment: DispatcherEnvironment = DispatcherEnvironment()
    ) {
        let interceptors = interceptors + observers
        compressor = settings.compressor ?? transport.compressor
        self.transport =
            interceptors.isEmpty
            ? transport : InterceptedTransport(transport, interceptors, compressor)
        isIntercepted = !interceptors.isEmpty
        self.observers = ObserverList(observers, wallTime: environment.wallTime)
        self.network = network
        self.settings = settings
        self.environment = environment
        budget = RetryTokens(settings.retryBudget)
        cache = HTTPCache(
            limit: settings.maximumCacheSize, files: settings.cacheFolder.map { CacheFiles($0, environment) })
        timeLimits = TimeLimits(environment)
        connectivity = ConnectivityGate(network, environment)
        hosts = ConcurrencyLimiter(
            limit: min(settings.maximumRequestsPerHost, transport.maximumRequestsPerHost ?? .max))
        board = IncidentRegistry(environment)
        self.responder = responder.map(ResponderLevel.init)
    }

    /// The place among the commands that wait, for a command that is submitted now. A login or a renewal goes before all others,
    /// which may wait for it.
    func submit(isRenewal: Bool, _ priority: Priority) -> WaitingOrder {
        let number = submissions.withLock { count in
            count += 1
            return count
        }
        let urgency =
            switch priority {
            case .high: 1
            case .normal: 2
            case .low: 3
            }
        return WaitingOrder(urgency: isRenewal ? 0 : urgency, number: number)
    }

    /// Another transport with the same interceptors.
    func intercepting(_ other: any Transport) -> any Transport {
        (transport as? InterceptedTransport)?.around(other) ?? other
    }

    /// The events of incidents from now on, for code that only observes. Any number of tasks may read them.
    public var incidents: AsyncStream<IncidentEvent> { board.events() }

    /// The open incident in which a host, or some of its endpoints, do not do what they should; nil if none is open. A refusal,
    /// with which the host does respond, is none.
    package func outage(of host: Origin) -> Incident? { board.openIncident(.host(host)) }

    /// Removes all responses from the cache and from its folder, those of all users: on a memory warning, or after an app that identifies its user in an
    /// interceptor, and not by a session, has logged the user out.
    public func emptyCache() { cache.removeAll() }

    /// The results of all commands of one type from now on, from any client.
    public func completions<C: Command>(of type: C.Type) -> AsyncStream<Completion<C>> {
        completions.stream(of: type)
    }

    /// All commands that wait for something, the longest waiting first.
    public var waiting: [WaitingCommand] { waitingList.commands }

    /// How many commands wait for something.
    public var waitingCount: Int { waitingList.count }
}

extension Dispatcher: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of its transport, whose own state may hold whole requests.
    public var description: String { "Dispatcher(\(type(of: transport)))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(
            self, children: ["transport": "\(type(of: transport))", "settings": settings],
            displayStyle: .class)
    }
}

/// An app's settings for all of its commands.
public struct DispatcherSettings: Sendable {
    /// How failures are retried if the contract doesn't say.
    public var retry: RetryRule
    /// How many retries a host gets, over all commands.
    public var retryBudget: RetryBudget
    /// How many redirects one attempt may follow if the contract doesn't say (`redirects`).
    public var maximumRedirects: Int
    /// The longest response body, in bytes.
    public var maximumResponseSize: Int
    /// The longest element of a streamed response, in bytes. A longer element makes the stream fail as `malformed`.
    public var maximumElementSize: Int
    /// How many requests to one host may be under way at once; others wait, the most urgent first (`Priority`). A transport that
    /// carries fewer (`Transport.maximumRequestsPerHost`) lowers it.
    public var maximumRequestsPerHost: Int
    /// Whether requests wait for the end of a rate limit that responses of their endpoint have announced (`RateLimit` and
    /// `X-RateLimit-Remaining`, and the contract's `rateLimit`), so that the service need not refuse them with 429 first; and for as
    /// long as a 429 of their endpoint asks for. A command that would have less than its timeout left at that end does not wait.
    public var waitsForRateLimits: Bool
    /// How much of the body a failure keeps (`FailureContext.body`), in bytes; 0 for nothing.
    public var maximumFailureBodySize: Int
    /// How long a command without a `patience` of its own waits for a login or a person, how long a stream that has delivered is
    /// opened again without a new element, and how long `raise(_:retry:)` waits for an answer.
    public var patience: Duration
    /// How many times responders may have one command tried again with all of its attempts and its deadline.
    public var maximumRounds: Int
    /// The greatest size of the responses in the cache (`cache` in the contract), in bytes; 0 for no cache. The least recently used
    /// leave first, and a response that is greater than an eighth of it is not kept.
    public var maximumCacheSize: Int
    /// The folder in which the cache keeps responses beyond the process; nil for none, so that they are in memory only.
    public var cacheFolder: HTTPCacheFolder?
    /// Compresses the bodies of requests whose contract asks for it (`compression`), in place of the transport's own compressor
    /// (`Transport.compressor`). Without either compressor, bodies are sent uncompressed.
    public var compressor: (any BodyCompressor)?
    /// Opens the connections of services whose commands travel over one, in place of the transport's own
    /// (`Transport.messageTransport`). On Linux, `WebSocketTransport` of the product ErrandWebSocket is one. Without either, the
    /// commands of such services fail as `invalidRequest`.
    public var messageTransport: (any MessageTransport)?
    /// Gives the app's own texts for people, in the user's language for instance.
    public var localize: Localization?

    /// An app's text for a key (`FailureContext.messageKey`), or nil for the one there is: the contract's, the server's,
    /// or a default. One that came from the server was written for this case, so better leave it where the
    /// server speaks the user's language. Called for each failure, once or more often, from any task.
    public typealias Localization = @Sendable (_ key: String, _ text: String) -> String?

    public init(
        retry: RetryRule = RetryRule(), retryBudget: RetryBudget = RetryBudget(), maximumRedirects: Int = 5,
        maximumResponseSize: Int = 64 << 20, maximumElementSize: Int = 8 << 20, maximumRequestsPerHost: Int = 32,
        maximumFailureBodySize: Int = 8 << 10, patience: Duration = .seconds(600),
        maximumRounds: Int = 5, compressor: (any BodyCompressor)? = nil,
        localize: Localization? = nil, messageTransport: (any MessageTransport)? = nil, waitsForRateLimits: Bool = true,
        maximumCacheSize: Int = 16 << 20, cacheFolder: HTTPCacheFolder? = nil
    ) {
        self.cacheFolder = cacheFolder
        self.maximumCacheSize = max(0, maximumCacheSize)
        self.waitsForRateLimits = waitsForRateLimits
        self.messageTransport = messageTransport
        self.compressor = compressor
        self.patience = patience
        self.maximumRounds = max(0, maximumRounds)
        self.retry = retry
        self.retryBudget = retryBudget
        self.maximumRedirects = maximumRedirects
        self.maximumResponseSize = maximumResponseSize
        self.maximumElementSize = maximumElementSize
        self.maximumRequestsPerHost = maximumRequestsPerHost
        self.maximumFailureBodySize = maximumFailureBodySize
        self.localize = localize
    }
}
