/// Breaks one line that is too wide, at the places where `swift format` accepts a break.
enum LineBreaking {
    private static let step = SourceLayout.step

    static func lay(_ line: SourceLine, indent: Int, isCase: Bool = false, into output: inout [UInt8]) {
        if indent + line.content.count <= SourceLayout.width { return append(line.content[...], indent, &output) }
        if isCase, breakCase(line, indent, &output) { return }
        if line.hasPrefix("guard "), breakGuard(line, indent, &output) { return }
        if breakTernary(line, indent, &output) || breakResult(line, indent, &output) { return }
        if let bracket = breakable(line) { return breakBracket(line, bracket, indent, &output) }
        if breakInheritance(line, indent, &output) || breakAssignment(line, indent, &output) { return }
        breakLiteral(line, indent, &output)
    }

    private static func lay(_ content: ArraySlice<UInt8>, _ indent: Int, _ output: inout [UInt8]) {
        lay(SourceLine(content: content), indent: indent, into: &output)
    }

    static func append(_ content: ArraySlice<UInt8>, _ indent: Int, _ output: inout [UInt8]) {
        output.append(contentsOf: repeatElement(0x20, count: indent))
        output += content
        output.append(0x0A)
    }

    // MARK: Brackets

    /// The bracket to break at: a body at the line's end, or else the one that holds most.
    private static func breakable(_ line: SourceLine) -> SourceLine.Bracket? {
        // The right side of an assignment is broken, not the left.
        let equals = line.marks.first { line.content[$0] == UInt8(ascii: "=") } ?? -1
        let outermost = line.brackets.filter { bracket in
            bracket.depth == 0 && bracket.open > equals && (bracket.close ?? 0) > bracket.open + 1
        }
        if let last = outermost.last, last.close == line.content.count - 1, line.content[last.open] == 0x7B {
            return last
        }
        // The parameters of a function come before what it throws and returns.
        if isDeclaration(line) { return outermost.first { $0.open < (line.index(of: " throws(") ?? .max) } }
        return outermost.max { ($0.close ?? 0) - $0.open < ($1.close ?? 0) - $1.open }
    }

    private static func isDeclaration(_ line: SourceLine) -> Bool {
        guard line.content.last == UInt8(ascii: "{") else { return false }
        return line.contains("func ") || line.contains(" init(")
    }

    private static func breakBracket(
        _ line: SourceLine, _ bracket: SourceLine.Bracket, _ indent: Int, _ output: inout [UInt8]
    ) {
        guard let close = bracket.close else { return }
        let content = line.content
        let inner = SourceLine(content: content[(bracket.open + 1)..<close])
        var head = content[...bracket.open]
        let body: [ArraySlice<UInt8>]
        switch content[bracket.open] {
        case UInt8(ascii: "{"):
            var statement = inner.content[...]
            // The parameters of a closure stay on its first line.
            if let start = inner.index(of: " in "), !inner.brackets.contains(where: { $0.open < start }) {
                head += [0x20] + statement[..<(start + 3)]
                statement = statement[(start + 4)...]
            }
            body = [statement]
        case UInt8(ascii: "["):
            let elements = self.elements(inner)
            let trailing: [UInt8] = elements.count > 1 ? [0x2C] : []
            let isFilled = elements.allSatisfy { $0.first == 0x22 }
            body = isFilled ? filled(elements, indent + step) : elements.map { $0 + trailing }
        default:
            let fits = indent + step + inner.content.count <= SourceLayout.width
            let elements = self.elements(inner)
            body =
                fits && !isDeclaration(line)
                ? [inner.content[...]]
                : elements.enumerated().map { $0 < elements.count - 1 ? $1 + [0x2C] : $1 }
        }
        append(head, indent, &output)
        for item in body { lay(item, indent + step, &output) }
        lay(content[close...], indent, &output)
    }

    /// The elements of a list, without the commas between.
    private static func elements(_ line: SourceLine) -> [ArraySlice<UInt8>] {
        var elements: [ArraySlice<UInt8>] = []
        var start = 0
        for mark in line.marks where line.content[mark] == UInt8(ascii: ",") {
            elements.append(line.content[start..<mark])
            start = mark + 1
            while start < line.content.count, line.content[start] == 0x20 { start += 1 }
        }
        if start < line.content.count { elements.append(line.content[start...]) }
        return elements
    }

    /// Short elements, as many on a line as fit.
    private static func filled(_ elements: [ArraySlice<UInt8>], _ indent: Int) -> [ArraySlice<UInt8>] {
        if elements.count < 2 { return elements }
        var lines: [ArraySlice<UInt8>] = []
        var line: ArraySlice<UInt8> = []
        for element in elements {
            if !line.isEmpty, indent + line.count + 1 + element.count + 1 > SourceLayout.width {
                lines.append(line)
                line = []
            }
            line += (line.isEmpty ? [] : [0x20]) + element + [0x2C]
        }
        return lines + [line]
    }

    // MARK: Statements

    /// `case .a: expression`, with the expression on a line of its own.
    private static func breakCase(_ line: SourceLine, _ indent: Int, _ output: inout [UInt8]) -> Bool {
        guard let colon = line.marks.first(where: { line.content[$0] == UInt8(ascii: ":") }) else { return false }
        let patterns = elements(SourceLine(content: line.content[...colon]))
        lay(patterns[0] + (patterns.count > 1 ? [0x2C] : []), indent, &output)
        for (position, pattern) in patterns.enumerated().dropFirst() {
            lay(position < patterns.count - 1 ? pattern + [0x2C] : pattern, indent + step, &output)
        }
        if colon + 2 < line.content.count { lay(line.content[(colon + 2)...], indent + step, &output) }
        return true
    }

    /// `guard a, let b else {`, each condition on a line of its own.
    private static func breakGuard(_ line: SourceLine, _ indent: Int, _ output: inout [UInt8]) -> Bool {
        guard let end = line.index(of: " else {") else { return false }
        let conditions = elements(SourceLine(content: line.content[6..<end]))
        append(Array("guard".utf8)[...], indent, &output)
        for (position, condition) in conditions.enumerated() {
            lay(position < conditions.count - 1 ? condition + [0x2C] : condition, indent + step, &output)
        }
        let body = SourceLine(content: line.content[(end + 7)...])
        append(Array("else {".utf8)[...], indent, &output)
        if body.content.last == UInt8(ascii: "}") {
            lay(body.content.dropLast(), indent + step, &output)
            append([UInt8(ascii: "}")], indent, &output)
        }
        return true
    }

    /// `condition ? first : second`, also if it is assigned or returned.
    private static func breakTernary(_ line: SourceLine, _ indent: Int, _ output: inout [UInt8]) -> Bool {
        func isOperator(_ mark: Int, _ byte: UInt8) -> Bool {
            line.content[mark] == byte && mark > 0 && line.content[mark - 1] == 0x20
                && mark + 1 < line.content.count && line.content[mark + 1] == 0x20
        }
        guard let question = line.marks.first(where: { isOperator($0, UInt8(ascii: "?")) }),
            let colon = line.marks.first(where: { $0 > question && isOperator($0, UInt8(ascii: ":")) })
        else { return false }
        var start = 0
        var indent = indent
        if let equals = line.marks.first(where: { $0 < question && isOperator($0, UInt8(ascii: "=")) }) {
            lay(line.content[...equals], indent, &output)
            start = equals + 2
            indent += step
            lay(line.content[start..<(question - 1)], indent, &output)
        } else {
            lay(line.content[..<(question - 1)], indent, &output)
            indent += step
        }
        lay(line.content[question..<(colon - 1)], indent, &output)
        lay(line.content[colon...], indent, &output)
        return true
    }

    /// `struct Name: First, Second {`, each protocol on a line of its own.
    private static func breakInheritance(_ line: SourceLine, _ indent: Int, _ output: inout [UInt8]) -> Bool {
        guard line.content.last == UInt8(ascii: "{"), line.unclosed.count == 1,
            let colon = line.marks.first(where: { line.content[$0] == UInt8(ascii: ":") })
        else { return false }
        append(line.content[...colon], indent, &output)
        let protocols = elements(SourceLine(content: line.content[(colon + 1)...].dropLast()))
        for (position, name) in protocols.enumerated() {
            append(position < protocols.count - 1 ? name + [0x2C] : name, indent + step, &output)
        }
        append([UInt8(ascii: "{")], indent, &output)
        return true
    }

    /// `) async throws(Failure) -> Result {`, with the result on a line of its own.
    private static func breakResult(_ line: SourceLine, _ indent: Int, _ output: inout [UInt8]) -> Bool {
        guard line.content.last == UInt8(ascii: "{"), let arrow = line.index(of: " -> "),
            line.hasPrefix(")") || isDeclaration(line)
        else { return false }
        if !line.hasPrefix(")"), breakable(line) != nil { return false }
        append(line.content[..<arrow], indent, &output)
        append(line.content[(arrow + 1)...].dropLast(2), indent + step, &output)
        append([UInt8(ascii: "{")], indent, &output)
        return true
    }

    /// `name = value` and `label: value`, with the value on a line of its own.
    private static func breakAssignment(_ line: SourceLine, _ indent: Int, _ output: inout [UInt8]) -> Bool {
        guard
            let equals = line.marks.first(where: {
                line.content[$0] == UInt8(ascii: "=") && $0 + 2 < line.content.count
            }), !line.content[equals...].contains(0x22)
        else { return false }
        append(line.content[...equals], indent, &output)
        lay(line.content[(equals + 2)...], indent + step, &output)
        return true
    }

    /// A literal alone, which becomes one of several lines.
    private static func breakLiteral(_ line: SourceLine, _ indent: Int, _ output: inout [UInt8]) {
        let content = line.content
        guard let open = content.firstIndex(of: 0x22), let close = content.lastIndex(of: 0x22), close > open,
            !line.hasOddLiteralMark
        else { return append(content[...], indent, &output) }
        append(content[..<open] + Array("\"\"\"".utf8), indent, &output)
        let inner = open == 0 ? indent : indent + step
        var rest = content[(open + 1)..<close]
        let limit = SourceLayout.width - inner - 1
        while rest.count > limit + 1 {
            let end = breakInLiteral(rest, limit)
            append(rest[..<end] + [UInt8(ascii: "\\")], inner, &output)
            rest = rest[end...]
        }
        append(rest, inner, &output)
        append(Array("\"\"\"".utf8) + content[(close + 1)...], inner, &output)
    }

    /// Where a line of a literal can end: after a blank or comma if there is one, and never inside of an escape or a
    /// character.
    private static func breakInLiteral(_ text: ArraySlice<UInt8>, _ limit: Int) -> Int {
        var position = text.startIndex
        var last = text.startIndex
        var lastBlank: Int?
        while position < text.endIndex {
            var next = position + 1
            if text[position] == UInt8(ascii: "\\"), next < text.endIndex {
                let kind = text[next]
                next += 1
                let closing: UInt8? =
                    kind == UInt8(ascii: "u") ? UInt8(ascii: "}") : kind == UInt8(ascii: "(") ? UInt8(ascii: ")") : nil
                if let closing, let end = text[next...].firstIndex(of: closing) { next = end + 1 }
            }
            while next < text.endIndex, text[next] & 0xC0 == 0x80 { next += 1 }
            if next - text.startIndex > limit { break }
            last = next
            if text[position] == 0x20 || text[position] == UInt8(ascii: ",") { lastBlank = next }
            position = next
        }
        if let lastBlank, lastBlank - text.startIndex > limit / 2 { return lastBlank }
        return last > text.startIndex ? last : text.endIndex
    }
}
