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

extension Peer {
    init(_ proxy: Proxy) { (host, port) = (proxy.host, proxy.port) }
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

    /// The hosts whose addresses libcurl needs, in its order.
    private let wanted: [Peer]
    private var peers: Set<Peer> = []
    private var isLibraryAllowed: Bool
    private var isAsked = false

    /// - Parameter proxy: what connects to the origin; nil if libcurl does.
    init(_ origin: Origin, over proxy: Proxy?) {
        let server = Peer(origin)
        wanted = proxy.map { $0.kind.needsAddress ? [Peer($0), server] : [Peer($0)] } ?? [server]
        isLibraryAllowed = !wanted.contains(where: \.needsLookup)
    }

    /// Notes that libcurl is about to look up a name; false if it must not.
    mutating func mayLookUp() -> Bool {
        isAsked = true
        return isLibraryAllowed
    }

    mutating func add(_ peer: Peer) { peers.insert(peer) }

    /// What is missing; nil if nothing is.
    mutating func need() -> Need? {
        guard isAsked, !isLibraryAllowed else { return nil }
        isAsked = false
        if let peer = wanted.first(where: { !peers.contains($0) && $0.needsLookup }) { return .addresses(of: peer) }
        // It has all addresses, and takes the name for another one, or the host is no name.
        isLibraryAllowed = true
        return .nothing
    }
}
#endif
