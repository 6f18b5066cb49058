import ErrandCompression
public import ErrandRuntime

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends requests over `URLSession`: without cookies, cache and stored credentials. It follows no redirects, because the
/// dispatcher follows them. It accepts responses up to the size that the request allows, including inflated bodies.
///
/// **Guarantees.** A request that is not repeatable (`TransportRequest.isRepeatable`) gets a connection of its own, on which
/// nothing repeats it. It reaches the server at most once, and the transport reports `notSent` only if no byte can have reached
/// the server. A cancelled attempt ends at once, and so does an attempt whose response grows too large. The unread part of a
/// response is bounded, at any speed of the server. The transport sends no credentials of the machine: a server that asks for
/// them (Basic, Digest, Negotiate, NTLM, a client certificate) gets none but the app's (`ClientCertificate`), and its 401 is an
/// ordinary response.
///
/// **Limits.** `URLSession` itself repeats a request if a kept-alive connection is found closed before any of the response
/// arrived, and does not report it. The server may therefore see one attempt of a repeatable request twice. If the second one
/// is refused, `URLSession` reports that for both. A connection of its own costs a request the time to connect.
///
/// Outside Apple's systems `URLSession` is FoundationNetworking, with limits of its own:
/// - A server can end the process: by closing a connection between the status line and the end of the header, by trailers after
///   a chunked body, or by a `Content-Length` near 2⁶³.
/// - All sessions of a process read on one queue. A server that sends without a pause, and faster than it is read, delays all
///   other requests, and so do tens of thousands of header lines. Commands still end in time, the delayed ones as not sent; the
///   connection is closed at the server's next pause.
/// - Compressed bodies are inflated on that queue, too. Before the transport can stop it, the part that has arrived is inflated
///   (up to 1.6 MB, which may inflate to a thousand times that).
/// - A compressed body that ends early counts as complete if its message is complete. A server can cause that, but a connection
///   that is cut cannot.
/// - A body is sent only from memory: a streamed body is collected first, up to 64 MiB (`streamsRequestBodies`).
/// - A streamed response cannot slow the server down: if the server sends faster than the response is read, and more than 16
///   MiB wait, it ends as `oversized`.
/// - The body of a 401 that asks for Basic or Digest credentials is lost.
/// - A response whose header has bytes that are not UTF-8, or has no blank after its status, is a lost connection.
/// - A time limit is rounded up to whole seconds, plus two. The dispatcher's limit is exact, and comes first.
/// - A connection that ends during the TLS handshake counts as one that ended later: as lost, and sent.
///
/// Clients therefore send over `CurlTransport` on Linux (`SystemTransport` of ErrandTransport).
public final class URLSessionTransport: Transport {
    private let routes: ProxyRoutes
    /// Opens connections over `URLSession` on Apple's systems, with the same trust; nil elsewhere.
    public let messageTransport: (any MessageTransport)?
    /// The session's `httpMaximumConnectionsPerHost`.
    public let maximumRequestsPerHost: Int?
    /// More than the dispatcher sends to one host at a time, so that the session holds no request back.
    private static let connectionsPerHost = 1_024

    /// - Parameters:
    ///   - proxies: which requests go through which proxy; nil for the system's proxies, which are those of the environment on
    ///     Linux. `URLSession` has no other ones there, so each request to which other settings apply fails
    ///     (`ProxyError.unsupported`).
    ///   - configure: changes the session's configuration, for instance for TLS settings. It is called for each session.
    ///     `httpMaximumConnectionsPerHost` lowers the number of requests that the dispatcher sends to one host at a time.
    public convenience init(proxies: ProxySettings? = nil, configure: (URLSessionConfiguration) -> Void = { _ in }) {
        self.init(trust: nil, proxies, configure)
    }

    /// A transport that trusts an authority of its own for each of some hosts, such as a development server's.
    ///
    /// - Throws: `TrustedAuthorityError.unsupportedByTransport` outside Apple's systems, where `URLSession` can't trust an
    ///   authority for one host only; `SystemTransport.make(trusting:)` can. Nothing is thrown if the list is empty.
    public convenience init(
        trusting authorities: [TrustedAuthority], proxies: ProxySettings? = nil,
        configure: (URLSessionConfiguration) -> Void = { _ in }
    ) throws(TrustedAuthorityError) {
        self.init(trust: try ServerTrust(authorities), proxies, configure)
    }

    /// A transport that also presents an identity of the system to each of some hosts (mutual TLS), on Apple's systems.
    ///
    /// - Throws: `ClientCertificateError.identityNeeded` for a certificate in PEM, which `URLSession` cannot use;
    ///   `severalForHost` for two certificates of one host; `unsupportedByTransport` outside Apple's systems;
    ///   `TrustedAuthorityError` as the other initializer.
    public convenience init(
        trusting authorities: [TrustedAuthority] = [], presenting certificates: [ClientCertificate],
        proxies: ProxySettings? = nil, configure: (URLSessionConfiguration) -> Void = { _ in }
    ) throws {
        self.init(trust: try ServerTrust(authorities, presenting: certificates), proxies, configure)
    }

    private init(trust: ServerTrust?, _ proxies: ProxySettings?, _ configure: (URLSessionConfiguration) -> Void) {
        var limit = Self.connectionsPerHost
        routes = ProxyRoutes(proxies, trust) {
            let configuration = URLSessionConfiguration.ephemeral
            Self.rememberNothing(configuration)
            Self.demandModernTLS(configuration)
            configuration.httpMaximumConnectionsPerHost = Self.connectionsPerHost
            configure(configuration)
            limit = configuration.httpMaximumConnectionsPerHost
            return configuration
        }
        maximumRequestsPerHost = limit
        #if canImport(FoundationNetworking)
        messageTransport = nil
        #else
        messageTransport = WebSocketTaskTransport(trust, proxies)
        #endif
    }

    /// `URLSession` streams on Apple's systems. FoundationNetworking reads a stream on the queue that all sessions share, and takes
    /// one that has nothing to read at the moment for one that has ended.
    public var streamsRequestBodies: Bool {
        #if canImport(FoundationNetworking)
        false
        #else
        true
        #endif
    }

    /// `URLSession` shows the server's certificate on Apple's systems only.
    public var enforcesPins: Bool {
        #if canImport(FoundationNetworking)
        false
        #else
        true
        #endif
    }

    /// The system's zlib; nil on a system without one, where bodies are sent as they are.
    public var compressor: (any BodyCompressor)? { GzipCompressor.ofSystem }

    public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        guard let urlRequest = Self.makeURLRequest(request) else {
            throw TransportFault(.unreadable, evidence: .notSent)
        }
        let (pool, proxy) = try route(to: request.url, request.pins)
        let isShared = Self.mayShareConnections(request) && !request.needsNewConnection
        let response: TransportResponse
        do throws(TransportFault) {
            response = try await (isShared ? pool : pool.makeEmptyCopy())
                .send(request, as: urlRequest, priority: Self.priority(request.priority))
        } catch {
            throw error.met(at: proxy)
        }
        // The proxy has not passed the request on (RFC 9110 section 15.5.8).
        if response.status == 407, let proxy, proxy.mayHaveResponded(to: request.url) {
            throw TransportFault(ProxyError(proxy, status: 407))
        }
        return response
    }

    private func route(to url: String, _ pins: PublicKeyPins?) throws(TransportFault) -> (ConnectionPool, Proxy?) {
        do throws(ProxyError) {
            return try routes.route(to: url, pins)
        } catch {
            throw TransportFault(error)
        }
    }

    private static func mayShareConnections(_ request: TransportRequest) -> Bool {
        #if canImport(FoundationNetworking)
        // FoundationNetworking would repeat the header, find no body to repeat, and wait busily until the time is over. If the
        // server is gone by then, it would report the request as refused, although it was sent.
        return !request.hasBody && (request.method == .get || request.method == .head) && request.isRepeatable
        #else
        return request.isRepeatable
        #endif
    }

    /// No cookies, no cache and no stored credentials.
    package static func rememberNothing(_ configuration: URLSessionConfiguration) {
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    }

    /// TLS 1.2 or later: the versions before are deprecated (RFC 8996). FoundationNetworking has no such setting, and takes them.
    package static func demandModernTLS(_ configuration: URLSessionConfiguration) {
        #if !canImport(FoundationNetworking)
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        #endif
    }

    package static func makeURLRequest(_ request: TransportRequest) -> URLRequest? {
        guard let url = URL(string: request.url) else { return nil }
        var urlRequest = URLRequest(url: url)
        urlRequest.timeoutInterval = seconds(timeLimit(of: request))
        urlRequest.httpMethod = request.method.rawValue
        for field in request.headers.fields {
            urlRequest.addValue(HTTPHeaders.trimmed(field.value), forHTTPHeaderField: field.name)
        }
        if let body = request.body { urlRequest.httpBody = Data(body) }
        if let length = request.streamedBody?.length {
            urlRequest.setValue("\(length)", forHTTPHeaderField: "Content-Length")
        }
        urlRequest.httpShouldHandleCookies = false
        #if !canImport(FoundationNetworking)
        if request.network == .unmetered {
            urlRequest.allowsExpensiveNetworkAccess = false
            urlRequest.allowsConstrainedNetworkAccess = false
        }
        #endif
        return urlRequest
    }

    /// The time without any event after which a request ends. A stream may be silent for a day, because its reader decides how
    /// long to wait.
    static func timeLimit(of request: TransportRequest) -> Duration {
        request.streamsResponse ? max(request.timeout, .seconds(86_400)) : request.timeout
    }

    /// `URLSession` limits only the time without any event. The dispatcher limits the whole time.
    static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        let limit = max(0.001, Double(seconds) + Double(attoseconds) / 1e18)
        #if canImport(FoundationNetworking)
        // FoundationNetworking counts in whole seconds, and ignores a limit below one second. Two seconds are added, because it
        // ends the process if its time is over while it waits for the decision about a redirect. The dispatcher's limit comes
        // first.
        return limit.rounded(.up) + 2
        #else
        return limit
        #endif
    }

    /// The fault for an error of a session.
    package static func fault(for error: any Error) -> TransportFault { TransportFault(error) }

    package static func priority(_ priority: Priority) -> Float {
        switch priority {
        case .high: URLSessionTask.highPriority
        case .normal: URLSessionTask.defaultPriority
        case .low: URLSessionTask.lowPriority
        }
    }
}

extension URLSessionTransport: CustomStringConvertible, CustomReflectable {
    public var description: String { "URLSessionTransport" }
    /// Nothing, because the session contains the requests under way, with their secrets.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
