/// The contract's text in a form that is valid in the path of a URL (RFC 3986 section 3.3).
enum PercentEncoding {
    /// The text with the bytes encoded that a path must not have. Encoded parts are kept.
    static func path(_ text: String) -> String {
        let allowed = Set("/:@!$&'()*+,;=-._~".utf8)
        let bytes = Array(text.utf8)
        var result = ""
        for (position, byte) in bytes.enumerated() {
            let isAlphanumeric =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            let isTriplet =
                byte == 0x25 && bytes.count > position + 2 && isHex(bytes[position + 1]) && isHex(bytes[position + 2])
            if isAlphanumeric || allowed.contains(byte) || isTriplet {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return result
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
