import ContractModel

/// A path with parameters in the syntax of another tool, as OpenAPI spells it: `/users/:id`, `/users/${id}`, `/files/*rest`,
/// `/users/{id:[0-9]+}`. What a URL cannot contain is percent-encoded.
struct ForeignPath {
    private(set) var text = ""
    /// The parameters that nothing in the document declares, as it writes them.
    private(set) var guesses: [String] = []
    private let declared: Set<String>

    /// - Parameter declared: the names of the path parameters that the document declares.
    init(_ route: Substring, declared: Set<String>) {
        self.declared = declared
        var rest = route
        while let open = rest.firstIndex(of: "{"), let close = Self.close(of: rest[open...]) {
            add(literal: rest[..<open], isStart: rest.startIndex == route.startIndex)
            if text.hasSuffix("$") { text.removeLast() }
            text += "{\(name(of: rest[rest.index(after: open)..<close]))}"
            rest = rest[rest.index(after: close)...]
        }
        add(literal: rest, isStart: rest.startIndex == route.startIndex)
        if !text.hasPrefix("/"), !text.contains("://") { text = "/" + text }
    }

    /// The end of the parameter at the start of a text. A pattern may have braces of its own: `{id:[0-9]{4}}`.
    private static func close(of text: Substring) -> String.Index? {
        var depth = 0
        return text.firstIndex { letter in
            depth += letter == "{" ? 1 : letter == "}" ? -1 : 0
            return depth == 0
        }
    }

    /// The name of a parameter, without the pattern after it.
    private func name(of inner: Substring) -> Substring {
        let name = inner.prefix { $0 != ":" }
        return declared.contains(String(name)) && !declared.contains(String(inner)) ? name : inner
    }

    private mutating func add(literal: Substring, isStart: Bool) {
        for (position, segment) in literal.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
            if position > 0 { text += "/" }
            // A segment begins after a `/`. What follows a parameter ends one.
            add(segment, isWhole: position > 0 || isStart)
        }
    }

    private mutating func add(_ segment: Substring, isWhole: Bool) {
        let name = String(segment.dropFirst())
        if isWhole, segment.first == ":" || segment.first == "*", !name.isEmpty, Self.word(name[...]) == name {
            if !declared.contains(name) { guesses.append(String(segment)) }
            text += "{\(name)}"
            return
        }
        var rest = segment
        while let colon = rest.firstIndex(of: ":") {
            text += Self.encoded(rest[..<colon])
            let word = Self.word(rest[rest.index(after: colon)...])
            let isParameter = declared.contains(String(word))
            text += isParameter ? "{\(word)}" : ":"
            rest = isParameter ? rest[word.endIndex...] : rest[rest.index(after: colon)...]
        }
        text += Self.encoded(rest)
    }

    /// The identifier at the start of a text; empty if it starts otherwise.
    private static func word(_ text: Substring) -> Substring {
        guard let first = text.first, first.isLetter || first == "_" else { return text.prefix(0) }
        return text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// A literal part of a path, with what a path cannot contain percent-encoded.
    private static func encoded(_ text: Substring) -> String {
        text.unicodeScalars.map { isForbidden($0) ? PercentText.path(String($0)) : String($0) }.joined()
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "<", ">", "\\", "^", "`", "|", "\u{2028}", "\u{2029}": true
        case "!"..."~": false
        default: scalar.value <= 0x20 || scalar.properties.generalCategory == .control
        }
    }
}

extension Operation {
    /// Writes the parameters of the path as OpenAPI does.
    mutating func takeParametersOfPath() {
        let end = RequestPath.end(of: path) ?? path.endIndex
        let route = ForeignPath(
            path[..<end], declared: Set(parameters.filter { $0.place == .path }.map(\.name)))
        reviews += route.guesses.map {
            "`\($0)` of the document's path seems to be a parameter, which the document does not declare"
        }
        path = route.text + path[end...]
    }
}
