import TestSeeds

/// Documents in XML with everything that a feed may contain, the same for the same seed.
struct RandomDocuments {
    private var random: SeededGenerator
    private static let prefixes = ["", "a", "b", "ns-1"]
    /// Names that are URIs. The parser of Foundation refuses others, which no namespace has (Namespaces in XML 1.0, section 2.1).
    private static let namespaces = ["urn:one", "urn:two", "http://example.com/a?b=1&amp;c"]
    private static let names = ["a", "b", "title", "x-1", "_y", "é", "名", "long.name"]
    private static let pieces = [
        "plain", " two  spaces ", "&amp;", "&lt;b&gt;", "&quot;&apos;", "&#65;", "&#x1F600;", "é", "日本", "\n", "\r\n",
        "\r", "\t", "&#13;", "&#10;", "&#9;", "]]&gt;", "0", "e\u{301}",
    ]
    private static let texts = [
        "<![CDATA[<&>\r\n]]>", "<![CDATA[]]]]><![CDATA[>]]>", "<![CDATA[]]>", "<!-- a comment -->", "<!---->",
        "<?pi some data?>", "<?pi?>", ">", "\"", "'",
    ]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func next() -> [UInt8] {
        let element = element(depth: 0, namespaces: ["": "", "xml": "xml"])
        let before = pick([
            "", "", "<!-- first -->\n", "<?style sheet='a.xsl'?>", "\n", "<!DOCTYPE r>", "<!DOCTYPE r SYSTEM 'r.dtd'>",
        ])
        let after = pick(["", "", "\n", "<!-- last -->", "<?end?>\n"])
        func text(_ encoding: String?) -> String {
            let declaration = encoding.map { "<?xml version=\"1.0\" encoding='\($0)'?>" } ?? ""
            let start = declaration.isEmpty && before == "\n" ? "" : before
            return declaration + start + element + after
        }
        switch random.below(10) {
        case 0: return [0xEF, 0xBB, 0xBF] + text(nil).utf8
        case 1: return [0xFE, 0xFF] + text("UTF-16").utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        case 2: return [0xFF, 0xFE] + text("UTF-16").utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        case 3: return Self.latin(text("ISO-8859-1")) ?? Array(text(nil).utf8)
        case 4: return Self.latin(text("windows-1252")) ?? Array(text(nil).utf8)
        case 5: return Array(text("utf-8").utf8)
        default: return Array(text(nil).utf8)
        }
    }

    /// A document in UTF-8 in which some bytes are others.
    mutating func nextDamaged() -> [UInt8] {
        var document = Array(element(depth: 0, namespaces: ["": "", "xml": "xml"]).utf8)
        let marks = Array("<>&;\"'/=:![]? x-\n".utf8)
        for _ in 0...random.below(3) {
            let place = random.below(document.count)
            switch random.below(4) {
            case 0: document.remove(at: place)
            case 1: document.insert(marks[random.below(marks.count)], at: place)
            case 2: document[place] = marks[random.below(marks.count)]
            default: document.swapAt(place, random.below(document.count))
            }
            if document.isEmpty { return [0x20] }
        }
        return document
    }

    /// The text in one byte a character; nil if it has others.
    private static func latin(_ text: String) -> [UInt8]? {
        let scalars = text.unicodeScalars
        // Those from 0x80 to 0x9F are others in windows-1252.
        guard scalars.allSatisfy({ $0.value < 0x80 || (0xA0...0xFF).contains($0.value) }) else { return nil }
        return scalars.map { UInt8($0.value) }
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }

    // MARK: Elements

    /// - Parameter namespaces: those of the prefixes that are declared.
    private mutating func element(depth: Int, namespaces: [String: String]) -> String {
        var namespaces = namespaces
        var tag = ""
        for prefix in Self.prefixes where random.below(6) == 0 {
            let namespace = prefix.isEmpty && random.below(3) == 0 ? "" : pick(Self.namespaces)
            namespaces[prefix] = namespace
            tag += space() + (prefix.isEmpty ? "xmlns" : "xmlns:" + prefix) + "=\"\(namespace)\""
        }
        let declared = namespaces.keys.filter { $0 != "xml" }.sorted()
        let prefix = pick(declared)
        let name = (prefix.isEmpty ? "" : prefix + ":") + pick(Self.names)
        var taken = Set<String>()
        for _ in 0..<random.below(4) {
            let prefix = random.below(8) == 0 ? "xml" : pick(declared)
            let local = prefix == "xml" ? "lang" : pick(Self.names)
            // A name in no namespace differs from each one in a namespace.
            let namespace = prefix.isEmpty ? "" : namespaces[prefix] ?? ""
            guard taken.insert(namespace + " " + local).inserted else { continue }
            let quote = pick(["\"", "'"])
            let value = (0..<random.below(4)).map { _ in pick(Self.pieces + [quote == "'" ? "\"" : "'", ">"]) }.joined()
            tag += space() + (prefix.isEmpty ? "" : prefix + ":") + local + pick(["=", " = "]) + quote + value + quote
        }
        let end = random.below(4) == 0 ? space() : ""
        if random.below(5) == 0 { return "<" + name + tag + end + "/>" }
        var content = ""
        for _ in 0..<random.below(depth > 4 ? 2 : 6) {
            switch random.below(3) {
            case 0 where depth < 6: content += element(depth: depth + 1, namespaces: namespaces)
            case 1: content += pick(Self.texts)
            default: content += pick(Self.pieces)
            }
        }
        return "<" + name + tag + end + ">" + content + "</" + name + end + ">"
    }

    private mutating func space() -> String { pick([" ", " ", "\n  ", "\t"]) }
}
