#if AsyncHTTPClient
public import AsyncHTTPClient
import ErrandCompression
public import ErrandRuntime
import NIOCore

/// Sends requests over AsyncHTTPClient, for servers. It supports HTTP/1.1 and HTTP/2, and responses up to the size that the
/// request allows, including inflated bodies. It needs the package's trait `AsyncHTTPClient`.
///
/// **Guarantees.** The transport never sends a request a second time, even if a kept-alive connection is found closed: that
/// ends as `lost`, with a stale connection. It reports `notSent` only if the head of the request was never written to a
/// connection. The request's time limit covers all of it, including the wait for a connection. A cancelled attempt ends at once
/// and closes its connection, and so does an attempt whose response grows too large. A server cannot end the process.
///
/// **The client.** `init(configure:)` creates a client of its own, and shuts it down with the transport. `init(client:)` takes
/// a client of another owner. That client must live as long as commands are sent, and its owner shuts it down after them
/// (`HTTPClient.shared` needs no shutdown). TLS, connection limits and DNS are settings of the client; see
/// `HTTPClient.Configuration`.
///
/// **Proxies.** They are those of the environment, unless the app has other ones (`ProxySettings`). A proxy that cannot be used is an
/// error before anything is sent, and never a direct connection. A client of another owner has those of its configuration.
///
/// **Connections.** All requests to one origin share one event loop, which makes the order of their events certain. Several
/// origins are distributed over the loops of the client's group. A client of the transport's own keeps as many connections to
/// an origin as `concurrentHTTP1ConnectionsPerHostSoftLimit` allows (32 by default, the number of requests that a dispatcher
/// sends at a time). Further requests wait for one of them. On another owner's client, a request takes an idle connection of
/// its loop, or opens one of its own, which is closed afterwards. That suits a few simultaneous requests, but costs each of
/// many a handshake. If a new connection of HTTP/2 ends before the server has said anything on it, the request was not written. It then
/// gets one more connection, over HTTP/1.1, which shows the reason: a server may have refused the client's certificate.
///
/// **Other processes.** A process that this one starts does not inherit the connections of a client of the transport's own, except
/// for one that is being opened at that moment. It does inherit those of another owner's client, which has no setting for them.
public final class AsyncHTTPClientTransport: Transport {
    /// The default limit for the size of an inflated response. It equals the default limit of a request for the size of a
    /// response.
    private static let inflatedSize = 64 << 20

    private let clients: ProxyClients
    private let eventLoops: [any EventLoop]
    private let isOwner: Bool
    private let isInflating: Bool
    private let trust: ServerTrust

    /// Creates a transport with a client of its own, on the event loops that the process shares.
    ///
    /// A compressed response may inflate to 64 MiB, unless `decompression` sets another limit. If a connection cannot be made,
    /// the attempt fails at once, because the dispatcher decides about retries.
    ///
    /// - Parameters:
    ///   - proxies: which requests go through which proxy. The environment is read once, here.
    ///   - configure: changes the client's configuration: TLS settings, the number of connections. Its `tlsConfiguration` takes TLS
    ///     1.2 or later; one that replaces it counts as it is. If it sets a proxy, all requests go through it, and `proxies`
    ///     is ignored. The transport follows no redirects, regardless of this configuration, because the dispatcher follows them.
    public convenience init(
        proxies: ProxySettings = .environment, configure: (inout HTTPClient.Configuration) -> Void = { _ in }
    ) {
        self.init(Self.configuration(configure), proxies, trust: .system)
    }

    /// Creates a transport with a client of its own that trusts an authority of its own for each of some hosts, such as a
    /// development server's. TLS settings of the configuration apply to these hosts too, except for their `trustRoots`.
    ///
    /// - Throws: `TrustedAuthorityError.unreadableCertificate` if a certificate isn't PEM or DER.
    public convenience init(
        trusting authorities: [TrustedAuthority], proxies: ProxySettings = .environment,
        configure: (inout HTTPClient.Configuration) -> Void = { _ in }
    ) throws(TrustedAuthorityError) {
        let configuration = Self.configuration(configure)
        let trust = try ServerTrust(authorities, base: configuration.tlsConfiguration)
        self.init(configuration, proxies, trust: trust)
    }

    /// Creates a transport with a client of its own that also presents a certificate to each of some hosts (mutual TLS). TLS settings of
    /// the configuration apply to these hosts too, except for their `certificateChain` and `privateKey`.
    ///
    /// - Throws: `ClientCertificateError.unusable` if the key isn't the one of the certificate, or is neither RSA nor of a curve of NIST;
    ///   `severalForHost` for two certificates of one host; `unsupportedByTransport` on Apple's systems; `TrustedAuthorityError` as the
    ///   other initializer.
    public convenience init(
        trusting authorities: [TrustedAuthority] = [], presenting certificates: [ClientCertificate],
        proxies: ProxySettings = .environment, configure: (inout HTTPClient.Configuration) -> Void = { _ in }
    ) throws {
        let configuration = Self.configuration(configure)
        let trust = try ServerTrust(authorities, presenting: certificates, base: configuration.tlsConfiguration)
        self.init(configuration, proxies, trust: trust)
    }

    private static func configuration(_ configure: (inout HTTPClient.Configuration) -> Void)
        -> HTTPClient.Configuration
    {
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = .modern
        configuration.decompression = .enabled(limit: .size(inflatedSize))
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            DispatcherSettings().maximumRequestsPerHost
        configure(&configuration)
        configuration.redirectConfiguration = .disallow
        configuration.watchConnections()
        return configuration
    }

    private init(_ configuration: HTTPClient.Configuration, _ proxies: ProxySettings, trust: ServerTrust) {
        self.trust = trust
        clients = ProxyClients(configuration, proxies)
        eventLoops = Array(clients.direct.client.eventLoopGroup.makeIterator())
        isOwner = true
        if case .enabled = configuration.decompression { isInflating = true } else { isInflating = false }
    }

    /// Creates a transport on a client that another owner shuts down, such as `HTTPClient.shared`.
    ///
    /// Some behavior depends on that client's configuration. A refused connection is tried again until its connect timeout,
    /// unless `retryConnectionEstablishment` is off. A compressed response is not inflated unless `decompression` is on. The
    /// client follows no redirects here, regardless of its configuration. The body of a response that redirects is not read. The
    /// transport cannot tell which connections are reused or stale, and cannot ask for a new one.
    ///
    /// - Parameter client: the client, which the transport doesn't shut down.
    public init(client: HTTPClient) {
        clients = ProxyClients(client)
        eventLoops = Array(client.eventLoopGroup.makeIterator())
        isOwner = false
        isInflating = false
        trust = .system
    }

    deinit {
        // Each request retains the transport, so no request is under way.
        clients.shutDown()
    }

    public var streamsRequestBodies: Bool { true }

    /// A client of the transport's own compares them on each new connection. Another owner's client has no place for that, and
    /// Network.framework, which Apple's systems use, shows the client no certificate.
    public var enforcesPins: Bool {
        #if canImport(Network)
        false
        #else
        isOwner
        #endif
    }

    /// Zlib, which NIO needs, too.
    public var compressor: (any BodyCompressor)? { GzipCompressor.ofSystem }

    public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        let deadline = NIODeadline.now() + TimeAmount(limiting: request.timeout)
        guard let origin = Origin(request.url) else {
            throw TransportFault(.unreadable, evidence: .notSent)
        }
        let route = try route(to: origin, request.pins)
        let client = request.needsNewConnection ? route.clientOfNewConnections ?? route.client : route.client
        let result = await carryOut(request, to: origin, over: client, route.proxy, until: deadline)
        // Nothing was written, so that the request is still sent once.
        guard case .failure(let fault) = result, fault.isUnexplained, let client = route.clientOfHTTP1 else {
            return try result.get()
        }
        let explained = await carryOut(request, to: origin, over: client, route.proxy, until: deadline)
        // A server of HTTP/2 alone gets no request over HTTP/1.1.
        if case .failure(let other) = explained, other.kind == .tls, other.underlying is ClientError { throw fault }
        return try explained.get()
    }

    /// Sends a request once, over one of the clients.
    private func carryOut(
        _ request: TransportRequest, to origin: Origin, over client: HTTPClient, _ proxy: Proxy?,
        until deadline: NIODeadline
    ) async -> Result<TransportResponse, TransportFault> {
        let exchange = Exchange(
            request, trust, stopsAtRedirects: !isOwner, over: proxy, on: eventLoop(of: origin), holding: self)
        guard
            let prepared = try? request.prepared(isInflating: isInflating, trust: trust, body: exchange.makeBody())
        else {
            return .failure(TransportFault(.unreadable, evidence: .notSent))
        }
        // Connection and request must be on one loop. Only there is it certain that an unwritten request is never written
        // later. If no other code uses the client, all connections to an origin are on its loop already. To demand the loop
        // would exempt connections from the pool's limit, and close each one that no request waits for.
        return await exchange.carryOut(prepared, over: client, isDemanding: !isOwner, until: deadline)
    }

    private func route(to origin: Origin, _ pins: PublicKeyPins?) throws(TransportFault) -> ProxyClients.Route {
        do throws(ProxyError) {
            return try clients.route(to: origin, pins)
        } catch {
            throw TransportFault(error)
        }
    }

    /// The loop of an origin. The client's pool treats all spellings of an IPv6 address as one, so all IPv6 addresses share one
    /// loop per port.
    private func eventLoop(of origin: Origin) -> any EventLoop {
        guard !eventLoops.isEmpty else { return clients.direct.client.eventLoopGroup.any() }
        let hash = origin.host.hasPrefix("[") ? origin.port.hashValue : origin.hashValue
        return eventLoops[abs(hash % eventLoops.count)]
    }
}

extension AsyncHTTPClientTransport: CustomStringConvertible, CustomReflectable {
    public var description: String { "AsyncHTTPClientTransport" }
    /// Nothing, because the client contains the requests under way, with their secrets.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

extension TimeAmount {
    /// A duration in nanoseconds, a year at most.
    fileprivate init(limiting duration: Duration) {
        let limited = min(max(duration, .zero), .seconds(31_536_000)).components
        self = .nanoseconds(limited.seconds * 1_000_000_000 + limited.attoseconds / 1_000_000_000)
    }
}
#endif
