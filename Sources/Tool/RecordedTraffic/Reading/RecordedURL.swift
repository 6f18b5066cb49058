/// The URL of a request, in the parts that a contract speaks of.
package struct RecordedURL: Sendable, Hashable {
    /// A host and its port. The usual ports of the schemes count as one, because an address is often recorded without TLS.
    package struct Origin: Sendable, Hashable, CustomStringConvertible {
        package let host: String
        package let port: Int

        package var description: String { port == 443 ? host : "\(host):\(port)" }
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
        let common = 443
        let rest = text[mark.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let hostAndPort =
            authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority[...]
        var host = hostAndPort
        var port = common
        if let colon = hostAndPort.lastIndex(of: ":"), !hostAndPort[colon...].contains("]") {
            host = hostAndPort[..<colon]
            let digits = hostAndPort[hostAndPort.index(after: colon)...]
            guard digits.isEmpty || Int(digits) != nil else { return nil }
            port = Int(digits) ?? usual
            if port == usual { port = common }
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

    /// What a response leads to, which may be relative to this (RFC 3986, section 5.2). Nil for what is not a URL of HTTP.
    func target(_ text: String) -> RecordedURL? {
        let text = String(text.prefix { $0 != "#" })
        if let url = RecordedURL(text) { return url }
        if text.hasPrefix("//") { return RecordedURL("https:" + text) }
        let reference = text.prefix { $0 != "?" }
        if reference.prefix(while: { $0 != "/" }).contains(":") { return nil }
        let rest = text[reference.endIndex...]
        if reference.isEmpty {
            let isOwn = !rest.hasPrefix("?")
            return RecordedURL(origin, path + (isOwn && !query.isEmpty ? "?" + query : String(rest)))
        }
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        let merged = reference.hasPrefix("/") ? String(reference) : String(folder) + String(reference)
        return RecordedURL(origin, "\(Self.withoutDots(merged))\(rest)")
    }

    /// A path without its segments `.` and `..` (RFC 3986, section 5.2.4).
    private static func withoutDots(_ path: String) -> String {
        var segments: [Substring] = []
        let all = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (position, segment) in all.enumerated() {
            let isLast = position == all.count - 1
            switch segment {
            case ".": if isLast { segments.append("") }
            case "..":
                if !segments.isEmpty { segments.removeLast() }
                if isLast { segments.append("") }
            default: segments.append(segment)
            }
        }
        return "/" + segments.joined(separator: "/")
    }

    private static let ports = ["http": 80, "https": 443, "ws": 80, "wss": 443]
    /// A name of DNS has at most 253 characters (RFC 1035, section 2.3.4).
    private static let longestHost = 255
}
