/// The names that the code of a file declares and uses, without comments and texts.
///
/// A function has its first label in its name: `end(on:`, or `end(` without a label.
struct CodeNames {
    private(set) var imports: Set<String> = []
    /// The types at the top level that other files can use.
    private(set) var types: Set<String> = []
    /// The members of extensions that other files can use, with the type that each extends.
    private(set) var members: [String: String] = [:]
    /// Everything that is declared, at any depth.
    private(set) var declared: Set<String> = []
    /// Every word with a capital letter, what follows a period, and every call.
    private(set) var used: Set<String> = []

    private struct Token {
        let text: String
        let line: Int
        let indent: Int

        var isWord: Bool { text.utf8.first.map(CodeNames.isInWord) ?? false }
        var isCapital: Bool { text.first?.isUppercase ?? false }
    }

    private static let typeKeywords: Set<String> = [
        "actor", "associatedtype", "class", "enum", "protocol", "struct", "typealias",
    ]
    private static let valueKeywords: Set<String> = ["case", "let", "var"]

    init(_ code: String) {
        let end = Token(text: "", line: -1, indent: -1)
        let tokens = Self.tokens(of: code) + [end, end, end]
        var extended: String?
        var memberLine = -1
        for index in tokens.indices.dropLast(3) {
            let (token, next) = (tokens[index], tokens[index + 1])
            guard token.isWord else {
                if token.text == "}", token.indent == 0 { extended = nil }
                continue
            }
            let previous = index > 0 ? tokens[index - 1].text : ""
            if previous != "func" {
                let call = Self.signature(of: token.text, tokens[(index + 1)...], isCall: true)
                if let call { used.insert(call) } else if previous == "." { used.insert(token.text) }
                if token.isCapital { used.insert(token.text) }
            }
            guard previous != "." else { continue }
            lazy var isPrivate = tokens[..<index].reversed().prefix { $0.line == token.line }.contains {
                $0.text == "private" || $0.text == "fileprivate"
            }
            if token.text == "import", token.indent == 0 { imports.insert(next.text) }
            if token.text == "extension", token.indent == 0 { extended = isPrivate ? nil : next.text }
            guard let name = Self.declaration(token.text, tokens[(index + 1)...]) else { continue }
            declared.insert(name)
            guard !isPrivate else { continue }
            if token.indent == 0, next.isCapital { types.insert(name) }
            if let extended, token.indent == 4, token.line != memberLine, token.text != "case" {
                memberLine = token.line
                members[name] = extended
            }
        }
    }

    /// What a keyword declares with the tokens after it; nil if the word declares nothing.
    private static func declaration(_ keyword: String, _ rest: ArraySlice<Token>) -> String? {
        guard let name = rest.first, name.isWord else { return nil }
        if typeKeywords.contains(keyword) { return name.isCapital ? name.text : nil }
        if valueKeywords.contains(keyword) { return valueKeywords.contains(name.text) ? nil : name.text }
        return keyword == "func" ? signature(of: name.text, rest.dropFirst(), isCall: false) : nil
    }

    /// A function with its first label, from the tokens after its name.
    private static func signature(of name: String, _ rest: ArraySlice<Token>, isCall: Bool) -> String? {
        // A declaration may have generic parameters before its parentheses.
        let open = isCall ? rest.startIndex : rest.firstIndex { $0.text == "(" } ?? rest.startIndex
        guard rest[open].text == "(" else { return nil }
        let label = rest[open + 1]
        let isLabel = label.isWord && label.text != "_" && (!isCall || rest[open + 2].text == ":")
        return name + "(" + (isLabel ? label.text + ":" : "")
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    /// Words and single marks. An expression that is tried at every line would take minutes.
    private static func tokens(of code: String) -> [Token] {
        let (quote, backslash, slash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"))
        var tokens: [Token] = []
        var isInText = false
        for (number, line) in code.utf8.split(separator: UInt8(ascii: "\n")).enumerated() {
            let bytes = Array(line)
            let indent = bytes.prefix { $0 == UInt8(ascii: " ") }.count
            var index = indent
            /// Whether the same byte is at the place and right after it.
            func repeats(_ byte: UInt8, _ count: Int) -> Bool {
                bytes[index] == byte && bytes[index...].prefix(count).elementsEqual(repeatElement(byte, count: count))
            }
            while index < bytes.count {
                let start = index
                if repeats(quote, 3) {
                    isInText.toggle()
                    index += 3
                } else if isInText {
                    index += 1
                } else if bytes[index] == quote {
                    index += 1
                    while index < bytes.count, bytes[index] != quote { index += bytes[index] == backslash ? 2 : 1 }
                    index += 1
                } else if repeats(slash, 2) {
                    break
                } else {
                    index += 1
                    if isInWord(bytes[start]) { while index < bytes.count, isInWord(bytes[index]) { index += 1 } }
                    let text = String(decoding: bytes[start..<index], as: UTF8.self)
                    if text != " ", text != "`" { tokens.append(Token(text: text, line: number, indent: indent)) }
                }
            }
        }
        return tokens
    }
}
