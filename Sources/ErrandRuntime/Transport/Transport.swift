/// What carries requests to a server and answers back. One small protocol: an app may bring its own.
///
/// A transport makes exactly one attempt per call, and knows nothing of contracts, sessions and
/// retries. It must:
/// - return soon after the task is cancelled, and let the server see it (close, reset);
/// - never repeat a request by itself where it can help it;
/// - say truly how far a failed attempt got, since that decides whether it is sent again: `notSent`
///   only where no byte of the request can have reached the server.
///
/// Time limits are the dispatcher's, which cancels an attempt that takes too long; the request tells
/// the limit for transports that need one of their own.
public protocol Transport: Sendable {
    /// Sends one request and waits for the whole answer, or for its head where the request wants the body streamed
    /// (`TransportRequest.streamsResponse`) and the transport can do that.
    ///
    /// - Throws: how it failed. An answer of any status is no failure.
    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse

    /// How many requests to one host the transport carries at the same time; nil if it has no limit of its own.
    ///
    /// The dispatcher sends no more than that at a time, so that no request waits inside the transport: its time would pass
    /// there, and a request that was never sent would count as one that may have been.
    var maximumRequestsPerHost: Int? { get }

    /// Whether `TransportRequest.streamedBody` is read while it is sent. Where it is not, the dispatcher hands every body over
    /// in memory (`TransportRequest.body`), up to 64 MiB.
    var streamsRequestBodies: Bool { get }

    /// What compresses bodies before they come here, where a contract asks for it and `DispatcherSettings.compressor` says nothing
    /// else; nil to have them sent as they are.
    var compressor: (any BodyCompressor)? { get }
}

extension Transport {
    public var maximumRequestsPerHost: Int? { nil }
    public var streamsRequestBodies: Bool { false }
    public var compressor: (any BodyCompressor)? { nil }
}

/// A request, ready to be sent.
public struct TransportRequest: Sendable {
    public var method: HTTPMethod
    /// An absolute http or https URL (RFC 3986).
    public var url: String
    public var headers: HTTPHeaders
    /// Nil for no body, which is not the same as an empty one.
    public var body: [UInt8]?
    /// A body that is read while it is sent; nil where there is none, or where `body` is it. A transport reads it once, and one
    /// that ends with a problem of its source fails as `requestBody`.
    public var streamedBody: BodySource?
    /// How the dispatcher compresses the body once interceptors have seen it; nil for a body that is sent as it is. A transport
    /// gets none: the body is compressed by then, and `Content-Encoding` says so.
    public var compression: BodyCompression?
    /// Whether the answer is wanted once its head is there, with a body that arrives while it is read
    /// (`TransportResponse.stream`). A transport that cannot do that waits for all of it, as for other requests, and so does
    /// every transport for an answer with a status outside of 200 to 299.
    public var streamsResponse: Bool
    /// How long the attempt may take, for a streamed answer until its head is there.
    public var timeout: Duration
    /// How many redirects may be followed. One that leaves the origin loses every sensitive header,
    /// and is only followed for GET and HEAD without a body.
    public var maximumRedirects: Int
    /// The longest body of an answer, in bytes; above that the attempt fails as `oversized`. A streamed answer may be longer:
    /// what reads it has limits of its own.
    public var maximumResponseSize: Int
    public var priority: Priority
    public var network: NetworkUse
    /// Whether it does no harm where it reaches the server twice. Where it does, a transport must not
    /// send it over a connection on which it would repeat it by itself.
    public var isRepeatable: Bool
    /// Service and endpoint as the contract names them, `Bank.transferFunds`: for code that logs, measures or answers
    /// requests. Empty where the request belongs to no command.
    public var endpoint: String
    /// Which attempt of which command it is, as observers know it; nil where the dispatcher has none.
    public internal(set) var attempt: AttemptIdentity?
    /// The command's type, by which a simulated server knows what an answer must look like.
    var commandType: Any.Type?
    /// Where it is noted what interceptors have made of it; nil where there are none.
    var sent: SentRequest?

    public init(
        method: HTTPMethod, url: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8]? = nil,
        timeout: Duration = .seconds(30), maximumRedirects: Int = 5,
        maximumResponseSize: Int = 64 << 20, priority: Priority = .normal, network: NetworkUse = .any,
        isRepeatable: Bool = true, endpoint: String = "", streamedBody: BodySource? = nil,
        streamsResponse: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maximumRedirects = maximumRedirects
        self.maximumResponseSize = maximumResponseSize
        self.priority = priority
        self.network = network
        self.isRepeatable = isRepeatable
        self.endpoint = endpoint
        self.streamedBody = streamedBody
        self.streamsResponse = streamsResponse
    }
}

extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the origin: the rest may hold secrets.
    public var description: String { "\(method.rawValue) \(Origin(url)?.description ?? "?")" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(
            self, children: ["method": method.rawValue, "origin": Origin(url)?.description as Any],
            displayStyle: .struct)
    }
}

/// An answer of any status: complete, or its head and a body that is still to come.
public struct TransportResponse: Sendable {
    public var status: Int
    public var headers: HTTPHeaders
    /// All of the body; empty where it is streamed.
    public var body: [UInt8]
    /// A body that arrives while it is read; nil where `body` is all of it. Only for requests that want that
    /// (`TransportRequest.streamsResponse`).
    public var stream: StreamedBody?

    /// - Parameter headers: without the spaces and tabs around their values, which are no part of them (RFC 9110
    ///   section 5.5).
    public init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [], stream: StreamedBody? = nil) {
        self.status = status
        self.headers = headers.trimmed()
        self.body = body
        self.stream = stream
    }
}

extension TransportResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the size: the rest may hold secrets.
    public var description: String { "status \(status), \(stream == nil ? "\(body.count) bytes" : "a stream")" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["status": status, "size": body.count], displayStyle: .struct)
    }
}

/// What one attempt came to on the wire.
typealias AttemptResult = Result<TransportResponse, TransportFault>
