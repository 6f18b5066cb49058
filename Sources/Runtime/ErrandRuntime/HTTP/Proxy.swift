#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A proxy between this program and servers: how it is spoken to, where it is, and the credentials for it.
///
///     let proxy = try Proxy("http://ada:secret@proxy.example:3128")
///
/// Its description has neither the user nor the password.
public struct Proxy: Sendable, Hashable {
    /// The protocols that proxies speak.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// HTTP (RFC 9110 section 9.3.6): CONNECT for https, and the whole URL in the request for http.
        case http
        /// The same over TLS.
        case https
        /// SOCKS 4. This program looks up the server's name.
        case socks4
        /// SOCKS 4a. The proxy looks up the server's name.
        case socks4a
        /// SOCKS 5 (RFC 1928). This program looks up the server's name.
        case socks5
        /// SOCKS 5. The proxy looks up the server's name.
        case socks5h

        /// Whether the proxy speaks HTTP.
        public var isHTTP: Bool { self == .http || self == .https }
        /// Whether the proxy needs the server's address, and not its name.
        package var needsAddress: Bool { self == .socks4 || self == .socks5 }
    }

    /// A user and a password for the proxy. No server gets them.
    public struct Credentials: Sendable, Hashable {
        public let user: String
        public let password: String

        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }

        /// The value of `Proxy-Authorization` (RFC 7617).
        public var authorization: String { "Basic " + Data("\(user):\(password)".utf8).base64EncodedString() }
    }

    public let kind: Kind
    /// The host in lowercase; an IPv6 address with its brackets.
    public let host: String
    public let port: Int
    /// Nil for a proxy that needs none.
    public let credentials: Credentials?

    /// Reads `scheme://user:password@host:port`, of which only the host is required. The scheme is `http` by default, and the port
    /// 443 for `https` and 1080 for other schemes, as in curl. User and password may be percent-encoded.
    ///
    /// - Throws: `ProxyError.malformed` for anything else. The error does not contain the text.
    public init(_ url: String) throws(ProxyError) { try self.init(url, of: "the proxy of the settings") }

    /// - Parameter setting: where the text is from, for the error.
    init(_ text: String, of setting: String) throws(ProxyError) {
        func malformed(_ reason: String) -> ProxyError { .malformed(setting: setting, reason: reason) }
        let parts = text.range(of: "://").map { (text[..<$0.lowerBound].lowercased(), text[$0.upperBound...]) }
        let (scheme, rest) = parts ?? ("http", text[...])
        guard let kind = Kind(rawValue: scheme) else {
            throw malformed("has none of the schemes \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = rest[authority.endIndex...]
        guard path.isEmpty || path == "/" else { throw malformed("has more than a host and a port") }
        let at = authority.lastIndex(of: "@")
        let address = at.map { authority[authority.index(after: $0)...] } ?? authority
        let hasPort = address.last != "]" && address.contains(":")
        let url = hasPort ? "http://\(address)" : "http://\(address):\(kind == .https ? 443 : 1080)"
        guard let origin = Origin(url) else { throw malformed("has no valid host and port") }
        self.kind = kind
        (host, port) = (origin.host, origin.port)
        guard let at else {
            credentials = nil
            return
        }
        let pair = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            .map { PercentEncoding.decode($0) }
        let found = Credentials(user: pair[0], password: pair.count == 2 ? pair[1] : "")
        // A colon ends the user (RFC 7617 section 2).
        guard !found.user.contains(":"), !(found.user + found.password).unicodeScalars.contains(where: Self.isControl)
        else {
            throw malformed("has a user or a password with characters that no proxy takes")
        }
        credentials = found
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }

    /// The host without the brackets of an IPv6 address, which belong to URLs.
    package var address: String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }

    /// Whether a request to an origin is sent to the proxy itself, with its whole URL. Otherwise the proxy makes a connection.
    package func getsRequests(to origin: Origin) -> Bool { kind.isHTTP && origin.scheme == "http" }
}

extension Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Scheme, host and port.
    public var description: String { "\(kind.rawValue)://\(host):\(port)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["proxy": description, "hasCredentials": credentials != nil], displayStyle: .struct)
    }
}

extension Proxy.Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Neither of the two.
    public var description: String { "•••" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
