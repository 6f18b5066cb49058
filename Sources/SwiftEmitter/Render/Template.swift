/// A template as a tree: text, tags, and the sections with what is inside them.
///
/// It is made of a text that `TemplateChecker` accepted. Every section is therefore closed, and every partial exists.
struct Template: Sendable {
    enum Part: Sendable {
        case text(String)
        case variable(String)
        case section(String, [Part])
        case inverted(String, [Part])
        case partial(String)
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
                if token.kind.isRemovedWithItsLine, let line = line(ofOnly: tag) { tag = line }
                appendText(upTo: tag.lowerBound, to: &parts)
                position = tag.upperBound
                switch token.kind {
                case .variable: parts.append(.variable(token.name))
                case .section: parts.append(.section(token.name, self.parts()))
                case .inverted: parts.append(.inverted(token.name, self.parts()))
                case .partial: parts.append(.partial(token.name))
                case .end: return parts
                case .comment, .other, .unclosed: break
                }
            }
            appendText(upTo: bytes.count, to: &parts)
            return parts
        }

        private func appendText(upTo end: Int, to parts: inout [Part]) {
            if position < end { parts.append(.text(String(decoding: bytes[position..<end], as: UTF8.self))) }
        }

        /// The whole line of a tag that is alone on it, with the end of the line. Such a line is not part of the output
        /// (https://mustache.github.io/mustache.5.html, "standalone" in the specification of sections).
        private func line(ofOnly tag: Range<Int>) -> Range<Int>? {
            let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
            var start = tag.lowerBound
            while start > 0, isBlank(bytes[start - 1]) { start -= 1 }
            guard start == 0 || bytes[start - 1] == UInt8(ascii: "\n") else { return nil }
            var end = tag.upperBound
            while end < bytes.count, isBlank(bytes[end]) { end += 1 }
            if end < bytes.count, bytes[end] == UInt8(ascii: "\r") { end += 1 }
            guard end == bytes.count || bytes[end] == UInt8(ascii: "\n") else { return nil }
            return start..<min(end + 1, bytes.count)
        }
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
