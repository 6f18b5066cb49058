/// Carries requests to a server and brings back responses. The protocol is small, so that an app can bring its own transport.
///
/// A transport makes exactly one attempt per call, and knows nothing of contracts, sessions and retries. It must:
/// - return soon after the task is cancelled, and let the server see it (close, reset);
/// - never repeat a request by itself if it can avoid it;
/// - follow no redirect: the dispatcher follows them, by rules that are the same for all transports;
/// - report truthfully how far a failed attempt got, since that decides whether the request is sent again: `notSent` only if no
///   byte of the request can have reached the server, `unprocessed` only if the server said so, and
///   `TransportFault.isStaleConnection` only for a kept connection without any line of a response. A transport that reports such a
///   fault also reports a response over a kept connection (`TransportResponse.isReusedConnection`).
///
/// The dispatcher enforces time limits, and cancels an attempt that takes too long. The request contains the limit for
/// transports that need one of their own.
public protocol Transport: Sendable {
    /// Sends one request and waits for the complete response, or for its head if the request wants the body streamed
    /// (`TransportRequest.streamsResponse`) and the transport can do that.
    ///
    /// - Throws: the fault of the attempt. A response of any status isn't a fault.
    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse

    /// The maximum number of simultaneous requests to one host; nil if the transport has no limit of its own.
    ///
    /// The dispatcher sends no more requests than that at a time, so that no request waits inside the transport. A waiting
    /// request would use up its time there, and count as possibly sent although it was never sent.
    var maximumRequestsPerHost: Int? { get }

    /// Whether `TransportRequest.streamedBody` is read while it is sent. Otherwise the dispatcher hands every body over
    /// in memory (`TransportRequest.body`), up to 64 MiB.
    var streamsRequestBodies: Bool { get }

    /// The compressor for bodies that a contract declares as compressed, unless `DispatcherSettings.compressor` is set; nil to
    /// send them uncompressed.
    var compressor: (any BodyCompressor)? { get }

    /// Whether the transport compares the server's key with the pins of a request (`TransportRequest.pins`), before anything of the request
    /// is sent. Otherwise the dispatcher refuses such a request.
    var enforcesPins: Bool { get }

    /// Opens the connections of services whose commands travel over one (`ServiceDescription.connection`), unless
    /// `DispatcherSettings.messageTransport` is set; nil if the transport has none.
    var messageTransport: (any MessageTransport)? { get }
}

extension Transport {
    public var maximumRequestsPerHost: Int? { nil }
    public var streamsRequestBodies: Bool { false }
    public var compressor: (any BodyCompressor)? { nil }
    public var enforcesPins: Bool { false }
    public var messageTransport: (any MessageTransport)? { nil }
}

/// A request, ready to be sent.
public struct TransportRequest: Sendable {
    public var method: HTTPMethod
    /// An absolute http or https URL (RFC 3986).
    public var url: String
    public var headers: HTTPHeaders
    /// Nil for no body, which is not the same as an empty one.
    public var body: [UInt8]?
    /// A body that is read while it is sent; nil if the request has no body, or has it in `body`. A transport reads it once. If
    /// its source has a problem, the attempt fails as `requestBody`.
    public var streamedBody: BodySource?
    /// How the dispatcher compresses the body after the interceptors; nil for a body that is not compressed. A transport gets
    /// none: the body is compressed by then, and `Content-Encoding` says so.
    public var compression: BodyCompression?
    /// Whether the caller wants the response when its head has arrived, with a body that arrives while it is read
    /// (`TransportResponse.stream`). A transport that cannot do that waits for the complete response, as for other requests.
    /// Every transport does so for a response with a status outside of 200 to 299.
    public var streamsResponse: Bool
    /// How long the attempt may take. For a streamed response, the time until its head has arrived.
    public var timeout: Duration
    /// How many redirects the dispatcher follows. A transport follows none, and gets 0 here.
    ///
    /// A redirect is followed with the same method only, except that a GET follows a 303 to a QUERY (RFC 10008). One that leaves
    /// the origin is followed for a method that only reads, without a body, and takes no header along that could belong to the
    /// origin. One that the contract has a row for isn't followed.
    public var maximumRedirects: Int
    /// Whether the request goes to another origin than the service's: a whole URL, or the link of a page.
    ///
    /// A header that an interceptor adds to such a request is then not sent, unless it is written for this URL
    /// (`HTTPHeaders.Field.isForURL`), or says only which representation is wanted, such as `Accept`.
    public internal(set) var isForeign = false
    /// The statuses of redirects that are responses of the contract, and aren't followed.
    var finalRedirects: [Int] = []
    /// The longest response body, in bytes. A longer one makes the attempt fail as `oversized`. A streamed response may be
    /// longer, because its reader has limits of its own.
    public var maximumResponseSize: Int
    public var priority: Priority
    public var network: NetworkUse
    /// Whether the request may reach the server twice without harm. Otherwise a transport must not send it over a connection on
    /// which it would repeat it by itself.
    public var isRepeatable: Bool
    /// Whether the request must not use a kept connection, because one has just turned out to be dead. A transport that cannot
    /// choose its connections ignores this.
    public var needsNewConnection: Bool
    /// The keys that the server may have; nil for any. A transport that compares them (`Transport.enforcesPins`) verifies the server's
    /// certificate as always, and then its key.
    public var pins: PublicKeyPins?
    /// Service and endpoint as the contract names them, `Bank.transferFunds`: for code that logs, measures or responds to
    /// requests. Empty if the request belongs to no command.
    public var endpoint: String
    /// The identity of the attempt and its command, as observers know it; nil without a dispatcher.
    public internal(set) var attempt: AttemptIdentity?
    /// The command's type, from which a simulated server learns the form of its response.
    var commandType: Any.Type?
    /// The kind of the frame that the request travels in; nil for a request over HTTP. The body is then the frame's payload, and the
    /// URL that of the connection. Method and headers have no meaning.
    public internal(set) var frame: String?
    /// Records the request after interceptors have changed it; nil without interceptors.
    var sent: SentRequest?

    public init(
        method: HTTPMethod, url: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8]? = nil,
        timeout: Duration = .seconds(30), maximumRedirects: Int = 5,
        maximumResponseSize: Int = 64 << 20, priority: Priority = .normal, network: NetworkUse = .any,
        isRepeatable: Bool = true, endpoint: String = "", streamedBody: BodySource? = nil,
        streamsResponse: Bool = false, needsNewConnection: Bool = false
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
        self.needsNewConnection = needsNewConnection
        self.endpoint = endpoint
        self.streamedBody = streamedBody
        self.streamsResponse = streamsResponse
    }
}

extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the origin: the rest may hold secrets.
    public var description: String {
        frame.map { "FRAME \($0)" } ?? "\(method.rawValue) \(Origin(url)?.description ?? "?")"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(
            self, children: ["method": method.rawValue, "origin": Origin(url)?.description as Any],
            displayStyle: .struct)
    }
}

/// A response of any status: complete, or its head and a body that is still to come.
public struct TransportResponse: Sendable {
    public var status: Int
    public var headers: HTTPHeaders
    /// All of the body; empty if it is streamed.
    public var body: [UInt8]
    /// A body that arrives while it is read; nil if `body` is all of it. Only for requests that want that
    /// (`TransportRequest.streamsResponse`).
    public var stream: StreamedBody?
    /// The URL of the last redirect that was followed; nil if the response comes from the URL of the request.
    ///
    /// The dispatcher sets it. A transport sets it only if its system follows redirects by itself and cannot be stopped.
    public var redirectedTo: String?
    /// Whether the response came over a kept connection, which had carried a request before. False if the transport can't tell.
    ///
    /// After a kept connection that ended without a response, the dispatcher sends a read again at once. If that fails, it does so
    /// at this host no more, until a kept connection has carried a response.
    public var isReusedConnection: Bool
    /// Whether each redirect that was followed has changed nothing but the slash at the end of the path.
    var hasOnlyMovedSlash = false
    /// The response is a redirect that changes nothing but the slash at the end of the path; nil for any other.
    var trailingSlash: TrailingSlashError?
    /// What came over a persistent connection; nil for a response over HTTP.
    package var frame: FrameReply?
    /// The document in XML that the body is a translation of; nil for any other body.
    var document: TranslatedDocument?

    /// - Parameter headers: without the spaces and tabs around their values, which aren't part of the values (RFC 9110 section
    ///   5.5).
    public init(
        status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [], stream: StreamedBody? = nil,
        isReusedConnection: Bool = false
    ) {
        self.status = status
        self.headers = headers.trimmed()
        self.body = body
        self.stream = stream
        self.isReusedConnection = isReusedConnection
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

/// A document in XML, as it was received. An object, because every response reserves room for one.
final class TranslatedDocument: Sendable {
    let bytes: [UInt8]
    /// Why it could not be translated. The body is then the document itself.
    let fault: JSONError?

    init(_ bytes: [UInt8], fault: JSONError? = nil) {
        self.bytes = bytes
        self.fault = fault
    }
}

/// The result of one attempt on the wire.
typealias AttemptResult = Result<TransportResponse, TransportFault>
