import Diagnostics

/// Writes texts in YAML. All quotes that the tool writes are from here.
package enum YAMLText {
    /// A text that stays a text: plain where nothing in it means something to YAML, in quotes otherwise.
    package static func value(_ text: String, inFlow: Bool = false) -> String {
        isPlain(text, inFlow: inFlow) && !looksOtherwise(text) ? text : quoted(text)
    }

    /// The same for a value that isn't text, such as a bound or a path, which is quoted only if YAML requires it.
    package static func plain(_ text: String, inFlow: Bool = false) -> String {
        isPlain(text, inFlow: inFlow) || isNegativeNumber(text) ? text : quoted(text)
    }

    /// Whether it is a number below zero, or a range that begins with one. Its first character otherwise begins an element of a list.
    private static func isNegativeNumber(_ text: String) -> Bool {
        text.hasPrefix("-") && text.utf8.dropFirst().first.map { (0x30...0x39).contains($0) } == true
            && (Double(text) != nil
                || text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E })
    }

    /// The text in quotes: single quotes if it contains double quotes or backslashes, and with escapes if it needs them.
    package static func quoted(_ text: String) -> String {
        let isSimple = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && !isOdd($0) }
        if isSimple, !text.contains("\""), !text.contains("\\") { return "\"\(text)\"" }
        if isSimple, !text.contains("'") { return "'\(text)'" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || isOdd(scalar):
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// The text in single quotes, in which only `'` is doubled.
    package static func singleQuoted(_ text: String) -> String {
        "'" + text.replacing(scalar: "'", with: "''") + "'"
    }

    /// A text for readers that guess: plain only where every reader of YAML 1.1, 1.2 and JSON takes it for that text.
    package static func portable(_ text: String) -> String {
        let isPlain =
            text.utf8.first.map { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A } ?? false
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                    || [0x20, 0x2D, 0x2E, 0x2F, 0x5F].contains(byte)
            } && !text.hasSuffix(" ") && !reserved.contains(text.lowercased())
        return isPlain ? text : String(ReportValue.text(text).json.dropLast())
    }

    /// Words that YAML 1.1 or 1.2 does not read as text.
    private static let reserved: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"]

    /// Characters that YAML takes for line breaks, or for none at all.
    private static func isOdd(_ scalar: Unicode.Scalar) -> Bool {
        (0x80...0x9F).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
            || scalar.value == 0xFEFF
            || (0xFFFE...0xFFFF).contains(scalar.value)
    }

    private static func isPlain(_ text: String, inFlow: Bool) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last, !startMarks.contains(first), first != 0x20,
            last != 0x20,
            last != UInt8(ascii: ":")
        else { return false }
        var previous: UInt8 = 0
        for byte in text.utf8 {
            switch byte {
            case 0..<0x20, 0x7F, 0xC2, 0xE2, 0xEF: return false  // control characters, and what may be odd in Unicode
            case UInt8(ascii: "#") where previous == 0x20: return false
            case 0x20 where previous == UInt8(ascii: ":"): return false
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
                if inFlow { return false }
            case UInt8(ascii: ":") where inFlow: return false
            default: break
            }
            previous = byte
        }
        return true
    }

    private static let startMarks = Set("-?:,[]{}#&*!|>'\"%@`~=<".utf8)

    /// Whether a reader that recognizes numbers, bools and null would read a text as one of them.
    private static func looksOtherwise(_ text: String) -> Bool {
        switch text {
        case "true", "false", "null", "nil", "~": return true
        default:
            guard let first = text.utf8.first, first < UInt8(ascii: ":") else { return false }
            return Double(text) != nil || text.contains("..")
        }
    }
}
