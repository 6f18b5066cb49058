/// Characters that source code must not hold as they are: they end lines, cannot be seen, or turn the direction in which
/// the text around them is shown.
package enum HiddenCharacter {
    package static func contains(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x20 { return true }
        if scalar.value < 0x7F { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: return true
        default: return false
        }
    }

    /// Whether any reader of source code takes it for the end of a line.
    package static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}
