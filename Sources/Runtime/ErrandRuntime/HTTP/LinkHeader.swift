#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The links in the `Link` fields of a response (RFC 8288 section 3).
///
/// Reading is lenient as the RFC requires: it skips a link that is not well formed, and everything after it in its field.
/// Everything that a server can make long is bounded.
struct LinkHeader {
    /// One link.
    struct Link: Equatable {
        /// The target as the header spells it: absolute, or relative to the response's URL.
        let target: String
        /// The relation types, in lowercase (section 3.3).
        let relations: [String]
    }

    /// More links than a response has.
    static let maximumCount = 256
    /// A field that is longer is cut off here, in bytes.
    static let maximumSize = 64 << 10

    private(set) var links: [Link] = []

    init(_ headers: HTTPHeaders) {
        for field in headers.fields where HTTPHeaders.isEqual(field.name, "Link") {
            var reader = Reader(field.value)
            while links.count < Self.maximumCount, let link = reader.next() { links.append(link) }
        }
    }

    /// The target of the first link with this relation.
    func target(of relation: String) -> String? {
        let wanted = relation.lowercased()
        return links.first { $0.relations.contains(wanted) }?.target
    }

    /// The absolute form of a target (RFC 3986 section 5), without its fragment; nil if it doesn't have one.
    static func resolve(_ target: String, against base: String) -> String? {
        let blanks: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let trimmed = String(target.drop(while: blanks).reversed().drop(while: blanks).reversed())
        guard let base = URL(string: base), let url = URL(string: trimmed, relativeTo: base)?.absoluteURL else {
            return nil
        }
        let text = String(url.absoluteString.prefix { $0 != "#" })
        return Origin(text) == nil ? nil : text
    }

    /// What follows the origin in an absolute URL.
    static func pathAndQuery(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return "" }
        let rest = url[scheme.upperBound...]
        guard let start = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "" }
        return (rest[start] == "?" ? "/" : "") + rest[start...]
    }

    /// Whether a path, with its query, is a base path or below it.
    static func isPath(_ path: String, below base: String) -> Bool {
        base.isEmpty || path == base || path.hasPrefix(base + "/") || path.hasPrefix(base + "?")
    }

    /// Reads one field from its start to its end. Every byte is looked at once.
    private struct Reader {
        private let bytes: [UInt8]
        private var position = 0

        init(_ value: String) { bytes = Array(value.utf8.prefix(LinkHeader.maximumSize)) }

        /// The next link of the list; nil at the end of the list, or if no link begins here.
        mutating func next() -> Link? {
            while skipBlanks() == UInt8(ascii: ",") { position += 1 }
            guard take(UInt8(ascii: "<")), let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else {
                return nil
            }
            let target = text(position..<end)
            position = end + 1
            var relations: [String]?
            var isAnchored = false
            while skipBlanks() == UInt8(ascii: ";") {
                position += 1
                guard let (name, value) = parameter() else { continue }
                // The first of several parameters with one name counts (section 3.3).
                if name == "rel", relations == nil {
                    relations = value.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
                }
                if name == "anchor" { isAnchored = true }
            }
            let isAtEnd = position == bytes.count || bytes[position] == UInt8(ascii: ",")
            // A link of another resource than the requested one (section 3.2) is ignored.
            let link = Link(target: target, relations: isAnchored ? [] : relations ?? [])
            if !isAtEnd { position = bytes.count }
            return link
        }

        /// A parameter's name in lowercase and its value: a token, or a quoted text (RFC 9110 section 5.6.4).
        private mutating func parameter() -> (String, String)? {
            _ = skipBlanks()
            let start = position
            while position < bytes.count, !";,= \t".utf8.contains(bytes[position]) { position += 1 }
            let name = text(start..<position).lowercased()
            guard skipBlanks() == UInt8(ascii: "=") else { return name.isEmpty ? nil : (name, "") }
            position += 1
            guard skipBlanks() == UInt8(ascii: "\"") else {
                let start = position
                while position < bytes.count, !";, \t".utf8.contains(bytes[position]) { position += 1 }
                return (name, text(start..<position))
            }
            position += 1
            var value: [UInt8] = []
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
                value.append(bytes[position])
                position += 1
            }
            position = min(position + 1, bytes.count)
            return (name, String(decoding: value, as: UTF8.self))
        }

        /// The byte after spaces and tabs; nil at the end.
        private mutating func skipBlanks() -> UInt8? {
            while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
            return position < bytes.count ? bytes[position] : nil
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            guard skipBlanks() == byte else { return false }
            position += 1
            return true
        }

        private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    }
}
