/// A URL of a WebSocket service (RFC 6455 section 3).
public struct WebSocketURL: Sendable, Hashable {
    /// The origin with the scheme of HTTP, so that a host has one budget and one incident over both.
    public let origin: Origin
    /// Path and query, as the handshake names them.
    public let target: String

    /// Nil for what isn't an absolute ws or wss URL, or has a fragment or a user.
    public init?(_ url: String) {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard scheme == "ws" || scheme == "wss", !url.contains("#") else { return nil }
        let rest = url.dropFirst(scheme.count)
        guard let origin = Origin((scheme == "wss" ? "https" : "http") + rest) else { return nil }
        self.origin = origin
        let path = rest.dropFirst(3).drop { $0 != "/" && $0 != "?" }
        target = path.isEmpty ? "/" : path.hasPrefix("?") ? "/\(path)" : String(path)
    }

    /// Whether it is a wss URL.
    public var isSecure: Bool { origin.scheme == "https" }

    /// The value of the handshake's `Host` header.
    public var authority: String {
        origin.port == (isSecure ? 443 : 80) ? origin.host : "\(origin.host):\(origin.port)"
    }
}
