import SwiftEmitter

/// The language of the pages.
package enum PageFormat: String, Sendable, CaseIterable {
    case html, markdown

    /// The end of a page's name.
    package var suffix: String {
        switch self {
        case .html: ".html"
        case .markdown: ".md"
        }
    }

    /// How the names of all files end that a site can have.
    package var suffixes: [String] {
        switch self {
        case .html: [".html", ".css", ".js"]
        case .markdown: [".md"]
        }
    }

    /// Adds a text so that none of its characters is markup.
    ///
    /// Both languages read numeric character references (HTML 13.1.4, CommonMark 2.5), and in neither can one of them be a part of a
    /// tag, of a delimiter or of a link. In Markdown, such text means the same inside an HTML block, which is what examples are in.
    func escape(_ value: String, _ text: inout String) {
        // Most values are words.
        if self == .html, value.utf8.allSatisfy(Self.isPlain) {
            text += value
            return
        }
        var before: Unicode.Scalar = " "
        var isFirst = true
        for scalar in value.unicodeScalars {
            defer {
                before = scalar
                isFirst = false
            }
            if Self.isHidden(scalar) {
                text.unicodeScalars.append("\u{FFFD}")
            } else if isMarkup(scalar, before, isFirst: isFirst) {
                text += "&#\(scalar.value);"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether a byte is a character of ASCII that means only itself in HTML.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
        case 0x09, 0x0A, 0x20..<0x7F: true
        default: false
        }
    }

    private func isMarkup(_ scalar: Unicode.Scalar, _ before: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar {
        case "&", "<", ">", "\"", "'": return true
        case "`", "*", "_", "[", "]", "{", "}", "|", "\\", "~", "#", "!", "@", "$", "^", "\n", "\t":
            return self == .markdown
        // A list, a rule or a heading at the start of a line, and the links that GitHub makes of URLs.
        case "-", "+", "=", ":", ".", ")":
            guard self == .markdown else { return false }
            return isFirst || scalar == ":" || (scalar == "." || scalar == ")") && before.properties.numericType != nil
                || scalar == "." && (before == "w" || before == "W")
        case " ": return self == .markdown && before == " "
        default: return false
        }
    }

    /// Control characters, and characters that reorder the text around them (UAX #9), also outside of the element that they are in.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0x00..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xFFFE...0xFFFF: true
        default: scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
        }
    }
}
