/// The one spelling of a server's URL that a contract can write in several ways (RFC 3986, section 6.2).
enum URLSpelling {
    /// The URL with its scheme and host in lowercase, without the port that the scheme has anyway, and without the slash at the
    /// end. The variables in braces, which have names in Swift, stay as they are.
    static func normalized(_ url: String) -> String {
        guard let colon = url.firstRange(of: "://") else { return url }
        let scheme = lowercased(url[..<colon.lowerBound])
        let rest = url[colon.upperBound...]
        let end = endOfAuthority(rest)
        var authority = lowercased(rest[..<end])
        var path = rest[end...]
        if path.hasSuffix("/") { path = path.dropLast() }
        for port in [usualPorts[scheme], ""].compactMap({ $0 }) where authority.hasSuffix(":\(port)") {
            authority.removeLast(port.count + 1)
            break
        }
        return scheme + "://" + authority + path
    }

    private static let usualPorts = ["http": "80", "https": "443", "ws": "80", "wss": "443"]

    /// Where the path begins. A variable may have any text as its default.
    private static func endOfAuthority(_ text: Substring) -> Substring.Index {
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "{": depth += 1
            case "}": depth -= 1
            case "/", "?", "#": if depth == 0 { return index }
            default: break
            }
        }
        return text.endIndex
    }

    private static func lowercased(_ text: Substring) -> String {
        var depth = 0
        return text.reduce(into: "") { result, character in
            if character == "{" { depth += 1 }
            result += depth > 0 ? String(character) : character.lowercased()
            if character == "}" { depth -= 1 }
        }
    }
}
