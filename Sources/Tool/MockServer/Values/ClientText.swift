import Diagnostics

/// Text of a client for the log: bounded, and without characters that a terminal would obey.
enum ClientText {
    /// The longest part of a request in a message, in characters.
    static let longestName = 200
    /// The longest message, in characters.
    static let longestMessage = 1_000

    /// The text in one line, with control characters as escapes, and with `…` in place of what is too long.
    static func shown(_ text: some StringProtocol, longest: Int = longestName) -> String {
        // Counted in scalars, because one character can have any number of them.
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return oneLine(String(text)) }
        return oneLine(String(text[..<end])) + "…"
    }
}
