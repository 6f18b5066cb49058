import MockServer

/// Which requests may use the page and what is behind it.
///
/// A name in `Host` may be a stranger's that leads to this machine, so only names that cannot are allowed. A page of another site may
/// send no request to what is behind the page, whether it could read the response or not.
struct PageAccess {
    /// The address that the server listens on.
    let address: String

    /// - Parameter isPage: whether the request is for the page itself, to which links of other sites may lead.
    func allows(_ request: MockRequest, isPage: Bool) -> Bool {
        guard let host = request.header("Host"), isOwn(Self.name(in: host)) else { return false }
        if let origin = request.header("Origin"), origin.lowercased() != "http://\(host)".lowercased() { return false }
        if isPage { return true }
        let site = request.header("Sec-Fetch-Site")?.lowercased()
        return site == nil || site == "same-origin" || site == "none"
    }

    /// Whether a program may open a connection. Programs without an origin may, and so may pages of this machine. A page of another site
    /// could otherwise use the browser of a developer: the rule that keeps it from reading responses does not hold for WebSocket.
    func allowsConnection(_ request: MockRequest) -> Bool {
        guard let origin = request.header("Origin")?.lowercased() else { return true }
        guard let host = request.header("Host")?.lowercased(), isOwn(Self.name(in: host)),
            let authority = ["http://", "https://"].lazy.compactMap({ scheme in
                origin.hasPrefix(scheme) ? String(origin.dropFirst(scheme.count)) : nil
            }).first
        else { return false }
        let name = Self.name(in: authority)
        return authority == host || name == "localhost" || name == "[::1]" || Self.isLoopback(name)
    }

    private static func isLoopback(_ name: String) -> Bool { name.hasPrefix("127.") && isAddress(name) }

    private func isOwn(_ name: String) -> Bool {
        name == "localhost" || name == address.lowercased() || Self.isAddress(name)
    }

    /// The host without its port, in lowercase.
    private static func name(in host: String) -> String {
        let end =
            host.hasPrefix("[") ? host.firstIndex(of: "]").map { host.index(after: $0) } : host.firstIndex(of: ":")
        return host[..<(end ?? host.endIndex)].lowercased()
    }

    /// Whether the name is an address of IPv4, or of IPv6 in brackets, which no name server translates.
    private static func isAddress(_ name: String) -> Bool {
        if name.hasPrefix("["), name.hasSuffix("]") {
            return name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.count <= 3 && UInt8($0) != nil && $0.first != "+" }
    }
}
