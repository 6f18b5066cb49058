import Diagnostics

/// Findings about the relation between lines: indentation, colons, dashes.
extension SyntaxExplanation {
    /// A complete node is followed by something that is neither a key nor an item of the open collection.
    func betweenLines() -> Diagnostic {
        if let last, areOnOneLine(max(Int(last.end) - 1, 0), offset), offset >= Int(last.end), last.end > last.start {
            if let found = byte(at: offset), found == UInt8(ascii: "]") || found == UInt8(ascii: "}") {
                return unexpectedBracket()
            }
            return textAfter(last)
        }
        if let found = byte(at: offset), found == UInt8(ascii: "]") || found == UInt8(ascii: "}") {
            return unexpectedBracket()
        }
        if message.contains("document start"), isBehindDocumentEnd() {
            return Diagnostic(
                rule: .yamlMultipleDocuments,
                message: "a second document begins here, and a file can contain only one",
                at: place(offset),
                help: "move it to another file, or delete the line '...'"
            )
        }
        if byte(at: offset) == UInt8(ascii: ":") { return missingKey() }
        guard offset < source.bytes.count, offset == indentationEnd(ofLineAt: offset) else { return generic() }
        return indentation()
    }

    private func isBehindDocumentEnd() -> Bool {
        var line = source.line(at: offset) - 1
        while line > 0 {
            let start = source.lineStart(line)
            let text = text(start..<source.endOfLine(containing: start))
            if text.hasPrefix("...") { return true }
            guard text.allSatisfy(\.isWhitespace) || text.hasPrefix("#") else { return false }
            line -= 1
        }
        return false
    }

    private func unexpectedBracket() -> Diagnostic {
        let found = text(offset..<(offset + 1))
        return Diagnostic(
            rule: .yamlUnexpectedBracket,
            message: "'\(found)' has no opening bracket",
            at: place(offset),
            help:
                "delete it, or write the '\(found == "}" ? "{" : "[")' that is missing before it; in a text, quote the whole text"
        )
    }

    func missingKey() -> Diagnostic {
        Diagnostic(
            rule: .yamlMissingKey,
            message: "there is no key before the ':'",
            at: place(offset),
            help: "write a key, or quote the text if the ':' belongs to it"
        )
    }

    private func indentation() -> Diagnostic {
        let isDash = byte(at: offset) == UInt8(ascii: "-")
        let isListOpen = message.contains("'-'")
        let beganAt = contextOffset < offset && !context.isEmpty ? contextOffset : nil
        let depth = indentation(ofLineAt: offset)
        let wanted = beganAt.map { source.position(at: $0).column - 1 }
        let message: String
        if isDash, !isListOpen, depth == wanted {
            message = "a list item is among the keys of a mapping"
        } else if isListOpen, depth == wanted {
            message = "a key is among the items of a list"
        } else {
            return misplacedLine(depth, openAt: beganAt)
        }
        let kind = isListOpen ? "list" : "mapping"
        return Diagnostic(
            rule: .yamlIndentation,
            message: message,
            at: place(offset),
            notes: beganAt.map { [DiagnosticNote("the \(kind) begins here", at: place($0))] } ?? [],
            help: wanted.map {
                "to continue the \(kind), indent by \($0) and write \(isListOpen ? "'- item'" : "'key: value'")"
            }
                ?? "indent the line like its neighbors"
        )
    }

    /// A line between the depths of the lines above it.
    private func misplacedLine(_ depth: Int, openAt beganAt: Int?) -> Diagnostic {
        let start = indentationEnd(ofLineAt: offset)
        let meant = meantDepth(of: start, depth)
        let shown = "\(depth) \(depth == 1 ? "space" : "spaces")"
        return Diagnostic(
            rule: .yamlIndentation,
            message: "this line is indented by \(shown), which does not match any line above it",
            at: place(offset),
            notes: meant.map { [DiagnosticNote("a line with the probable indentation", at: lineRange($0.line))] }
                ?? beganAt.map { [DiagnosticNote("the mapping begins here", at: place($0))] } ?? [],
            help: meant.map { "indent it by \($0.depth)" } ?? "indent the line like its neighbors",
            fix: meant.map { indentation(of: start, by: $0.depth) }
        )
    }

    /// The depth that a line must have been meant to have, with a line above that has it: the one in which what follows
    /// makes sense, else the nearest.
    private func meantDepth(of start: Int, _ depth: Int) -> (depth: Int, line: Int)? {
        var open: [(depth: Int, line: Int)] = []
        var line = lineAbove(start)
        // A file of deep lines costs no more than others.
        for _ in 0..<10_000 {
            guard let above = line else { break }
            let its = indentation(ofLineAt: above)
            if its < open.last?.depth ?? .max { open.append((its, above)) }
            if its == 0 { break }
            line = lineAbove(above)
        }
        guard !open.isEmpty else { return nil }
        if let below = lineBelow(start), opensBlock(start) {
            let inner = indentation(ofLineAt: below)
            if inner > depth, let parent = open.first(where: { $0.depth < inner }) { return parent }
        }
        return open.min { (abs($0.depth - depth), -$0.depth) < (abs($1.depth - depth), -$1.depth) }
    }

    /// Whether a line is a key without a value, so that deeper lines may follow.
    private func opensBlock(_ start: Int) -> Bool {
        let line = value(from: start)
        return !line.isEmpty && source.bytes[line.upperBound - 1] == UInt8(ascii: ":")
    }

    private func lineRange(_ start: Int) -> SourceRange { source.range(start, source.endOfLine(containing: start)) }

    /// The fix that moves a line. An author looks at it first, since lines below may have to go along.
    private func indentation(of start: Int, by depth: Int) -> Fix {
        let lineStart = source.lineStart(source.line(at: start))
        return Fix(
            title: "indent it by \(depth)", applicability: .needsALook,
            edits: [.init(replacing: source.range(lineStart, start), with: String(repeating: " ", count: depth))])
    }

    /// `a: - x`
    func listBesideKey() -> Diagnostic {
        let value = value(from: offset)
        return quoteIt(
            rule: .yamlListBesideKey,
            message: "a list with dashes must begin on the line below its key",
            at: source.range(value.lowerBound, value.upperBound),
            value: value,
            help: "write it below the key, or as [a, b]; if it is text, quote it"
        )
    }

    /// A `: ` where the line, or the line above, has had one already.
    func unexpectedColon() -> Diagnostic {
        let start = indentationEnd(ofLineAt: offset)
        if let valueStart = valueStart(from: start, before: offset) {
            return colonInText(at: offset, value: value(from: valueStart))
        }
        guard let above = lineAbove(start) else { return generic() }
        let depth = indentation(ofLineAt: start)
        let depthAbove = indentation(ofLineAt: above)
        if depthAbove == depth { return missingColon(at: above) }
        // The line above is the odd one where the lines around it are as deep as this one, or where it belongs to its own
        // line above.
        if depthAbove < depth, let before = lineAbove(above), valueStart(from: above, before: offset) != nil {
            let depthBefore = indentation(ofLineAt: before)
            if depthBefore == depth || (depthBefore == depthAbove && opensBlock(before)) {
                return Diagnostic(
                    rule: .yamlIndentation,
                    message: "this line is indented by \(depthAbove), and the lines around it by \(depth)",
                    at: lineRange(above),
                    notes: [
                        DiagnosticNote(
                            depthBefore == depth ? "the line above" : "the key that it belongs to",
                            at: lineRange(before))
                    ],
                    help: "indent it by \(depth)", fix: indentation(of: above, by: depth))
            }
        }
        return Diagnostic(
            rule: .yamlIndentation,
            message: "this line is indented deeper than the line above, so it is read as part of that line's text",
            at: source.range(start, offset),
            notes: [DiagnosticNote("the text begins here", at: lineRange(above))],
            help:
                "to begin another key, indent it by \(depthAbove); to write text of several lines, write '|' after the key above",
            fix: indentation(of: start, by: depthAbove)
        )
    }

    /// Where the value of the first `key: ` of a line begins, if it does before `end`.
    private func valueStart(from start: Int, before end: Int) -> Int? {
        var position = start
        while position + 1 < end {
            if source.bytes[position] == UInt8(ascii: ":"), isBlank(source.bytes[position + 1]) {
                position += 1
                while position < end, isBlank(source.bytes[position]) { position += 1 }
                return position
            }
            position += 1
        }
        return nil
    }

    /// Where the text begins of the nearest line above that has any.
    private func lineAbove(_ offset: Int) -> Int? {
        var line = source.line(at: offset) - 1
        while line > 0 {
            let start = indentationEnd(ofLineAt: source.lineStart(line))
            if let first = byte(at: start), !isLineBreak(first), first != UInt8(ascii: "#") { return start }
            line -= 1
        }
        return nil
    }

    /// Where the text begins of the nearest line below that has any.
    private func lineBelow(_ offset: Int) -> Int? {
        var start = source.endOfLine(containing: offset)
        for _ in 0..<1_000 {
            while let byte = byte(at: start), isLineBreak(byte) { start += 1 }
            guard start < source.bytes.count else { return nil }
            let text = indentationEnd(ofLineAt: start)
            if let first = byte(at: text), !isLineBreak(first), first != UInt8(ascii: "#") { return text }
            start = source.endOfLine(containing: start)
        }
        return nil
    }

    /// A line that should be `key: value` and is `key`, `key value` or `key:value`.
    func missingColon(at start: Int) -> Diagnostic {
        let line = value(from: start)
        // YAML does not look for the ':' of a longer key.
        if line.count > 1000 { return generic() }
        let range = source.range(line.lowerBound, line.upperBound)
        let colon = line.first { source.bytes[$0] == UInt8(ascii: ":") }
        guard let colon, colon + 1 < line.upperBound, colon > line.lowerBound else {
            return Diagnostic(
                rule: .yamlMissingColon,
                message: "\(Quoting.shown(text(line))) is not a 'key: value'",
                at: range,
                help: "write a ':' after the key; if the line continues a text, write '|' after the text's key"
            )
        }
        let place = source.range(colon + 1, colon + 1)
        return Diagnostic(
            rule: .yamlMissingSpace,
            message: "a space is missing after ':'",
            at: source.range(colon, colon + 1),
            help:
                "write \(Quoting.shown(text(line.lowerBound..<(colon + 1)) + " " + text((colon + 1)..<line.upperBound)))",
            fix: Fix(title: "insert a space", applicability: .needsALook, edits: [.init(replacing: place, with: " ")])
        )
    }
}
