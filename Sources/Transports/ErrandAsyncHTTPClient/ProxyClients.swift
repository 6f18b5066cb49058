#if AsyncHTTPClient
import AsyncHTTPClient
import ErrandRuntime
import NIOConcurrencyHelpers

/// The clients of a transport: one for direct connections, and one for each proxy, because a client has one proxy for all hosts. A host
/// with pins has a client of its own, whose connections are all compared with them.
struct ProxyClients: Sendable {
    /// A way to servers.
    struct Route: Sendable {
        let client: HTTPClient
        /// A client with the same configuration, which uses each connection once. Nil if the client is another owner's.
        let clientOfNewConnections: HTTPClient?
        /// The same over HTTP/1.1 alone. Over HTTP/2, AsyncHTTPClient doesn't say why a connection ended before the settings of the server
        /// had arrived, and over HTTP/1.1 it does. Nil if the client is another owner's.
        let clientOfHTTP1: HTTPClient?
        /// Nil for direct connections, and for those of another owner's client or of the app's configuration.
        let proxy: Proxy?
    }

    private struct PinnedHost: Hashable {
        let host: String
        let pins: PublicKeyPins
        let proxy: Proxy?
    }

    let direct: Route
    private let proxied: [Route]
    private let settings: ProxySettings
    private let isOwner: Bool
    /// Nil for another owner's client.
    private let configuration: HTTPClient.Configuration?
    /// Made at the first request. An app has as many as its contracts have servers with pins.
    private let pinned = NIOLockedValueBox<[PinnedHost: Route]>([:])

    /// - Parameter settings: ignored if the configuration has a proxy, which is then that of all requests.
    init(_ configuration: HTTPClient.Configuration, _ settings: ProxySettings) {
        self.settings = configuration.proxy == nil ? settings : .none
        isOwner = true
        self.configuration = configuration
        direct = Self.route(configuration, nil)
        proxied = self.settings.all.compactMap { proxy in
            proxy.ofClient.map { ofClient in
                var configuration = configuration
                configuration.proxy = ofClient
                return Self.route(configuration, proxy)
            }
        }
    }

    /// The client of another owner, with its configuration.
    init(_ client: HTTPClient) {
        settings = .none
        isOwner = false
        configuration = nil
        direct = Route(client: client, clientOfNewConnections: nil, clientOfHTTP1: nil, proxy: nil)
        proxied = []
    }

    private static func route(_ configuration: HTTPClient.Configuration, _ proxy: Proxy?) -> Route {
        var single = configuration
        single.maximumUsesPerConnection = 1
        var plain = single
        plain.httpVersion = .http1Only
        return Route(
            client: HTTPClient(configuration: configuration),
            clientOfNewConnections: HTTPClient(configuration: single),
            clientOfHTTP1: HTTPClient(configuration: plain), proxy: proxy)
    }

    /// The way to an origin, for requests with these pins.
    ///
    /// - Throws: `ProxyError.unsupported` for a proxy that AsyncHTTPClient has no setting for.
    func route(to origin: Origin, _ pins: PublicKeyPins?) throws(ProxyError) -> Route {
        let route = try route(to: origin)
        guard let pins, var configuration else { return route }
        return pinned.withLockedValue { pinned in
            let key = PinnedHost(host: origin.host, pins: pins, proxy: route.proxy)
            if let known = pinned[key] { return known }
            if let ofClient = route.proxy?.ofClient { configuration.proxy = ofClient }
            configuration.compareConnections(with: pins, of: origin.host)
            let route = Self.route(configuration, route.proxy)
            pinned[key] = route
            return route
        }
    }

    private func route(to origin: Origin) throws(ProxyError) -> Route {
        guard let proxy = try settings.proxy(for: origin) else { return direct }
        guard let route = proxied.first(where: { $0.proxy == proxy }) else {
            throw .unsupported(proxy: proxy.description, transport: "AsyncHTTPClientTransport")
        }
        return route
    }

    /// Shuts the transport's own clients down.
    func shutDown() {
        guard isOwner else { return }
        for route in [direct] + proxied + pinned.withLockedValue({ Array($0.values) }) {
            route.client.shutdown { _ in }
            route.clientOfNewConnections?.shutdown { _ in }
            route.clientOfHTTP1?.shutdown { _ in }
        }
    }
}

extension Proxy {
    /// The client's form of it; nil if it has none. The client asks a proxy of HTTP for a connection (CONNECT) to every server, and one
    /// of SOCKS to look names up.
    fileprivate var ofClient: HTTPClient.Configuration.Proxy? {
        switch kind {
        case .http:
            .server(
                host: address, port: port,
                authorization: credentials.map { .basic(username: $0.user, password: $0.password) })
        case .socks5h where credentials == nil: .socksServer(host: address, port: port)
        case .https, .socks4, .socks4a, .socks5, .socks5h: nil
        }
    }
}
#endif
