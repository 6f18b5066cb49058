/// Text from elsewhere, made fit for a log: one line, of limited length, that shows what it holds.
package enum PrintedText {
    /// The maximum kept length of one text from a server, in Unicode scalars. (A character has no size limit of its own.)
    package static let limit = 1_000

    /// The text with everything escaped that breaks a line, moves the cursor, reorders what is around it or cannot be
    /// seen: controls, line and paragraph separators, and format characters such as those of bidirectional text. Joiners
    /// stay, since emoji and several scripts need them.
    ///
    /// - Parameter limit: how many Unicode scalars of the text stay.
    package static func line(_ text: String, limit: Int = .max) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var line = ""
        for scalar in cut(text, to: limit).unicodeScalars {
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            case _ where isUnprintable(scalar): line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    /// The start of a text, with an ellipsis where something is left out.
    package static func cut(_ text: String, to limit: Int) -> String {
        // A scalar has at least one byte.
        guard text.utf8.count > limit else { return text }
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    /// Whether a scalar must not be printed as it is.
    package static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value < 0x20 }
        // Zero-width joiner and non-joiner.
        if scalar.value == 0x200C || scalar.value == 0x200D { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
