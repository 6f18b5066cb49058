#if os(Linux)
import CCurl
import ErrandCompression
public import ErrandRuntime

/// Sends requests over libcurl, on Linux. It supports HTTP/1.1 and HTTP/2, and responses up to the size that the request allows,
/// including inflated bodies. It is the default transport of a client on Linux.
///
/// **Guarantees.** The transport never sends a request a second time, even if a kept-alive connection is found closed: that
/// ends as `lost`, with a stale connection. It reports `notSent` only if no byte of the request was written to a connection. The
/// request's time limit covers all of it, including name lookup and the wait for a connection. A cancelled attempt
/// ends at once and closes its connection, and so does an attempt whose response grows too large. A server can neither end the
/// process nor exhaust its memory: the header of a response is limited to 256 KiB. Certificates are always verified. The
/// transport keeps no cookies, and sends no credentials of the user or the machine.
///
/// **libcurl.** The transport uses the system's libcurl, which FoundationNetworking needs as well, so there is no further
/// installation or linking. It is loaded at the first use, and `isAvailable` tells whether it can be used.
///
/// **Threads.** Each transport has one thread of its own while requests are under way and for a minute after. The thread then
/// closes the connections. No thread of Swift's pool ever waits. Names are looked up on threads that all transports share: one for
/// each host, and 64 at most.
///
/// **Names.** A lookup reads `/etc/hosts` and asks the system's name servers, and its result holds for a minute. All requests
/// to a host share one lookup. A lookup can't be cancelled: without an answer, it ends when the system gives up. If 64 hosts have
/// no answer, requests to further hosts wait for a free place until their time limits. Eight of the places are reserved for hosts
/// whose last lookup succeeded. Requests over existing connections need no lookup.
///
/// **Other processes.** A process that this one starts does not inherit connections.
///
/// **Proxies.** They are those of the environment, unless the app has other ones (`ProxySettings`). A proxy that cannot be used is an
/// error before anything is sent, and never a direct connection. Streamed responses use HTTP/1.1.
public final class CurlTransport: Transport {

    /// Whether the system has a libcurl that can be used: version 7.80 or later, with TLS. It is looked for once.
    public static var isAvailable: Bool { errand_curl_is_available() }

    /// Whether this libcurl loses a response over HTTP/2 if the server resets the stream of an upload right after it. Versions before
    /// 8.1 do.
    static var losesEarlyResponses: Bool { errand_curl_version() < 0x080100 }

    public let maximumRequestsPerHost: Int?
    private let mailbox: Mailbox
    private let trust: ServerTrust
    private let proxies: ProxySettings

    /// - Parameters:
    ///   - maximumRequestsPerHost: how many requests to one host are under way at a time; the dispatcher sends no more.
    ///   - proxies: which requests go through which proxy. The environment is read once, here.
    public init(maximumRequestsPerHost: Int = 1_024, proxies: ProxySettings = .environment) {
        let bound = max(1, maximumRequestsPerHost)
        self.maximumRequestsPerHost = bound
        self.proxies = proxies
        trust = ServerTrust()
        mailbox = Mailbox(connectionsPerHost: bound)
    }

    /// A transport with lookups of its own.
    init(lookups: HostLookups, proxies: ProxySettings = .environment) {
        maximumRequestsPerHost = 1_024
        self.proxies = proxies
        trust = ServerTrust()
        mailbox = Mailbox(connectionsPerHost: 1_024, lookups: lookups)
    }

    /// A transport that trusts an authority of its own for each of some hosts, such as a development server's. If libcurl can't
    /// read a certificate, requests to its host end as `tls`.
    ///
    /// - Throws: `TrustedAuthorityError.unsupportedByTransport` if this libcurl can't take certificates from memory.
    public init(
        trusting authorities: [TrustedAuthority], maximumRequestsPerHost: Int = 1_024,
        proxies: ProxySettings = .environment
    ) throws(TrustedAuthorityError) {
        let bound = max(1, maximumRequestsPerHost)
        self.maximumRequestsPerHost = bound
        self.proxies = proxies
        trust = try ServerTrust(authorities)
        mailbox = Mailbox(connectionsPerHost: bound)
    }

    /// A transport that also presents a certificate to each of some hosts (mutual TLS).
    ///
    /// - Throws: `ClientCertificateError.unsupportedByTransport` if the TLS library of this libcurl isn't OpenSSL, or one that is derived
    ///   from it; `severalForHost` for two certificates of one host; `TrustedAuthorityError` as the other initializer.
    public init(
        trusting authorities: [TrustedAuthority] = [], presenting certificates: [ClientCertificate],
        maximumRequestsPerHost: Int = 1_024, proxies: ProxySettings = .environment
    ) throws {
        let bound = max(1, maximumRequestsPerHost)
        self.maximumRequestsPerHost = bound
        self.proxies = proxies
        trust = try ServerTrust(authorities, presenting: certificates)
        mailbox = Mailbox(connectionsPerHost: bound)
    }

    deinit {
        // Each request retains the transport, so no request is under way.
        mailbox.close()
    }

    public var streamsRequestBodies: Bool { true }

    /// The system's zlib, which libcurl needs as well.
    public var compressor: (any BodyCompressor)? { GzipCompressor.ofSystem }

    /// libcurl compares them, if its TLS library can.
    public var enforcesPins: Bool { ServerTrust.canPin }

    public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        let deadline = ContinuousClock.now + min(max(request.timeout, .zero), .seconds(31_536_000))
        guard Self.isAvailable else { throw TransportFault(.offline, evidence: .notSent) }
        guard let origin = Origin(request.url), let fields = HeaderLines(request) else {
            throw TransportFault(.unreadable, evidence: .notSent)
        }
        let exchange = Exchange(
            request, to: origin, fields, trust, over: try proxy(to: origin), until: deadline, mailbox: mailbox)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard exchange.begin(continuation, holding: self) else { return }
                mailbox.post(.start(exchange))
            }
        } onCancel: {
            exchange.cancel()
        }
        return try result.get()
    }
}

extension CurlTransport {
    /// What a request to an origin is sent through; nil for a direct connection.
    private func proxy(to origin: Origin) throws(TransportFault) -> Proxy? {
        do throws(ProxyError) {
            let proxy = try proxies.proxy(for: origin)
            if let proxy, proxy.kind == .https, !errand_curl_has_https_proxy() {
                throw ProxyError.unsupported(proxy: proxy.description, transport: "CurlTransport")
            }
            return proxy
        } catch {
            throw TransportFault(error)
        }
    }
}

extension CurlTransport: CustomStringConvertible, CustomReflectable {
    public var description: String { "CurlTransport" }
    /// Nothing, because the transport contains the requests under way, with their secrets.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
#endif
