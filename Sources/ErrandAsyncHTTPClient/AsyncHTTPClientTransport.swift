#if AsyncHTTPClient
public import AsyncHTTPClient
import ErrandCompression
public import ErrandRuntime
import NIOCore

/// Sends requests over AsyncHTTPClient, for servers: HTTP/1.1 and HTTP/2, redirects as the request allows them, answers
/// up to the size it allows, inflated bodies included. It needs the package's trait `AsyncHTTPClient`.
///
/// **What is guaranteed.** Nothing is ever sent a second time, also where a kept-alive connection turns out to be dead:
/// that ends as `lost`. `notSent` is said only of a request whose head was never written to a connection. The limit of
/// the request holds for all of it, with waiting for a connection and with redirects. A cancelled attempt ends at once
/// and closes its connection, as one does whose answer grows too large. A server cannot end the process.
///
/// **The client.** `init(configure:)` makes one of its own, and shuts it down when the transport goes. `init(client:)` takes
/// one that stays its owner's: it must live as long as commands are sent, and its owner shuts it down after them
/// (`HTTPClient.shared` needs no end). Proxies, TLS, connection limits and DNS are settings of the client; see
/// `HTTPClient.Configuration`.
///
/// **Connections.** All requests to one origin share one event loop, which makes the order of what happens to them certain;
/// several origins are spread over the loops of the client's group. A client of its own keeps as many connections to an
/// origin as `concurrentHTTP1ConnectionsPerHostSoftLimit` says (32 at first, as many requests as a dispatcher sends at a
/// time), and further requests wait for one of them. On
/// another owner's client a request takes a connection that is idle on its loop, or one of its own, which is closed after
/// it: fine for a few at once, a handshake for each of many.
public final class AsyncHTTPClientTransport: Transport {
    /// To how many bytes a compressed answer may inflate where nothing else is configured: as large as an answer may be
    /// where a request sets nothing.
    private static let inflatedSize = 64 << 20

    private let client: HTTPClient
    private let eventLoops: [any EventLoop]
    private let isOwner: Bool
    private let isInflating: Bool
    private let trust: ServerTrust

    /// A transport with a client of its own, on the event loops that the process shares.
    ///
    /// A compressed answer may inflate to 64 MiB; `decompression` says otherwise. A connection that cannot be made is an
    /// error at once, since trying again is the dispatcher's business.
    ///
    /// - Parameter configure: changes the client's configuration: a proxy, TLS settings, the number of connections.
    ///   Redirects are followed by the transport, whatever is set there.
    public convenience init(configure: (inout HTTPClient.Configuration) -> Void = { _ in }) {
        self.init(Self.configuration(configure), trust: .system)
    }

    /// A transport with a client of its own that trusts an authority of its own for each of some hosts, such as a
    /// development server's. TLS settings of the configuration hold for these hosts, too, but for their `trustRoots`.
    ///
    /// - Throws: `TrustedAuthorityProblem.unreadableCertificate` if a certificate is none.
    public convenience init(
        trusting authorities: [TrustedAuthority], configure: (inout HTTPClient.Configuration) -> Void = { _ in }
    ) throws(TrustedAuthorityProblem) {
        let configuration = Self.configuration(configure)
        let trust = try ServerTrust(authorities, base: configuration.tlsConfiguration)
        self.init(configuration, trust: trust)
    }

    private static func configuration(_ configure: (inout HTTPClient.Configuration) -> Void)
        -> HTTPClient.Configuration
    {
        var configuration = HTTPClient.Configuration()
        configuration.decompression = .enabled(limit: .size(inflatedSize))
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            DispatcherSettings().maximumRequestsPerHost
        configure(&configuration)
        configuration.redirectConfiguration = .disallow
        return configuration
    }

    private init(_ configuration: HTTPClient.Configuration, trust: ServerTrust) {
        self.trust = trust
        client = HTTPClient(configuration: configuration)
        eventLoops = Array(client.eventLoopGroup.makeIterator())
        isOwner = true
        if case .enabled = configuration.decompression { isInflating = true } else { isInflating = false }
    }

    /// A transport on a client that another owner shuts down, such as `HTTPClient.shared`.
    ///
    /// Some of what a request asks for is up to that client's configuration: a refused connection is tried again until
    /// its time to connect is over, unless `retryConnectionEstablishment` is off; a compressed answer stays as it is unless
    /// `decompression` is on. The client follows no redirects here, whatever it is set to; the body of an answer
    /// that redirects is not read.
    ///
    /// - Parameter client: is not shut down by the transport.
    public init(client: HTTPClient) {
        self.client = client
        eventLoops = Array(client.eventLoopGroup.makeIterator())
        isOwner = false
        isInflating = false
        trust = .system
    }

    deinit {
        // No request is under way any more: each holds the transport.
        if isOwner { client.shutdown { _ in } }
    }

    public var streamsRequestBodies: Bool { true }

    /// Zlib, which NIO needs, too.
    public var compressor: (any BodyCompressor)? { GzipCompressor() }

    public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        let deadline = NIODeadline.now() + TimeAmount(limiting: request.timeout)
        return try await request.followingRedirects { (hop) async throws(TransportFault) in
            try await attempt(hop, until: deadline)
        }
    }

    private func attempt(
        _ request: TransportRequest, until deadline: NIODeadline
    ) async throws(TransportFault) -> TransportResponse {
        guard let origin = Origin(request.url) else {
            throw TransportFault(.unreadable, evidence: .notSent)
        }
        let eventLoop = eventLoop(of: origin)
        let exchange = Exchange(request, stopsAtRedirects: !isOwner, on: eventLoop, holding: self)
        guard
            let prepared = try? request.prepared(isInflating: isInflating, trust: trust, body: exchange.makeBody())
        else {
            throw TransportFault(.unreadable, evidence: .notSent)
        }
        // Connection and request on one loop: only there is it certain that what was not written yet never will be. Where
        // no other code uses the client, all connections to an origin are on its loop already. Demanding that takes them out
        // of the pool's limit, and closes each that no request waits for.
        return try await exchange.carryOut(
            prepared, over: client, isDemanding: !isOwner, until: deadline
        ).get()
    }

    /// The loop of an origin. An IPv6 address can be written in many ways, which the client's pool takes for one: those
    /// share a loop for each port.
    private func eventLoop(of origin: Origin) -> any EventLoop {
        guard !eventLoops.isEmpty else { return client.eventLoopGroup.any() }
        let hash = origin.host.hasPrefix("[") ? origin.port.hashValue : origin.hashValue
        return eventLoops[abs(hash % eventLoops.count)]
    }
}

extension AsyncHTTPClientTransport: CustomStringConvertible, CustomReflectable {
    public var description: String { "AsyncHTTPClientTransport" }
    /// Nothing: the client knows the requests under way, with all that they carry.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

extension TimeAmount {
    /// A duration, in nanoseconds as far as they go; a year at most.
    fileprivate init(limiting duration: Duration) {
        let limited = min(max(duration, .zero), .seconds(31_536_000)).components
        self = .nanoseconds(limited.seconds * 1_000_000_000 + limited.attoseconds / 1_000_000_000)
    }
}
#endif
