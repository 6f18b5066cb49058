/// A contract's description of one endpoint. Generated code creates one per command, as a constant.
public final class EndpointDescription: Sendable {
    /// The service that the endpoint belongs to.
    public let service: ServiceDescription
    /// The endpoint's name in the contract: `transferFunds`.
    public let name: String
    /// The method of a request over HTTP. A frame has none, and counts as a POST.
    public let method: HTTPMethod
    /// The frames of a command that travels over a connection; nil for a request over HTTP.
    public let frame: FrameDescription?
    /// Whether a request may be sent twice.
    public let effect: Effect
    /// Where the idempotency key of a `keyed` endpoint travels.
    public let key: KeyPlacement
    /// How long the server knows an idempotency key, counted from its first use; nil if the contract does not say.
    public let keyLifetime: Duration?
    public let session: SessionUse
    /// The names of the app's credentials: a request carries the first of these lists that the app has given. Empty if it carries
    /// none.
    public let credentials: [[String]]
    /// The origin that requests are sent to; nil for the server's own.
    public let server: ServerRole?
    /// How long one attempt may take.
    public let timeout: Duration
    /// How long one attempt may take over networks that are expensive or constrained; nil to use `timeout`.
    public let constrainedTimeout: Duration?
    /// How long all attempts and the pauses between them may take together.
    public let deadline: Duration
    /// How long the command may wait for a person, a login or the network.
    public let patience: WaitLimit
    /// How failures are retried; nil leaves it to the dispatcher.
    public let retry: RetryRule?
    public let priority: Priority
    public let network: NetworkUse
    /// How many redirects one attempt follows; nil leaves it to the dispatcher.
    public let redirects: Int?
    /// How the bodies of requests are compressed; nil if they are sent as they are.
    public let compression: BodyCompression?
    /// Where the response states the checksum of its bytes; nil if it doesn't have to.
    public let checksum: ChecksumRule?
    /// The translation of documents in XML; nil if the endpoint has none.
    public let xml: XMLDescription?
    public let envelope: EnvelopeDescription
    /// Whether the payload is a list, which some envelopes put elsewhere.
    public let isList: Bool
    public let response: ResponseKind
    /// The headers that the contract declares for a success.
    public let headers: [ResponseHeader]
    /// How to walk the list that the responses are parts of; nil if a response isn't a part of a list.
    public let pagination: Pagination?
    /// Whether equal reads that are under way at the same time share one request.
    public let isShared: Bool
    /// How responses are cached; nil if they are not.
    public let cache: CacheRule?
    /// The endpoints of the service whose stored responses a command may make out of date.
    public let clears: [String]
    /// The framing of a streamed response's elements; nil for a response that is read as a whole.
    public let stream: StreamDescription?
    /// The status of a usual success; nil if the contract doesn't say. Any other status from 200 to 299 is a success, too.
    package let status: Int?
    /// The meaning of responses.
    package let table: DecisionTable
    /// What decides whether a request that has failed may have been carried out.
    package var request: RequestKind { RequestKind(effect, method: method.rawValue) }
    /// The statuses of redirects that are responses of the contract, and aren't followed.
    let finalRedirects: [Int]

    /// Describes an endpoint, by what holds without a key of the contract and what differs from that.
    ///
    /// - Parameters:
    ///   - method: `post` for an endpoint whose commands travel over the service's connection.
    ///   - frame: the frame of such an endpoint, which has no redirects, headers and codings.
    public init(
        _ service: ServiceDescription, _ name: String, _ method: HTTPMethod = .post, frame: FrameDescription? = nil,
        effect: Effect, key: KeyPlacement = .standard, keyLifetime: Duration? = nil, session: SessionUse = .none,
        credentials: [[String]] = [], server: ServerRole? = nil, timeout: Duration = CommandDefaults.timeout,
        constrainedTimeout: Duration? = nil, deadline: Duration = CommandDefaults.deadline,
        patience: WaitLimit = .standard, retry: RetryRule? = nil, priority: Priority = .normal,
        network: NetworkUse = .any, redirects: Int? = nil, compression: BodyCompression? = nil,
        checksum: ChecksumRule? = nil, xml: XMLDescription? = nil, envelope: EnvelopeDescription = .none,
        list: Bool = false, response: ResponseKind = .json, headers: [ResponseHeader] = [],
        stream: StreamDescription? = nil, pagination: Pagination? = nil, share: Bool = false, cache: CacheRule? = nil,
        clears: [String] = [], status: Int? = nil, table: DecisionTable = []
    ) {
        self.service = service
        self.name = name
        self.method = method
        self.frame = frame
        self.effect = effect
        self.key = key
        self.keyLifetime = keyLifetime
        self.session = session
        self.credentials = credentials
        self.server = server
        self.timeout = timeout
        self.constrainedTimeout = constrainedTimeout
        self.deadline = deadline
        self.patience = patience
        self.retry = retry
        self.priority = priority
        self.network = network
        self.redirects = frame == nil ? redirects : 0
        self.compression = compression
        self.checksum = checksum
        self.xml = xml
        self.envelope = envelope
        self.isList = list
        self.response = response
        self.headers = headers
        self.pagination = pagination
        self.stream = stream
        isShared = share
        self.cache = cache
        self.clears = clears
        self.status = status
        self.table = table
        finalRedirects = table.finalRedirects
    }
}

/// Another origin of a service's servers: the place for uploads, for example.
///
/// It gets nothing that belongs to the service unless the contract says so.
public struct ServerRole: Sendable, Hashable {
    /// The role's name in the contract: `upload`.
    public let name: String
    /// Whether requests carry the session's token.
    public let sendsSession: Bool
    /// Whether requests have the contract's common parameters.
    public let sendsCommon: Bool
    /// Whether requests carry the app's credentials.
    public let sendsCredentials: Bool
    /// Whether requests are signed.
    public let sendsSignature: Bool

    public init(
        _ name: String, session: Bool = false, common: Bool = false, credentials: Bool = false, signature: Bool = false
    ) {
        self.name = name
        sendsSession = session
        sendsCommon = common
        sendsCredentials = credentials
        sendsSignature = signature
    }
}

/// Where a request carries its idempotency key.
public enum KeyPlacement: Sendable, Hashable {
    /// In the header of this name.
    case header(String)
    /// In the body's field of this name: a member of the JSON object, or a field of the form.
    case field(String)

    /// The header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
    public static let standard = KeyPlacement.header("Idempotency-Key")
}

/// The kind of a success's body.
public enum ResponseKind: String, Sendable, CaseIterable {
    /// JSON, to be read by the command.
    case json
    /// Bytes, passed on as they are.
    case bytes
    /// Elements that come one after the other (`EndpointDescription.stream`).
    case stream
    /// The body is ignored, because the declared headers are the response.
    case headers
    /// The body is ignored.
    case none
}
