/// A page as a strict reader of HTML sees it: every element is closed, every attribute is quoted, and `<` and `&` mean markup.
struct ReadPage {
    struct Element {
        var name: String
        var attributes: [(name: String, value: String)] = []

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
    private static let headingNames = ["h1", "h2", "h3", "h4"]

    init(_ html: String) {
        var scanner = Scanner(bytes: Array(html.utf8))
        var open: [String] = []
        while let byte = scanner.peek {
            guard byte == UInt8(ascii: "<") else {
                let piece = Self.decoded(scanner.take { $0 != UInt8(ascii: "<") }, &problems)
                text += piece
                if open.contains(where: Self.headingNames.contains), !headings.isEmpty {
                    headings[headings.count - 1].text += piece
                }
                continue
            }
            if scanner.skip("<!--") {
                if !scanner.skip(past: "-->") { problems.append("a comment is not closed") }
            } else if scanner.skip("<!doctype html>") {
                continue
            } else if scanner.skip("</") {
                let name = scanner.name()
                if !scanner.skip(">") || open.popLast() != name { problems.append("</\(name)> closes another element") }
            } else if let element = self.element(&scanner) {
                elements.append(element)
                if !Self.voids.contains(element.name) { open.append(element.name) }
                if Self.headingNames.contains(element.name) {
                    headings.append((Int(element.name.dropFirst()) ?? 0, ""))
                }
            } else {
                problems.append("this is no tag: \(text.suffix(40))<")
                _ = scanner.skip("<")
            }
        }
        if !open.isEmpty { problems.append("not closed: \(open)") }
    }

    /// Where the page links to.
    var links: [String] { elements.compactMap { $0.name == "a" ? $0["href"] : nil } }
    var identities: [String] { elements.compactMap { $0["id"] } }

    /// The tag that begins here; nil, and nothing is read, if there is none.
    private mutating func element(_ scanner: inout Scanner) -> Element? {
        let start = scanner
        _ = scanner.skip("<")
        var element = Element(name: scanner.name())
        while !element.name.isEmpty {
            if scanner.skip(">") || scanner.skip("/>") { return element }
            guard scanner.skip(" ") else { break }
            let name = scanner.name()
            guard !name.isEmpty else { break }
            guard scanner.skip("=\"") else {
                element.attributes.append((name, ""))
                continue
            }
            let value = scanner.take { $0 != UInt8(ascii: "\"") }
            if value.contains(UInt8(ascii: "<")) { problems.append("`<` in \(name)") }
            element.attributes.append((name, Self.decoded(value, &problems)))
            guard scanner.skip("\"") else { break }
        }
        scanner = start
        return nil
    }

    /// The text without its character references. Only those of pages are known: numbers.
    private static func decoded(_ bytes: ArraySlice<UInt8>, _ problems: inout [String]) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&") else {
                text.append(byte)
                continue
            }
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard rest.first == UInt8(ascii: "#"), let value = UInt32(String(decoding: digits, as: UTF8.self)),
                let scalar = Unicode.Scalar(value), rest.dropFirst(digits.count + 1).first == UInt8(ascii: ";")
            else {
                problems.append("`&` is no reference")
                continue
            }
            text += Array(String(Character(scalar)).utf8)
            rest = rest.dropFirst(digits.count + 2)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func skip(_ text: StaticString) -> Bool {
            let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            guard bytes[position...].starts(with: wanted) else { return false }
            position += wanted.count
            return true
        }

        mutating func skip(past text: StaticString) -> Bool {
            while position < bytes.count {
                if skip(text) { return true }
                position += 1
            }
            return false
        }

        mutating func take(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
            let start = position
            while position < bytes.count, isPart(bytes[position]) { position += 1 }
            return bytes[start..<position]
        }

        mutating func name() -> String {
            String(
                decoding: take {
                    (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0)
                        || $0 == UInt8(ascii: "-")
                }, as: UTF8.self)
        }
    }
}
