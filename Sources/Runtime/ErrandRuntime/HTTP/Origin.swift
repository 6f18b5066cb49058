/// Scheme, host and port: what a session belongs to (RFC 6454 section 4).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// The host in lowercase; an IPv6 address with its brackets.
    public let host: String
    public let port: Int

    /// The origin of an absolute http or https URL; nil for anything else, and for a URL with a
    /// user and password, or with bytes that no URL may hold (RFC 3986 section 2).
    public init?(_ url: String) {
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }) else { return nil }
        let lower = url.lowercased()
        let defaultPort: Int
        if lower.hasPrefix("https://") {
            (scheme, defaultPort) = ("https", 443)
        } else if lower.hasPrefix("http://") {
            (scheme, defaultPort) = ("http", 80)
        } else {
            return nil
        }
        let authority = lower.dropFirst(scheme.count + 3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { return nil }
        let bracket = authority.lastIndex(of: "]")
        let colon = authority.lastIndex(of: ":").flatMap { colon in
            bracket.map { colon > $0 } ?? true ? colon : nil
        }
        host = String(authority[..<(colon ?? authority.endIndex)])
        if let colon {
            let digits = authority[authority.index(after: colon)...]
            guard let number = Int(digits), (1...65535).contains(number) else { return nil }
            port = number
        } else {
            port = defaultPort
        }
        if host.isEmpty || (bracket == nil && host.contains(":")) { return nil }
    }

    /// Whether it is this machine, to which no network is needed.
    var isLoopback: Bool {
        host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
    }

    /// Whether it has the port that its scheme has without one.
    var hasUsualPort: Bool { port == (scheme == "https" ? 443 : 80) }

    public var description: String { hasUsualPort ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)" }
}

/// The base URL of a service, held apart from what is appended to it.
final class ServerAddress: Sendable {
    /// Without a slash at its end.
    let base: String
    let origin: Origin
    /// Whether it is this machine, to which no network is needed.
    let isLoopback: Bool
    /// The keys that the server may have; nil for any.
    let pins: PublicKeyPins?

    /// Nil for what isn't an http or https URL, or carries a query or a fragment.
    ///
    /// - Parameter isConnection: whether it must be a ws or wss URL instead.
    init?(_ url: String, isConnection: Bool = false, pins: PublicKeyPins? = nil) {
        guard let origin = isConnection ? WebSocketURL(url)?.origin : Origin(url), !url.contains("?"),
            !url.contains("#")
        else { return nil }
        self.origin = origin
        self.pins = pins
        isLoopback = origin.isLoopback
        var base = url
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
    }
}
