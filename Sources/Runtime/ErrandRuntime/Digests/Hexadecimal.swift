/// Two hexadecimal digits for each byte (RFC 4648 section 8).
package enum Hexadecimal {
    package static func encode(_ bytes: some Sequence<UInt8>, isUppercase: Bool = false) -> String {
        let digits = Array(isUppercase ? "0123456789ABCDEF".utf8 : "0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The bytes of digits in either letter case; nil for any other text.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
