import Diagnostics

/// Complaints from inside `{…}` and `[…]`.
extension SyntaxExplanation {
    /// libyaml read a complete value and found neither a comma nor the closing bracket.
    func insideBrackets() -> Diagnostic {
        guard let open, open.isFlow else { return unclosedBracket() }
        let found = byte(at: offset)
        guard let found, offset < source.bytes.count, !isUnclosed(open, found) else { return unclosedBracket() }
        switch found {
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            return mismatchedBracket(open)
        case UInt8(ascii: ":"):
            return colonInsideBrackets()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if let last, Int(last.end) == offset, last.start >= open.start {
                return bracesInText(from: Int(last.start))
            }
        default:
            break
        }
        if let last, last.start > open.start, areOnOneLine(Int(last.start), offset) { return textAfter(last) }
        return generic()
    }

    /// Whether the bracket that is open was rather forgotten: the file ends, or a line that is indented no deeper than
    /// the bracket's continues as if it were closed.
    private func isUnclosed(_ open: NodeTable.Row, _ found: UInt8) -> Bool {
        let start = Int(open.start)
        guard !areOnOneLine(start, offset) else { return false }
        return indentation(ofLineAt: offset) <= indentation(ofLineAt: start)
            && found != UInt8(ascii: "}") && found != UInt8(ascii: "]")
    }

    func unclosedBracket() -> Diagnostic {
        let start = open?.isFlow == true ? Int(open?.start ?? 0) : contextOffset
        let isMapping = byte(at: start) == UInt8(ascii: "{")
        let isAtEnd = offset >= source.bytes.count
        if let cut = textCutByComment(after: start) {
            return quoteIt(
                rule: .yamlUnclosedBracket,
                message:
                    "the '\(isMapping ? "{" : "[")' that opens here is never closed, because YAML reads the rest of the line from '#' on as a comment",
                at: place(start), value: cut)
        }
        return Diagnostic(
            rule: .yamlUnclosedBracket,
            message: "the '\(isMapping ? "{" : "[")' that opens here is never closed",
            at: place(start),
            notes: isAtEnd ? [] : [DiagnosticNote("YAML reads this as part of it", at: place(offset))],
            help: "write '\(isMapping ? "}" : "]")' where the \(isMapping ? "mapping" : "list") ends"
        )
    }

    /// The text inside brackets that a ` #` cuts, up to the comma or the bracket that must be its end. Nil if no comment on the
    /// line of the opening bracket contains a closing one.
    private func textCutByComment(after start: Int) -> Range<Int>? {
        let lineEnd = source.endOfLine(containing: start)
        let ends: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")]
        var valueStart = start + 1
        var quote: UInt8?
        for position in (start + 1)..<max(start + 1, lineEnd) {
            let byte = source.bytes[position]
            let isAfterBlank = isBlank(source.bytes[position - 1])
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), position == valueStart {
                quote = byte
            } else if byte == UInt8(ascii: "#"), isAfterBlank {
                guard position > valueStart,
                    let end = source.bytes[position..<lineEnd].firstIndex(where: ends.contains),
                    source.bytes[end..<lineEnd].contains(where: { $0 != UInt8(ascii: ",") && ends.contains($0) })
                else { return nil }
                return valueStart..<end
            } else if ends.contains(byte) || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
                || byte == UInt8(ascii: ":") || isBlank(byte) && position == valueStart
            {
                valueStart = position + 1
            }
        }
        return nil
    }

    private func mismatchedBracket(_ open: NodeTable.Row) -> Diagnostic {
        let isMapping = open.kind == .mapping
        return Diagnostic(
            rule: .yamlMismatchedBracket,
            message: "'\(isMapping ? "{" : "[")' is closed by '\(isMapping ? "]" : "}")'",
            at: place(offset),
            notes: [DiagnosticNote("it opens here", at: place(Int(open.start)))],
            help: "write '\(isMapping ? "}" : "]")' here, or the bracket that is missing before it"
        )
    }

    /// `{get: /users/{id}}`, `{pattern: [0-9]{2,3}}`
    private func bracesInText(from start: Int) -> Diagnostic {
        let value = value(from: start)
        return quoteIt(
            rule: .yamlBracesInBrackets,
            message: "inside '{…}' and '[…]', a brace or a bracket ends an unquoted text",
            at: source.range(value.lowerBound, value.upperBound),
            value: value
        )
    }

    /// `{doc: Note: this}`
    private func colonInsideBrackets() -> Diagnostic {
        guard let last, Int(last.end) <= offset, areOnOneLine(Int(last.start), offset) else { return generic() }
        return colonInText(at: offset, value: value(from: Int(last.start)))
    }

    func colonInText(at colon: Int, value: Range<Int>) -> Diagnostic {
        quoteIt(
            rule: .yamlColonInText,
            message: "': ' in an unquoted text begins another value",
            at: source.range(value.lowerBound, value.upperBound),
            value: value
        )
    }

    /// `[User] = []`, `"a" or "b"`: a value was complete, and more text follows on the same line.
    func textAfter(_ node: NodeTable.Row) -> Diagnostic {
        let value = value(from: Int(node.start))
        let rest = source.range(offset, max(offset, value.upperBound))
        switch node.kind {
        case .sequence, .mapping:
            let isMapping = node.kind == .mapping
            return quoteIt(
                rule: isMapping ? .yamlTextAfterMapping : .yamlTextAfterList,
                message:
                    "the \(isMapping ? "mapping" : "list") ends before this text, which cannot follow it on the same line",
                at: rest,
                value: value
            )
        case .scalar where node.style == .singleQuoted || node.style == .doubleQuoted:
            return textAfterQuote(node, rest, value)
        default:
            return generic()
        }
    }

    private func textAfterQuote(_ node: NodeTable.Row, _ rest: SourceRange, _ value: Range<Int>) -> Diagnostic {
        let isSingle = node.style == .singleQuoted
        let quote: Character = isSingle ? "'" : "\""
        let written = text(value)
        let inner = written.dropFirst().dropLast()
        guard areOnOneLine(Int(node.start), Int(node.end)) else { return unclosedQuote(at: Int(node.start)) }
        let isQuoteInside = value.count <= Self.longestShown && value.count > 2 && written.last == quote
        guard isQuoteInside else {
            return quoteIt(
                rule: .yamlTextAfterQuote,
                message: "the quoted text ends before this text, which cannot follow it",
                at: rest,
                value: value,
                help: "quote the whole text"
            )
        }
        let quoted =
            inner.contains("'") && !inner.contains("\"") ? "\"\(inner)\"" : YAMLText.singleQuoted(String(inner))
        let range = source.range(value.lowerBound, value.upperBound)
        return Diagnostic(
            rule: .yamlTextAfterQuote,
            message: "the quoted text ends before this, at a \(quote) inside it",
            at: rest,
            help: "write \(quoted)",
            fix: Fix(
                title: "quote the text", applicability: .needsALook, edits: [.init(replacing: range, with: quoted)])
        )
    }

    /// `[a,,b]`, `{a: 1, , }`, a bracket that the end of the file leaves open, or a bracket where a value should begin.
    func missingValue() -> Diagnostic {
        if open?.isFlow == true, offset >= source.bytes.count { return unclosedBracket() }
        guard let found = byte(at: offset), !isLineBreak(found) else { return generic() }
        if found == UInt8(ascii: ":") { return missingKey() }
        let shown = text(offset..<(offset + 1))
        if open?.isFlow == true {
            return Diagnostic(
                rule: .yamlMissingValue,
                message: "a value is missing before '\(shown)'",
                at: place(offset),
                help: "delete the comma, or write the value; the text ',' is written \",\""
            )
        }
        return reservedStart(at: offset)
    }
}
