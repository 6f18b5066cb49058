#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which requests go through which proxy. Every transport of Errand takes these settings, and none falls back to a direct connection.
///
///     let proxies = ProxySettings(https: try Proxy("http://proxy.example:3128"), except: ["localhost", ".internal.example"])
///     let bank = Bank(on: Dispatcher(transport: SystemTransport.make(proxies: proxies)))
public struct ProxySettings: Sendable, Hashable {
    private enum Choice: Sendable, Hashable {
        case direct
        case proxy(Proxy)
        /// Each request that would use it fails.
        case malformed(ProxyError)
    }

    private let http: Choice
    private let https: Choice
    private let direct: DirectHosts

    /// - Parameters:
    ///   - http: the proxy for `http` and `ws` URLs; nil for none.
    ///   - https: the proxy for `https` and `wss` URLs; nil for none.
    ///   - hosts: the hosts that are reached directly: `example.com` is the host and all hosts in its domain, `10.0.0.0/8` and
    ///     `fe80::/10` are networks, and `example.com:8443` is one port. `["*"]` is every host.
    public init(http: Proxy? = nil, https: Proxy? = nil, except hosts: [String] = []) {
        self.http = http.map { .proxy($0) } ?? .direct
        self.https = https.map { .proxy($0) } ?? .direct
        direct = DirectHosts(hosts)
    }

    /// No proxy, whatever the environment says.
    public static let none = ProxySettings()

    /// The proxies that the environment of this process names at this moment (`init(environment:)`).
    public static var environment: ProxySettings { ProxySettings(environment: ProcessInfo.processInfo.environment) }

    /// Reads the variables that curl reads, in the same order, the first that isn't empty:
    /// - for `http` and `ws` URLs `http_proxy`, `HTTP_PROXY`, `all_proxy`, `ALL_PROXY`;
    /// - for `https` and `wss` URLs `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY`;
    /// - `no_proxy`, `NO_PROXY` for the hosts that are reached directly.
    ///
    /// `HTTP_PROXY` is ignored if `REQUEST_METHOD` is set: a CGI program gets the header `Proxy` of its client in it (CVE-2016-5385).
    ///
    /// A variable that isn't the URL of a proxy makes each request that would use it fail (`ProxyError.malformed`), before anything is
    /// sent.
    public init(environment: [String: String]) { self.init(environment, isOfLibcurl: false) }

    /// What libcurl makes of the environment: it never reads `HTTP_PROXY`, and knows no ports in `no_proxy`.
    package static func ofLibcurl(_ environment: [String: String]) -> ProxySettings {
        ProxySettings(environment, isOfLibcurl: true)
    }

    private init(_ environment: [String: String], isOfLibcurl: Bool) {
        func first(_ names: [String]) -> (name: String, value: String)? {
            names.lazy.compactMap { name in environment[name].map { (name, $0) } }.first { !$0.1.isEmpty }
        }
        func choice(_ names: [String]) -> Choice {
            guard let (name, value) = first(names + ["all_proxy", "ALL_PROXY"]) else { return .direct }
            do throws(ProxyError) {
                return .proxy(try Proxy(value, of: "the variable \(name)"))
            } catch {
                return .malformed(error)
            }
        }
        let isShielded = isOfLibcurl || environment["REQUEST_METHOD"] != nil
        http = choice(isShielded ? ["http_proxy"] : ["http_proxy", "HTTP_PROXY"])
        https = choice(["https_proxy", "HTTPS_PROXY"])
        direct = DirectHosts(list: first(["no_proxy", "NO_PROXY"])?.value ?? "", readsPorts: !isOfLibcurl)
    }

    /// The proxy for a URL; nil if its server is reached directly, and for what isn't an absolute http, https, ws or wss URL.
    ///
    /// - Throws: `ProxyError.malformed` if the setting for the URL isn't the URL of a proxy.
    public func proxy(for url: String) throws(ProxyError) -> Proxy? {
        if http == .direct, https == .direct { return nil }
        guard let origin = Origin(url) ?? WebSocketURL(url)?.origin else { return nil }
        return try proxy(for: origin)
    }

    /// The same for an origin, which a connection of messages has with the scheme of HTTP.
    package func proxy(for origin: Origin) throws(ProxyError) -> Proxy? {
        switch origin.scheme == "https" ? https : http {
        case .direct: return nil
        case .proxy(let proxy): return direct.contains(origin) ? nil : proxy
        case .malformed(let error):
            if direct.contains(origin) { return nil }
            throw error
        }
    }

    /// The proxies, each once.
    package var all: [Proxy] {
        var found: [Proxy] = []
        for case .proxy(let proxy) in [http, https] where !found.contains(proxy) { found.append(proxy) }
        return found
    }
}

extension ProxySettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The proxies, without their credentials.
    public var description: String { "http: \(Self.text(http)), https: \(Self.text(https))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["http": Self.text(http), "https": Self.text(https)], displayStyle: .struct)
    }

    private static func text(_ choice: Choice) -> String {
        switch choice {
        case .direct: "direct"
        case .proxy(let proxy): proxy.description
        case .malformed: "malformed"
        }
    }
}
