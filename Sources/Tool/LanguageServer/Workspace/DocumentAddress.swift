import ContractModel

/// From the URIs of the client to paths and back (RFC 3986, RFC 8089).
enum DocumentAddress {
    /// The absolute path of a `file:` URI. A URI of another scheme, such as `untitled:`, gets a name that no file has.
    static func path(of uri: String) -> String {
        guard uri.lowercased().hasPrefix("file:") else { return uri.replacing("/", with: "_") }
        var rest = uri.dropFirst("file:".count)
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            rest = rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...]  // a host is this one
        }
        let end = rest.firstIndex { $0 == "?" || $0 == "#" } ?? rest.endIndex
        return normalized(PercentText.decoded(rest[..<end]))
    }

    static func uri(of path: String) -> String {
        guard path.hasPrefix("/") else { return path }
        return "file://" + PercentText.file(path)
    }

    /// An absolute path without `.`, `..` and doubled slashes.
    static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    static func folder(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return "/" + parts.joined(separator: "/")
    }

    static func name(of path: String) -> Substring { path.split(separator: "/").last ?? "" }
}
