/// Generated text whose line breaks are still open. ``LayoutPrinter`` chooses them.
///
/// A group is printed on the line it begins on if it fits there, and otherwise with a line break at each of its breaks. This
/// is the algebra of Oppen, "Prettyprinting" (1980), and Wadler, "A prettier printer" (2003). Templates and ``SwiftPrinter``
/// make groups of what they know, so that no generated text has to be read again.
struct Layout: Sendable {
    enum Token: Sendable {
        /// Text without line breaks.
        case text(String)
        /// A line of a comment, with its slashes. It continues on further lines if it is too wide.
        case comment(String)
        case newline
        /// The indentation of the lines that follow, in columns: that of the template's line.
        case margin(Int)
        case open(Group)
        case close
        /// Lines between the two are indented by one step more.
        case indent, outdent
        case breakable(Break)
    }

    enum Group: Sendable {
        /// Arguments, elements, a closure's body. Of several on one line, the last one is broken first.
        case usual
        /// What follows a declaration's parameters. It is broken only if breaking the groups before it is not enough.
        case clause
    }

    /// A place where a line can end, named after the text around it.
    enum Break: Sendable {
        /// Nothing, or a line break.
        case cut
        case space
        /// After the last of several elements, which has a comma if a line ends there.
        case trailingComma
        /// The quotes of a literal that becomes one of several lines.
        case openLiteral, closeLiteral
        /// As many as fit are on a line: elements with a space between, and words of a literal.
        case filledSpace, word

        /// The text of the break if the line does not end there.
        var flat: String {
            switch self {
            case .cut, .trailingComma, .word: ""
            case .space, .filledSpace: " "
            case .openLiteral, .closeLiteral: "\""
            }
        }

        /// The text at the end of the line.
        var ending: String {
            switch self {
            case .cut, .space, .filledSpace, .closeLiteral: ""
            case .trailingComma: ","
            case .openLiteral: "\"\"\""
            case .word: "\\"
            }
        }

        /// The text at the start of the next line.
        var opening: String { self == .closeLiteral ? "\"\"\"" : "" }

        var isFilled: Bool { self == .filledSpace || self == .word }
    }

    private(set) var tokens: [Token] = []

    var isEmpty: Bool { tokens.isEmpty }

    mutating func add(_ text: String) {
        if !text.isEmpty { tokens.append(.text(text)) }
    }

    mutating func add(_ token: Token) { tokens.append(token) }

    mutating func add(_ layout: Layout) { tokens += layout.tokens }

    /// The place of a group that is not closed yet.
    struct OpenGroup {
        fileprivate let start: Int
        fileprivate let content: Int
    }

    /// Begins a group whose content is indented if it is broken, with the break before the content.
    mutating func begin(_ first: Break, as group: Group = .usual) -> OpenGroup {
        let start = tokens.count
        tokens += [.open(group), .indent, .breakable(first)]
        return OpenGroup(start: start, content: tokens.count)
    }

    /// Ends a group, with the break after the content. A group without content leaves nothing.
    mutating func end(_ group: OpenGroup, _ last: Break? = nil) {
        if tokens.count == group.content {
            tokens.removeSubrange(group.start...)
            return
        }
        tokens.append(.outdent)
        if let last { tokens.append(.breakable(last)) }
        tokens.append(.close)
    }

    /// The text on one line.
    var flat: String {
        var text = ""
        for token in tokens {
            switch token {
            case .text(let part), .comment(let part): text += part
            case .breakable(let place): text += place.flat
            case .newline, .margin, .open, .close, .indent, .outdent: break
            }
        }
        return text
    }

    /// The text with its line breaks.
    var printed: String { LayoutPrinter.text(of: self) }
}
