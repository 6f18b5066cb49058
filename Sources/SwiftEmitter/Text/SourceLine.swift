/// One line of source code without its indentation, and the brackets in it that are not part of a literal or comment.
struct SourceLine {
    /// A bracket, with the place of the one that closes it; nil if that is on another line.
    struct Bracket {
        let open: Int
        var close: Int?
        /// How many brackets of the line it is inside of.
        let depth: Int
    }

    /// The line as it was.
    let original: [UInt8]
    /// The line without blanks at its ends.
    let content: [UInt8]
    /// In the order in which they open.
    private(set) var brackets: [Bracket] = []
    /// How many brackets the line closes before it opens any; only those at its start.
    private(set) var leadingClosers = 0
    /// Whether a literal of several lines begins or ends here.
    private(set) var hasOddLiteralMark = false
    /// The places outside of all brackets and literals that have a comma, a colon, a question mark or an equals sign.
    private(set) var marks: [Int] = []

    init(_ bytes: some BidirectionalCollection<UInt8>) {
        original = Array(bytes)
        var start = original.startIndex
        var end = original.endIndex
        while start < end, Self.isBlank(original[start]) { start += 1 }
        while start < end, Self.isBlank(original[end - 1]) { end -= 1 }
        content = Array(original[start..<end])
        scan()
    }

    /// The content of an element that was cut out of a line.
    init(content: ArraySlice<UInt8>) { self.init(content) }

    var isEmpty: Bool { content.isEmpty }
    var isComment: Bool { hasPrefix("//") }
    /// The brackets that stay open.
    var unclosed: [Bracket] { brackets.filter { $0.close == nil } }
    var opensSwitch: Bool {
        content.last == 0x7B && (hasPrefix("switch ") || hasPrefix("return switch ") || contains(" = switch "))
    }

    func hasPrefix(_ prefix: StaticString) -> Bool {
        prefix.withUTF8Buffer { content.starts(with: $0) }
    }

    func contains(_ text: String) -> Bool { index(of: text) != nil }

    /// The first place of a text, in any context.
    func index(of text: String) -> Int? {
        let wanted = Array(text.utf8)
        guard content.count >= wanted.count else { return nil }
        return (0...(content.count - wanted.count)).first { content[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    // MARK: Brackets

    private mutating func scan() {
        if isComment { return }
        var open: [Int] = []
        var position = 0
        var isLeading = true
        while position < content.count {
            switch content[position] {
            case UInt8(ascii: "\""):
                isLeading = false
                if isLiteralMark(position) {
                    hasOddLiteralMark.toggle()
                    position += 2
                } else if !hasOddLiteralMark {
                    position = endOfLiteral(position)
                }
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                isLeading = false
                open.append(brackets.count)
                brackets.append(Bracket(open: position, close: nil, depth: open.count - 1))
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let last = open.popLast() {
                    brackets[last].close = position
                } else if isLeading {
                    leadingClosers += 1
                }
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "="):
                isLeading = false
                if open.isEmpty { marks.append(position) }
            case UInt8(ascii: "/") where position + 1 < content.count && content[position + 1] == UInt8(ascii: "/"):
                return
            default: isLeading = false
            }
            position += 1
        }
    }

    private func isLiteralMark(_ position: Int) -> Bool {
        position + 2 < content.count && content[position + 1] == 0x22 && content[position + 2] == 0x22
    }

    /// The place of the quote that ends a literal.
    private func endOfLiteral(_ start: Int) -> Int {
        var position = start + 1
        while position < content.count {
            switch content[position] {
            case UInt8(ascii: "\\"):
                if position + 1 < content.count, content[position + 1] == UInt8(ascii: "(") {
                    position = endOfInterpolation(position + 1)
                } else {
                    position += 1
                }
            case UInt8(ascii: "\""): return position
            default: break
            }
            position += 1
        }
        return position
    }

    private func endOfInterpolation(_ start: Int) -> Int {
        var depth = 0
        var position = start
        while position < content.count {
            switch content[position] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return position }
            case UInt8(ascii: "\""): position = endOfLiteral(position)
            default: break
            }
            position += 1
        }
        return position
    }
}
