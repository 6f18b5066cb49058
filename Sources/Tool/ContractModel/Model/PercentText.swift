/// Percent-encoded text of a URI (RFC 3986 section 2.1).
package enum PercentText {
    /// The text with the bytes encoded that the path of a URL must not have (RFC 3986 section 3.3). Encoded parts are kept.
    package static func path(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return encoded(text, keeping: "/:@!$&'()*+,;=-._~") { value(at: $0, of: bytes) != nil }
    }

    /// The text of a path on the disk in a URI: all but slashes and the unreserved characters of RFC 3986 section 2.3 are encoded.
    package static func file(_ path: String) -> String { encoded(path, keeping: "/-._~") { _ in false } }

    /// The text with every `%XX` decoded. A `%` that doesn't begin an escape is a plain character.
    package static func decoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return String(decoding: bytes(of: text).bytes, as: UTF8.self)
    }

    /// The text with every `%XX` decoded. Nil if a `%` doesn't begin an escape, or if the bytes are not UTF-8.
    ///
    /// - Parameter isForm: whether a `+` is a blank, as in the query of a form.
    package static func validated(_ text: some StringProtocol, isForm: Bool = false) -> String? {
        let decoded = bytes(of: text, isForm: isForm)
        return decoded.isValid ? String(validating: decoded.bytes, as: UTF8.self) : nil
    }

    /// The bytes of a text with every `%XX` decoded, and whether every `%` begins an escape.
    private static func bytes(of text: some StringProtocol, isForm: Bool = false) -> (bytes: [UInt8], isValid: Bool) {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isValid = true
        var position = 0
        while position < bytes.count {
            if let value = value(at: position, of: bytes) {
                result.append(value)
                position += 3
            } else {
                let byte = bytes[position]
                if byte == UInt8(ascii: "%") { isValid = false }
                result.append(isForm && byte == UInt8(ascii: "+") ? 0x20 : byte)
                position += 1
            }
        }
        return (result, isValid)
    }

    private static func encoded(
        _ text: String, keeping signs: String, unless isEncoded: (_ position: Int) -> Bool
    ) -> String {
        let kept = Set(signs.utf8)
        var result = ""
        for (position, byte) in text.utf8.enumerated() {
            let isAlphanumeric =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            if isAlphanumeric || kept.contains(byte) || isEncoded(position) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return result
    }

    /// The byte that the escape at this position means; nil without an escape.
    private static func value(at position: Int, of bytes: [UInt8]) -> UInt8? {
        guard bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
            let high = digit(bytes[position + 1]), let low = digit(bytes[position + 2])
        else { return nil }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
