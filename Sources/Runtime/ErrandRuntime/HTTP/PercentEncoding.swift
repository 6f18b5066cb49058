/// Percent-encoding of what is put into a URL or a form.
package enum PercentEncoding {
    /// Appends text so that no byte of it means anything to a URL: all but the unreserved characters
    /// of RFC 3986 section 2.3 are encoded.
    static func append(_ text: String, to url: inout String) {
        if text.utf8.allSatisfy(isUnreserved) {
            url += text
            return
        }
        for byte in text.utf8 {
            if isUnreserved(byte) {
                url.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                url += escapes[Int(byte)]
            }
        }
    }

    /// Text encoded as above.
    static func encode(_ text: String) -> String {
        var result = ""
        append(text, to: &result)
        return result
    }

    /// Text with every `%XX` decoded; anything else stays as it is.
    package static func decode(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// Appends text as `application/x-www-form-urlencoded` has it: a space is a plus sign, everything
    /// else that is not unreserved is encoded.
    static func appendForm(_ text: String, to body: inout [UInt8]) {
        for byte in text.utf8 {
            if byte == 0x20 {
                body.append(0x2B)
            } else if isUnreserved(byte), byte != 0x7E {
                body.append(byte)
            } else {
                body.append(contentsOf: escapes[Int(byte)].utf8)
            }
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    /// `%00` to `%FF`.
    private static let escapes: [String] = (0..<256).map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
    }
}
