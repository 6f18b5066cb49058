/// What the literal beginning of a URL says about where it leads, whatever follows (URL, 4.4).
enum URLStart: Equatable {
    /// Only these characters have come, in lowercase, so that what follows can be a scheme or a host.
    case open([UInt8])
    /// Only a URL of the site has come, which can be empty.
    case link
    /// It leads to a place that the template names.
    case fixed
    /// What follows can be code, or the template hides what it names.
    case untrusted

    /// Whether nothing may have come.
    var isEmpty: Bool { self == .open([]) || self == .link }

    mutating func readLink() { if isEmpty { self = .link } }

    mutating func read(_ byte: UInt8) {
        // A browser removes line breaks and tabs from a URL, and blanks and controls from its start (URL, 4.4).
        guard byte > 0x20 else { return }
        switch self {
        case .open(let text): self = Self.judged(text + [byte.lowercased])
        case .link: self = Self.judged([byte.lowercased])
        case .fixed, .untrusted: break
        }
    }

    private static func judged(_ text: [UInt8]) -> URLStart {
        // A character reference, or an escape of Markdown, can be any character. A browser takes a backslash for a slash.
        if text.last == UInt8(ascii: "&") || text.last == UInt8(ascii: "\\") { return .untrusted }
        guard let end = text.firstIndex(where: { $0.endsHost || $0 == UInt8(ascii: ":") }) else { return .open(text) }
        switch text[end] {
        case UInt8(ascii: ":"):
            let scheme = String(decoding: text[..<end], as: UTF8.self)
            guard scheme == "http" || scheme == "https" else { return .untrusted }
            let rest = text[(end + 1)...]
            return rest.isEmpty ? .open(text) : judged(text, afterScheme: rest)
        case UInt8(ascii: "/") where end == 0:
            return text.count == 1 ? .open(text) : judged(text, afterScheme: text[...])
        default: return .fixed
        }
    }

    /// What follows a slash or a scheme: a host, if there are two slashes.
    private static func judged(_ text: [UInt8], afterScheme rest: ArraySlice<UInt8>) -> URLStart {
        let slashes = rest.prefix { $0 == UInt8(ascii: "/") }.count
        let host = rest.dropFirst(slashes)
        guard !host.isEmpty else { return slashes > 2 ? .untrusted : .open(text) }
        // A path from the root of the site's own host.
        if rest.count == text.count, slashes == 1 { return .fixed }
        guard slashes == 2, host.first?.endsHost == false else { return .untrusted }
        return host.contains(where: \.endsHost) ? .fixed : .open(text)
    }

    /// What is known if one of two beginnings has come.
    func joined(_ other: URLStart) -> URLStart {
        if self == other || other == .fixed { return self }
        if self == .fixed { return other }
        return isEmpty && other.isEmpty ? .link : .untrusted
    }
}

extension UInt8 {
    /// Whether a path, a query or a fragment begins here.
    fileprivate var endsHost: Bool {
        self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
    }
}
