#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Text from elsewhere, made fit for a screen or a terminal.
enum DisplayText {
    /// How much of a text is shown, in Unicode scalars. No alert has room for more.
    static let limit = 600

    /// The text with its line breaks, and without what moves a cursor, reorders what is around it or cannot be seen.
    static func paragraph(_ text: String, limit: Int = limit) -> String {
        var lines = 0
        return kept(of: text, limit) { scalar in
            guard scalar == "\n" else { return !isInvisible(scalar) }
            lines += 1
            return lines < 12
        }
    }

    /// The same on one line.
    static func line(_ text: String, limit: Int = limit) -> String {
        kept(of: text.split(whereSeparator: \.isNewline).joined(separator: " "), limit) { !isInvisible($0) }
    }

    private static func kept(of text: String, _ limit: Int, _ isKept: (Unicode.Scalar) -> Bool) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where isKept(scalar) {
            if kept.count == limit { return String(kept) + "…" }
            kept.append(scalar)
        }
        return String(kept)
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        // Joiners: emoji and several scripts need them.
        if scalar.value == 0x200C || scalar.value == 0x200D { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}

extension DisplayText {
    /// An error's own text for people; empty if it has none. Its description may hold secrets.
    static func message(of error: any Error) -> String { (error as? any LocalizedError)?.errorDescription ?? "" }
}
