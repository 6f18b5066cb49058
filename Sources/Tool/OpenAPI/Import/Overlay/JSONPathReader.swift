/// What of a query the import does not read, with its bytes.
struct JSONPathProblem: Error {
    let range: Range<Int>
    let message: String
    var help: String?
}

/// Reads the text of a query.
struct JSONPathReader {
    private let text: [UInt8]
    private var position = 0
    private var depth = 0

    static func read(_ text: String) throws(JSONPathProblem) -> JSONPath {
        var reader = JSONPathReader(text: Array(text.utf8))
        guard reader.take("$") else { throw reader.problem("a query begins with `$`") }
        let path = try reader.path()
        guard reader.next.isEmpty else { throw reader.problem() }
        return path
    }

    private mutating func path() throws(JSONPathProblem) -> JSONPath {
        var path = JSONPath()
        while true {
            let isDeep = take("..")
            if take("[") {
                var selectors: [JSONPath.Selector] = []
                repeat { selectors.append(try selector()) } while take(",")
                guard take("]") else { throw problem() }
                path.segments.append(JSONPath.Segment(isDeep: isDeep, selectors: selectors))
            } else if isDeep || take(".") {
                path.segments.append(
                    JSONPath.Segment(isDeep: isDeep, selectors: [take("*") ? .all : .name(try name())]))
            } else {
                return path
            }
        }
    }

    private mutating func name() throws(JSONPathProblem) -> String {
        let (start, word) = (position, word())
        guard word.allSatisfy({ $0 == "_" || $0.isLetter || $0.isNumber }), word.first?.isNumber == false else {
            let help = "write `['\(word)']` without the dot"
            throw word.isEmpty ? problem() : problem(from: start, "`\(word)` cannot follow a dot", help: help)
        }
        return word
    }

    private mutating func selector() throws(JSONPathProblem) -> JSONPath.Selector {
        if let name = try quoted() { return .name(name) }
        if take("*") { return .all }
        if take("?") { return .filter(try condition()) }
        let (start, word) = (position, word(with: ":"))
        if let index = Int(word), !word.hasPrefix("+") { return .index(index) }
        guard !word.isEmpty else { throw problem() }
        if word.contains(":") { throw problem(from: start, "the slice `\(word)` is not read") }
        throw problem(from: start, "`\(word)` is no selector", help: "write a name in quotes: `['\(word)']`")
    }

    // MARK: Filters

    private mutating func condition() throws(JSONPathProblem) -> JSONPath.Condition {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 50 else { throw problem("filters are nested too deeply") }
        var alternatives: [[JSONPath.Condition]] = []
        repeat {
            var parts: [JSONPath.Condition] = []
            repeat { parts.append(try part()) } while take("&&")
            alternatives.append(parts)
        } while take("||")
        return { [alternatives] search, node in
            alternatives.contains { $0.allSatisfy { $0(&search, node) } }
        }
    }

    private mutating func part() throws(JSONPathProblem) -> JSONPath.Condition {
        let isNegated = take("!")
        if take("(") {
            let inner = try condition()
            guard take(")") else { throw problem() }
            return { inner(&$0, $1) != isNegated }
        }
        let start = position
        guard take("@") else {
            let word = word()
            if take("(") { throw problem(from: start, "the function `\(word)` is not read") }
            position = start
            throw problem("a filter begins with `@`")
        }
        let path = try path()
        let isUnequal = take("!=")
        if !isNegated, isUnequal || !next.starts(with: "===".utf8) && take("==") {
            guard path.isSingular else { throw problem(from: start, "a comparison needs the path of one node") }
            let (text, word) = (try quoted(), word(with: ".+"))
            let isValue =
                ["true", "false", "null"].contains(word) || word.first?.isLetter == false && Double(word) != nil
            guard text != nil || isValue else { throw problem("a comparison needs a text in quotes, or a constant") }
            return { search, node in
                let found = search.matches(of: path, in: node).first?.node.scalar
                return (found.map { Element.isEqual($0, to: text ?? word, isText: text != nil) } ?? false) != isUnequal
            }
        }
        guard next.first.map({ ")],&|".utf8.contains($0) }) ?? true else {
            throw problem("a filter has paths, and the comparisons `==` and `!=`")
        }
        return { $0.matches(of: path, in: $1).isEmpty == isNegated }
    }

    // MARK: Text

    private mutating func quoted() throws(JSONPathProblem) -> String? {
        guard let quote = next.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
        let start = position
        var result: [UInt8] = []
        position += 1
        while let byte = next.first, byte != quote {
            let isEscape = byte == UInt8(ascii: "\\")
            guard let byte = isEscape ? next.dropFirst().first : byte, !isEscape || "'\"\\/".utf8.contains(byte) else {
                throw problem("the escape is unknown")
            }
            result.append(byte)
            position += isEscape ? 2 : 1
        }
        guard !next.isEmpty else { throw problem(from: start, "the quote has no end") }
        position += 1
        skipBlanks()
        return String(decoding: result, as: UTF8.self)
    }

    private var next: ArraySlice<UInt8> { text[position...] }

    /// The text up to the next sign of the language.
    private mutating func word(with others: String = "") -> String {
        let word = next.prefix { !" \t\r\n.[]()'\"=!<>&|,?*:@$~^+".utf8.contains($0) || others.utf8.contains($0) }
        position = word.endIndex
        skipBlanks()
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func take(_ sign: String) -> Bool {
        guard next.starts(with: sign.utf8) else { return false }
        position += sign.utf8.count
        if sign != ".", sign != ".." { skipBlanks() }
        return true
    }

    private mutating func skipBlanks() { position += next.prefix { " \t\r\n".utf8.contains($0) }.count }

    private func problem(_ reason: String? = nil) -> JSONPathProblem {
        guard !next.isEmpty else { return problem(from: 0, "the query ends too early") }
        let message = "`\(String(decoding: next.prefix(40), as: UTF8.self))` is not read"
        return JSONPathProblem(range: position..<text.count, message: message + (reason.map { ": " + $0 } ?? ""))
    }

    private func problem(from start: Int, _ message: String, help: String? = nil) -> JSONPathProblem {
        JSONPathProblem(range: start..<position, message: message, help: help)
    }
}
