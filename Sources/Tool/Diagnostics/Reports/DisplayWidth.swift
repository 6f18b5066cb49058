/// How one character of source text is shown on a terminal.
struct DisplayCell {
    let text: String
    /// How many columns it takes.
    let width: Int
}

extension DisplayCell {
    /// A tab takes four columns in any position. Characters that a terminal would obey or hide are written as escapes, so that
    /// an excerpt shows the true source and the carets are in the correct columns.
    init(showing character: Character) {
        if character == "\t" {
            self.init(text: "    ", width: 4)
        } else if character.unicodeScalars.contains(where: Self.isHiddenOrObeyed) {
            let escaped = character.unicodeScalars
                .map { Self.isHiddenOrObeyed($0) ? "\\u{\(String($0.value, radix: 16, uppercase: true))}" : String($0) }
                .joined()
            self.init(text: escaped, width: escaped.unicodeScalars.count)
        } else {
            let text = String(character)
            self.init(text: text, width: character.unicodeScalars.map(Self.width).max() ?? 0)
        }
    }

    /// A byte of a line that is not UTF-8.
    init(showing byte: UInt8) {
        if byte < 0x80 {
            self.init(showing: Character(Unicode.Scalar(byte)))
        } else {
            self.init(text: "\\x" + String(byte, radix: 16, uppercase: true), width: 4)
        }
    }

    /// Control characters, marks that turn the direction of text, and invisible ones that no script needs.
    private static func isHiddenOrObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20..<0x300: 1
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE4F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            2
        default: isCombining(scalar) ? 0 : 1
        }
    }

    private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }
}
