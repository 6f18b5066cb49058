import Diagnostics

/// Turns libyaml's complaint into what went wrong and what to write instead.
///
/// libyaml says what it expected, in terms of its grammar. Who wrote the file mostly meant text that YAML does not take
/// for text, so most explanations end in that text with quotes around it. The cases are in `SyntaxExplanation+*.swift`.
struct SyntaxExplanation {
    let message: String
    let context: String
    /// Where libyaml stopped.
    let offset: Int
    /// Where the construct that it was reading began.
    let contextOffset: Int
    let source: SourceText
    /// The innermost collection that was open, and the node that was completed last.
    let open: NodeTable.Row?
    let last: NodeTable.Row?

    init(_ problem: (message: String, context: String, mark: Int, contextMark: Int?), builder: TreeBuilder) {
        source = builder.source
        message = problem.message
        context = problem.context
        offset = source.offset(ofMark: problem.mark)
        contextOffset = problem.contextMark.map(source.offset(ofMark:)) ?? offset
        open = builder.frames.last.map { builder.table.rows[Int($0.row)] }
        last = builder.lastFinished.map { builder.table.rows[Int($0)] }
    }

    var diagnostic: Diagnostic {
        switch message {
        case "found unexpected end of stream", "found unexpected document indicator":
            unclosedQuote(at: contextOffset)
        case "found unknown escape character", "did not find expected hexdecimal number",
            "found invalid Unicode character escape code":
            unknownEscape()
        case "did not find expected alphabetic or numeric character", "did not find expected comment or line break",
            "found an indentation indicator equal to 0":
            reservedStart(at: contextOffset)
        case "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            tab()
        case "found character that cannot start any token":
            byte(at: offset) == UInt8(ascii: "\t") ? tab() : reservedStart(at: offset)
        case "mapping keys are not allowed in this context":
            reservedStart(at: offset)
        case "block sequence entries are not allowed in this context":
            listBesideKey()
        case "mapping values are not allowed in this context":
            unexpectedColon()
        case "could not find expected ':'":
            missingColon(at: contextOffset)
        case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
            insideBrackets()
        case "did not find expected key", "did not find expected '-' indicator",
            "did not find expected <document start>":
            betweenLines()
        case "did not find expected node content":
            missingValue()
        case "found undefined tag handle":
            tag(at: offset)
        default:
            if context.hasSuffix("a tag") {
                tag(at: contextOffset)
            } else if context.hasSuffix("a directive") || message.contains("directive")
                || message.contains("YAML document")
            {
                directive()
            } else {
                generic()
            }
        }
    }

    /// libyaml's own words, for what no case knows better.
    func generic() -> Diagnostic {
        Diagnostic(
            rule: .yamlSyntax,
            message: "this is not YAML: \(message)\(context.isEmpty ? "" : " \(context)")",
            at: place(offset),
            notes: contextOffset == offset
                ? [] : [DiagnosticNote("the unreadable part begins here", at: place(contextOffset))],
            help: "check the brackets, quotes and indentation here, and quote texts with special characters"
        )
    }

    // MARK: The text around

    func byte(at offset: Int) -> UInt8? {
        offset < source.bytes.count && offset >= 0 ? source.bytes[offset] : nil
    }

    /// The character at an offset, or the empty range at the end of the line.
    func place(_ offset: Int) -> SourceRange {
        let isText = byte(at: offset).map { !isLineBreak($0) } ?? false
        guard isText else { return source.range(offset, offset) }
        var end = offset + 1
        while let next = byte(at: end), next & 0xC0 == 0x80 { end += 1 }
        return source.range(offset, end)
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: source.bytes[range], as: UTF8.self)
    }

    /// Where the text of the line that holds an offset begins, after its indentation.
    func indentationEnd(ofLineAt offset: Int) -> Int {
        var position = source.lineStart(source.line(at: offset))
        while let byte = byte(at: position), isBlank(byte) { position += 1 }
        return position
    }

    func indentation(ofLineAt offset: Int) -> Int {
        indentationEnd(ofLineAt: offset) - source.lineStart(source.line(at: offset))
    }

    func areOnOneLine(_ one: Int, _ other: Int) -> Bool {
        source.line(at: one) == source.line(at: other)
    }

    /// Whether an offset is inside brackets: those the parser has seen, or those the scanner has read ahead.
    func isInsideBrackets(_ offset: Int) -> Bool {
        if open?.isFlow == true { return true }
        var depth = 0
        for byte in source.bytes[indentationEnd(ofLineAt: offset)..<max(offset, indentationEnd(ofLineAt: offset))] {
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
        }
        return depth > 0
    }

    /// The text that the author must have meant as one value, from its first byte. It extends to the end of the line or its
    /// comment, and inside brackets to the next comma or closing bracket that does not belong to the value.
    func value(from start: Int) -> Range<Int> {
        let lineEnd = source.endOfLine(containing: start)
        let isInside = isInsideBrackets(start)
        var depth = 0
        var end = start
        scan: while end < lineEnd {
            let byte = source.bytes[end]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if isInside, depth < 0 { break scan }
            case UInt8(ascii: ","):
                if isInside, depth <= 0 { break scan }
            case UInt8(ascii: "#"):
                if end > start, isBlank(source.bytes[end - 1]) { break scan }
            default:
                break
            }
            end += 1
        }
        while end > start, isBlank(source.bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    /// How many bytes of text a help repeats, with quotes around them, and a fix replaces.
    static let longestShown = 200

    /// An error whose fix is quotes around one value.
    func quoteIt(
        rule: FindingKind, message: String, at range: SourceRange, value: Range<Int>,
        help: String = "quote the whole text"
    ) -> Diagnostic {
        let written = text(value)
        guard !written.isEmpty, value.count <= Self.longestShown else {
            return Diagnostic(rule: rule, message: message, at: range, help: help)
        }
        let quoted = YAMLText.quoted(written)
        return Diagnostic(
            rule: rule,
            message: message,
            at: range,
            help: "\(help): \(quoted)",
            fix: Quoting.fix(source.range(value.lowerBound, value.upperBound), quoted, .needsALook)
        )
    }
}
