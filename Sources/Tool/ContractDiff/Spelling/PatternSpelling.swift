/// The one spelling of a pattern, which matches the whole text with or without anchors.
enum PatternSpelling {
    /// The pattern of a contract's text without quotation marks and without the anchors at both ends.
    static func bare(_ text: String) -> String {
        var pattern = text[...]
        if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") {
            pattern = unescaped(text.dropFirst().dropLast())[...]
        } else if text.count > 1, text.hasPrefix("'"), text.hasSuffix("'") {
            pattern = text.dropFirst().dropLast().replacing("''", with: "'")[...]
        }
        if pattern.hasPrefix("^") { pattern = pattern.dropFirst() }
        // A backslash before the last character takes its meaning, unless it has lost its own.
        let backslashes = pattern.dropLast().reversed().prefix { $0 == "\\" }.count
        if pattern.hasSuffix("$"), backslashes.isMultiple(of: 2) { pattern = pattern.dropLast() }
        return String(pattern)
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if character == "\\", !isEscaped {
                isEscaped = true
                continue
            }
            if isEscaped, character != "\\", character != "\"" { result.append("\\") }
            result.append(character)
            isEscaped = false
        }
        return result
    }
}
