/// The URL of a request, in the parts that a contract speaks of.
package struct RecordedURL: Sendable, Hashable {
    /// A host and its port.
    package struct Origin: Sendable, Hashable, CustomStringConvertible {
        package let host: String
        package let port: Int

        package var description: String { port == 443 || port == 80 ? host : "\(host):\(port)" }
    }

    package let origin: Origin
    /// With its percent encoding; `/` without one.
    package let path: String
    /// Without `?`.
    package let query: String

    /// Nil for a text that is not a URL of HTTP or of WebSocket.
    package init?(_ text: some StringProtocol) {
        guard let mark = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound].lowercased()
        guard let usual = Self.ports[scheme] else { return nil }
        let rest = text[mark.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let hostAndPort =
            authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority[...]
        var host = hostAndPort
        var port = usual
        if let colon = hostAndPort.lastIndex(of: ":"), !hostAndPort[colon...].contains("]") {
            host = hostAndPort[..<colon]
            let digits = hostAndPort[hostAndPort.index(after: colon)...]
            guard digits.isEmpty || Int(digits) != nil else { return nil }
            port = Int(digits) ?? usual
        }
        guard !host.isEmpty, host.utf8.count <= Self.longestHost else { return nil }
        origin = Origin(host: host.lowercased(), port: port)
        let target = rest[authority.endIndex...]
        let path = target.prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
        query = String(target.dropFirst(path.count).dropFirst())
    }

    private init(_ origin: Origin, _ target: some StringProtocol) {
        self.origin = origin
        let path = target.prefix { $0 != "?" && $0 != "#" }
        self.path = String(path)
        query = String(target.dropFirst(path.count).dropFirst().prefix { $0 != "#" })
    }

    /// What a response leads to, which may be relative to this. Nil for a target that is relative to the folder of the path.
    func target(_ text: String) -> RecordedURL? {
        if text.hasPrefix("/"), !text.hasPrefix("//") { return RecordedURL(origin, text) }
        return RecordedURL(text)
    }

    private static let ports = ["http": 80, "https": 443, "ws": 80, "wss": 443]
    /// A name of DNS has at most 253 characters (RFC 1035, section 2.3.4).
    private static let longestHost = 255
}
