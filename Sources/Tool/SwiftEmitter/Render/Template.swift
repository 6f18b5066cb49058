/// A template as a tree: text, tags, and the sections with what is inside them.
///
/// It is made of a text that `TemplateChecker` accepted. Every section is therefore closed, and every partial exists.
struct Template: Sendable {
    enum Part: Sendable {
        /// Text without line breaks.
        case text(String)
        case newline
        /// The indentation of a line, in columns.
        case margin(Int)
        case variable(String)
        case section(String, [Part])
        case inverted(String, [Part])
        /// A section of the layout, and a place where a line can end.
        case group(LayoutTag, [Part])
        case line
        /// Another template, and the indentation of its lines.
        case partial(String, margin: Int)
    }

    let parts: [Part]

    init(_ text: String, _ tokens: TemplateTokens) {
        var parser = Parser(text, tokens)
        parts = parser.parts()
    }

    private struct Parser {
        private let bytes: [UInt8]
        private var tokens: ArraySlice<TemplateTokens.Token>
        /// Where the text begins that is in no part yet.
        private var position = 0

        init(_ text: String, _ tokens: TemplateTokens) {
            bytes = Array(text.utf8)
            self.tokens = tokens.tokens[...]
        }

        /// The parts until the section is closed, or until the template ends.
        mutating func parts() -> [Part] {
            var parts: [Part] = []
            while let token = tokens.popFirst() {
                var tag = token.offset..<(token.offset + token.length)
                var margin = 0
                if token.kind.isRemovedWithItsLine, let line = Template.line(ofOnly: tag, in: bytes) {
                    margin = Self.width(of: bytes[line.lowerBound..<tag.lowerBound])
                    tag = line
                    appendText(upTo: tag.lowerBound, to: &parts)
                } else {
                    appendText(upTo: tag.lowerBound, to: &parts)
                    if Template.isLineStart(tag.lowerBound, in: bytes) { parts.append(.margin(0)) }
                }
                position = tag.upperBound
                switch (token.kind, LayoutTag(rawValue: token.name)) {
                case (.variable, .line?): parts.append(.line)
                case (.variable, _): parts.append(.variable(token.name))
                case (.section, let tag?): parts.append(.group(tag, self.parts()))
                case (.section, nil): parts.append(.section(token.name, self.parts()))
                case (.inverted, _): parts.append(.inverted(token.name, self.parts()))
                case (.partial, _): parts.append(.partial(token.name, margin: margin))
                case (.end, _): return parts
                case (.comment, _), (.other, _), (.unclosed, _): break
                }
            }
            appendText(upTo: bytes.count, to: &parts)
            return parts
        }

        /// Appends the text before a tag. Blanks at the start of a line become its margin, and those at its end are left out.
        private func appendText(upTo end: Int, to parts: inout [Part]) {
            var start = position
            while start < end {
                if Template.isLineStart(start, in: bytes) {
                    let text = bytes[start..<end].firstIndex { !Self.isBlank($0) } ?? end
                    parts.append(.margin(Self.width(of: bytes[start..<text])))
                    start = text
                }
                let lineEnd = bytes[start..<end].firstIndex(of: UInt8(ascii: "\n"))
                var content = bytes[start..<(lineEnd ?? end)]
                if lineEnd != nil { while let last = content.last, Self.isBlank(last) { content.removeLast() } }
                if !content.isEmpty { parts.append(.text(String(decoding: content, as: UTF8.self))) }
                if lineEnd != nil { parts.append(.newline) }
                start = lineEnd.map { $0 + 1 } ?? end
            }
        }

        private static func isBlank(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
        }

        /// The columns of blanks. A tab is as wide as one step of the indentation.
        private static func width(of blanks: ArraySlice<UInt8>) -> Int {
            blanks.reduce(0) { $0 + ($1 == UInt8(ascii: "\t") ? LayoutPrinter.step : 1) }
        }
    }

    /// The whole line of a tag that is alone on it, with the end of the line. Such a line is not part of the output
    /// (https://mustache.github.io/mustache.5.html, "standalone" in the specification of sections).
    static func line(ofOnly tag: Range<Int>, in bytes: [UInt8]) -> Range<Int>? {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var start = tag.lowerBound
        while start > 0, isBlank(bytes[start - 1]) { start -= 1 }
        guard isLineStart(start, in: bytes) else { return nil }
        var end = tag.upperBound
        while end < bytes.count, isBlank(bytes[end]) { end += 1 }
        if end < bytes.count, bytes[end] == UInt8(ascii: "\r") { end += 1 }
        guard end == bytes.count || bytes[end] == UInt8(ascii: "\n") else { return nil }
        return start..<min(end + 1, bytes.count)
    }

    private static func isLineStart(_ position: Int, in bytes: [UInt8]) -> Bool {
        position == 0 || bytes[position - 1] == UInt8(ascii: "\n")
    }
}

extension TemplateTokens.Token.Kind {
    /// Whether a line with only this tag on it adds nothing to the output.
    fileprivate var isRemovedWithItsLine: Bool {
        switch self {
        case .section, .inverted, .end, .partial, .comment: true
        case .variable, .other, .unclosed: false
        }
    }
}
