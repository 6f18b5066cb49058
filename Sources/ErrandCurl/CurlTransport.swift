#if os(Linux)
import CCurl
public import ErrandRuntime

/// Sends requests over libcurl, on Linux: HTTP/1.1 and HTTP/2, redirects as the request allows them, answers up to the size
/// it allows, inflated bodies included. It is what a client sends over there that is given no other transport.
///
/// **What is guaranteed.** Nothing is ever sent a second time, also where a kept-alive connection turns out to be dead:
/// that ends as `lost`. `notSent` is said only of a request of which no byte was written to a connection. The limit of
/// the request holds for all of it, with looking up names, waiting for a connection, and redirects. A cancelled attempt ends
/// at once and closes its connection, as one does whose answer grows too large. A server cannot end the process, and fills no
/// memory: the header of an answer has 256 KiB at most. Certificates are always verified; no cookies are kept, and no credentials
/// of the user or the machine are sent.
///
/// **libcurl.** The system's is used, which FoundationNetworking needs as well: there is nothing to install or to link. It is
/// loaded when it is first asked for, and `isAvailable` says whether it can be used.
///
/// **Threads.** Each transport has one of its own while requests are under way and for a minute after, when it closes its connections. No
/// thread of Swift's pool ever waits.
///
/// **Settings.** Proxies are those of the environment: `https_proxy`, `http_proxy`, `all_proxy`, `no_proxy`. Streamed bodies
/// are sent and read over HTTP/1.1.
public final class CurlTransport: Transport {

    /// Whether the system has a libcurl that can be used: version 7.80 or later, with TLS. It is looked for once.
    public static var isAvailable: Bool { errand_curl_is_available() }

    public let maximumRequestsPerHost: Int?
    private let mailbox: Mailbox
    private let trust: ServerTrust

    /// - Parameter maximumRequestsPerHost: how many requests to one host are under way at a time; the dispatcher sends no more.
    public init(maximumRequestsPerHost: Int = 1_024) {
        let bound = max(1, maximumRequestsPerHost)
        self.maximumRequestsPerHost = bound
        trust = ServerTrust()
        mailbox = Mailbox(connectionsPerHost: bound)
    }

    /// A transport that trusts an authority of its own for each of some hosts, such as a development server's. A certificate that
    /// libcurl cannot read ends requests to its host as `tls`.
    ///
    /// - Throws: `TrustedAuthorityProblem.unsupportedByTransport` where this libcurl takes no certificates from memory.
    public init(
        trusting authorities: [TrustedAuthority], maximumRequestsPerHost: Int = 1_024
    ) throws(TrustedAuthorityProblem) {
        let bound = max(1, maximumRequestsPerHost)
        self.maximumRequestsPerHost = bound
        trust = try ServerTrust(authorities)
        mailbox = Mailbox(connectionsPerHost: bound)
    }

    deinit {
        // No request is under way any more: each holds the transport.
        mailbox.close()
    }

    public var streamsRequestBodies: Bool { true }

    public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        let deadline = ContinuousClock.now + min(max(request.timeout, .zero), .seconds(31_536_000))
        return try await request.followingRedirects { (hop) async throws(TransportFault) in
            try await attempt(hop, until: deadline)
        }
    }

    private func attempt(
        _ request: TransportRequest, until deadline: ContinuousClock.Instant
    ) async throws(TransportFault) -> TransportResponse {
        guard Self.isAvailable else { throw TransportFault(.offline, evidence: .notSent) }
        guard let origin = Origin(request.url), let fields = HeaderLines(request) else {
            throw TransportFault(.unreadable, evidence: .notSent)
        }
        let exchange = Exchange(
            request, fields, authority: trust.authority(of: origin.host), until: deadline, mailbox: mailbox)
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

extension CurlTransport: CustomStringConvertible, CustomReflectable {
    public var description: String { "CurlTransport" }
    /// Nothing: it knows the requests under way, with all that they carry.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
#endif
