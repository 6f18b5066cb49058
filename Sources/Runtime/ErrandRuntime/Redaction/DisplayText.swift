/// Text from a server, or from elsewhere, made fit for people: for a screen, a terminal and a screen reader.
///
/// Every text for people that contains text of a server comes through here: messages, codes, presentations and what a terminal
/// shows. (Logs show the same characters escaped instead, on one line: `PrintedText`.)
package enum DisplayText {
    /// How much of a text is shown, in Unicode scalars. No alert has room for more.
    package static let limit = 600
    /// How many lines of a text are shown.
    package static let maximumLines = 12

    /// The text with its line breaks, and without what controls a terminal, reorders what is around it or cannot be seen.
    ///
    /// - Parameters:
    ///   - limit: how many Unicode scalars stay.
    ///   - lines: how many lines stay; later line breaks are spaces.
    package static func paragraph(_ text: String, limit: Int = limit, lines: Int = maximumLines) -> String {
        clean(text, limit: limit, lines: lines)
    }

    /// The same on one line.
    package static func line(_ text: String, limit: Int = limit) -> String { clean(text, limit: limit, lines: 1) }

    private static func clean(_ text: String, limit: Int, lines: Int) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var sequence = ControlSequence()
        var cleaned = CleanText(limit: limit, lines: lines)
        for scalar in text.unicodeScalars where !sequence.takes(scalar) {
            if !cleaned.append(scalar) { break }
        }
        return cleaned.text
    }
}

/// Finds whole control sequences (ECMA-48, sections 5.3 to 5.6). A terminal would show the rest of a sequence of which only the
/// first character is removed.
private struct ControlSequence {
    private enum Part {
        case none
        /// After ESC.
        case escape
        /// After ESC and an intermediate character.
        case intermediate
        /// After CSI: parameters and intermediate characters.
        case control
        /// After OSC, DCS, SOS, PM or APC: up to its terminator.
        case string
        /// The same, after an ESC that may begin the terminator.
        case stringEnd
    }

    private var part = Part.none

    /// Whether the scalar belongs to a sequence. One that ends a sequence without belonging to it is text.
    mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
        switch part {
        case .none: break
        case .escape:
            switch scalar {
            case " "..."/": return enter(.intermediate)
            case "[": return enter(.control)
            case "P", "X", "]", "^", "_": return enter(.string)
            case "0"..."~": return enter(.none)
            default: part = .none
            }
        case .intermediate:
            switch scalar {
            case " "..."/": return true
            case "0"..."~": return enter(.none)
            default: part = .none
            }
        case .control:
            switch scalar {
            case " "..."?": return true
            case "@"..."~": return enter(.none)
            default: part = .none
            }
        case .string:
            switch scalar {
            case "\u{7}", "\u{9C}": return enter(.none)
            case "\u{1B}": return enter(.stringEnd)
            // A string has no line breaks. One without an end must not swallow the lines after it.
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": part = .none
            default: return true
            }
        case .stringEnd:
            if scalar == "\\" { return enter(.none) }
            part = .escape
            return takes(scalar)
        }
        switch scalar {
        case "\u{1B}": return enter(.escape)
        case "\u{9B}": return enter(.control)
        case "\u{90}", "\u{98}", "\u{9D}", "\u{9E}", "\u{9F}": return enter(.string)
        default: return false
        }
    }

    private mutating func enter(_ next: Part) -> Bool {
        part = next
        return true
    }
}

/// A text under construction, of limited length.
private struct CleanText {
    private let limit: Int
    private let lines: Int
    private var scalars = String.UnicodeScalarView()
    private var count = 0
    private var breaks = 0
    private var isCut = false
    private var isAfterReturn = false

    init(limit: Int, lines: Int) {
        self.limit = limit
        self.lines = lines
    }

    var text: String {
        // On one line, the text has neither line breaks nor their spaces at its end.
        var kept = scalars
        while lines == 1, breaks > 0, kept.last == " " { kept.removeLast() }
        return isCut ? String(kept) + "…" : String(kept)
    }

    /// Adds a scalar if it can be shown. Returns false if the text is full.
    mutating func append(_ scalar: Unicode.Scalar) -> Bool {
        defer { isAfterReturn = scalar == "\r" }
        switch scalar {
        // A carriage return alone would let the rest overwrite the line.
        case "\n" where isAfterReturn: return true
        case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}":
            breaks += 1
            if breaks < lines { return put("\n") }
            return scalars.isEmpty || scalars.last == " " ? true : put(" ")
        case "\t": return put(" ")
        default: return Self.isInvisible(scalar) ? true : put(scalar)
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) -> Bool {
        isCut = count == limit
        if isCut { return false }
        scalars.append(scalar)
        count += 1
        return true
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: return false
        // Joiners and variation selectors: emoji and several scripts need them.
        case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
