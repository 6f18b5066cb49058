#if os(Linux)
import ErrandRuntime
import Foundation

/// A host to which libcurl connects: the server of a URL, or its proxy.
struct Peer: Hashable, Sendable {
    let host: String
    let port: Int

    init(_ origin: Origin) { (host, port) = (origin.host, origin.port) }

    /// Whether the host is a name that name servers know. libcurl itself knows the addresses of `localhost`.
    var needsLookup: Bool {
        var address = in6_addr()
        return !host.hasPrefix("[") && host != "localhost" && !host.hasSuffix(".localhost")
            && inet_pton(AF_INET, host, &address) != 1
    }

    /// The entry of CURLOPT_RESOLVE. The plus sign makes libcurl forget it after its time for names, which is a minute.
    func entry(_ addresses: [String]) -> String {
        let list = addresses.map { $0.contains(":") ? "[\($0)]" : $0 }
        return "+\(host):\(port):\(list.joined(separator: ","))"
    }
}

/// The hosts whose addresses a transfer was given.
///
/// libcurl asks before it looks up a name, but not which. It first tries an existing connection, and its own memory of names. A
/// transfer whose name it doesn't know ends, and begins again with the addresses.
struct KnownAddresses {
    enum Need {
        case addresses(of: Peer)
        /// libcurl gets along by itself.
        case nothing
    }

    private let origin: Origin
    private var peers: Set<Peer> = []
    private var isLibraryAllowed: Bool
    private var isAsked = false

    init(_ origin: Origin) {
        self.origin = origin
        isLibraryAllowed = !Peer(origin).needsLookup && !Peer.hasProxies
    }

    /// Notes that libcurl is about to look up a name; false if it must not.
    mutating func mayLookUp() -> Bool {
        isAsked = true
        return isLibraryAllowed
    }

    mutating func add(_ peer: Peer) { peers.insert(peer) }

    /// What is missing; nil if nothing is.
    mutating func need(isOfProxy: Bool) -> Need? {
        guard isAsked, !isLibraryAllowed else { return nil }
        isAsked = false
        let proxy = isOfProxy ? Peer.proxy(for: origin.scheme) : nil
        // Behind some proxies, libcurl needs the addresses of the server as well.
        let candidates = isOfProxy ? proxy.map { [$0, Peer(origin)] } ?? [] : [Peer(origin)]
        if let peer = candidates.first(where: { !peers.contains($0) }), peer.needsLookup { return .addresses(of: peer) }
        // It has all addresses, and takes the name for another one, or the host is no name.
        isLibraryAllowed = true
        return .nothing
    }
}

// MARK: Proxies

extension Peer {
    /// Whether the environment names a proxy for some URLs.
    static var hasProxies: Bool { ["http", "https"].contains { proxyVariable(for: $0) != nil } }

    /// The proxy that the environment names for URLs of a scheme, whether or not `no_proxy` excepts a host; nil without one.
    static func proxy(for scheme: String) -> Peer? { proxyVariable(for: scheme).flatMap(Peer.init(proxy:)) }

    /// The variables that libcurl reads, in its order. Servers of CGI set `HTTP_PROXY` from a header, so that one isn't read.
    private static func proxyVariable(for scheme: String) -> String? {
        let names = ["\(scheme)_proxy"] + (scheme == "https" ? ["HTTPS_PROXY"] : []) + ["all_proxy", "ALL_PROXY"]
        return names.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
    }

    /// Reads `scheme://user:password@host:port`, of which only the host is required.
    init?(proxy: String) {
        let (scheme, rest) =
            proxy.range(of: "://").map { (proxy[..<$0.lowerBound].lowercased(), proxy[$0.upperBound...]) }
            ?? ("http", proxy[...])
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let address = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        // libcurl's port for proxies without one.
        let hasPort = address.last.map { $0 != "]" } ?? false
        let url = "http://\(address)"
        guard let origin = Origin(hasPort && address.contains(":") ? url : "\(url):\(scheme == "https" ? 443 : 1080)")
        else {
            return nil
        }
        self.init(origin)
    }
}
#endif
