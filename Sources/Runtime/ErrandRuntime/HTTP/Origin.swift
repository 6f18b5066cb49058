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
        var url = url
        guard let parts = url.withUTF8(Self.read) else { return nil }
        (scheme, host, port) = parts
    }

    /// Reads bytes and no characters, since each request has an origin.
    private static func read(_ url: UnsafeBufferPointer<UInt8>) -> (scheme: String, host: String, port: Int)? {
        guard url.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
        let scheme: String
        let usualPort: Int
        if HTTPHeaders.begins(url, with: "https://") {
            (scheme, usualPort) = ("https", 443)
        } else if HTTPHeaders.begins(url, with: "http://") {
            (scheme, usualPort) = ("http", 80)
        } else {
            return nil
        }
        let authority = url.dropFirst(scheme.utf8.count + 3).prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        guard !authority.contains(UInt8(ascii: "@")) else { return nil }
        let bracket = authority.lastIndex(of: UInt8(ascii: "]"))
        let colon = authority.lastIndex(of: UInt8(ascii: ":")).flatMap { colon in
            bracket.map { colon > $0 } ?? true ? colon : nil
        }
        let host = authority[..<(colon ?? authority.endIndex)]
        if host.isEmpty || bracket == nil && host.contains(UInt8(ascii: ":")) { return nil }
        var port = usualPort
        if let colon {
            guard let number = Self.port(authority[(colon + 1)...]) else { return nil }
            port = number
        }
        let lower = String(unsafeUninitializedCapacity: host.count) { text in
            for (index, byte) in host.enumerated() { text[index] = HTTPHeaders.lowercase(byte) }
            return host.count
        }
        return (scheme, lower, port)
    }

    private static func port(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard (1...18).contains(digits.count), digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return 1...65535 ~= number ? number : nil
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
package final class ServerAddress: Sendable {
    /// Without a slash at its end.
    package let base: String
    package let origin: Origin
    /// Whether it is this machine, to which no network is needed.
    let isLoopback: Bool
    /// The keys that the server may have; nil for any.
    package let pins: PublicKeyPins?
    /// What the programs before the server respond by themselves; nil if the contract names none.
    let gateways: GatewayRules?

    /// Nil for what isn't an http or https URL, or carries a query or a fragment.
    ///
    /// - Parameter isConnection: whether it must be a ws or wss URL instead.
    init?(_ url: String, isConnection: Bool = false, pins: PublicKeyPins? = nil, gateways: GatewayRules? = nil) {
        guard let origin = isConnection ? WebSocketURL(url)?.origin : Origin(url), !url.contains("?"),
            !url.contains("#")
        else { return nil }
        self.origin = origin
        self.pins = pins
        self.gateways = gateways
        isLoopback = origin.isLoopback
        var base = url
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
    }
}
