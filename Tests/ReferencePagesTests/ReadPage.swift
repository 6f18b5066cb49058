import Foundation

/// A page as a strict reader of HTML sees it: every element is closed, every attribute is quoted, and `<` and `&` mean markup.
struct ReadPage {
    struct Element {
        var name: String
        var attributes: [(name: String, value: String)]

        subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
    }

    /// All elements in their order.
    private(set) var elements: [Element] = []
    /// The text of the page, and that of each heading with its level.
    private(set) var text = ""
    private(set) var headings: [(level: Int, text: String)] = []
    /// What a strict reader refuses.
    private(set) var problems: [String] = []

    private static let voids: Set<String> = ["meta", "link", "input", "line", "rect"]

    init(_ html: String) {
        var rest = Substring(html)
        var open: [String] = []
        while !rest.isEmpty {
            if rest.hasPrefix("<!--") {
                guard let end = rest.range(of: "-->") else {
                    problems.append("a comment is not closed")
                    return
                }
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("<!doctype html>") {
                rest = rest.dropFirst("<!doctype html>".count)
            } else if let close = rest.prefixMatch(of: /<\/([a-z0-9]+)>/) {
                if open.popLast() != String(close.1) { problems.append("</\(close.1)> closes another element") }
                rest = rest[close.range.upperBound...]
            } else if let tag = rest.prefixMatch(of: /<([a-z][a-z0-9]*)((?: [a-zA-Z0-9-]+(?:="[^"<>]*")?)*)\/?>/) {
                let element = Element(
                    name: String(tag.1),
                    attributes: tag.2.matches(of: #/ ([a-zA-Z0-9-]+)(?:="([^"]*)")?/#).map {
                        (String($0.1), Self.decoded($0.2 ?? ""))
                    })
                elements.append(element)
                if !Self.voids.contains(element.name) { open.append(element.name) }
                if let level = Int(element.name.dropFirst()), element.name.hasPrefix("h") {
                    headings.append((level, ""))
                }
                rest = rest[tag.range.upperBound...]
            } else if rest.hasPrefix("<") {
                problems.append("this is no tag: \(rest.prefix(60))")
                rest = rest.dropFirst()
            } else {
                let piece = rest.prefix { $0 != "<" }
                text += Self.decoded(piece)
                if let last = open.last,
                    last.hasPrefix("h") || open.contains(where: { ["h1", "h2", "h3", "h4"].contains($0) }),
                    !headings.isEmpty
                {
                    headings[headings.count - 1].text += Self.decoded(piece)
                }
                rest = rest[piece.endIndex...]
            }
        }
        if !open.isEmpty { problems.append("not closed: \(open)") }
    }

    /// Where the page links to.
    var links: [String] { elements.compactMap { $0.name == "a" ? $0["href"] : nil } }
    var identities: [String] { elements.compactMap { $0["id"] } }

    private static func decoded(_ text: Substring) -> String {
        text.replacing(/&#(\d+);/) { match in
            UInt32(match.1).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? "?"
        }
    }
}
