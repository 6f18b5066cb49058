import ErrandRuntime
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The pools of connections for each way to a server: directly, and through each proxy.
final class ProxyRoutes: Sendable {
    private let direct: ConnectionPool
    #if canImport(FoundationNetworking)
    private let wanted: ProxySettings
    private let used: ProxySettings
    /// Whether the app's configuration has proxies, which FoundationNetworking ignores.
    private let isIgnored: Bool
    #else
    /// Nil for the proxies of the system, or of the app's configuration.
    private let wanted: ProxySettings?
    private let pools: [Proxy: ConnectionPool]
    private struct PinnedHost: Hashable {
        let host: String
        let pins: PublicKeyPins
        let proxy: Proxy?
    }

    /// The pools of hosts with pins: a connection of another pool was not compared with them. Made at the first request. An app has as
    /// many as its contracts have servers with pins.
    private let pinned = LockedState<[PinnedHost: ConnectionPool]> { [:] }
    #endif

    /// - Parameters:
    ///   - proxies: nil for the system's proxies.
    ///   - configuration: makes the configuration of a session.
    init(_ proxies: ProxySettings?, _ trust: ServerTrust?, _ configuration: () -> URLSessionConfiguration) {
        #if canImport(FoundationNetworking)
        // FoundationNetworking has no setting for proxies. libcurl reads the environment for it.
        let environment = ProcessInfo.processInfo.environment
        wanted = proxies ?? ProxySettings(environment: environment)
        used = .ofLibcurl(environment)
        let configuration = configuration()
        isIgnored = configuration.connectionProxyDictionary?.isEmpty == false
        direct = ConnectionPool(configuration, trust)
        #else
        wanted = proxies
        guard let proxies else {
            direct = ConnectionPool(configuration(), trust)
            pools = [:]
            return
        }
        func pool(over proxy: Proxy?) -> ConnectionPool {
            let configuration = configuration()
            configuration.connectionProxyDictionary = proxy?.dictionary ?? [:]
            return ConnectionPool(configuration, trust, proxy)
        }
        direct = pool(over: nil)
        pools = Dictionary(uniqueKeysWithValues: proxies.all.map { ($0, pool(over: $0)) })
        #endif
    }

    #if canImport(FoundationNetworking)
    /// The pool for a URL, and the proxy that its requests go through.
    ///
    /// - Parameter pins: nil, because the dispatcher has refused requests with pins.
    /// - Throws: `ProxyError.unsupported` if libcurl would take another way than the wanted one.
    func route(to url: String, _ pins: PublicKeyPins?) throws(ProxyError) -> (ConnectionPool, Proxy?) {
        let proxy = try wanted.proxy(for: url)
        if isIgnored { throw .unsupported(proxy: "of the session's configuration", transport: "URLSession on Linux") }
        guard try used.proxy(for: url) == proxy else {
            throw .unsupported(
                proxy: proxy?.description ?? "settings of the app beside those of the environment",
                transport: "URLSession on Linux")
        }
        return (direct, proxy)
    }
    #else
    /// The pool for a URL, and the proxy that its requests go through; nil if the system decides.
    ///
    /// - Throws: `ProxyError.unsupported` for a proxy that `URLSession` has no setting for.
    func route(to url: String, _ pins: PublicKeyPins?) throws(ProxyError) -> (ConnectionPool, Proxy?) {
        let (pool, proxy) = try route(to: url)
        guard let pins, let origin = Origin(url) else { return (pool, proxy) }
        let key = PinnedHost(host: origin.host, pins: pins, proxy: proxy)
        let pinnedPool = pinned.withLock { pinned in
            let known = pinned[key] ?? pool.pinned(to: pins)
            pinned[key] = known
            return known
        }
        return (pinnedPool, proxy)
    }

    private func route(to url: String) throws(ProxyError) -> (ConnectionPool, Proxy?) {
        guard let proxy = try wanted?.proxy(for: url) else { return (direct, nil) }
        guard proxy.dictionary != nil, let pool = pools[proxy] else {
            throw .unsupported(proxy: proxy.description, transport: "URLSession")
        }
        return (pool, proxy)
    }
    #endif
}

extension Proxy {
    /// Whether the response to a request may be the proxy's own. Apple's `URLSession` reports a response to CONNECT like one to the
    /// request.
    func mayHaveResponded(to url: String) -> Bool {
        #if canImport(FoundationNetworking)
        Origin(url).map(getsRequests) ?? false
        #else
        true
        #endif
    }
}

extension TransportFault {
    /// The same fault, which says that it was the proxy's if it was.
    func met(at proxy: Proxy?) -> TransportFault {
        #if canImport(FoundationNetworking)
        if let proxy, let failure = underlying as? TunnelFailure {
            return TransportFault(
                failure.status.map { ProxyError(proxy, status: $0) }
                    ?? .refusedConnection(proxy: proxy.description, status: nil))
        }
        #endif
        return beforeConnection(to: proxy)
    }
}

#if !canImport(FoundationNetworking)
extension Proxy {
    /// The keys of CFNetwork for requests of every scheme through this proxy; nil if it has none for such a proxy. The exceptions are
    /// decided for each request, by the same rules as over the other transports.
    var dictionary: [AnyHashable: Any]? {
        switch kind {
        case .http:
            [
                "HTTPEnable": 1, "HTTPProxy": address, "HTTPPort": port,
                "HTTPSEnable": 1, "HTTPSProxy": address, "HTTPSPort": port,
            ]
        case .socks5h where credentials == nil: ["SOCKSEnable": 1, "SOCKSProxy": address, "SOCKSPort": port]
        case .https, .socks4, .socks4a, .socks5, .socks5h: nil
        }
    }

    /// The credentials for a challenge of the proxy, which gets them once.
    func credential(for challenge: URLAuthenticationChallenge) -> URLCredential? {
        guard let credentials, challenge.previousFailureCount == 0, challenge.protectionSpace.isProxy(),
            challenge.protectionSpace.host.lowercased() == address, challenge.protectionSpace.port == port
        else { return nil }
        return URLCredential(user: credentials.user, password: credentials.password, persistence: .none)
    }
}
#endif
