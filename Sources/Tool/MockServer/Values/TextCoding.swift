import ContractModel

/// Bytes as text in base64, and the pairs of a form.
package enum TextCoding {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    /// The value of each digit; 255 for a byte that is none.
    private static let values: [UInt8] = (0...255).map { byte in
        alphabet.firstIndex(of: byte).map { UInt8($0) } ?? 255
    }

    /// Base64 (RFC 4648, section 4), or without padding and for URLs (section 5).
    static func base64(_ bytes: some Collection<UInt8>, forURL: Bool = false) -> String {
        var text: [UInt8] = []
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - group.count))
            for place in 0...group.count {
                text.append(alphabet[Int(bits >> UInt32(18 - 6 * place)) & 63])
            }
            if !forURL { text += Array(repeating: UInt8(ascii: "="), count: 3 - group.count) }
        }
        if forURL {
            text = text.map {
                $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of base64 with padding. Nil if the text is something else.
    package static func bytes(ofBase64 text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var bits: UInt32 = 0
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        let values = values
        for (position, digit) in digits.enumerated() {
            let isPadding = position >= digits.count - padding
            let value = isPadding ? 0 : values[Int(digit)]
            guard value != 255 else { return nil }
            bits = bits << 6 | UInt32(value)
            if position % 4 == 3 {
                bytes += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
                bits = 0
            }
        }
        return Array(bytes.dropLast(padding))
    }

    /// The pairs of a query or of a form, with `+` as a blank. A pair that cannot be decoded keeps its text.
    package static func pairs(_ text: some StringProtocol) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1] : ""
            return (
                PercentText.validated(parts[0], isForm: true) ?? String(parts[0]),
                PercentText.validated(value, isForm: true) ?? String(value)
            )
        }
    }
}
