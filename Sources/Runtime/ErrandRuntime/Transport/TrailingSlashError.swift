/// A redirect that changes nothing but the slash at the end of the path: the server has the other path, and has not acted on this one.
///
/// It is the `underlying` error of a failure if such a redirect is the response, because the client doesn't follow it.
public enum TrailingSlashError: Error, Sendable, Hashable {
    /// The server has the path with a slash at its end.
    case missing
    /// The server has the path without the slash at its end.
    case unexpected
}

extension TrailingSlashError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing: "the server redirects to the same path with `/` at its end: write the path with `/`"
        case .unexpected: "the server redirects to the same path without `/` at its end: write the path without `/`"
        }
    }
}

extension TrailingSlashError {
    /// Frameworks redirect so before any handler runs, often with another scheme, because TLS ends at a gateway before them. A 303 is
    /// the response of a handler (RFC 9110 section 15.4.4).
    static let statuses = [301, 302, 307, 308]

    /// Nil if the two URLs are the same, or differ in anything but the slash and the scheme.
    init?(from url: String, to target: String) {
        guard let origin = Origin(url), let other = Origin(target), origin.host == other.host,
            origin.port == other.port || (origin.hasUsualPort && other.hasUsualPort)
        else { return nil }
        let (old, new) = (PathAndQuery(url), PathAndQuery(target))
        guard old.query == new.query, !old.path.isEmpty, !new.path.isEmpty else { return nil }
        let slash = [UInt8(ascii: "/")]
        if old.path + slash == new.path {
            self = .missing
        } else if new.path + slash == old.path {
            self = .unexpected
        } else {
            return nil
        }
    }
}

/// The path of a URL, and its query.
private struct PathAndQuery {
    /// Without percent-encoding, because servers write it anew (RFC 3986 section 6.2.2). An encoded slash stays one.
    let path: [UInt8]
    /// With its question mark; empty without one.
    let query: Substring

    init(_ url: String) {
        let hierarchy = url.drop { $0 != ":" }.dropFirst(3)
        let whole = hierarchy.drop { $0 != "/" && $0 != "?" && $0 != "#" }.prefix { $0 != "#" }
        let raw = whole.prefix { $0 != "?" }
        query = whole[raw.endIndex...]
        path = Self.decoded(Array(raw.utf8))
    }

    private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let digits = bytes[position...].dropFirst().prefix(2)
            let byte = digits.count == 2 ? UInt8(String(decoding: digits, as: UTF8.self), radix: 16) : nil
            if bytes[position] == UInt8(ascii: "%"), let byte, byte != UInt8(ascii: "/") {
                result.append(byte)
                position += 3
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return result
    }
}
