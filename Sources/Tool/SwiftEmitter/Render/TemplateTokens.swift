/// The tags of a template with their places, for the checker and for the tree that is rendered.
///
/// It reads the part of Mustache that templates of Errand may use: `{{name}}`, `{{#name}}`, `{{^name}}`, `{{/name}}`,
/// `{{> partial}}` and `{{! comment}}`. Nothing is escaped for HTML, so a name has one spelling.
struct TemplateTokens {
    struct Token {
        enum Kind {
            case variable, section, inverted, end, partial, comment
            case other(Character)
            case unclosed

            /// Whether the tag names a part of the input, or of the layout, and begins there.
            var namesInput: Bool {
                switch self {
                case .variable, .section, .inverted: true
                case .end, .partial, .comment, .other, .unclosed: false
                }
            }

            var isVariable: Bool { if case .variable = self { true } else { false } }
        }

        let kind: Kind
        let name: String
        let line: Int
        let column: Int
        let offset: Int
        let length: Int
    }

    let tokens: [Token]

    init(_ text: String) {
        var tokens: [Token] = []
        let scalars = Array(text.unicodeScalars)
        var position = 0
        var offset = 0
        var line = 1
        var column = 1

        func advance(by count: Int) {
            for scalar in scalars[position..<min(position + count, scalars.count)] {
                offset += UTF8.width(scalar)
                if scalar == "\n" {
                    line += 1
                    column = 1
                } else {
                    column += 1
                }
            }
            position += count
        }

        while position + 1 < scalars.count {
            guard scalars[position] == "{", scalars[position + 1] == "{" else {
                advance(by: 1)
                continue
            }
            let start = position + 2
            var end = start
            while end + 1 < scalars.count, scalars[end] != "}" || scalars[end + 1] != "}" { end += 1 }
            guard end + 1 < scalars.count else {
                tokens.append(Token(kind: .unclosed, name: "", line: line, column: column, offset: offset, length: 2))
                break
            }
            var content = String(String.UnicodeScalarView(scalars[start..<end]))
            let kind = Self.kind(of: &content)
            let name = content.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            tokens.append(
                Token(
                    kind: kind, name: name, line: line, column: column, offset: offset,
                    length: String(String.UnicodeScalarView(scalars[position..<(end + 2)])).utf8.count))
            advance(by: end + 2 - position)
        }
        self.tokens = tokens
    }

    private static func kind(of content: inout String) -> Token.Kind {
        guard let first = content.first else { return .variable }
        switch first {
        case "#":
            content.removeFirst()
            return .section
        case "^":
            content.removeFirst()
            return .inverted
        case "/":
            content.removeFirst()
            return .end
        case ">":
            content.removeFirst()
            return .partial
        case "!": return .comment
        case "=", "<", "$", "%", "*", "&", "{": return .other(first)
        default: return .variable
        }
    }
}
