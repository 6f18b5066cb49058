/// JSON is YAML but for three things. JSON escapes characters beyond the first plane as two surrogates. Its texts contain
/// characters that YAML forbids, such as U+0080 and U+FFFF. And U+0085, U+2028 and U+2029 are line breaks to YAML, which become
/// blanks in a text.
enum JSONText {
    /// The same text with such characters in a form that YAML reads as they are. Without such characters, the bytes are returned
    /// unchanged.
    static func readableAsYAML(_ bytes: [UInt8]) -> [UInt8] {
        let bytes = withoutInnerMarks(bytes)
        let first = bytes.first {
            !($0 == 0x20 || (0x09...0x0D).contains($0) || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF)
        }
        guard first == UInt8(ascii: "{") else { return bytes }
        var result: [UInt8] = []
        var copied = 0
        var position = 0
        var isInText = false
        func replace(_ count: Int, by text: String) {
            result += bytes[copied..<position]
            result += Array(text.utf8)
            position += count
            copied = position
        }
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                isInText.toggle()
                position += 1
            case UInt8(ascii: "\\"):
                guard let high = unit(bytes, position), (0xD800...0xDBFF).contains(high),
                    let low = unit(bytes, position + 6), (0xDC00...0xDFFF).contains(low),
                    let scalar = Unicode.Scalar((high - 0xD800) << 10 + (low - 0xDC00) + 0x10000)
                else {
                    position += 2
                    continue
                }
                replace(12, by: String(Character(scalar)))
            case 0x7F where isInText: replace(1, by: "\\x7F")
            case 0xC2 where isInText && position + 1 < bytes.count && (0x80...0x9F).contains(bytes[position + 1]):
                replace(2, by: "\\x" + String(bytes[position + 1], radix: 16, uppercase: true))
            case 0xE2
            where isInText && position + 2 < bytes.count && bytes[position + 1] == 0x80
                && (0xA8...0xA9).contains(bytes[position + 2]):
                replace(3, by: bytes[position + 2] == 0xA8 ? "\\u2028" : "\\u2029")
            case 0xEF
            where isInText && position + 2 < bytes.count && bytes[position + 1] == 0xBF
                && (0xBE...0xBF).contains(bytes[position + 2]):
                replace(3, by: bytes[position + 2] == 0xBE ? "\\uFFFE" : "\\uFFFF")
            default: position += 1
            }
        }
        guard copied > 0 else { return bytes }
        return result + bytes[copied...]
    }

    /// The bytes without the byte order marks after the first one, which are invisible. JSON allows them in texts, and YAML
    /// does not.
    private static func withoutInnerMarks(_ bytes: [UInt8]) -> [UInt8] {
        let isMark: (Int) -> Bool = { position in
            bytes[position] == 0xEF && position + 2 < bytes.count && bytes[position + 1] == 0xBB
                && bytes[position + 2] == 0xBF
        }
        guard bytes.indices.dropFirst().contains(where: isMark) else { return bytes }
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if position > 0, isMark(position) {
                position += 3
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return result
    }

    /// The number of an escape `\uXXXX`.
    private static func unit(_ bytes: [UInt8], _ position: Int) -> UInt32? {
        guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { return nil }
        return UInt32(String(decoding: bytes[(position + 2)..<(position + 6)], as: UTF8.self), radix: 16)
    }
}
