/// Writes texts as strings of JSON (RFC 8259).
package enum JSONQuoting {
    /// The characters beside quotation marks, backslashes and ASCII's controls that are written as escapes.
    package enum Escapes: Sendable {
        /// Those that end a line for some readers, and the delete character.
        case lineEnds
        /// Also those that turn the direction of a text, and those that are invisible.
        case invisible

        fileprivate func contains(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .lineEnds: scalar.value == 0x7F || (0x2028...0x2029).contains(scalar.value)
            case .invisible:
                (0x7F...0x9F).contains(scalar.value) || (0x2028...0x202E).contains(scalar.value)
                    || scalar.value == 0xFEFF
            }
        }
    }

    /// Appends a string with its quotation marks.
    package static func write(_ value: String, escaping escapes: Escapes, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || escapes.contains(scalar):
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
