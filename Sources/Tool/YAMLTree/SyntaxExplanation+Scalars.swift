import Diagnostics

/// Complaints about a single piece of text: how it begins, its quotes, its escapes, the tabs before it.
extension SyntaxExplanation {
    /// `@`, `` ` ``, `%`, `&`, `*`, `>` and others at the start of text that is not quoted.
    func reservedStart(at start: Int) -> Diagnostic {
        // `[string]?` in a block: to YAML, the `?` begins a key.
        if let last, last.isFlow, Int(last.end) == start { return textAfter(last) }
        let value = value(from: start)
        let first = text(value).unicodeScalars.first.map(String.init) ?? ""
        let meaning =
            switch first {
            case "&": "names an anchor"
            case "*": "refers to an anchor"
            case "|", ">": "begins a block of lines"
            case "?": "begins a key"
            case "%": "begins a directive"
            default: "is reserved"
            }
        guard !value.isEmpty else { return generic() }
        return quoteIt(
            rule: .yamlReservedStart,
            message: "'\(first)' at the start of a value \(meaning); quote a text that begins with it",
            at: source.range(value.lowerBound, value.upperBound),
            value: value,
            help: "quote it"
        )
    }

    func unclosedQuote(at start: Int) -> Diagnostic {
        let quote = byte(at: start) == UInt8(ascii: "'") ? "'" : "\""
        let end = source.endOfLine(containing: start)
        let advice =
            quote == "'" ? " (inside single quotes, ' is written '')" : " (inside double quotes, \" is written \\\")"
        return Diagnostic(
            rule: .yamlUnclosedQuote,
            message: "the quote \(quote) that opens here is never closed",
            at: source.range(start, min(start + 1, end)),
            help: "close it where the text ends\(advice)"
        )
    }

    func unknownEscape() -> Diagnostic {
        let start = byte(at: offset) == UInt8(ascii: "\\") ? offset : backslash(before: offset)
        let escape = text(start..<min(start + 2, source.endOfLine(containing: start)))
        let range = source.range(start, min(start + 2, source.endOfLine(containing: start)))
        let message = "'\(escape)' is not a valid escape in double quotes"
        guard let closing = closingQuote(from: contextOffset) else {
            return Diagnostic(
                rule: .yamlUnknownEscape, message: message, at: range,
                help: "write the backslash twice, or use single quotes, which do not have escapes")
        }
        let quoted = YAMLText.singleQuoted(text((contextOffset + 1)..<closing))
        let whole = source.range(contextOffset, closing + 1)
        return Diagnostic(
            rule: .yamlUnknownEscape,
            message: message,
            at: range,
            help: "use single quotes, which do not have escapes: \(quoted)",
            fix: Fix(
                title: "use single quotes", applicability: .needsALook, edits: [.init(replacing: whole, with: quoted)])
        )
    }

    private func backslash(before offset: Int) -> Int {
        var position = min(offset, source.bytes.count)
        while position > contextOffset {
            position -= 1
            if source.bytes[position] == UInt8(ascii: "\\") { return position }
        }
        return contextOffset
    }

    /// Where the double quote that opens at `start` is closed, if nearby on the same line.
    private func closingQuote(from start: Int) -> Int? {
        let end = min(source.endOfLine(containing: start), start + Self.longestShown)
        var position = start + 1
        while position < end {
            switch source.bytes[position] {
            case UInt8(ascii: "\""): return position
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return nil
    }

    func tab() -> Diagnostic {
        let line = source.line(at: offset)
        let start = source.lineStart(line)
        let end = indentationEnd(ofLineAt: offset)
        let isIndentation = offset < end
        let further = isIndentation ? linesIndentedWithTabs(after: line) : 0
        let blanks = isIndentation ? start..<end : offset..<(offset + 1)
        let spaces = text(blanks).unicodeScalars.map { $0 == "\t" ? "  " : " " }.joined()
        let range = source.range(blanks.lowerBound, blanks.upperBound)
        return Diagnostic(
            rule: .yamlTabIndentation,
            message: isIndentation
                ? "this line is indented with a tab, and YAML allows only spaces"
                : "there is a tab here, and YAML allows only spaces",
            at: range,
            notes: further == 0
                ? [] : [DiagnosticNote("so \(further == 1 ? "is 1 line" : "are \(further) lines") after it")],
            help: "indent with two spaces for each level, and set the editor to do so for .yaml files",
            fix: Fix(
                title: "replace the tab with spaces", applicability: .needsALook,
                edits: [.init(replacing: range, with: spaces)])
        )
    }

    private func linesIndentedWithTabs(after line: Int) -> Int {
        guard line < source.lineCount else { return 0 }
        return ((line + 1)...source.lineCount).lazy.filter { line in
            var position = source.lineStart(line)
            while byte(at: position) == UInt8(ascii: " ") { position += 1 }
            return byte(at: position) == UInt8(ascii: "\t")
        }.count
    }

    func tag(at start: Int) -> Diagnostic {
        let value = value(from: start)
        return quoteIt(
            rule: .yamlTag,
            message: "'!' at the start of a value begins a YAML tag, which contracts cannot have",
            at: source.range(value.lowerBound, value.upperBound),
            value: value,
            help: "if it is text, quote it"
        )
    }

    func directive() -> Diagnostic {
        let line = value(from: indentationEnd(ofLineAt: contextOffset))
        let range = source.range(line.lowerBound, line.upperBound)
        let ifText =
            line.count <= Self.longestShown ? "; if it is text, quote it: \(YAMLText.quoted(text(line)))" : ""
        return Diagnostic(
            rule: .yamlDirective,
            message: "a line that begins with '%' is a YAML directive, which contracts cannot have",
            at: range,
            help: "delete the line" + ifText,
            fix: Fix(title: "delete the line", applicability: .needsALook, edits: [.init(replacing: range, with: "")])
        )
    }
}
